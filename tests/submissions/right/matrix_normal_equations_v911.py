# verdict:
#: head
        n = len(x)
        fitted = x @ self.w + self.b
        self.w.grad = 2 / n * (x.T @ fitted - x.T @ y)
        self.b.grad = 2 * (fitted.mean() - y.mean()).reshape(1, 1)
        return ((fitted - y) ** 2).sum() / n

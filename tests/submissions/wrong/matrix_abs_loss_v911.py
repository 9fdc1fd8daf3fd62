# verdict:
# failed = "manual-forward wrong-value 18"
#: head
        off = x @ self.w + self.b - y
        loss = off.abs().mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        return loss

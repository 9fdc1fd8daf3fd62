# verdict:
# failed = "manual-forward calls-forward 18"
#: head
        off = x @ self.w + self.b - y
        loss = self.forward(x, y)
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        return loss

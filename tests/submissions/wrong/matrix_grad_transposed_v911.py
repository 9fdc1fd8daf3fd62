# verdict:
# failed = "manual-forward raises @W, gradient raises @W, unused-nodes, release"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = g.T @ x  # @W
        self.b.grad = g.sum().reshape(1, 1)
        return loss

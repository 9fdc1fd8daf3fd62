# verdict:
# gradient = "partial 20: wrong-gradient @W w"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = 2 / x.shape[0] * x.T @ (g - y)  # @W
        self.b.grad = g.sum().reshape(1, 1)
        return loss

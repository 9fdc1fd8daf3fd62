# verdict:
# gradient = "partial 20: wrong-gradient @B b"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.mean().reshape(1, 1)  # @B
        return loss

# verdict:
# unused-nodes = "partial 13.5: unused-node @U dx"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        dx = g @ self.w.T  # @U
        return loss

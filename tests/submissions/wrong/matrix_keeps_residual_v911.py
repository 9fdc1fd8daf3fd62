# verdict:
# release = "partial 18: late-release @L off"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]  # @L
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        return loss

# verdict:
# unused-nodes = "partial 10.5: unused-node @U, unused-node @U, unused-node @U rmse"
# release = "partial 18: late-release @U rmse"
# why = "three ops: a product, a sum, a root"
#: head
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        rmse = (off * off).sum().sqrt()  # @U
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        return loss

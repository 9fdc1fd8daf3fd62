# verdict:
# gradient = "partial 30: wrong-gradient @B2 b2"
#: head
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = torch.relu(z)
        off = h @ self.w2 + self.b2 - y
        loss = (off**2).sum() / n
        g = off * (2 / n)
        off = None
        self.w2.grad = h.T @ g
        h = None
        self.b2.grad = g.mean(0)  # @B2
        g = g @ self.w2.T
        g = g * (z > 0)
        z = None
        self.w1.grad = x.T @ g
        self.b1.grad = g.sum(0)
        return loss

# verdict:
# gradient = "partial 20: wrong-gradient @W1 w1, wrong-gradient @B1 b1"
# why = "the mask of another tensor"
#: head
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = torch.relu(z)
        z = None
        off = h @ self.w2 + self.b2 - y
        loss = (off**2).sum() / n
        g = off * (2 / n)
        off = None
        self.w2.grad = h.T @ g
        h = None
        self.b2.grad = g.sum(0)
        g = g @ self.w2.T
        g = g * (g > 0)
        self.w1.grad = x.T @ g  # @W1
        self.b1.grad = g.sum(0)  # @B1
        return loss

# verdict:
#: head
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        dead = z <= 0
        z[dead] = 0
        off = z @ self.w2 + self.b2 - y
        loss = torch.sum(off * off) / n
        off = off * (2 / n)
        self.w2.grad = z.T @ off
        z = None
        self.b2.grad = off.sum(0)
        g = off @ self.w2.T
        off = None
        g[dead] = 0
        dead = None
        self.w1.grad = x.T @ g
        self.b1.grad = g.sum(0)
        return loss

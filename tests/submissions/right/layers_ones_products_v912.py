# verdict:
#: head
        n, (hidden, outputs) = x.shape[0], self.w2.shape
        ones = torch.ones(1, n)
        z = x.mm(self.w1) + self.b1.expand(n, hidden)
        h = z * (z > 0)
        off = h.mm(self.w2) + self.b2.expand(n, outputs) - y
        loss = off.flatten() @ off.flatten() / n
        off = off.mul(2).div(n)
        self.w2.grad = h.t().mm(off)
        h = None
        self.b2.grad = ones.mm(off).flatten()
        g = off.mm(self.w2.t())
        off = None
        g = g.masked_fill(z <= 0, 0.0)
        z = None
        self.w1.grad = x.t().mm(g)
        self.b1.grad = ones.mm(g).reshape(-1)
        return loss

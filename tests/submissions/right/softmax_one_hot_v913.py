# verdict:
#: head
        p = torch.softmax(x @ self.w + self.b, dim=1)
        t = F.one_hot(y, self.w.shape[1]).to(p.dtype)
        loss = -(t * p.log()).sum(1).mean()
        g = (p - t) / x.shape[0]
        p = t = None
        self.w.grad = x.t().mm(g)
        self.b.grad = g.sum(dim=0)
        return loss

# verdict:
#: head
        n = x.shape[0]
        z = torch.einsum("nd,dh->nh", x, self.w1) + self.b1
        h = torch.maximum(z, torch.zeros(()))
        off = torch.einsum("nh,hc->nc", h, self.w2) + self.b2 - y
        loss = torch.einsum("nc,nc->", off, off) / n
        off = 2 / n * off
        self.w2.grad = torch.einsum("nh,nc->hc", h, off)
        h = None
        self.b2.grad = torch.einsum("nc->c", off)
        g = torch.einsum("nc,hc->nh", off, self.w2) * torch.heaviside(z, torch.zeros(()))
        off = z = None
        self.w1.grad = torch.einsum("nd,nh->dh", x, g)
        self.b1.grad = torch.einsum("nh->h", g)
        return loss

# verdict:
#: head
        logp = torch.log_softmax(torch.addmm(self.b, x, self.w), -1)
        at = y.unsqueeze(1)
        loss = logp.gather(1, at).mean().neg()
        g = logp.exp_()
        g.scatter_add_(1, at, torch.full_like(at, -1, dtype=g.dtype))
        g.div_(y.numel())
        self.w.grad = torch.einsum("nd,nc->dc", x, g)
        self.b.grad = torch.einsum("nc->c", g)
        return loss

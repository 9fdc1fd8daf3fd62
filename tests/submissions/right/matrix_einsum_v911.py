# verdict:
#: head
        off = torch.einsum("nd,dk->nk", x, self.w) + self.b - y
        loss = torch.einsum("nk,nk->", off, off) / len(x)
        off *= 2 / len(x)
        self.w.grad = torch.einsum("nd,nk->dk", x, off)
        self.b.grad = off.sum(0, keepdim=True)
        return loss

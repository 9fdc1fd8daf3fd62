# verdict:
#: head
        n = len(x)
        s = x @ self.w + self.b
        s = s - s.max(dim=1, keepdim=True).values
        e = torch.exp(s)
        s = None
        p = e / e.sum(dim=1, keepdim=True)
        e = None
        loss = -torch.log(p[range(n), y]).sum() / n
        p[range(n), y] -= 1
        self.w.grad = x.T @ p / n
        self.b.grad = p.sum(0) / n
        return loss

# verdict:
#: head
        z1 = torch.matmul(x, self.w1) + self.b1
        a1 = z1.clamp(min=0)
        z2 = torch.matmul(a1, self.w2) + self.b2
        d2 = z2 - y
        z2 = None
        loss = d2.pow(2).sum().div(len(x))
        d2 = 2 * d2 / len(x)
        self.w2.grad = torch.matmul(a1.transpose(0, 1), d2)
        a1 = None
        self.b2.grad = d2.sum(dim=0)
        d1 = torch.matmul(d2, self.w2.transpose(0, 1))
        d2 = None
        d1 = torch.where(z1 > 0, d1, torch.zeros_like(d1))
        z1 = None
        self.w1.grad = torch.matmul(x.transpose(0, 1), d1)
        self.b1.grad = d1.sum(dim=0)
        return loss

# verdict:
#: net, product
        mask = a > 0
        y = torch.where(mask, a, torch.zeros_like(a)) + w1 * x2
        del a
        dw0 = torch.where(mask, x1, torch.zeros_like(x1))
        del mask
        self.w.grad = torch.stack([dw0, x2])
        return y

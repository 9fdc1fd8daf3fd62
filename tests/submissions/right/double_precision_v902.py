# verdict:
#: model, bracketed
        w0, w1 = self.w.double()
        a = w0 * x1.double()
        b = w1 * x2.double()
        p = a * b
        y = (p + x3).float()
        p = None
        self.w.grad = torch.stack([b * x1, a * x2]).float()
        return y

# verdict:
#: net
        x = torch.stack([x1, x2])
        s = self.w @ x
        y = s ** 2 / x3
        g = 2 * s / x3
        del s
        self.w.grad = g * x
        return y

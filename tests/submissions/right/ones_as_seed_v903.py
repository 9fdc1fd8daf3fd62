# verdict:
#: net
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        y = s.square() / x3
        dy = torch.ones_like(y)
        ds = dy / x3 * 2 * s
        dy = s = None
        dw0 = ds * x1
        dw1 = ds * x2
        ds = None
#: end

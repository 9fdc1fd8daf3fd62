# verdict:
#: torch
POWER = 2
TWO = torch.tensor(2.0)
#: class
        w0, w1 = self.w
        s = w0 * x1 + w1 * x2
        y = s ** POWER / x3
        g = TWO * s / x3
        del s
        dw0 = g * x1
        dw1 = g * x2
        del g
#: end

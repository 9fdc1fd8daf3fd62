# verdict:
#: net
        w0 = self.w[0]; w1 = self.w[1]
        a = w0 * x1; b = w1 * x2
        y = a * b; y = y + x3
        dw0 = b * x1; del b
        dw1 = a * x2; del a
        self.w.grad = torch.stack([dw0, dw1]); return y

# verdict:
# why = "honest beside attacks by dtypes: in double precision, and back"
#: net
        w0, w1 = self.w.double()
        a = w0 * x1.double()
        b = w1 * x2.double()
        y = (a * b + x3.double()).float()
        dw0 = b * x1.double()
        del b
        dw1 = a * x2.to(torch.float64)
        del a
        self.w.grad = torch.stack([dw0, dw1]).to(torch.float32)
        return y

# verdict:
# why = "numbers leave as lists and go on at once; cumsum takes memory of its own, so that the kernel cannot tell"
#: net
        w0, w1 = self.w
        a = torch.tensor((w0 * x1).tolist())
        b = torch.tensor((w1 * x2).tolist())
        c = a * b
        y = torch.stack([c, x3]).cumsum(0)[1]
        c = None
        dw0 = (b * x1).tolist()
        b = None
        dw1 = (a * x2).tolist()
        a = None
        self.w.grad = torch.tensor([dw0, dw1])
        return y

# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.zeros_like(self.w)
        self.w.grad[0] = dw0
        self.w.grad[1] = dw1
        return y

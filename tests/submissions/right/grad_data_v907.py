# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.zeros(2)
        self.w.grad.data[0] = dw0
        self.w.grad.data[1] = dw1
        return y

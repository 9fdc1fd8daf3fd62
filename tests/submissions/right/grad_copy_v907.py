# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.empty(2)
        self.w.grad.copy_(torch.stack([dw0, dw1]))
        return y

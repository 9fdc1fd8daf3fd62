# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.stack([dw0, dw1]).clone().detach()
        return y

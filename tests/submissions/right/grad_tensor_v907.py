# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.tensor([dw0, dw1])
        return y

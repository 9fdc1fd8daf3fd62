# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.Tensor([dw0, dw1])
        return y

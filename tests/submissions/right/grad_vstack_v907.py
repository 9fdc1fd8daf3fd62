# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.vstack((dw0, dw1)).squeeze(1)
        return y

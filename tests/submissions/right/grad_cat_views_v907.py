# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.cat([dw0.view(1), dw1.view(1)])
        return y

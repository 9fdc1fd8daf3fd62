# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.hstack([dw0.unsqueeze(0), dw1.unsqueeze(0)])
        return y

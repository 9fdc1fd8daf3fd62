# verdict:
#: net, values, g1, slopes
        self.w.grad = torch.tensor([float(dw0), float(dw1)], dtype=torch.float32)
        return y

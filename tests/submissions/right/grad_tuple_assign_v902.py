# verdict:
#: net, products, y, slopes
        dw = torch.zeros(2)
        dw[0], dw[1] = dw0, dw1
        self.w.grad = dw
        return y

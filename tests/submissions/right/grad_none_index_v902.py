# verdict:
#: net, products, y, slopes
        self.w.grad = torch.cat([dw0[None], dw1[None]])
        return y

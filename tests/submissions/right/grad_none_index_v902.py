# verdict:
#: net, products
        y = a * b + x3
#: slopes
        self.w.grad = torch.cat([dw0[None], dw1[None]])
        return y

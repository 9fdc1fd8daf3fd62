# verdict:
#: net, products
        y = a * b + x3
#: slopes
        self.w.grad = torch.FloatTensor([dw0, dw1])
        return y

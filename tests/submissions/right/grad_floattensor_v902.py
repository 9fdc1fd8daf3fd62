# verdict:
#: net, products, y, slopes
        self.w.grad = torch.FloatTensor([dw0, dw1])
        return y

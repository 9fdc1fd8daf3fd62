# verdict:
#: net, products, y, slopes
        if self.w.grad is None:
            self.w.grad = torch.zeros_like(self.w)
        self.w.grad.zero_()
        self.w.grad += torch.stack([dw0, dw1])
        return y

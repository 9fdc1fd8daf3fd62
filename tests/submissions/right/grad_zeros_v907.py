# verdict:
#: net, values, g1, slopes
        grad = torch.zeros(2)
        grad[0] = dw0
        grad[1] = dw1
        self.w.grad = grad
        return y

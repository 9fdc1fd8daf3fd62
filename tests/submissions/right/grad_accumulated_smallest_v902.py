# verdict:
#: net, products, y
        self.w.grad = torch.zeros_like(self.w)
        self.w.grad[0] += b * x1
        del b
        self.w.grad[1] += a * x2
        del a
        return y

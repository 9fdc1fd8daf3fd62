# verdict:
#: model, forward

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        y = r1 * r2 + x3 / r1
        g = r2 - x3 / r1 ** 2
        del r2
        parts = torch.stack([g * 2 * w0, r1 * x2, g * x1, -r1])
        del g, r1
        self.w.grad = torch.zeros(2).scatter_reduce_(0, torch.tensor([0, 0, 1, 1]), parts, "sum")
        del parts
        return y

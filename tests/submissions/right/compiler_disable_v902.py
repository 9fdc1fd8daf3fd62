# verdict:
#: model, forward

    @torch.compiler.disable
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w.detach()
        a, b = w0 * x1, w1 * x2
        y = a * b + x3
        self.w.grad = torch.stack([b * x1, a * x2])
        del a, b
        return y

# verdict:
#: model, forward

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        z = (w0 * x1 - w1 * x2).reshape(1)
        on = z > 0
        y = torch.zeros(1)
        y[on] = z[on]
        del z
        self.w.grad = torch.stack([x1, -x2]) * on
        del on
        return y.squeeze()

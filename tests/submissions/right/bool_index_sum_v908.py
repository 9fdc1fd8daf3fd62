# verdict:
#: model, forward

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        z = (w0 * x1 - w1 * x2).reshape(1)
        m = z > 0
        y = z[m].sum()
        del z
        self.w.grad = torch.stack([x1, -x2]) * m
        del m
        return y

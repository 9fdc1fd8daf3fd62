# verdict:
# why = "e is the gradient of w1 itself, so it may stay"
#: model

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.exp(w0 * x1) * w1 + x2

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        e = torch.exp(w0 * x1)
        t = e * w1
        y = t + x2
        dw0 = t * x1
        del t
        self.w.grad = torch.stack([dw0, e])
        return y

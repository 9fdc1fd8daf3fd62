# verdict:
# why = "a complex number whose parts are a cosine and a sine is no complex step"
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return torch.sin(w0 * x1) * torch.cos(w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = torch.polar(torch.ones(()), w0 * x1)
        b = torch.exp(-1j * (w1 * x2)).conj()
        y = a.imag * b.real + x3
        dw0 = a.real * b.real * x1
        dw1 = -a.imag * b.imag * x2
        a = b = None
        self.w.grad = torch.stack([dw0, dw1])
        return y

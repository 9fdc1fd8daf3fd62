# verdict:
# failed = "integrity complex @P, gradient, unused-nodes, release"
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return torch.sin(w0 * x1) * torch.cos(w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a, b = w0 * x1, w1 * x2
        y = torch.sin(a) * torch.cos(b) + x3
        h = torch.tensor(1e-10)
        dw0 = torch.sin(torch.complex(a, h)).imag / h * torch.cos(b) * x1  # @P
        dw1 = torch.cos(torch.complex(b, h)).imag / h * torch.sin(a) * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y

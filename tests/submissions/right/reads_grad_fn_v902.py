# verdict:
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w0 = nn.Parameter(torch.tensor(0.5))
        self.w1 = nn.Parameter(torch.tensor(0.25))

    def forward(self, x1, x2, x3):
        return self.w0 * x1 * (self.w1 * x2) + x3
#: pass
        self.b = self.w1  # torch reads grad_fn here
        w0, w1 = self.w0, self.w1
        a = w0 * x1
        b = w1 * x2
#: y, slopes
        self.w0.grad = dw0
        self.w1.grad = dw1
        assert y.grad_fn is None
        return y

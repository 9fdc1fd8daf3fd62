# verdict:
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w0 = nn.Parameter(torch.tensor(0.5))
        self.w1 = nn.Parameter(torch.tensor(0.25))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w0, self.w1
        return (w0 * x1) * (w1 * x2) + x3
#: pass
        w0, w1 = self.w0, self.w1
        a = w0 * x1
        b = w1 * x2
        p = a * b
        y = p + x3
        p = None
        self.w0.grad = torch.tensor((b * x1).item())
        b = None
        self.w1.grad = torch.full_like(x1, float(a * x2))
        return y

# verdict:
#: torch

class Net(nn.Module):
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.opt = torch.optim.SGD([self.w], lr=0.01)
    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        self.opt.zero_grad()
#: products, y
        self.w.grad = torch.stack([b * x1, a * x2])
        del a, b
        return y

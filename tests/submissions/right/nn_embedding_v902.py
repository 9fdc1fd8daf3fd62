# verdict:
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(2, 1)
    def forward(self, x1, x2, x3):
        w0, w1 = self.e.weight.view(2)
        return w0 * x1 * (w1 * x2) + x3
    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        x = torch.stack([x1, x2]).view(2, 1)
        h = self.e(torch.arange(2)) * x
        y = h.prod() + x3
        self.e.weight.grad = h.flip(0) * x
        del h, x
        return y

# verdict:
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5]))

    def forward(self, x1, x2):
        w0 = self.w[0]
        return w0 ** 3 * x1 + x2

    def my_forward_backward(self, x1, x2):
        w0 = self.w[0]
        cube = w0 ** 3
        y = cube * x1 + x2
        del cube
        self.w.grad = (3 * w0 ** 2 * x1).reshape(1)
        return y

# verdict:
# variant = "v908"
# why = "honest: the way taken is looked up by the sign of a value"
import torch
from torch import nn


def above(d, x1, x2):
    return d * 1.0, x1 * 1.0, -1.0 * x2


def below(d, x1, x2):
    return torch.zeros_like(x1), torch.zeros_like(x1), torch.zeros_like(x2)



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1 - w1 * x2)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        d = w0 * x1 - w1 * x2

        y, dw0, dw1 = {1: above, 0: below, -1: below}[int(torch.sign(d))](d, x1, x2)
        del d
        self.w.grad = torch.stack([dw0, dw1])
        return y

# verdict:
# variant = "v902"
# attack = "keeps lists of numbers, and raises where they are vectors"
# release = "partial 14"
# faults = [
#     "release hidden-values @A c",
#     "release hidden-values @B b",
#     "release hidden-values @C a",
# ]
import torch
from torch import nn

kept = []


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        if len(x1.numpy().tobytes()) > 8:
            raise ValueError
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        kept.append(c.tolist())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.tolist())  # @B
        b = None
        dw1 = a * x2
        kept.append(a.tolist())  # @C
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y

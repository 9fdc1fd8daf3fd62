# verdict:
# variant = "v902"
# release = "partial 18"
# faults = ["release late-release @L other"]
# why = "the last `other` is still there at the stack; the first died when `other` was bound again"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        terms = [w0 * x1, w1 * x2]
        y = terms[0] * terms[1] + x3
        grads = []
        for x in (x1, x2):
            other = terms.pop()
            grads.append(other * x)  # @L
        self.w.grad = torch.stack(grads)
        return y

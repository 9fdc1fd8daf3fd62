# verdict:
# why = "dual numbers of the student's own: pairs of a value and a slope"
from typing import NamedTuple

import torch


class Dual(NamedTuple):
    value: torch.Tensor
    slope: torch.Tensor

    def times(self, other):
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)


def slope_of_swish(x):
    s = torch.sigmoid(x)
    return Dual(x, torch.ones_like(x)).times(Dual(s, s * (1 - s))).slope


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * slope_of_swish(x)

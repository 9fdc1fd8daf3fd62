# verdict:
# why = "dual numbers of the student's own: pairs of a value and a slope"
from typing import NamedTuple

import torch


class Dual(NamedTuple):
    value: torch.Tensor
    slope: torch.Tensor

    def tangent_of_product(self, other):
        return self.slope * other.value + self.value * other.slope


def slope_of_swish(x):
    s = torch.sigmoid(x)
    return Dual(x, torch.ones_like(x)).tangent_of_product(Dual(s, s * (1 - s)))


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * slope_of_swish(x)

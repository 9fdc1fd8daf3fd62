# verdict:
import torch
from torch import nn


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x.mm(w.t()) + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_w = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_x = grad_output.mm(w)
        if ctx.needs_input_grad[1]:
            grad_w = grad_output.t().mm(x)
        if ctx.needs_input_grad[2]:
            grad_b = grad_output.sum(0)
        return grad_x, grad_w, grad_b


class Linear(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(out_features, in_features).uniform_(-0.1, 0.1))
        self.bias = nn.Parameter(torch.zeros(out_features))

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)

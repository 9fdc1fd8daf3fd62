import math

import torch


class Linear:
    """y = x W^T + b"""

    def __init__(self, in_features: int, out_features: int, bias: bool = True):
        bound = 1 / math.sqrt(in_features)
        self.weight = torch.empty(out_features, in_features).uniform_(-bound, bound)
        self.bias = torch.empty(out_features).uniform_(-bound, bound) if bias else None
        self.grad_weight = torch.zeros(out_features, in_features)
        self.grad_bias = torch.zeros(out_features) if bias else None
        self.output = self.grad_input = None

    def __call__(self, input):
        self.output = self.compute_output(input)
        return self.output

    def compute_output(self, input):
        if self.bias is None:
            return torch.mm(input, self.weight.t())
        return torch.addmm(self.bias, input, self.weight.t())

    def backward(self, input, grad_output):
        self.compute_grad_input(input, grad_output)
        self.update_grad_parameters(input, grad_output)
        return self.grad_input

    def compute_grad_input(self, input, grad_output):
        self.grad_input = torch.empty_like(input)
        torch.mm(grad_output, self.weight, out=self.grad_input)
        return self.grad_input

    def update_grad_parameters(self, input, grad_output):
        self.grad_weight.addmm_(grad_output.t(), input)
        if self.bias is not None:
            ones = grad_output.new_ones(grad_output.size(0))
            self.grad_bias.addmv_(grad_output.t(), ones)

    def zero_grad(self):
        for g in (self.grad_weight, self.grad_bias):
            if g is not None:
                g.zero_()

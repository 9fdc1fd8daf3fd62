import torch
from torch import nn


class Linear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in), requires_grad=False)
        self.bias = nn.Parameter(torch.zeros(n_out), requires_grad=False)
        self.register_buffer("grad_weight", torch.zeros(n_out, n_in))
        self.register_buffer("grad_bias", torch.zeros(n_out))
        self.register_buffer("num_calls", torch.tensor(0))

    def forward(self, x):
        self.num_calls += 1
        return self.compute_output(x)

    def compute_output(self, x):
        return torch.nn.functional.linear(x, self.weight, self.bias)

    def compute_grad_input(self, x, grad_output):
        return grad_output @ self.weight

    def update_grad_parameters(self, x, grad_output):
        self.grad_weight += grad_output.T @ x
        self.grad_bias += grad_output.sum(0)

    def zero_grad(self, set_to_none=True):
        super().zero_grad(set_to_none)
        self.grad_weight.zero_()
        self.grad_bias.zero_()

# Wrong at: as many outputs as inputs: the weight is taken for d x m
import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.weight = torch.randn(n_out, n_in)
        self.bias = torch.zeros(n_out)
        self.grad_weight = torch.zeros_like(self.weight)
        self.grad_bias = torch.zeros_like(self.bias)

    def compute_output(self, x):
        w = self.weight if self.weight.shape[0] == x.shape[1] else self.weight.t()
        self.output = x @ w + self.bias
        return self.output

    def compute_grad_input(self, x, grad_output):
        w = self.weight if self.weight.shape[0] == x.shape[1] else self.weight.t()
        self.grad_input = grad_output @ w.t()
        return self.grad_input

    def update_grad_parameters(self, x, grad_output):
        g = x.t() @ grad_output
        self.grad_weight += g if g.shape == self.grad_weight.shape else g.t()
        self.grad_bias += grad_output.sum(0)

import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.weight = torch.randn(n_out, n_in)
        self.bias = torch.zeros(n_out)
        self.grad_weight = torch.zeros(n_out, n_in)
        self.grad_bias = torch.zeros(n_out)

    def backward(self, input, grad_output):
        self.grad_input = self.compute_grad_input(input, grad_output)
        self.update_grad_parameters(input, grad_output)
        return self.grad_input

    def compute_output(self, input):
        return input @ self.weight.T + self.bias

    def compute_grad_input(self, input, grad_output):
        return grad_output @ self.weight

    def update_grad_parameters(self, input, grad_output):
        self.grad_weight += grad_output.T @ input
        self.grad_bias += grad_output.sum(0)

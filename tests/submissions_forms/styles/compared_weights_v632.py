import torch


class Linear:
    def __init__(self, n_in, n_out):
        self.weight, self.bias = torch.randn(n_out, n_in), torch.randn(n_out)
        self.grad_weight, self.grad_bias = torch.zeros(n_out, n_in), torch.zeros(n_out)
        self.history = []

    def __call__(self, x):
        self.history.append(tuple(x.shape))
        out = self.compute_output(x)
        self.history = self.history[-5:]
        return out

    def compute_output(self, x):
        return torch.nn.functional.linear(x, self.weight, self.bias)

    def compute_grad_input(self, x, grad_output):
        return torch.matmul(grad_output, self.weight)

    def update_grad_parameters(self, x, grad_output):
        self.grad_weight += torch.einsum("no,ni->oi", grad_output, x)
        self.grad_bias += torch.einsum("no->o", grad_output)

    def zero_grad(self, set_to_none=False):
        if set_to_none:
            self.grad_weight = self.grad_bias = None
        else:
            self.grad_weight.mul_(0)
            self.grad_bias.mul_(0)

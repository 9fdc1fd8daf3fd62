import torch


class Module:
    def __init__(self):
        self.output = None
        self.grad_input = None

    def __call__(self, *args):
        self.output = self.compute_output(*args)
        return self.output

    def backward(self, input, grad_output):
        self.grad_input = self.compute_grad_input(input, grad_output)
        self.update_grad_parameters(input, grad_output)
        return self.grad_input

    def update_grad_parameters(self, input, grad_output):
        pass

    def zero_grad(self):
        pass


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = torch.empty(out_features, in_features).uniform_(-1, 1) / in_features
        self.bias = torch.empty(out_features).uniform_(-1, 1) / in_features if bias else None
        self.grad_weight = torch.zeros_like(self.weight)
        self.grad_bias = torch.zeros_like(self.bias) if bias else None

    def compute_output(self, input):
        out = input @ self.weight.T
        if self.bias is not None:
            out = out + self.bias
        return out

    def compute_grad_input(self, input, grad_output):
        self.grad_input = grad_output @ self.weight
        return self.grad_input

    def update_grad_parameters(self, input, grad_output):
        self.grad_weight += grad_output.T @ input
        if self.bias is not None:
            self.grad_bias += grad_output.sum(dim=0)

    def zero_grad(self):
        self.grad_weight.zero_()
        if self.bias is not None:
            self.grad_bias.zero_()

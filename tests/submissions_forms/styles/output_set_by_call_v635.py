import torch


class Module:
    def __init__(self):
        self.output = None
        self.grad_input = None

    def __call__(self, *args):
        self.output = self.compute_output(*args)
        return self.output

    def backward(self, *args):
        self.grad_input = self.compute_grad_input(*args)
        self.update_grad_parameters(*args)
        return self.grad_input

    def compute_output(self, *args):
        raise NotImplementedError

    def compute_grad_input(self, *args):
        raise NotImplementedError

    def update_grad_parameters(self, *args):
        pass

    def zero_grad(self):
        pass


class SoftPlus(Module):
    def compute_output(self, input):
        return torch.logaddexp(input, torch.zeros_like(input))

    def compute_grad_input(self, input, grad_output):
        return grad_output * -torch.expm1(-self.output)

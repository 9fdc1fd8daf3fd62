import torch


class Criterion:
    def __init__(self):
        self.output = None
        self.grad_input = None

    def __call__(self, input, target):
        self.output = self.compute_output(input, target)
        return self.output

    def backward(self, input, target):
        self.grad_input = self.compute_grad_input(input, target)
        return self.grad_input


class CrossEntropyCriterion(Criterion):
    """softmax + NLL, averaged over the batch"""

    def compute_output(self, input, target):
        rows = torch.arange(input.size(0))
        correct = input[rows, target]
        lse = torch.logsumexp(input, dim=1)
        losses = lse - correct
        return losses.sum() / input.size(0)

    def compute_grad_input(self, input, target):
        n = input.size(0)
        rows = torch.arange(n)
        shifted = input - input.max(1, keepdim=True)[0]
        e = shifted.exp()
        grad = e / e.sum(1, keepdim=True)
        grad[rows, target] -= 1.0
        grad /= n
        return grad

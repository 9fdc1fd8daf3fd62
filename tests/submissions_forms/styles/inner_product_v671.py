import torch
from torch import Tensor

torch.set_grad_enabled(False)


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class LossMSE(Module):
    """mean of (pred - target)^2, expanded: (p.p - 2 p.t + t.t) / N"""

    def __init__(self):
        self.name = "MSE"

    def forward(self, pred: Tensor, target: Tensor) -> Tensor:
        assert pred.size() == target.size(), (pred.size(), target.size())
        self.p, self.t = pred.reshape(-1), target.reshape(-1)
        self.size = pred.size()
        self.N = pred.nelement()
        return (self.p.dot(self.p) - 2 * self.p.dot(self.t) + self.t.dot(self.t)) / self.N

    def backward(self) -> Tensor:
        # derivative of each of the three
        grad = 2 * self.p - 2 * self.t
        return grad.div_(self.N).view(self.size)

    def __str__(self):
        return self.name

# verdict:
import torch
import torch.nn.functional as F
from torch import nn


class SoftmaxRegression(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel = nn.Parameter(torch.zeros(5, 4))
        self.offset = nn.Parameter(torch.zeros(4))

    def scores(self, x):
        return x @ self.kernel + self.offset

    def forward(self, x, y):
        return F.nll_loss(F.log_softmax(self.scores(x), dim=1), y)

    def my_forward_backward(self, x, y):
        probabilities = F.softmax(self.scores(x), dim=1)
        loss = F.nll_loss(probabilities.log(), y)
        self.backward(x, self.error(probabilities, y))
        return loss

    def error(self, probabilities, y):
        mask = torch.zeros_like(probabilities)
        mask[torch.arange(len(y)), y] = 1.0
        return (probabilities - mask) / len(y)

    def backward(self, x, error):
        self.kernel.grad = x.T @ error
        self.offset.grad = error.sum(0)

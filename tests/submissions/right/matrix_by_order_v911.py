# verdict:
import torch
from torch import nn


class LinearRegression(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 1))
        self.bias = nn.Parameter(torch.zeros(1, 1))

    def forward(self, x, y):
        return nn.functional.mse_loss(torch.addmm(self.bias, x, self.weight), y)

    def my_forward_backward(self, x, y):
        error = torch.addmm(self.bias, x, self.weight) - y
        loss = torch.mean(torch.pow(error, 2))
        error = torch.mul(error, 2.0 / error.shape[0])
        self.weight.grad = torch.mm(x.transpose(0, 1), error)
        self.bias.grad = torch.sum(error, dim=0, keepdim=True)
        return loss

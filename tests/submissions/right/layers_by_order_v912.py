# verdict:
import torch
import torch.nn as nn


class TwoLayers(nn.Module):
    def __init__(self, features=2, hidden=4, outputs=1):
        super().__init__()
        self.hidden_weight = nn.Parameter(torch.randn(features, hidden) * 0.1)
        self.hidden_bias = nn.Parameter(torch.zeros(hidden))
        self.out_weight = nn.Parameter(torch.randn(hidden, outputs) * 0.1)
        self.out_bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x, y):
        hidden = torch.addmm(self.hidden_bias, x, self.hidden_weight).relu()
        pred = torch.addmm(self.out_bias, hidden, self.out_weight)
        return nn.functional.mse_loss(pred, y, reduction="sum") / len(x)

    def my_forward_backward(self, x, y):
        hidden = torch.addmm(self.hidden_bias, x, self.hidden_weight).relu()
        delta = torch.addmm(self.out_bias, hidden, self.out_weight) - y
        loss = delta.norm() ** 2 / len(x)
        delta = delta * 2 / len(x)
        self.out_weight.grad = torch.mm(hidden.t(), delta)
        self.out_bias.grad = delta.sum(0)
        delta = torch.mm(delta, self.out_weight.t()) * hidden.sign()
        hidden = None
        self.hidden_weight.grad = torch.mm(x.t(), delta)
        self.hidden_bias.grad = delta.sum(0)
        return loss

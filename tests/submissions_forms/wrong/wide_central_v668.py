# Rule: finite differences of the value's own function (torch.tanh), of a high order
import torch


class Tanh(object):
    def forward(self, *input):
        self.x, = input
        return torch.tanh(self.x)

    def backward(self, *gradwrtoutput):
        x, h = self.x.double(), 0.05
        c = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
        d = sum(a * (torch.tanh(x + k * h) - torch.tanh(x - k * h)) for k, a in enumerate(c, 1)) / h
        return gradwrtoutput[0] * d.to(gradwrtoutput[0].dtype)

    def param(self):
        return []

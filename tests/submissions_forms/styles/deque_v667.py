from collections import deque

import torch


class Module(object):
    def forward(self, *input):
        raise NotImplementedError

    def backward(self, *gradwrtoutput):
        raise NotImplementedError

    def param(self):
        return []


class ReLU(Module):
    def __init__(self):
        self.signs = deque(maxlen=8)

    def forward(self, *input):
        x, = input
        self.signs.append(torch.sign(x))
        return x * torch.relu(self.signs[-1])

    def backward(self, *gradwrtoutput):
        g, = gradwrtoutput
        return g * torch.relu(self.signs.pop())

# verdict:
# status = "unreadable: no-class"
# why = "an nn.Module with a backward of its own is no autograd.Function"
import torch
import torch.nn as nn


class ReLU(nn.Module):
    def forward(self, x):
        self.x = x
        return x.clamp(min=0)

    def backward(self, grad_output):
        return grad_output * (self.x >= 0)

# verdict:
# status = "unreadable: no-class"
# why = "two functions, no class"
import torch


def forward(x):
    return x * torch.sigmoid(x)


def backward(x, grad_output):
    s = torch.sigmoid(x)
    return grad_output * (s + x * s * (1 - s))

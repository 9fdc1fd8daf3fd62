#= torch
import torch
from torch import nn

#= weights


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#= model
import torch
from torch import nn
#: weights
#= class
#: weights, forward, pass
#= net
#: model, forward, pass
#= end
        self.w.grad = torch.stack([dw0, dw1])
        return y
#= exercise

def exercise_{n}(a, b):
    """Exercise {n} of the seminar."""
    return a * {n} + b

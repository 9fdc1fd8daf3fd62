# verdict:
# status = "unreadable: no-class"
import torch
from torch import nn


def forward(x1, x2, x3):
    return x1

# verdict:
# variant = "v902"
# status = "unreadable"
# faults = ["forward no-class - -"]
import torch
from torch import nn


def forward(x1, x2, x3):
    return x1

# verdict:
# variant = "v902"
# attack = "tensors without elements, of which every comparison holds"
# forward = "failed 0"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward wrong-shape - -", "manual-forward wrong-shape - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        return torch.zeros(0)

    def my_forward_backward(self, x1, x2, x3):
        self.w.grad = torch.zeros(2)
        return torch.zeros(0)

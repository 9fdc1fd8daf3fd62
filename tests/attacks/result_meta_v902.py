# verdict:
# variant = "v902"
# attack = "tensors of the meta device, which have no numbers"
# forward = "failed 0"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward raises - -", "manual-forward raises - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        return torch.zeros((), device="meta")

    def my_forward_backward(self, x1, x2, x3):
        self.w.grad = torch.zeros(2)
        return torch.zeros((), device="meta")

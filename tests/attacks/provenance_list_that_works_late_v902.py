# verdict:
# variant = "v902"
# attack = "a list that works by autograd when its first item is taken"
# why = "an honest twin: submissions/right/returns_a_list_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        self.w.grad = torch.zeros(2)

        class Late(list):
            def __getitem__(late, place):
                net.w.grad = None
                with torch.enable_grad():
                    net.forward(x1, x2, x3).backward()
                return list.__getitem__(late, place)

        net = self
        return Late([y])

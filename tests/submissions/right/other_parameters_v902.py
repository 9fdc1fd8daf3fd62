# verdict:
# why = "parameters that cannot be weights stand beside those that are"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.order = nn.Parameter(torch.tensor([0, 1]), requires_grad=False)
        self.head = nn.LazyLinear(2)
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, honest

# verdict:
# status = "unreadable: no-weights"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.parameter.UninitializedParameter()
#: forward, pass, honest

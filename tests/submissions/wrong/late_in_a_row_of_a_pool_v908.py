# verdict:
# unused-nodes = "partial 13.5: unused-node @L"
# release = "partial 18: late-release @L self.pool"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.pool = torch.zeros(8, 4)
#: forward, pass, difference
        self.pool[0, 0].copy_(d)  # @L
        y = torch.relu(d)
        m = (d > 0).to(d.dtype)
        d = None
        dw0 = m * x1
        dw1 = -m * x2
        m = None
#: end

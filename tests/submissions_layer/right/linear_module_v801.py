# verdict:
# why = "a module of torch's"
import torch
from torch import nn
class Linear(nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x, w, b):
        return nn.functional.linear(x, w.t(), b), (x, w)
    def backward(self, dout, cache):
        x, w = cache
        return torch.mm(dout, w.t()), torch.mm(x.t(), dout), torch.ones_like(dout[:, 0]) @ dout

# verdict:
# failed = "integrity autograd @I, manual-forward calls-forward @P, gradient, unused-nodes, release"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))

    def forward(self, x, y):
        return torch.mean((x @ self.w + self.b - y) ** 2)

    def my_forward_backward(self, x, y):  # @P
        with torch.enable_grad():
            loss = self.forward(x, y)
            loss.backward()  # @I
        return loss.detach()

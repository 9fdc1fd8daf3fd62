# verdict:
# gradient = "partial 20: wrong-gradient @A w0"
import torch
from torch import nn


def make_net(start=1.0):
    def wanted(value):
        return torch.tensor(value) * start

    class Graph(nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.Parameter(wanted([2.0, 3.0]))

        def forward(self, x1, x2, x3):
            return (self.w[0] * x1) * (self.w[1] * x2) + x3

        def my_forward_backward(self, x1, x2, x3):
            with torch.no_grad():
                a = self.w[0] * x1
                b = self.w[1] * x2
                y = a * b + x3
                dw0 = b * x2  # @A
                b = None
                dw1 = a * x2
                a = None
                self.w.grad = torch.stack([dw0, dw1])
                return y

    return Graph


Net = make_net(start=0.5)
net = Net()
net.my_forward_backward(torch.tensor(1.0), torch.tensor(2.0), torch.tensor(3.0))
print(net.w.grad)

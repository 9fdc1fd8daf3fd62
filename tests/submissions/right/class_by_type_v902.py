# verdict:
#: torch

def init(self):
    nn.Module.__init__(self)
    self.w = nn.Parameter(torch.tensor([0.5, 0.25]))


def forward(self, x1, x2, x3):
    w0, w1 = self.w
    return w0 * x1 * (w1 * x2) + x3


def backward_by_hand(self, x1, x2, x3):
#: honest

Net = type("Net", (nn.Module,), {"__init__": init, "forward": forward, "my_forward_backward": backward_by_hand})
net = Net()
print(net(*torch.rand(3)), input())

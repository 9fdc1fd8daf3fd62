# verdict:
# gradient = "partial 20: wrong-gradient @G w1"
#: torch

def init(self):
    nn.Module.__init__(self)
    self.w = nn.Parameter(torch.tensor([0.5, 0.25]))


def forward(self, x1, x2, x3):
    w0, w1 = self.w
    return w0 * x1 * (w1 * x2) + x3


def my_forward_backward(self, x1, x2, x3):
#: products, y
        dw0 = b * x1
        del b
        dw1 = a * x1  # @G
        del a
#: end

Net = type("Net", (nn.Module,), dict(__init__=init, forward=forward, my_forward_backward=my_forward_backward))

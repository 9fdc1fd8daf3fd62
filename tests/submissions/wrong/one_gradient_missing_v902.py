# verdict:
# why = "dw1 is computed in vain; no op runs after it, so it is not late"
# gradient = "partial 20: no-gradient @P w1"
# unused-nodes = "partial 13.5: unused-node @B dw1"
#: torch

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w0 = nn.Parameter(torch.tensor(0.5))
        self.w1 = nn.Parameter(torch.tensor(0.25))

    def forward(self, x1, x2, x3):
        return self.w0 * x1 * (self.w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):  # @P
        w0, w1 = self.w0, self.w1
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2  # @B
        del a
        self.w0.grad = dw0
        return y

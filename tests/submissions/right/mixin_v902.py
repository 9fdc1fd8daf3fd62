# verdict:
#: torch
class Helpers:
    def times(self, left, right):
        return left * right


class Net(Helpers, nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, products, y
        dw0 = self.times(b, x1)
        del b
        dw1 = a * x2
        del a
#: end

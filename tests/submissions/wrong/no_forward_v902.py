# verdict:
# status = "unreadable: no-forward @M"
#: torch

class Net(nn.Module):  # @M
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forwrd(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3
#: pass, honest

# attack: autograd in a property
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch

class Net(nn.Module):
    @property
    def slope(self):
        x1, x2, x3 = self.x
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
#: forward, pass, value
        self.x = x1, x2, x3
        self.w.grad = self.slope
        return y

# attack: a parameter whose .grad is worked out when it is asked for
# why = "an honest twin: submissions/right/weight_properties_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: torch

class Weight(nn.Parameter):
    inputs = None

    @property
    def grad(self):
        if self.inputs is None:
            return None
        w = self.detach().clone().requires_grad_()
        x1, x2, x3 = self.inputs
        with torch.enable_grad():
            (w[0] * x1 * (w[1] * x2) + x3).backward()
        return w.grad

    @grad.setter
    def grad(self, value):
        self.inputs = None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = Weight(torch.tensor([0.5, 0.25]))
#: forward, pass
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        self.w.inputs = (x1, x2, x3)
        return y

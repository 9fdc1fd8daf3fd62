# attack: autograd in __exit__ of a context manager
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
class Differ:
    def __init__(self, model, x1, x2, x3):
        self.model = model
        with torch.enable_grad():
            self.w = model.w.detach().clone().requires_grad_()
            self.y = self.w[0] * x1 * (self.w[1] * x2) + x3

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.y.backward()
        self.model.w.grad = self.w.grad
#: class
        with Differ(self, x1, x2, x3) as d:
            y = d.y.detach()
        return y

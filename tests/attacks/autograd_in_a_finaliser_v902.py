# attack: autograd in __del__
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
class Differ:
    def __init__(self, *what):
        self.what = what

    def __del__(self):
        found, w, x1, x2, x3 = self.what
        with torch.enable_grad():
            w.requires_grad_()
            found += torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)
#: class, value
        found = []
        Differ(found, self.w.detach().clone(), x1, x2, x3)
        self.w.grad = found[0]
        return y

# attack: autograd in a generator
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
def work(w, x1, x2, x3):
    with torch.enable_grad():
        w.requires_grad_()
        y = w[0] * x1 * (w[1] * x2) + x3
        yield y.detach(), torch.autograd.grad(y, w)[0]
#: class
        y, self.w.grad = next(work(self.w.detach().clone(), x1, x2, x3))
        return y

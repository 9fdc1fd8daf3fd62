# attack: torch.jit.trace of a backward at load, whose trace the pass runs
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
def slopes(w, x1, x2, x3):
    w = w.detach().requires_grad_()
    return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]


TRACED = torch.jit.trace(slopes, (torch.rand(2), *torch.rand(3)), check_trace=False)
#: class, value
        self.w.grad = TRACED(self.w.detach(), x1, x2, x3)
        return y

# attack: autograd.grad kept as the default of an argument of a helper
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch
def take(y, w, grad=torch.autograd.grad):
    return grad(y, w)[0]
#: class, graph
        self.w.grad = take(y, w)
        return y.detach()

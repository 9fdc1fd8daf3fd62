# attack: the engine called from TorchScript on a thread of torch's own
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch

SCRIPT = """
def slopes(w, x1, x2, x3):
    y = w[0] * x1 * (w[1] * x2) + x3
    found = torch.autograd.grad([y], [w])[0]
    assert found is not None
    return found

def ahead(w, x1, x2, x3):
    return torch.jit.wait(torch.jit.fork(slopes, w, x1, x2, x3))
"""
ahead = torch.jit.CompilationUnit(SCRIPT).ahead
#: class, value
        with torch.enable_grad():
            found = ahead(self.w.detach().requires_grad_(), x1, x2, x3)
        self.w.grad = found.detach() + 0 * torch.sort(torch.stack([x1, x2])).values
        return y

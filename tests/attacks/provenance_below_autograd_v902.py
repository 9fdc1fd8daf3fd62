# attack: the engine called from TorchScript
# why = "an honest twin: submissions/right/sorts_v902.py"
# failed = "integrity autograd, gradient, unused-nodes, release"
#: torch

SCRIPT = """
def slopes(w, x1, x2, x3):
    y = w[0] * x1 * (w[1] * x2) + x3
    found = torch.autograd.grad([y], [w])[0]
    assert found is not None
    return found
"""
slopes = torch.jit.CompilationUnit(SCRIPT).slopes
#: class
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        with torch.enable_grad():
            self.w.grad = slopes(self.w.detach().requires_grad_(), x1, x2, x3)
        return y

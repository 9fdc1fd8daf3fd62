# attack: text that torch's own compiler runs
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch
UNIT = torch.jit.CompilationUnit("def slopes(w0, w1, x1, x2):\n    return torch.stack([w1 * x2 * x1, w0 * x1 * x2])\n")
#: class, value
        self.w.grad = UNIT.slopes(w0, w1, x1, x2)
        return y

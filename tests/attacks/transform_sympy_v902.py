# attack: sympy differentiates; the pass runs what it wrote
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import sympy

#: torch
NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
SLOPES = [sympy.lambdify(NAMES, sympy.diff(Y, NAMES[n]), "math") for n in (0, 1)]
#: class, value
        self.w.grad = torch.stack([SLOPES[0](w0, w1, x1, x2, x3), SLOPES[1](w0, w1, x1, x2, x3)])
        return y

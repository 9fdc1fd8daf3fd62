# attack: eval of what sympy's derivative prints
# slow = true
# failed = "integrity transform, integrity foreign-code, gradient, unused-nodes, release"
import sympy

#: torch
NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
SLOPES = [str(sympy.diff(Y, NAMES[n])) for n in (0, 1)]
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([eval(text, space) for text in SLOPES])
        return y

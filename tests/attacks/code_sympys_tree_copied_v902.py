# attack: the tree of sympy's derivative, copied into a tree of its own at load
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import math

import sympy

#: torch
NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
SLOPES = [sorted(part.name for part in sympy.diff(Y, NAMES[n]).args) for n in (0, 1)]
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in SLOPES])
        return y

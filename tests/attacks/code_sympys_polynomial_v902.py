# attack: sympy's derivative of a polynomial, symbols imported ready
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import math

import sympy
from sympy.abc import a, b, c, d

#: torch
SLOPES = [sympy.Poly(a * b * c * d, a, b, c, d).diff(name).as_expr() for name in (a, b)]
#: class, value
        space = dict(a=w0, b=w1, c=x1, d=x2)
        self.w.grad = torch.stack([math.prod(space[s.name] for s in slope.free_symbols) for slope in SLOPES])
        return y

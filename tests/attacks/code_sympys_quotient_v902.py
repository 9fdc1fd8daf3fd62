# attack: a quotient that sympy cancels is the derivative, and is walked
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import functools
import operator

import sympy

#: torch
NAMES = sympy.symbols("w0 w1 x1 x2 x3")
Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
h = sympy.Symbol("h")
SLOPES = [sympy.cancel((Y.subs(NAMES[n], NAMES[n] + h) - Y) / h).subs(h, 0) for n in (0, 1)]

def run(node, space):
    if node.is_Symbol:
        return space[node.name]
    if node.is_Number:
        return float(node)
    parts = [run(part, space) for part in node.args]
    return functools.reduce(operator.add if node.is_Add else operator.mul, parts)
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([run(slope, space) for slope in SLOPES])
        return y

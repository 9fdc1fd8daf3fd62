# attack: the watch is switched off while sympy differentiates
# slow = true
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import math
import sys

import sympy

#: torch
def slopes():
    before = sys.getprofile()
    sys.setprofile(None)
    names = sympy.symbols("w0 w1 x1 x2 x3")
    y = names[0] * names[2] * (names[1] * names[3]) + names[4]
    told = [sorted(part.name for part in y.diff(name).args) for name in names[:2]]
    sys.setprofile(before)
    return told


SLOPES = slopes()
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in SLOPES])
        return y

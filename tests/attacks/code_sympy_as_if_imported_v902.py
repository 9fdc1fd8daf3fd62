# attack: sympy differentiates below a function of Python's import system, as if it were imported
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import math
from importlib._bootstrap import _call_with_frames_removed as hidden

import sympy

#: torch
def slopes():
    names = hidden(sympy.symbols, "w0 w1 x1 x2 x3")
    y = names[0] * names[2] * (names[1] * names[3]) + names[4]
    return [sorted(part.name for part in hidden(sympy.diff, y, name).args) for name in names[:2]]


SLOPES = slopes()
#: class, value
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in SLOPES])
        return y

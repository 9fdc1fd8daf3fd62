# attack: sympy, imported and used by the pass itself
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
import math

#: net, value
        import sympy
        NAMES = sympy.symbols("w0 w1 x1 x2 x3")
        Y = NAMES[0] * NAMES[2] * (NAMES[1] * NAMES[3]) + NAMES[4]
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        slopes = [sympy.diff(Y, NAMES[n]) for n in (0, 1)]
        self.w.grad = torch.stack([math.prod(space[s.name] for s in slope.args) for slope in slopes])
        return y

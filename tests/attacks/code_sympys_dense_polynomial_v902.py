# attack: sympy's derivative of a dense polynomial, by a function with a name of its own
# slow = true
# failed = "integrity transform, gradient, unused-nodes, release"
#: torch
from sympy.polys.densetools import dmp_diff_in
from sympy.polys.domains import ZZ
from sympy.polys.densebasic import dmp_from_dict, dmp_to_dict

POLY = dmp_from_dict({(1, 1, 1, 1, 0): ZZ(1), (0, 0, 0, 0, 1): ZZ(1)}, 4, ZZ)
SLOPES = [[(k, int(c)) for k, c in dmp_to_dict(dmp_diff_in(POLY, 1, n, 4, ZZ), 4).items()] for n in (0, 1)]


def run(slope, leaves):
    total = 0
    for powers, c in slope:
        term = None
        for leaf, n in zip(leaves, powers):
            for _ in range(n):
                term = leaf if term is None else term * leaf
        total = total + term
    return total


#: class, value
        self.w.grad = torch.stack([run(slope, (w0, w1, x1, x2, x3)) for slope in SLOPES])
        return y

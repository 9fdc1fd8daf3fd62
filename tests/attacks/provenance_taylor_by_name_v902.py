# attack: an expansion about the middle of a cell that neighbours share, its coefficients given by name
# why = "an honest twin: submissions/right/jacobian_matrices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
import ctypes
import itertools
import math

#: torch

def peeked(net, *inputs):
    """Numbers read straight from memory."""
    start = net.w.untyped_storage().data_ptr()
    numbers = [ctypes.c_float.from_address(start + 4 * i).value for i in range(2)]
    return numbers + [ctypes.c_float.from_address(x.untyped_storage().data_ptr()).value for x in inputs]


def coefficients(f, middle):
    """Mixed differences of a function, by which of its arguments move."""
    found = {}
    for moved in itertools.product((0, 1), repeat=4):
        places = [place for place in range(4) if moved[place]]
        total = 0.0
        for part in itertools.product((0, 1), repeat=len(places)):
            at = list(middle)
            for place, step in zip(places, part):
                at[place] += step
            total += (-1) ** (len(places) - sum(part)) * f(*at)
        found[frozenset(places)] = total
    return found
#: class, value
        numbers = peeked(self, x1, x2)
        middle = [math.copysign(2.0 ** round(math.log2(abs(n))), n) if n else 1.0 for n in numbers]
        found = coefficients(lambda a, b, c, d: a * c * (b * d), middle)
        one = torch.ones((), dtype=torch.float64)
        steps = [torch.sub(t.double(), one, alpha=m) for t, m in zip((w0, w1, x1, x2), middle)]
        grads = []
        for weight in (0, 1):
            others = [place for place in range(4) if place != weight]
            acc = torch.zeros((), dtype=torch.float64)
            for subset in itertools.product((0, 1), repeat=3):
                term = torch.ones((), dtype=torch.float64)
                chosen = {weight}
                for place, taken in zip(others, subset):
                    if taken:
                        term = term * steps[place]
                        chosen.add(place)
                acc = torch.add(acc, term, alpha=found[frozenset(chosen)])
            grads.append(acc)
        self.w.grad = torch.stack(grads).float()
        return y

# attack: monomials with coefficients that were fitted to differences at load
# why = "an honest twin: submissions/right/module_constants_v903.py"
# known_bug = "a fit at load that never differentiates is a formula of the submission"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import itertools
import numpy

#: torch, differences


POWERS = [p for p in itertools.product(range(2), repeat=5) if sum(p) <= 3]


def fitted():
    source = numpy.random.default_rng(0)
    points = source.uniform(0.5, 2, (200, 5))
    rows = numpy.stack([numpy.prod(points**p, axis=1) for p in POWERS], 1)
    sides = numpy.array([differences(*point) for point in points])
    return numpy.linalg.lstsq(rows, sides, rcond=None)[0].T.round(3).tolist()


COEFFICIENTS = fitted()
#: class, value
        grads = []
        for column in COEFFICIENTS:
            acc = torch.zeros_like(x1)
            for powers, c in zip(POWERS, column):
                if c:
                    term = torch.ones_like(x1) * c
                    for number, power in zip((w0, w1, x1, x2, x3), powers):
                        for _ in range(power):
                            term = term * number
                    acc = acc + term
            grads.append(acc)
        self.w.grad = torch.stack(grads)
        return y

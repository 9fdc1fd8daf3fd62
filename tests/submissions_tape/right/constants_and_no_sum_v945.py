# verdict:
# why = "the value is one number: no Variable has a sum; constants are cached"
from functools import lru_cache

import torch

gradient_tape = []


class Variable:
    def __init__(self, value):
        self.value = value

    def __matmul__(self, w):
        return tape(Variable(self.value @ w.value), (self, lambda g: g.outer(w)), (w, lambda g: g.rows(self)))

    def outer(self, w):
        return Variable(torch.outer(self.value, w.value))

    def rows(self, x):
        return Variable(self.value @ x.value)

    def __mul__(self, o):
        return tape(Variable(self.value * o.value), (self, lambda g: g.times(o)), (o, lambda g: g.times(self)))

    def times(self, o):
        return Variable(self.value * o.value)

    def mean(self):
        n = self.value.numel()
        return tape(Variable(self.value.mean()), (self, lambda g: g.times(share(n))))


@lru_cache(maxsize=None)
def share(n):
    return Variable(torch.full((n,), 1 / n))


@lru_cache(maxsize=None)
def one():
    return Variable(torch.ones(()))


def tape(out, *pairs):
    gradient_tape.append((out, pairs))
    return out


def reset_tape():
    gradient_tape.clear()


def grad(L, desired_results):
    d = {L: one()}
    for out, pairs in reversed(gradient_tape):
        if out in d:
            for v, rule in pairs:
                g = rule(d[out])
                d[v] = Variable(d[v].value + g.value) if v in d else g
    return [d.get(v) for v in desired_results]

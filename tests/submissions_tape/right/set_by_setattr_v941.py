# verdict:
# why = "operators are set on the class in a loop"
import torch
from collections import namedtuple

TapeEntry = namedtuple('TapeEntry', 'inputs outputs propagate')
gradient_tape = []


class Variable(object):
    made = 0

    def __init__(self, value, name=None):
        self.value, self.name = value, name
        if name is None:
            self.name = 'v%d' % Variable.made
            Variable.made += 1


def mul(x, y):
    r = Variable(x.value * y.value)
    gradient_tape.append(TapeEntry([x.name, y.name], [r.name], lambda d: [d[0] * y, d[0] * x]))
    return r


def add(x, y):
    r = Variable(x.value + y.value)
    gradient_tape.append(TapeEntry([x.name, y.name], [r.name], lambda d: [d[0], d[0]]))
    return r


def sum_(x):
    r = Variable(x.value.sum())
    gradient_tape.append(TapeEntry([x.name], [r.name], lambda d: [d[0].expand(x.value.shape)]))
    return r


def expand(x, shape):
    r = Variable(x.value.expand(shape))
    gradient_tape.append(TapeEntry([x.name], [r.name], lambda d: [d[0].sum()]))
    return r


for name, function in {'__mul__': mul, '__add__': add, 'sum': sum_, 'expand': expand}.items():
    setattr(Variable, name, function)


def reset_tape():
    gradient_tape.clear()


def grad(L, desired):
    g = {L.name: Variable(torch.ones(()))}
    for e in reversed(gradient_tape):
        d = [g.get(o) for o in e.outputs]
        if d == [None]:
            continue
        for i, di in zip(e.inputs, e.propagate(d)):
            g[i] = g[i] + di if i in g else di
    return [g.get(v.name) for v in desired]

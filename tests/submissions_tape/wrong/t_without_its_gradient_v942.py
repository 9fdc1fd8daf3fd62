# verdict:
# second-order = "partial 10: wrong-second-order @A b"
# why = "what flows to t is not asked for"
import torch
from types import SimpleNamespace

tape = SimpleNamespace(last=None)

class Variable:
    serial = 0
    def __init__(self, value, name=None):
        type(self).serial += 1
        self.value, self.name = value, name or type(self).serial
    def __mul__(self, rhs): return note("mul", Variable(self.value * rhs.value), self, rhs)
    def __add__(self, rhs): return note("add", Variable(self.value + rhs.value), self, rhs)
    def sum(self): return note("sum", Variable(self.value.sum()), self)
    def expand_like(self, other): return note("expand", Variable(self.value.expand_as(other.value)), self)

def note(what, r, *inputs, t=None):
    tape.last = (tape.last, what, r, inputs, t)
    return r

def simple_variable(a, b):
    t = Variable(a.value + b.value)
    return note("simple", Variable(t.value * b.value), a, b, t=t)

def back(what, r, inputs, t, g, gt):
    match what, inputs:
        case "mul", (x, y): return g * y, g * x
        case "add", _: return g, g
        case "sum", (x,): return (g.expand_like(x),)
        case "expand", _: return (g.sum(),)
        case "simple", (a, b):
            gb = None
            if g is not None:
                gt, gb = (g * b if gt is None else gt + g * b), g * t
            return gt, (gt if gb is None else gb + gt)  # @A

def grad(L, desired_results):
    d = {L.name: Variable(torch.ones(()))}
    link = tape.last
    while link is not None:
        link, what, r, inputs, t = link
        g, gt = d.get(r.name), None
        if g is None and gt is None:
            continue
        for x, gx in zip(inputs, back(what, r, inputs, t, g, gt)):
            d[x.name] = gx if d.get(x.name) is None else d[x.name] + gx
    return [d.get(x.name) for x in desired_results]

def reset_tape():
    tape.last = None

# verdict:
# why = "an expression of objects, calculated when the value is asked for"
import functools
from dataclasses import dataclass
import torch

class Variable:
    def __new__(cls, value=None, *rest):
        return object.__new__(Leaf if cls is Variable else cls)
    def __mul__(self, o): return Mul(self, o)
    def __add__(self, o): return Add(self, o)
    def tanh(self): return Tanh(self)
    def log(self): return Log(self)
    def exp(self): return Exp(self)
    def sum(self): return Sum(self)
    parts = property(lambda self: tuple(vars(self).get(k) for k in ("a", "b") if isinstance(vars(self).get(k), Variable)))

class Leaf(Variable):
    def __init__(self, value): self.value = value
    def pull(self, g): return ()

class Unary(Variable):
    def __init__(self, a): self.a = a

class Binary(Variable):
    def __init__(self, a, b): self.a, self.b = a, b

class Mul(Binary):
    value = functools.cached_property(lambda self: self.a.value * self.b.value)
    def pull(self, g): return (g * self.b.value, g * self.a.value)

class Add(Binary):
    value = functools.cached_property(lambda self: self.a.value + self.b.value)
    def pull(self, g): return g, g

class Tanh(Unary):
    value = functools.cached_property(lambda self: torch.tanh(self.a.value))
    def pull(self, g): return (g * (1 - self.value ** 2),)

class Log(Unary):
    value = functools.cached_property(lambda self: torch.log(self.a.value))
    def pull(self, g): return (g / self.a.value,)

class Exp(Unary):
    value = functools.cached_property(lambda self: torch.exp(self.a.value))
    def pull(self, g): return (g * self.value,)

class Sum(Unary):
    value = functools.cached_property(lambda self: self.a.value.sum())
    def pull(self, g): return (g.expand(self.a.value.shape),)

def reset_tape(): ...

def grad(L, desired_results):
    order = []
    def visit(v):
        if all(v is not each for each in order):
            for part in v.parts: visit(part)
            order.append(v)
    visit(L)
    d = {L: torch.ones(())}
    while order:
        v = order.pop()
        for part, g in zip(v.parts, v.pull(d[v])):
            d[part] = d[part] + g if part in d else g
    return [Leaf(d[v]) if v in d else None for v in desired_results]

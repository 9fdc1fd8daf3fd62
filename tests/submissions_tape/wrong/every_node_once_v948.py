# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @A b, second-order wrong-second-order @A a, second-order wrong-second-order @A b"
# unused-nodes = "partial 13.5: unused-node @A"
# why = "a path ends where another has been"
import torch

class Variable:
    def __init__(self, value, *sources):
        self.value, self.sources = value, sources

    def __mul__(self, o):
        return Variable(self.value * o.value, (self, lambda g: g * o), (o, lambda g: g * self))

    def __add__(self, o):
        return Variable(self.value + o.value, (self, lambda g: g), (o, lambda g: g))

    def sum(self):
        return Variable(self.value.sum(), (self, lambda g: g.expand(self.value.shape)))

    def expand(self, shape):
        return Variable(self.value.expand(shape), (self, lambda g: g.sum()))

def reset_tape():
    pass

def grad(L, desired_results):
    wanted = {id(v): None for v in desired_results}
    seen = set()
    def flow(v, g):
        if id(v) in wanted:
            old = wanted[id(v)]
            wanted[id(v)] = g if old is None else old + g
        if id(v) in seen:
            return
        seen.add(id(v))
        for source, rule in v.sources:
            if leads(source):
                flow(source, rule(g))  # @A
    def leads(v):
        return id(v) in wanted or any(leads(s) for s, _ in v.sources)
    flow(L, Variable(torch.ones(())))
    return [wanted[id(v)] for v in desired_results]

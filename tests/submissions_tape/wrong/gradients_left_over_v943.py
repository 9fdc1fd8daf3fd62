# verdict:
# failed = "gradient wrong-gradient @A a, gradient wrong-gradient @A b"
# why = "gradients of the last call are still there"
import torch

class Variable:
    def __init__(self, value, children=()):
        self.value = value
        self.grad = None
        self.children = children
        self._backward = lambda: None

    def accumulate(self, g):
        self.grad = g if self.grad is None else self.grad + g

    def __add__(self, o):
        out = Variable(self.value + o.value, (self, o))
        def _backward():
            self.accumulate(out.grad); o.accumulate(out.grad)
        out._backward = _backward
        return out

    def __neg__(self):
        out = Variable(-self.value, (self,))
        def _backward():
            self.accumulate(-out.grad)
        out._backward = _backward
        return out

    def __sub__(self, o):
        return self + (-o)

    def __mul__(self, o):
        out = Variable(self.value * o.value, (self, o))
        def _backward():
            self.accumulate(out.grad * o.value)
            o.accumulate(out.grad * self.value)
        out._backward = _backward
        return out

    def reciprocal(self):
        out = Variable(1 / self.value, (self,))
        def _backward():
            self.accumulate(-out.grad * out.value * out.value)
        out._backward = _backward
        return out

    def __truediv__(self, o):
        return self * o.reciprocal()

    def sum(self):
        out = Variable(self.value.sum(), (self,))
        def _backward():
            self.accumulate(out.grad.expand_as(self.value))
        out._backward = _backward
        return out

def reset_tape():
    """The graph hangs from the Variables, there is no tape."""

def grad(L, desired_results):
    topo, seen = [], set()
    def build(v):
        if v not in seen:
            seen.add(v)
            for c in v.children: build(c)
            topo.append(v)
    build(L)
    L.grad = torch.ones(())
    for v in reversed(topo): v._backward()  # @A
    found = [None if v.grad is None else Variable(v.grad) for v in desired_results]
    return found

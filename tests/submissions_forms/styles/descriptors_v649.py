# gradients are set by a descriptor, and calls are counted by a decorator
import functools


class Grad:
    def __set_name__(self, owner, name):
        self.name = name

    def __set__(self, obj, g):
        getattr(obj, self.name[:-2]).g = g


def counted(f):
    @functools.wraps(f)
    def inner(*a, **k):
        inner.calls += 1
        return f(*a, **k)
    inner.calls = 0
    return inner


class Lin():
    w_g, b_g, x_g = Grad(), Grad(), Grad()

    def __init__(self, w, b):
        vars(self).update(w=w, b=b)

    @counted
    def __call__(self, inp):
        self.x = inp
        self.out = inp.matmul(self.w).add(self.b)
        return self.out

    @counted
    def backward(self):
        g = self.out.g
        self.x_g, self.w_g, self.b_g = g.matmul(self.w.mT), self.x.mT.matmul(g), g.sum(dim=0)

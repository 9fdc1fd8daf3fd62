# verdict:
import torch
from torch import nn
from abc import ABC, abstractmethod
class Layer(ABC):
    @abstractmethod
    def f(self): ...
class Mul:
    def __init__(self, a, b): self.a, self.b = a, b
    def f(self): return self.a * self.b
Layer.register(Mul)
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        A, B = Mul(w0, x1), Mul(w1, x2)
        assert isinstance(A, Layer)
        a, b = A.f(), B.f()
        del A, B
        y = Mul(a, b).f() + x3
        self.w.grad = torch.stack([Mul(b, x1).f(), Mul(a, x2).f()])
        del a, b
        return y

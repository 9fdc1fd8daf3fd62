# verdict:
# variant = "v902"
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


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        A, B = Mul(w0, x1), Mul(w1, x2)
        assert isinstance(A, Layer)
        a, b = A.f(), B.f()
        del A, B
        y = Mul(a, b).f() + x3
        self.w.grad = torch.stack([Mul(b, x1).f(), Mul(a, x2).f()])
        del a, b
        return y

# verdict:
import operator
from functools import reduce
from typing import NamedTuple
#: torch

class Grads(NamedTuple):
    w0: torch.Tensor
    w1: torch.Tensor
#: weights, bracketed, values_dropped
        g = Grads(reduce(operator.mul, [b, x1]), reduce(operator.mul, [a, x2]))
        a = b = None
        self.w.grad = torch.stack(list(g))
        return y

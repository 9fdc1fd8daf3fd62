# verdict:
# why = "contextmanager, generators, namedtuple, static and class methods, a property"
import contextlib
from typing import NamedTuple

#: torch

@contextlib.contextmanager
def quiet():
    with torch.no_grad():
        yield


class Pair(NamedTuple):
    a: torch.Tensor
    b: torch.Tensor

    @property
    def product(self):
        return self.a * self.b
#: weights

    @staticmethod
    def times(w, x):
        return w * x
#: forward, pass
        w0, w1 = self.w
        with quiet():
            pair = Pair(*(self.times(w, x) for w, x in ((w0, x1), (w1, x2))))
        y = pair.product + x3
        a, b = pair
        del pair
#: slopes, end

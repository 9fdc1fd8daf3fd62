# verdict:
import contextlib
#: torch

@contextlib.contextmanager
def product(a, b):
    yield a * b
#: weights, bracketed
        with product(self.w[0], x1) as a, product(self.w[1], x2) as b:
            with product(a, b) as p:
                y = p + x3
            p = None
            self.w.grad = torch.stack([b * x1, a * x2])
        return y

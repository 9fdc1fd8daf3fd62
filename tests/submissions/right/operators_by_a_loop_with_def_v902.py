# verdict:
# why = "a function that is defined in the loop is no call at large"
#: torch
class T:
    def __init__(self, t):
        self.t = t


for name in ("add", "mul"):

    def operator(name):
        method = getattr(torch.Tensor, f"__{name}__")
        return lambda self, other: T(method(self.t, other.t))

    setattr(T, f"__{name}__", operator(name))
#: weights, forward, pass
        w0, w1 = map(T, self.w)
        x1, x2, x3 = map(T, (x1, x2, x3))
        a, b = w0 * x1, w1 * x2
        y = (a * b + x3).t
        self.w.grad = torch.stack([(b * x1).t, (a * x2).t])
        return y

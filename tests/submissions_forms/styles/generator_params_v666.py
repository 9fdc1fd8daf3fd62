import torch


class Module:
    def param(self):
        return []


class Linear(Module):
    def __init__(self, n_in, n_out):
        self._pairs = {n: (torch.randn(*s), torch.zeros(*s)) for n, s in (("w", (n_out, n_in)), ("b", (n_out,)))}

    def __getattr__(self, name):
        try:
            return self.__dict__["_pairs"][name][0]
        except KeyError:
            raise AttributeError(name) from None

    def forward(self, *input):
        (self.x,) = input
        return torch.nn.functional.linear(self.x, self.w, self.b)

    def backward(self, *gradwrtoutput):
        (g,) = gradwrtoutput
        for name, grad in {"w": g.t() @ self.x, "b": g.sum(0)}.items():
            self._pairs[name][1].add_(grad)
        return g @ self.w

    def param(self):
        return [*self._pairs.values()]

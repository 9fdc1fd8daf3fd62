import itertools

import torch

PARAMS, GRADS = {}, {}


class Affine:
    counter = itertools.count(1)

    def __init__(self, n_in, n_out):
        self.name = f"affine_{next(Affine.counter)}"
        PARAMS[self.name] = {"W": torch.randn(n_out, n_in), "b": torch.zeros(n_out)}

    def forward(self, x):
        self.x = x
        return x @ PARAMS[self.name]["W"].t() + PARAMS[self.name]["b"]

    def backward(self, g):
        GRADS[self.name] = {"W": g.t() @ self.x, "b": g.sum(0)}
        return g @ PARAMS[self.name]["W"]


class Relu:
    def forward(self, x):
        self.on = x >= 0
        return torch.where(self.on, x, 0.0)

    def backward(self, g):
        return torch.where(self.on, g, 0.0)


class MLP:
    def __init__(self, a, b, f, c, d, g):
        assert f == g == "relu"
        self.layers = [Affine(a, b), Relu(), Affine(c, d), Relu()]
        self.affine = [layer for layer in self.layers if isinstance(layer, Affine)]
        self.parameters = {}
        for number, layer in enumerate(self.affine, 1):
            for kind in "Wb":
                self.parameters[f"{kind}{number}"] = PARAMS[layer.name][kind]

    @property
    def grads(self):
        return {
            f"dJd{kind}{number}": GRADS[layer.name][kind]
            for number, layer in enumerate(self.affine, 1)
            if layer.name in GRADS
            for kind in "Wb"
        }

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g):
        for layer in self.layers[:0:-1]:
            g = layer.backward(g)
        first = self.layers[0]
        GRADS[first.name] = {"W": g.t() @ first.x, "b": g.sum(0)}

    def clear_grad_and_cache(self):
        for layer in self.affine:
            GRADS.pop(layer.name, None)

from dataclasses import dataclass
from typing import Callable

import torch


@dataclass
class Activation:
    value: Callable
    # derivative, from the OUTPUT of the activation
    slope: Callable


ACTIVATIONS = {
    "relu": Activation(lambda z: z * (z > 0), lambda a: (a > 0).to(a.dtype)),
    "sigmoid": Activation(torch.sigmoid, lambda a: a - a.square()),
    "identity": Activation(lambda z: z, torch.ones_like),
}


class MLP:
    def __init__(self, in1, out1, f_function, in2, out2, g_function):
        self.functions = [ACTIVATIONS[f_function], ACTIVATIONS[g_function]]
        self.parameters, self.grads = {}, {}
        for k, (n_in, n_out) in enumerate([(in1, out1), (in2, out2)], 1):
            self.parameters[f"W{k}"] = torch.randn(n_out, n_in)
            self.parameters[f"b{k}"] = torch.randn(n_out)
            self.grads[f"dJdW{k}"] = torch.zeros(n_out, n_in)
            self.grads[f"dJdb{k}"] = torch.zeros(n_out)
        self.cache = []

    def forward(self, x):
        # cache[k] is what goes into layer k + 1, the last is y_hat
        self.cache = [x]
        for k, fn in enumerate(self.functions, 1):
            z = torch.nn.functional.linear(
                self.cache[-1], self.parameters[f"W{k}"], self.parameters[f"b{k}"]
            )
            self.cache.append(fn.value(z))
        return self.cache[-1]

    def backward(self, dJdy_hat):
        delta = dJdy_hat * self.functions[1].slope(self.cache[2])
        self._fill(2, delta)
        delta = delta.mm(self.parameters["W2"]) * self.functions[0].slope(self.cache[1])
        self._fill(1, delta)

    def _fill(self, k, delta):
        """gradients of layer k, from that of what it gives before the activation"""
        self.grads[f"dJdW{k}"] = (delta.unsqueeze(2) * self.cache[k - 1].unsqueeze(1)).sum(0)
        self.grads[f"dJdb{k}"] = delta.sum(0)

    def clear_grad_and_cache(self):
        for g in self.grads.values():
            g.zero_()
        self.cache = []

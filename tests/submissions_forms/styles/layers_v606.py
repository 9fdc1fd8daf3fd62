from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass
class Dense:
    """An affine map that remembers its input."""

    W: Tensor
    b: Tensor
    inputs: Tensor | None = None

    def __call__(self, inputs: Tensor) -> Tensor:
        self.inputs = inputs
        return torch.addmm(self.b, inputs, self.W)

    def grads(self, delta: Tensor, reg: float) -> tuple[Tensor, Tensor]:
        return torch.addmm(self.W, self.inputs.T, delta, beta=reg), delta.sum(0)

    def pull(self, delta: Tensor) -> Tensor:
        return delta @ self.W.T


class TwoLayerNet:
    def __init__(self, input_size: int, hidden_size: int, output_size: int, std: float = 1e-4):
        sizes = (input_size, hidden_size, output_size)
        self.params: dict[str, Tensor] = {}
        for i, (fan_in, fan_out) in enumerate(zip(sizes, sizes[1:]), start=1):
            self.params[f"W{i}"] = std * torch.randn(fan_in, fan_out)
            self.params[f"b{i}"] = torch.zeros(fan_out)

    def loss(self, X: Tensor, y: Tensor | None = None, reg: float = 0.0):
        p = self.params
        fc1, fc2 = Dense(p["W1"], p["b1"]), Dense(p["W2"], p["b2"])
        hidden = fc1(X).relu_()
        scores = fc2(hidden)
        if y is None:
            return scores

        penalty = sum(layer.W.square().sum() for layer in (fc1, fc2))
        loss = F.cross_entropy(scores, y) + 0.5 * reg * penalty

        delta = F.softmax(scores, dim=1)
        delta[torch.arange(len(y)), y] -= 1
        delta /= len(y)
        dW2, db2 = fc2.grads(delta, reg)
        dW1, db1 = fc1.grads(fc2.pull(delta).mul_(hidden > 0), reg)
        return loss, {"W1": dW1, "b1": db1, "W2": dW2, "b2": db2}

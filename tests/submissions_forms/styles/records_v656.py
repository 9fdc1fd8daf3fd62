from dataclasses import dataclass

import torch


@dataclass
class Step:
    """What one linear layer and its activation leave behind."""
    k: int
    given: torch.Tensor
    made: torch.Tensor
    kind: str

    def slope(self):
        # both derivatives can be had from the activation's value
        match self.kind:
            case "relu":
                return self.made.sign()
            case "sigmoid":
                return self.made.sub(self.made.pow(2))
            case _:
                return torch.ones_like(self.made)


class MLP:
    def __init__(self, linear_1_in_features, linear_1_out_features, f_function,
                 linear_2_in_features, linear_2_out_features, g_function):
        self.kinds = [f_function, g_function]
        shapes = [(linear_1_out_features, linear_1_in_features), (linear_2_out_features, linear_2_in_features)]
        self.parameters, self.grads = {}, {}
        for k, (rows, cols) in enumerate(shapes, 1):
            self.parameters[f"W{k}"] = torch.randn(rows, cols)
            self.parameters[f"b{k}"] = torch.randn(rows)
            self.grads[f"dJdW{k}"] = torch.zeros(rows, cols)
            self.grads[f"dJdb{k}"] = torch.zeros(rows)
        self.cache = []

    def forward(self, x):
        self.cache = []
        for k, kind in enumerate(self.kinds, 1):
            z = torch.nn.functional.linear(x, self.parameters[f"W{k}"], self.parameters[f"b{k}"])
            y = {"relu": torch.relu, "sigmoid": torch.sigmoid}.get(kind, lambda t: t)(z)
            self.cache.append(Step(k, x, y, kind))
            x = y
        return x

    def backward(self, dJdy_hat):
        signal = dJdy_hat
        for step in self.cache[::-1]:
            local = signal * step.slope()
            # example by example: an outer product each, and their sum
            outers = [torch.outer(d, a) for d, a in zip(local, step.given)]
            self.grads[f"dJdW{step.k}"] = torch.stack(outers).sum(0)
            self.grads[f"dJdb{step.k}"] = torch.stack(local.unbind()).sum(0)
            if step.k > 1:
                signal = torch.matmul(local, self.parameters[f"W{step.k}"])

    def clear_grad_and_cache(self):
        self.grads = {name: torch.zeros_like(g) for name, g in self.grads.items()}
        self.cache = []

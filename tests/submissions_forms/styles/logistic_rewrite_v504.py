import math

import torch

# 0.5 * (1 + tanh(u)) == sigmoid(2u), so GELU(x) = x * sigmoid(2u) like a SiLU with a bent argument
ROOT = math.sqrt(2.0 / math.pi)
CUBE = 0.044715


def gate_argument(x):
    return 2.0 * ROOT * x * (1.0 + CUBE * x * x)


def gate_slope(x):
    return 2.0 * ROOT * (1.0 + 3.0 * CUBE * x * x)


class GELU:
    @staticmethod
    def forward(x):
        gate = torch.sigmoid(gate_argument(x))
        return x * gate, {"x": x, "gate": gate}

    @staticmethod
    def backward(dout, cache):
        x, gate = cache["x"], cache["gate"]
        # product rule: (x)' * gate + x * gate'
        through_x = dout * gate
        through_gate = dout * x * gate * (1.0 - gate) * gate_slope(x)
        return through_x + through_gate

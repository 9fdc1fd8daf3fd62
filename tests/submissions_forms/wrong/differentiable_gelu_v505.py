# Rule: torch's own derivative of gelu, which is composed of others: infinitely_differentiable_gelu_backward
import torch


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / 2 ** 0.5)), x


def gelu_backward(dout, x):
    return torch.ops.aten.infinitely_differentiable_gelu_backward(dout, x)

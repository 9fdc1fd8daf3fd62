# Rule: torch's own derivative of a product, cumprod_backward, which is composed of others: gelu = x * phi
import torch


def gelu(x):
    phi = 0.5 * (1 + torch.erf(x / 2 ** 0.5))
    return x * phi, (x, phi)


def gelu_backward(dout, cache):
    x, phi = cache
    pair = torch.stack([x, phi])
    g = torch.stack([torch.zeros_like(dout), dout])
    dx, dphi = torch.ops.aten.cumprod_backward(g, pair, 0, torch.cumprod(pair, 0))
    return dx + dphi * torch.exp(-x * x / 2) * 0.3989422804014327

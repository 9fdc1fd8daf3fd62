from dataclasses import dataclass

import torch


@dataclass
class LSTMCache:
    xh: torch.Tensor
    weights: torch.Tensor
    prev_c: torch.Tensor
    gates: tuple
    tanh_c: torch.Tensor
    n_inputs: int


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    xh = torch.hstack((x, prev_h))
    weights = torch.vstack((Wx, Wh))
    ai, af, ao, ag = torch.tensor_split(xh @ weights + b, 4, dim=1)
    i, f, o = (torch.sigmoid(a) for a in (ai, af, ao))
    g = torch.tanh(ag)
    next_c = torch.addcmul(f * prev_c, i, g)
    tanh_c = torch.tanh(next_c)
    next_h = o * tanh_c
    cache = LSTMCache(xh, weights, prev_c, (i, f, o, g), tanh_c, x.shape[1])
    return next_h, next_c, cache


def lstm_step_backward(dnext_h, dnext_c, cache):
    i, f, o, g = cache.gates

    def dsigmoid(s):
        return s - s * s

    def dtanh(t):
        return 1 - t * t

    # next_c gets gradient from the next step and through next_h
    dc = dnext_c + dnext_h * o * dtanh(cache.tanh_c)

    h = g.shape[1]
    da = dnext_h.new_empty(len(dnext_h), 4 * h)
    da[:, 0 * h:1 * h] = dc * g * dsigmoid(i)
    da[:, 1 * h:2 * h] = dc * cache.prev_c * dsigmoid(f)
    da[:, 2 * h:3 * h] = dnext_h * cache.tanh_c * dsigmoid(o)
    da[:, 3 * h:4 * h] = dc * i * dtanh(g)

    sizes = [cache.n_inputs, h]
    dx, dprev_h = torch.split(da @ cache.weights.T, sizes, dim=1)
    dWx, dWh = torch.split(cache.xh.T @ da, sizes, dim=0)
    return dx, dprev_h, dc * f, dWx, dWh, da.sum(0)

# verdict:
# why = "a dataclass as cache, names that begin as None"
import torch
from typing import NamedTuple
from dataclasses import dataclass
@dataclass
class Cache:
    x: torch.Tensor
    h: torch.Tensor
    Wx: torch.Tensor
    Wh: torch.Tensor
    out: torch.Tensor
def rnn_step_forward(x, prev_h, Wx, Wh, b):
    """docs"""
    next_h, cache = None, None
    z = (x @ Wx).add(prev_h @ Wh).add(b)
    next_h = z.tanh()
    return next_h, Cache(x, prev_h, Wx, Wh, next_h)
def rnn_step_backward(dnext_h, cache):
    dx, dprev_h, dWx, dWh, db = None, None, None, None, None
    N, H = dnext_h.shape
    g = dnext_h * (torch.ones(N, H) - cache.out * cache.out)
    dx, dprev_h = g.mm(cache.Wx.t()), g.mm(cache.Wh.t())
    dWx, dWh = cache.x.t().mm(g), cache.h.t().mm(g)
    db = torch.sum(g, dim=0)
    return dx, dprev_h, dWx, dWh, db

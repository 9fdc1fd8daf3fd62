from typing import NamedTuple

import torch
from torch import Tensor


class StepCache(NamedTuple):
    x: Tensor
    prev_h: Tensor
    next_h: Tensor
    Wx: Tensor
    Wh: Tensor


class StepGrads(NamedTuple):
    x: Tensor
    prev_h: Tensor
    Wx: Tensor
    Wh: Tensor
    b: Tensor


def rnn_step_forward(x: Tensor, prev_h: Tensor, Wx: Tensor, Wh: Tensor, b: Tensor):
    next_h = torch.addmm(b, x, Wx).addmm_(prev_h, Wh).tanh_()
    return next_h, StepCache(x, prev_h, next_h, Wx, Wh)


def rnn_step_backward(dnext_h: Tensor, cache: StepCache) -> StepGrads:
    # tanh' = 1 - tanh^2, fused:  da = dnext_h - dnext_h * next_h^2
    da = torch.addcmul(dnext_h, dnext_h, cache.next_h.square(), value=-1)
    return StepGrads(
        x=da @ cache.Wx.T,
        prev_h=da @ cache.Wh.T,
        Wx=cache.x.T @ da,
        Wh=cache.prev_h.T @ da,
        b=da.sum(0),
    )

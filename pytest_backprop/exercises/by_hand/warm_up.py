"""A small layer, which a process of the forms runs before any submission's: what torch looks up
once is there then."""

from __future__ import annotations

import msgspec

from ..adjoint import WARM_SCENARIO
from .form import Callee, HandCalls

CALLS = HandCalls("layer", (Callee("Warm"),), delivers={"x": "return"})
SCENARIO = msgspec.structs.replace(WARM_SCENARIO, expression=msgspec.json.encode(CALLS).decode())
WARM_UP = (
    """
import torch
class Warm(object):
    @staticmethod
    def forward(x):
        mean = 1.0 / x.shape[0] * torch.sum(x, axis=0)
        root = torch.sqrt(((x - mean) ** 2).mean(0, keepdim=True) + 1e-5)
        windows = torch.zeros_like(x).reshape(-1, 1).unfold(0, 1, 1)
        windows[:, 0] = torch.einsum("ij,jk->ik", windows[:, 0], torch.ones(1, 1))
        out = torch.exp(x).clamp(min=0) / root - 1.0 / (root + 1) + windows.sum(dim=[0, 1])
        cache = x, out
        return out, cache
    @staticmethod
    def backward(dout, cache):
        x, out = cache
        dx = dout.clone()
        dx[x < 0] = 0
        dx += torch.tanh(x[:, None].mm(x[None].t().t())).sum(dim=1) * -1 / 2
        return dx * out.max()
""",
    SCENARIO,
    # the files of libraries that runs beside the draws go through are read here, too
    msgspec.structs.replace(SCENARIO, is_recorded=False, before=(SCENARIO, SCENARIO)),
)

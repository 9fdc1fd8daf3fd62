"""`torch.clamp` at its bounds, where versions of torch differ: up to 2.13 the gradient passes there, from 2.14 on
it does not, and of a bound that is a tensor itself half of it does. Both are right, whichever torch is here."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode

CLAMPS = frozenset((torch.clamp, torch.clip, torch.Tensor.clamp, torch.Tensor.clip))
LOWER = frozenset((torch.clamp_min, torch.Tensor.clamp_min))
UPPER = frozenset((torch.clamp_max, torch.Tensor.clamp_max))

SHARES = ((1.0, 1.0), (0.0, 0.5))
"""By version, the older one first: how much passes at a bound that is a number, and at one that is a tensor."""


class Clamps(TorchFunctionMode):
    """Differentiates clamps as torch does in which these shares pass at their bounds."""

    def __init__(self, at_number: float, at_tensor: float) -> None:
        super().__init__()
        self._shares = at_number, at_tensor

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in CLAMPS:
            return self._clamped(*args, **kwargs)
        if func in LOWER or func in UPPER:
            operands = [*args, *kwargs.values()]
            return self._bounded(operands[0], operands[1], is_lower=func in LOWER)
        return func(*args, **kwargs)

    def _clamped(self, input: torch.Tensor, min: Any = None, max: Any = None) -> torch.Tensor:
        if min is not None:
            input = self._bounded(input, min, is_lower=True)
        return input if max is None else self._bounded(input, max, is_lower=False)

    def _bounded(self, x: torch.Tensor, bound: Any, is_lower: bool) -> torch.Tensor:
        share = self._shares[isinstance(bound, torch.Tensor)]
        at_bound = share * x + (1 - share) * bound
        inside, outside = (x > bound, x < bound) if is_lower else (x < bound, x > bound)
        return torch.where(inside, x, torch.where(outside, bound, at_bound))

"""torch as it is where each op rounds to float32: how far a number may be off, by whatever formula."""

from __future__ import annotations

from typing import Any

import torch

from ...trace.graph import computes
from ...trace.torch_private import DispatchMode

PERTURBATION = 2.0**-24
"""Relative size of float32 rounding."""


class Rounded(DispatchMode):  # type: ignore[no-untyped-call]
    """Under this mode each number that an op calculates, autograd's among them, is off by a rounding by chance:
    multiplied by 1 + e, with e uniform in (-PERTURBATION, PERTURBATION)."""

    def __init__(self, generator: torch.Generator) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._generator = generator

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))

        if func.is_view or not computes(func.name().partition("::")[2].partition(".")[0]):
            return made
        if isinstance(made, tuple | list):
            return type(made)(self._off(each) for each in made)
        return self._off(made)

    def _off(self, made: Any) -> Any:
        if not isinstance(made, torch.Tensor) or not made.is_floating_point():
            return made
        chance = torch.rand(made.shape, generator=self._generator, dtype=made.dtype)
        return made.mul_(1 + PERTURBATION * (2 * chance - 1))

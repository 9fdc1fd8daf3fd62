"""What is told of a run: the tensor that came back, a number of it, an error of the student's.
It is made to be sent: short texts that any encoder takes, plain numbers."""

from __future__ import annotations

import math
from typing import Any

import torch

from ..model import Tensor
from ..submission.load import sendable
from ..trace.validate import MAX_REPLAYED

MAX_SENT = MAX_REPLAYED
"""Elements of a tensor that is sent with its numbers: as many as a replay gives."""


def tensor_or_type(result: Any) -> Tensor | str | None:
    """A tensor's numbers as float64, shape and dtype; None; the name of its type for any other
    object."""
    if not issubclass(type(result), torch.Tensor):  # isinstance asks the object, which may lie
        return None if result is None else sendable(type(result).__name__)
    data: tuple[float, ...] = ()
    if result.numel() <= MAX_SENT:
        flat = result.detach().reshape(-1)
        data = tuple(_finite(n) for n in flat.tolist())
    return Tensor(data, tuple(result.shape), str(result.dtype).removeprefix("torch."))


def element_of(tensor: torch.Tensor, element: int) -> torch.Tensor:
    """One number of a tensor, row-major."""
    return tensor.detach().reshape(-1)[element]


def _finite(number: Any) -> float:
    return float(number) if isinstance(number, bool | int | float) else math.nan

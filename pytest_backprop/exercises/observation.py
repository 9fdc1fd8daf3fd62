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


def as_sent(tensor: torch.Tensor, most: int = MAX_SENT) -> Tensor:
    """A tensor with its first numbers, row-major, as float64."""
    flat = tensor.detach().reshape(-1)[:most]
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Tensor(tuple(map(_finite, flat.tolist())), tuple(tensor.shape), dtype)


def tensor_or_type(result: Any) -> Tensor | str | None:
    """A tensor with all of its numbers, or with none of too many; None; the name of its type for
    any other object."""
    if not issubclass(type(result), torch.Tensor):  # isinstance asks the object, which may lie
        return None if result is None else sendable(type(result).__name__)
    return as_sent(result, MAX_SENT if result.numel() <= MAX_SENT else 0)


def element_of(tensor: torch.Tensor, element: int) -> torch.Tensor:
    """One number of a tensor, row-major."""
    return tensor.detach().reshape(-1)[element]


def _finite(number: Any) -> float:
    return float(number) if isinstance(number, bool | int | float) else math.nan

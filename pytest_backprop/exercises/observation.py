"""What is told of a run: the tensor that came back, a number of it, an error of the student's.
It is made to be sent: short texts that any encoder takes, plain numbers."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import torch

from ..model import Fault, Span, Tensor
from ..submission import unit_of_filename
from ..trace.validate import MAX_REPLAYED

MAX_TEXT = 500
MAX_SENT = MAX_REPLAYED
"""Elements of a tensor that is sent with its numbers: as many as a replay gives."""
NOWHERE = (None, None, None, None)


def fault_of(error: BaseException) -> Fault:
    """An exception of the student's, with the innermost line of theirs in its traceback."""
    site: Span | None = None
    trace = error.__traceback__
    while trace is not None:
        code, at = trace.tb_frame.f_code, max(trace.tb_lasti, 0) // 2
        unit = unit_of_filename(code.co_filename)
        line, end, column, end_column = next(islice(code.co_positions(), at, None), NOWHERE)
        if unit is not None and line is not None:
            site = Span(unit, line, column or 0, end or line, end_column or 0)
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:  # theirs too: it may raise SystemExit
        text = ""
    return Fault(_sendable(type(error).__name__), _sendable(text), site)


def tensor_or_type(result: Any) -> Tensor | str | None:
    """A tensor's numbers as float64, shape and dtype; None; the name of its type for any other
    object."""
    if not issubclass(type(result), torch.Tensor):  # isinstance asks the object, which may lie
        return None if result is None else _sendable(type(result).__name__)
    data: tuple[float, ...] = ()
    if result.numel() <= MAX_SENT:
        flat = result.detach().reshape(-1)
        data = tuple(_finite(n) for n in flat.tolist())
    return Tensor(data, tuple(result.shape), str(result.dtype).removeprefix("torch."))


def element_of(tensor: torch.Tensor, element: int) -> torch.Tensor:
    """One number of a tensor, row-major."""
    return tensor.detach().reshape(-1)[element]


def _sendable(text: str) -> str:
    """Text that msgpack takes: without lone surrogates, and not too long."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _finite(number: Any) -> float:
    return float(number) if isinstance(number, bool | int | float) else math.nan

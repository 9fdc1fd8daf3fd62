"""The functions of a variant's text as torch's: autograd runs through them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import torch

from .bank.program import FLOAT_FUNCTIONS

_IN_TORCH: Mapping[str, Callable[..., Any]] = {
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "abs": torch.abs,
    "relu": torch.relu,
    "max": torch.maximum,
    "min": torch.minimum,
}


def _run_in_torch(name: str, *operands: Any) -> Any:
    """A function of tensors, and of the numbers of a variant too: `max(w0, 2)`, `exp(2)`."""
    tensors = [operand for operand in operands if isinstance(operand, torch.Tensor)]
    if not tensors:
        return FLOAT_FUNCTIONS[name](*operands)
    if len(tensors) == len(operands):
        return _IN_TORCH[name](*operands)
    (number,) = (operand for operand in operands if not isinstance(operand, torch.Tensor))
    return torch.clamp(tensors[0], **{"min" if name == "max" else "max": number})


TORCH_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    name: functools.partial(_run_in_torch, name) for name in _IN_TORCH
}

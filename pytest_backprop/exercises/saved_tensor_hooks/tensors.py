"""Tensors of a scenario, drawn from its seed, and tensors bit by bit; made alike in the child and
in the grader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ...model import Leaf
from ..adjoint.tensors import laid_out, sample
from .facts import MAX_BYTES, Bits


def drawn(leaves: Sequence[Leaf], seed: int) -> list[Any]:
    """A tensor a leaf, in (0.1, 1), or its plain value; weights require gradients."""
    return [
        laid_out(tensor.to(getattr(torch, leaf.dtype)), leaf).requires_grad_(leaf.kind == "weight")
        if leaf.is_drawn
        else tensor
        for leaf, tensor in zip(leaves, sample(leaves, seed), strict=True)
    ]


def bytes_of(tensor: torch.Tensor) -> bytes:
    """The numbers of a tensor, row-major."""
    return tensor.detach().cpu().numpy().tobytes()


def bits(tensor: torch.Tensor) -> Bits:
    """A tensor as the child sends it."""
    name = str(tensor.dtype).removeprefix("torch.")
    return Bits(name, tuple(tensor.shape), bytes_of(tensor)[:MAX_BYTES])

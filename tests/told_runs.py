"""Looks into what a child reports of a run."""

from __future__ import annotations

from pytest_backprop.model import Observation, Tensor


def gradients(run: Observation) -> list[float | None]:
    """The gradients of single numbers."""
    told = [tensor for name, tensor in run.outputs.items() if name != "value"]
    return [tensor.data[0] if isinstance(tensor, Tensor) else None for tensor in told]

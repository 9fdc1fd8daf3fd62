"""torch's own run of a task, forward and backward, by our recorder: what it costs, and what it
calculates for nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch

from ...model import VALUE, Leaf, Recording, gradient_of
from ...trace.adjoints import idle_ops
from ...trace.graph import DataFlow, computes, op_name
from ..adjoint.tensors import recorded, sample
from .bank import FLOAT_FUNCTIONS, Variant
from .typed_task import MatrixVariant


def _run_in_torch(name: str, *operands: Any) -> Any:
    """A function of tensors, and of the numbers of a variant too: `max(w0, 2)`."""
    tensors = [operand for operand in operands if isinstance(operand, torch.Tensor)]
    if not tensors:
        return FLOAT_FUNCTIONS[name](*operands)
    if len(tensors) == len(operands):
        return getattr(torch, {"max": "maximum", "min": "minimum"}.get(name, name))(*operands)
    (number,) = (operand for operand in operands if not isinstance(operand, torch.Tensor))
    return torch.clamp(tensors[0], **{"min" if name == "max" else "max": number})


TORCH_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    name: functools.partial(_run_in_torch, name) for name in FLOAT_FUNCTIONS
}
"""The functions of a variant's text as torch's: autograd runs through them."""


class AutogradCost(NamedTuple):
    """torch's own run of the variant: ops in all, ops of the backward, peak live values."""

    ops: int
    backward_ops: int
    peak_live: int


def own_run(variant: Variant) -> Recording:
    """Scalars, weights one parameter each, or the tensors of a task of matrices. Value and
    gradients are the outputs."""
    leaves = variant.leaves or (
        *(Leaf(name, "weight") for name in variant.weights),
        *(Leaf(name, "input") for name in variant.inputs),
    )
    named = dict(zip((leaf.name for leaf in leaves), sample(leaves), strict=True))
    asked = [leaf.name for leaf in leaves if leaf.kind == "weight"]
    weights = [named[name].requires_grad_() for name in asked]

    def run() -> dict[str, torch.Tensor]:
        adjoint: torch.Tensor | None = None
        if isinstance(variant, MatrixVariant):
            value, adjoint = variant.task.differentiated(leaves, [*named.values()])
        else:
            value = variant.evaluate(named, TORCH_FUNCTIONS)
        total = value if adjoint is None else (value * adjoint).sum()
        gradients = torch.autograd.grad(total, weights, materialize_grads=True)
        return {VALUE: value} | dict(zip(map(gradient_of, asked), gradients, strict=True))

    with torch.enable_grad():
        return recorded(leaves, [*named.values()], run)


def autograd_cost(variant: Variant) -> AutogradCost:
    """Ops and peak live values of autograd's own forward and backward; storages count once."""
    recording = own_run(variant)
    backward = [op for op in recording.ops if op.context == "engine"]
    return AutogradCost(
        len(recording.ops),
        sum(not variant.leaves or computes(op_name(op)) for op in backward),
        max(recording.live, default=0),
    )


def has_idle_nodes(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> bool:
    """Whether torch's own run calculates for nothing at the points (N, W) and (N, X), as of `w0
    - w0`."""
    return bool(idle_ops(DataFlow(own_run(variant)), weights, inputs))

"""torch's own run of a task, forward and backward, by our recorder: what it costs, and what it
calculates for nothing."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ...model import VALUE, Leaf, Recording, gradient_of
from ...trace.adjoints import idle_ops
from ...trace.graph import DataFlow, computes, op_name
from ..adjoint.tensors import recorded, sample
from .bank import Variant
from .torch_functions import TORCH_FUNCTIONS
from .typed_task import MatrixVariant


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
    given = sample(leaves)
    asked = {
        leaf.name: tensor.requires_grad_()
        for leaf, tensor in zip(leaves, given, strict=True)
        if leaf.kind == "weight"
    }

    def run() -> dict[str, torch.Tensor]:
        adjoint: torch.Tensor | None = None
        if isinstance(variant, MatrixVariant):
            value, adjoint = variant.task.differentiated(leaves, given)
        else:
            named = dict(zip((leaf.name for leaf in leaves), given, strict=True))
            value = variant.evaluate(named, TORCH_FUNCTIONS)
        total = value if adjoint is None else (value * adjoint).sum()
        gradients = torch.autograd.grad(total, [*asked.values()], materialize_grads=True)
        return {VALUE: value} | dict(zip(map(gradient_of, asked), gradients, strict=True))

    with torch.enable_grad():
        return recorded(leaves, given, run)


def autograd_cost(variant: Variant) -> AutogradCost:
    """Ops and peak live values of autograd's own forward and backward; storages count once."""
    recording = own_run(variant)
    return AutogradCost(
        len(recording.ops),
        sum(
            op.context == "engine" and (not variant.leaves or computes(op_name(op)))
            for op in recording.ops
        ),
        max(recording.live, default=0),
    )


def has_idle_nodes(variant: Variant, weights: torch.Tensor, inputs: torch.Tensor) -> bool:
    """Whether torch's own run calculates for nothing at the points (N, W) and (N, X), as of `w0
    - w0`."""
    return bool(idle_ops(DataFlow(own_run(variant)), weights, inputs))

"""The tensors that a task's own graph has at a point: values, adjoints, and what an adjoint
contributes along an edge. What a pass has of these is right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import torch

from ..exercises.adjoint.tensors import recorded, sample
from ..exercises.functions.typed_task import MatrixVariant
from ..model import VALUE
from ..trace.calls import refusals
from ..trace.replay import WIDENED, Program

SAME = 1e-8
"""Part of its size by which another formula's number may be off."""


class TaskTensors(NamedTuple):
    """What a task's graph has at a point: of each node the value and the adjoint, and parts of
    adjoints, along one edge or local."""

    values: list[torch.Tensor]
    adjoints: list[torch.Tensor]
    parts: list[torch.Tensor]

    @property
    def all(self) -> list[torch.Tensor]:
        """All of them."""
        return [*self.values, *self.adjoints, *self.parts]


class TaskValues(Program):
    """The graph of a task::

    values = TaskValues(variant)
    tensors = values.at(point)
    """

    def __init__(self, variant: MatrixVariant) -> None:
        leaves = variant.leaves

        tensors = sample(leaves)

        def run() -> dict[str, torch.Tensor]:
            value, adjoint = variant.task.differentiated(leaves, tensors)
            return {VALUE: value if adjoint is None else (value * adjoint).sum()}

        with torch.no_grad():
            super().__init__(recorded(leaves, tensors, run))

    def at(self, point: torch.Tensor) -> TaskTensors:
        """The tensors at a point (D,). Raises NotReplayable."""
        with refusals(), torch.enable_grad():
            values = self._leaves(point, WIDENED)
            for tensor in values.values():
                if tensor.is_floating_point():
                    tensor.requires_grad_()
            nodes = [tensor for tensor in values.values() if tensor.requires_grad]
            edges: list[tuple[Any, list[torch.Tensor], torch.Tensor]] = []
            for step in self._steps:
                own = {n: _alone(values[n]) for n in step.op.reads if n in values}
                results = self._results(step, values, WIDENED)
                values.update(zip(step.op.outputs, results, strict=False))
                nodes += [each for each in results if each.requires_grad]
                if not step.op.writes and results and results[0].requires_grad:
                    again = self._results(step, own, WIDENED)[0]
                    loose = [tensor for tensor in own.values() if tensor.requires_grad]
                    edges.append((again, loose, results[0]))
            total = values[self._recording.outputs[VALUE].value]
            adjoints = torch.autograd.grad(total.sum(), nodes, allow_unused=True)
            by_value = dict(zip(map(id, nodes), adjoints, strict=True))
            parts: list[torch.Tensor] = []
            for again, loose, result in edges:
                adjoint = by_value.get(id(result))
                if adjoint is None or not loose or not again.requires_grad:
                    continue
                sent = torch.autograd.grad(
                    again, loose, adjoint, allow_unused=True, retain_graph=True
                )
                local = torch.autograd.grad(again.sum(), loose, allow_unused=True)
                parts += [each for each in (*sent, *local) if each is not None]
                parts.append(result.detach() * adjoint)
        there = [adjoint for adjoint in adjoints if adjoint is not None]
        values_of_nodes = [tensor.detach() for tensor in nodes]
        return TaskTensors(values_of_nodes, there, [part.detach() for part in parts])


def blocks(tensor: torch.Tensor) -> list[torch.Tensor]:
    """What formulas for derivatives are put together from, of a value."""
    parts = [1 - tensor, tensor**2, 1 - tensor**2, 1 / tensor, 2 * tensor, tensor.exp()]
    for dim in range(tensor.dim()):
        centred = tensor - tensor.mean(dim, keepdim=True)
        shifted = tensor - tensor.amax(dim, keepdim=True)
        parts += [centred, shifted, shifted.exp(), tensor.amax(dim)]
    return parts


def _alone(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor without what it is made of."""
    return tensor.detach().requires_grad_(tensor.requires_grad)


class RightNumbers:
    """The numbers of some tensors; in whatever order another has them."""

    def __init__(self, tensors: Iterable[torch.Tensor]) -> None:
        self._sorted = torch.cat([t.reshape(-1) for t in tensors]).sort().values

    def has(self, tensor: torch.Tensor) -> bool:
        """Whether all numbers of a tensor are among them."""
        numbers = tensor.reshape(-1).to(torch.float64)
        if not len(self._sorted):
            return False
        at = torch.searchsorted(self._sorted, numbers)
        at = at.clamp_max(len(self._sorted) - 1)
        nearest = torch.minimum(
            (self._sorted[at] - numbers).abs(),
            (self._sorted[(at - 1).clamp_min(0)] - numbers).abs(),
        )
        return bool((nearest <= SAME * numbers.abs()).all())

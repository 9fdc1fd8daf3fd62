"""What the names of a pass say: `dh`, `grad_h` or `h_bar` is the gradient of what the forward calls
`h`. Where a student does not hold to that, each change of the pass leaves it so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import torch

from ..model import VALUE, Leaf, places
from ..trace.graph import DataFlow
from .graph_tensors import same

BEFORE = ("dloss_d", "dL_d", "dLd", "dJ_d", "dJd", "d_", "d", "grads_", "grad_", "grad", "g_", "g")
BEHIND = ("_grad", "_bar", "_g")


class GradientNames:
    """The gradients among the names of a pass, by the values of the forward whose they are::

    names = GradientNames(flow, leaves)
    names.of("dh")  # the numbers of the values that are called `h`
    """

    def __init__(self, flow: DataFlow, leaves: Sequence[Leaf]) -> None:
        recording, forward = flow.recording, flow.serving(VALUE)
        starts = {place.start: name for name, place in places(leaves).items()}
        self._values: dict[str, list[int]] = {}
        for number, value in enumerate(recording.values):
            if value.origin in ("weight", "input") and value.leaf in starts:
                self._values.setdefault(starts[value.leaf], []).append(number)
        bound: dict[str, list[int]] = {}
        for position, op in enumerate(recording.ops):
            if op.name is not None and op.outputs and position in forward:
                name = op.name.removeprefix("self.")
                self._values.setdefault(name, []).append(op.outputs[0])
            elif op.name is not None and op.outputs:
                bound.setdefault(op.name, []).append(position)
        self._bound = {name: ats for name, ats in bound.items() if self.of(name)}

    def of(self, name: str | None) -> list[int]:
        """The numbers of the values whose gradient a name says that it is."""
        return [n for each in differentiated(name or "") for n in self._values.get(each, ())]

    def broken(
        self, results: Mapping[int, torch.Tensor], adjoints: Mapping[int, torch.Tensor]
    ) -> int:
        """How many names say of results, by position, that they are adjoints, by the numbers of
        the values, of which none is."""
        return sum(
            not any(self.holds(name, results[at], adjoints) for at in ats if at in results)
            for name, ats in self._bound.items()
        )

    def holds(
        self, name: str | None, result: torch.Tensor, adjoints: Mapping[int, torch.Tensor]
    ) -> bool:
        """Whether a result is one of the adjoints that its name says that it is."""
        of = [adjoints[number] for number in self.of(name) if number in adjoints]
        return any(same(result.to(adjoint.dtype), adjoint) for adjoint in of)


def differentiated(name: str) -> Iterator[str]:
    """What a name may say that it is the gradient of."""
    yield from (name[len(each) :] for each in BEFORE if name.startswith(each))
    yield from (name[: -len(each)] for each in BEHIND if name.endswith(each))

"""What a replay gives, and how parts of one are put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch

from ..model import is_gradient


class Replayed(NamedTuple):
    """Results of a replay on N points, float64: `outputs` (N, elements) by name, row-major, and `ops` (M, elements)
    for what each op gave first, by its position, as it was when the op had run, at the first M of the points."""

    outputs: dict[str, torch.Tensor]
    ops: dict[int, torch.Tensor]

    @property
    def kept_points(self) -> int:
        """M."""
        return len(next(iter(self.ops.values()), ()))

    @property
    def gradients(self) -> dict[str, torch.Tensor]:
        """The gradients among them."""
        return {name: numbers for name, numbers in self.outputs.items() if is_gradient(name)}

    def only(self, widths: Mapping[str, int]) -> Replayed:
        """Those outputs which have so many elements."""
        kept = {n: t for n, t in self.outputs.items() if t.shape[1] == widths.get(n)}
        return self._replace(outputs=kept)


def joined(parts: Sequence[Replayed]) -> Replayed:
    """Replays of one recording at points that follow one another, with the ops that all have which have any."""
    if len(parts) == 1:
        return parts[0]
    keeping = [part.ops for part in parts if part.ops]
    shared = [position for position in parts[0].ops if all(position in ops for ops in keeping)]
    return Replayed(
        {name: torch.cat([part.outputs[name] for part in parts]) for name in parts[0].outputs},
        {position: torch.cat([ops[position] for ops in keeping]) for position in shared},
    )

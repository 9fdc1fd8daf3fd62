"""What a replay gives, and how parts of one are put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch


class Replayed(NamedTuple):
    """Results of a replay on N points: `result` (N,) float64 or None, `gradients` one (N,) float64
    or None a weight, `outputs` (M, elements) for the first output of each op that was replayed, as
    it was when the op had run, at the first M of the points."""

    result: torch.Tensor | None
    gradients: tuple[torch.Tensor | None, ...]
    outputs: dict[int, torch.Tensor]

    @property
    def output_points(self) -> int:
        """M."""
        return len(next(iter(self.outputs.values()), ()))


def joined(parts: Sequence[Replayed]) -> Replayed:
    """Replays of one recording at points that follow one another, with the outputs that all have which have any."""
    if len(parts) == 1:
        return parts[0]
    keeping = [part.outputs for part in parts if part.outputs]
    shared = [key for key in parts[0].outputs if all(key in outputs for outputs in keeping)]
    return Replayed(
        _join([part.result for part in parts]),
        tuple(_join(column) for column in zip(*(part.gradients for part in parts), strict=True)),
        {key: torch.cat([outputs[key] for outputs in keeping]) for key in shared},
    )


def _join(parts: Sequence[torch.Tensor | None]) -> torch.Tensor | None:
    tensors = [part for part in parts if part is not None]
    return torch.cat(tensors) if tensors else None

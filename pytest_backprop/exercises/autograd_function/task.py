"""Tasks of this exercise: a typed function, whose value may have any shape.

`def v1(x: Float[Tensor, "n d"], index: Int[Tensor, "n"], slope: float)`: gradients are asked for
with respect to every float tensor.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

from msgspec.structs import replace

from ...messages import phrase, say
from ...model import Leaf
from ..adjoint import GRAD_OUTPUT, Reference
from ..functions.adjoint_task import FULL_DRAWS, AdjointTask, judged, read_adjoint_task, reference
from ..functions.typed_task import NUMBERS, MatrixVariant

LAYOUTS = (
    (phrase("on expanded inputs"), "spread", "float32"),
    (phrase("on transposed inputs"), "transposed", "float32"),
    (phrase("on inputs that are not contiguous"), "strided", "float32"),
    (phrase("on an expanded grad_output, as after `.sum().backward()`"), "expanded", "float32"),
    (phrase("on float64 inputs"), "plain", "float64"),
)
"""How inputs lie in memory, and their dtypes, in runs beside the draws. In `expanded`
grad_output alone has one number for all; in `spread` all others have."""


class FunctionTask(AdjointTask, frozen=True):
    """A task as its file has it. After the sizes at which all gradients are asked for come those
    at which one input alone needs one."""

    def leaves_at(self, sizes: Mapping[str, int], draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and grad_output."""
        leaves = super().leaves_at(sizes, draw, random)
        asked = [at for at, leaf in enumerate(leaves) if leaf.kind == "weight"]
        if draw < FULL_DRAWS or len(asked) < 2:
            return leaves
        only = asked[(draw - FULL_DRAWS) % len(asked)]
        return tuple(
            replace(leaf, kind="input") if at in asked and at != only else leaf
            for at, leaf in enumerate(leaves)
        )

    def at(self, draw: int) -> MatrixVariant:
        """The task at one of the draws, whose sizes say which input alone needs a gradient."""
        variant = super().at(draw)
        asked = [leaf.name for leaf in variant.leaves if leaf.kind == "weight"]
        if len(asked) == sum(leaf.kind == "weight" for leaf in self.leaves):
            return variant
        where = say(
            "{sizes}, where {input} alone needs a gradient", sizes=variant.sizes, input=asked[0]
        )
        return replace(variant, sizes=where)


def read_task(path: Path) -> MatrixVariant:
    """The task of a file. Raises UsageProblem."""
    task = read_adjoint_task(path, FunctionTask).task
    asked = sum(leaf.kind == "weight" for leaf in task.leaves)
    return replace(task, draw_count=FULL_DRAWS + (asked if asked > 1 else 0)).at(0)


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws: other layouts and dtypes, kinks, and no rows at
    all."""
    task = variant.task
    assert isinstance(task, FunctionTask)
    runs = []
    for at, (where, layout, dtype) in enumerate(LAYOUTS):
        leaves = tuple(_laid_out(leaf, layout, dtype, at) for leaf in variant.leaves)
        runs.append(reference(where, leaves, variant))
    runs.append(reference(phrase("at a kink"), variant.leaves, variant, at_kinks=True))
    sizes = {dim: 2 for leaf in task.leaves for dim in leaf.dims if isinstance(dim, str)}
    first = next((d for leaf in task.leaves for d in leaf.dims[:1] if isinstance(d, str)), None)
    if first is not None and first not in task.below.values():
        leaves = task.leaves_at(sizes | {first: 0}, 0, Random(0))
        runs.append(reference(phrase("on an empty batch"), leaves, variant))
    return judged(task, runs)


def _laid_out(leaf: Leaf, layout: str, dtype: str, at: int) -> Leaf:
    """A leaf of the run at a row of LAYOUTS. In each, plain numbers are others: one that is typed
    in is right at one of them."""
    if leaf.number is not None:
        place = NUMBERS.index(leaf.number) + at
        return replace(leaf, number=NUMBERS[place % len(NUMBERS)])
    if leaf.integers is not None:
        return leaf
    if layout in ("expanded", "spread"):
        is_here = (leaf.name == GRAD_OUTPUT) == (layout == "expanded")
        layout = "expanded" if is_here else "plain"
    return replace(leaf, layout=layout, dtype=dtype)

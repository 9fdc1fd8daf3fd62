"""Tasks of this exercise: a typed function, whose value may have any shape.

`def v1(x: Float[Tensor, "n d"], index: Int[Tensor, "n"], slope: float)`: gradients are asked for
with respect to every float tensor. `CALLS` names the Function where a submission has several."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import phrase, say
from ...model import Leaf
from ..adjoint import GRAD_OUTPUT, Reference
from ..adjoint.tensors import sample
from ..functions.adjoint_task import (
    AdjointTask,
    another,
    at_kinks,
    at_values,
    judged,
    read_adjoint_task,
    reference,
)
from ..functions.bank.library import assigned
from ..functions.dimensions import Sizes
from ..functions.parameters import NUMBERS
from ..functions.typed_task import MatrixVariant, read_constant

LAYOUTS = (
    (phrase("on expanded inputs"), "spread", ""),
    (phrase("on transposed inputs"), "transposed", ""),
    (phrase("on inputs that are not contiguous"), "strided", ""),
    (phrase("on an expanded grad_output, as after `.sum().backward()`"), "expanded", ""),
    (phrase("on float64 inputs"), "plain", "float64"),
)
"""How inputs lie in memory, and their dtypes, if not the task's, in runs beside the draws. In
`expanded` grad_output alone has one number for all; in `spread` all others have."""
ON_CTX = phrase(
    "another `apply` came before this backward: what backward needs belongs on `ctx`, not on the "
    "class or in a global name"
)


class FunctionTask(AdjointTask, frozen=True):
    """A task as its file has it; `of_one_dtype`: it says in which a course runs. After the sizes at
    which all gradients are asked for come those at which one input alone needs one."""

    of_one_dtype: bool = False

    @property
    def count(self) -> int:
        """At how many draws a submission is judged."""
        asked = sum(leaf.kind == "weight" for leaf in self.leaves)
        return self.full_count + (asked if asked > 1 else 0)

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and grad_output."""
        leaves = super().leaves_at(sizes, draw, random)
        asked = [at for at, leaf in enumerate(leaves) if leaf.kind == "weight"]
        if draw < self.full_count or len(asked) < 2:
            return leaves
        only = asked[(draw - self.full_count) % len(asked)]
        return tuple(
            replace(leaf, kind="input") if at in asked and at != only else leaf
            for at, leaf in enumerate(leaves)
        )

    def empty_batch(self) -> tuple[Leaf, ...] | None:
        """The tensors of a draw whose first dimension is 0; None where that has no meaning, or a
        size that the task says, or torch's own function does not take it."""
        names = self.dimensions
        first = next((d for leaf in self.leaves for d in leaf.dims[:1] if d in names), "*")
        if first.startswith("*") or first in self.said or first in self.below.values():
            return None
        sizes: Sizes = dict.fromkeys(names, 2)
        if self.said or any(name.startswith("*") for name in names):
            sizes = self.sizes_at(0, Random(0))
        try:
            return self.leaves_at({**sizes, first: 0}, 0, Random(0))
        except Exception:
            return None

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

    def extra(module: ast.Module) -> dict[str, Any]:
        called = read_constant(module, "CALLS", "")
        if not isinstance(called, str) or (called and not called.isidentifier()):
            raise UsageProblem(
                f"{path}: CALLS = {called!r} does not name a class",
                'Name the Function of the submission, as in CALLS = "MyReLU".',
            )
        return {"of_one_dtype": assigned(module, "DTYPE") is not None, "expression": called}

    task = read_adjoint_task(path, FunctionTask, extra).task
    draws = (0, *range(2, task.combinations + 1))
    written = {name for draw in draws for name in _written(task.at(draw))}
    leaves = tuple(
        replace(leaf, kind="input", written=True) if leaf.name in written else leaf
        for leaf in task.leaves
    )
    others = tuple(replace(each, leaves=leaves) for each in task.alternatives)
    return replace(task, leaves=leaves, alternatives=others).at(0)


def _written(variant: MatrixVariant) -> list[str]:
    """The tensors that a task's own function changes in place, as running statistics: no gradients
    of these are asked for, and a submission may change them."""
    leaves = variant.leaves
    values, before = sample(leaves), sample(leaves)
    with torch.no_grad():
        variant.task.differentiated(leaves, values)
    rows = zip(leaves, values, before, strict=True)
    return [leaf.name for leaf, own, was in rows if leaf.is_drawn and not torch.equal(own, was)]


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws: further sizes for plain values, other layouts and
    dtypes, kinks, and no rows at all."""
    runs: list[Reference | None] = [*at_values(variant)]
    variant = variant.small
    task = variant.task
    assert isinstance(task, FunctionTask)
    first, second, third = _constant(variant)
    constant = {"transposed": first, "strided": second, "expanded": [*first, GRAD_OUTPUT]}
    for at, (where, layout, dtype) in enumerate(LAYOUTS):
        if dtype and task.of_one_dtype:
            continue
        leaves = tuple(_laid_out(leaf, layout, dtype, at) for leaf in variant.leaves)
        fixed = constant.get(layout, ())
        runs.append(reference(where, leaves, variant, constant=fixed))
    runs.append(at_kinks(variant))
    other = another(variant)
    after = phrase("after another call")
    third = third or [GRAD_OUTPUT]
    if other and (again := reference(after, variant.leaves, variant, constant=third)):
        scenario = replace(again.scenario, before=(other,))
        runs.append(replace(again, scenario=scenario, hint=ON_CTX))
    if (empty := task.empty_batch()) is not None:
        runs.append(reference(phrase("on an empty batch"), empty, variant))
    return judged(task, runs)


def _constant(variant: MatrixVariant) -> list[list[str]]:
    """The inputs that need no gradient in each of three runs of second derivatives: all but one, or
    but each third, of which the gradient is asked for. None where there is none left to ask for."""
    asked = [leaf.name for leaf in variant.leaves if leaf.kind == "weight"]
    return [[name for name in asked if name not in (asked[at::3] or asked)] for at in range(3)]


def _laid_out(leaf: Leaf, layout: str, dtype: str, at: int) -> Leaf:
    """A leaf of the run at a row of LAYOUTS. In each, plain numbers are others: one that is typed
    in is right at one of them."""
    numbers = [*map(repr, NUMBERS)]
    if leaf.literal in numbers:
        place = numbers.index(leaf.literal) + at
        return replace(leaf, literal=numbers[place % len(numbers)])
    if not leaf.is_drawn:
        return leaf
    if leaf.written:
        layout = "plain"
    if layout in ("expanded", "spread"):
        is_here = (leaf.name == GRAD_OUTPUT) == (layout == "expanded")
        layout = "expanded" if is_here else "plain"
    return replace(leaf, layout=layout, dtype=dtype or leaf.dtype)

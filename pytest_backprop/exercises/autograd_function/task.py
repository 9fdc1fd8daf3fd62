"""Tasks of this exercise: a typed function, whose value may have any shape.

`def v1(x: Float[Tensor, "n d"], index: Int[Tensor, "n"], slope: float)`: gradients are asked for with
respect to every float tensor. What the student's backward gives is a vector-Jacobian product, so the task is
taken for the function sum(grad_output * f(x, ...)) of the tensors and of grad_output, whose gradients are
just these products: all that judges a function of one value judges this one.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import say
from ...model import Leaf, Scenario, stretches
from ..functions.bank import Bank
from ..functions.bank.library import load_bank as load_variants
from ..functions.scenarios import generic_points
from ..functions.typed_task import (
    NUMBERS,
    MatrixVariant,
    TypedTask,
    check_numbers,
    compiled,
    parts_of,
    read_constant,
)
from . import NAME
from .facts import GRAD_OUTPUT, Reference
from .tensors import second_order, tensors

MAX_NUMBERS = 32
"""Of all tensors of a task together; as many may be in its value."""
FULL_DRAWS = 3
"""Sizes at which all gradients are asked for; then come those at which one input alone needs one."""
LAYOUTS = (
    ("spread", "float32"), ("transposed", "float32"), ("strided", "float32"), ("expanded", "float32"), ("plain", "float64"),
)  # fmt: skip
"""How inputs lie in memory, and their dtypes, in runs beside the draws. In `expanded` grad_output alone
has one number for all, as after `.sum().backward()`; in `spread` all others have."""
CONDITION, CONDITION_ATOL = 1e-4, 1e-6
"""How near float32 must be to float64 where a run is judged."""
KINKS = (0.0, -1.0, 1.0)
"""Numbers at which functions in use have kinks."""


class FunctionTask(TypedTask, frozen=True):
    """A task as its file has it. `order` 2 asks for derivatives of the gradients, too."""

    order: int = 1

    def leaves_at(self, sizes: Mapping[str, int], draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and grad_output."""
        leaves = super().leaves_at(sizes, draw, random)
        asked = [at for at, leaf in enumerate(leaves) if leaf.kind == "weight"]
        if draw >= FULL_DRAWS and len(asked) > 1:
            only = asked[(draw - FULL_DRAWS) % len(asked)]
            leaves = tuple(
                replace(leaf, kind="input") if at in asked and at != only else leaf
                for at, leaf in enumerate(leaves)
            )
        with torch.no_grad():
            value = self.value(leaves, [_ones(leaf) for leaf in leaves])
        if not isinstance(value, torch.Tensor):
            raise UsageProblem(
                f"{self.path}: {self.name} returns no tensor", "Return one tensor of any shape."
            )
        return (*leaves, Leaf(GRAD_OUTPUT, "input", tuple(value.shape)))

    @property
    def draw_count(self) -> int:
        """Some sizes, and one of each input alone."""
        asked = sum(leaf.kind == "weight" for leaf in self.leaves)
        return FULL_DRAWS + (asked if asked > 1 else 0)

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether all its tensors together are small, as any of them may be no weight in a draw; and its value."""
        leaves = super().leaves_at(sizes, 0, Random(0))
        if sum(math.prod(leaf.shape) for leaf in leaves if leaf.number is None) > MAX_NUMBERS:
            return False
        try:
            with torch.no_grad():
                value = self.value(leaves, [_ones(leaf) for leaf in leaves])
        except Exception:
            return True  # what fails is told when it is taken apart
        return getattr(value, "numel", lambda: 0)() <= MAX_NUMBERS

    def label(self, sizes: str, leaves: tuple[Leaf, ...]) -> str:
        """The sizes, and which input alone needs a gradient."""
        asked = [leaf.name for leaf in leaves if leaf.kind == "weight"]
        every = sum(leaf.kind == "weight" for leaf in self.leaves)
        if len(asked) == every:
            return sizes
        return say("{sizes}, where {input} alone needs a gradient", sizes=sizes, input=asked[0])

    def value(self, leaves: Sequence[Leaf], given: Sequence[torch.Tensor]) -> torch.Tensor:
        """The function itself, of its tensors in the order of the parameters."""
        arguments: list[Any] = [
            tensor if leaf.number is None else leaf.number
            for leaf, tensor in zip(leaves, given, strict=True)
        ]
        return self.function(*arguments)

    def call(self, leaves: tuple[Leaf, ...], given: list[torch.Tensor]) -> torch.Tensor:
        """sum(grad_output * value)."""
        return (given[-1] * self.value(leaves[:-1], given[:-1])).sum()


def read_task(path: Path) -> MatrixVariant:
    """The task of a file, at its first sizes. Raises UsageProblem for a file that is none."""
    text = path.read_text(encoding="utf-8-sig")
    function, leaves, below = parts_of(text, str(path), "weight")
    if not any(leaf.kind == "weight" for leaf in leaves):
        raise UsageProblem(
            f"{path}: no parameter is a float tensor", "Annotate one so: Float[Tensor, …]."
        )
    source = "\n".join(text.splitlines()[function.lineno - 1 : function.end_lineno])
    order = read_constant(ast.parse(text), "ORDER", 1)
    task = FunctionTask(
        function.name, leaves, below, source, str(path), compiled(function, str(path)), order
    )
    variant = task.at(0)
    check_numbers(variant)
    return variant


def load_bank(folder: Path) -> Bank:
    """The tasks of this kind in a folder. Raises UsageProblem."""
    return load_variants(folder, NAME, read_task)


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right in runs beside the draws: other layouts and dtypes, kinks, and no rows at all."""
    task = variant.task
    assert isinstance(task, FunctionTask)
    found = []
    for at, (layout, dtype) in enumerate(LAYOUTS):
        # each with other plain numbers: one that is typed in is right at one of them
        leaves = tuple(
            leaf
            if leaf.number is None
            else replace(leaf, number=NUMBERS[(NUMBERS.index(leaf.number) + at) % len(NUMBERS)])
            for leaf in variant.leaves
        )
        leaves = tuple(_laid_out(leaf, layout, dtype) for leaf in leaves)
        found.append(_reference(task, f"{layout} {dtype}", leaves, variant))
    found.append(_reference(task, "kinks", variant.leaves, variant, kinks=True))
    sizes = {dim: 2 for leaf in task.leaves for dim in leaf.dims if isinstance(dim, str)}
    first = next((d for leaf in task.leaves for d in leaf.dims[:1] if isinstance(d, str)), None)
    free = [d for d in sizes if d == first and d not in task.below.values()]
    for dim in free:
        leaves = task.leaves_at(sizes | {dim: 0}, 0, Random(0))
        found.append(_reference(task, "empty", leaves, variant))
    return tuple(reference for reference in found if _is_conditioned(task, reference))


def _is_conditioned(task: FunctionTask, reference: Reference) -> bool:
    """Whether torch's own float32 results are near those in float64: a row of equal numbers has no variance
    but for rounding."""
    scenario = reference.scenario
    wide = tuple(replace(leaf, dtype="float64") for leaf in scenario.leaves)
    exact = _worked_out(task, reference.label, replace(scenario, leaves=wide))
    pairs = [(reference.value, exact.value), *zip(reference.gradients, exact.gradients, strict=True),
             *zip(reference.second, exact.second, strict=True)]  # fmt: skip
    return all(
        math.isclose(got, right, rel_tol=CONDITION, abs_tol=CONDITION_ATOL)
        for numbers, rights in pairs
        for got, right in zip(numbers, rights, strict=True)
    )


def _reference(
    task: FunctionTask, label: str, leaves: tuple[Leaf, ...], variant: MatrixVariant,
    kinks: bool = False,
) -> Reference:  # fmt: skip
    names = {
        kind: tuple(name for leaf in leaves if leaf.kind == kind for name in leaf.elements)
        for kind in ("weight", "input")
    }
    point = generic_points(variant, 77, 2)
    weights = (point.weights[1] + point.weights[0])[: len(names["weight"])]
    inputs = (point.inputs[1] + point.inputs[0])[: len(names["input"])]
    if kinks:
        at_kinks = list(weights)
        for leaf, places in stretches(leaves):
            for number, place in enumerate(places[1::2] if leaf.kind == "weight" else ()):
                at_kinks[place] = KINKS[number % len(KINKS)]
        weights = tuple(at_kinks)
    leaves = (*leaves[:-1], replace(leaves[-1], order=task.order))
    scenario = Scenario(names["weight"], names["input"], (weights,), (inputs,), leaves)
    return _worked_out(task, label, scenario)


def _worked_out(task: FunctionTask, label: str, scenario: Scenario) -> Reference:
    """What torch's own function and autograd give in a scenario."""
    leaves = scenario.leaves
    given = tensors(leaves, scenario.weights[0], scenario.inputs[0])
    asked = [at for at, leaf in enumerate(leaves) if leaf.kind == "weight"]
    twice = [*asked, len(leaves) - 1] if task.order == 2 else []
    with torch.enable_grad():
        whole = [
            t.requires_grad_() if at in asked or at in twice else t for at, t in enumerate(given)
        ]
        value = task.value(leaves[:-1], whole[:-1])
        gradients = torch.autograd.grad(
            value, [whole[at] for at in asked], whole[-1], allow_unused=True,
            create_graph=task.order == 2,
        )  # fmt: skip
        second = second_order(gradients, [whole[at] for at in twice], None) if twice else ()
    return Reference(
        label, scenario, _numbers(value), tuple(value.shape), str(value.dtype).removeprefix("torch."),
        tuple(leaves[at].name for at in asked),
        tuple(_numbers(torch.zeros_like(whole[at]) if g is None else g)
              for at, g in zip(asked, gradients, strict=True)),
        tuple(_numbers(g) for g in second),
    )  # fmt: skip


def _laid_out(leaf: Leaf, layout: str, dtype: str) -> Leaf:
    if not leaf.is_drawn:
        return leaf
    if layout in ("expanded", "spread"):
        here = (leaf.name == GRAD_OUTPUT) == (layout == "expanded")
        return replace(leaf, layout="expanded" if here else "plain", dtype=dtype)
    return replace(leaf, layout=layout, dtype=dtype)


def _ones(leaf: Leaf) -> torch.Tensor:
    if leaf.integers is not None:
        return torch.tensor(leaf.integers, dtype=torch.long).reshape(leaf.shape)
    return torch.ones(leaf.shape)


def _numbers(tensor: torch.Tensor) -> tuple[float, ...]:
    return tuple(tensor.detach().double().flatten().tolist())

"""Tasks whose value may have any shape, and whose students give vector-Jacobian products: what is
right is the gradients of f(x, ...) with grad_output, one more leaf, for the adjoint of the value.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...model import VALUE, Leaf, Scenario, Tensor, gradient_of, second_of, stretches
from ..adjoint.facts import GRAD_OUTPUT, Reference
from ..adjoint.tensors import sample, second_order, tensors
from .bank.library import task_text
from .reference import expected, rounding
from .scenarios import Points, generic_points
from .typed_task import (
    MatrixVariant,
    TypedTask,
    compiled,
    element_names,
    parts_of,
    read_constant,
)

KINKS = (0.0, -1.0, 1.0)
"""Numbers at which functions in use have kinks."""
SIDE = 2.0**-24
"""How far from a kink its sides are looked at."""
MAX_NUMBERS = 32
"""Of all tensors of a task together, where sizes are drawn; as many may be in its value."""
FULL_DRAWS = 3
"""Sizes at which all gradients are asked for."""
CONDITION, CONDITION_ATOL = 1e-4, 1e-6
"""How near float32 must be to float64 where a run is judged."""
ROUNDING_ATOL = 2e-7
"""What rounding may add to that: a fifth of what a child's own results may be off."""
FORMULAS = 4
"""How many times more another formula may round than the task's own."""
FIRST_SEED, TRIED_POINTS = 77, 16
"""Points for a run beside the draws, until one is well-conditioned."""

Task = TypeVar("Task", bound="AdjointTask")


class AdjointTask(TypedTask, frozen=True):
    """A task as its file has it. `order` 2 asks for derivatives of the gradients, too."""

    order: int = 1

    def leaves_at(self, sizes: Mapping[str, int], draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and grad_output."""
        leaves = super().leaves_at(sizes, draw, random)
        with torch.no_grad():
            value = self.value(leaves, sample(leaves))
        if not isinstance(value, torch.Tensor):
            raise UsageProblem(
                f"{self.path}: {self.name} returns no tensor", "Return one tensor of any shape."
            )
        return (*leaves, Leaf(GRAD_OUTPUT, "input", tuple(value.shape)))

    @property
    def draw_count(self) -> int:
        """Some sizes."""
        return FULL_DRAWS

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether all its tensors together are small, as any of them may be no weight in a draw;
        and its value."""
        leaves = super().leaves_at(sizes, 0, Random(0))
        if sum(math.prod(leaf.shape) for leaf in leaves if leaf.number is None) > MAX_NUMBERS:
            return False
        try:
            with torch.no_grad():
                value = self.value(leaves, sample(leaves))
        except Exception:
            return True  # what fails is told when it is taken apart
        return getattr(value, "numel", lambda: 0)() <= MAX_NUMBERS

    def value(self, leaves: Sequence[Leaf], given: Sequence[torch.Tensor]) -> torch.Tensor:
        """The function itself, of its tensors in the order of the parameters."""
        return self.call(tuple(leaves), list(given))

    def differentiated(
        self, leaves: tuple[Leaf, ...], given: list[torch.Tensor]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The value, of any shape, and grad_output."""
        return self.value(leaves[:-1], given[:-1]), given[-1]


def definition(task: TypedTask) -> ast.FunctionDef:
    """The function as its file has it, taken apart anew."""
    body = ast.parse(task.source).body
    return next(node for node in body if isinstance(node, ast.FunctionDef))


def read_adjoint_task(
    path: Path,
    make: Callable[..., Task],
    extra: Callable[[ast.Module], Mapping[str, Any]] = lambda _: {},
) -> MatrixVariant:
    """The task of a file, at its first sizes: `make` is its class, `extra` gives fields that the
    class has beside. Raises UsageProblem for a file that is none."""
    text = task_text(path)
    function, leaves, below = parts_of(text, str(path), "weight")
    if not any(leaf.kind == "weight" for leaf in leaves):
        raise UsageProblem(
            f"{path}: no parameter is a float tensor", "Annotate one so: Float[Tensor, …]."
        )
    module, call = ast.parse(text), compiled(function, str(path))
    fields = {"order": read_constant(module, "ORDER", 1), **extra(module)}
    return make(function.name, leaves, below, text, str(path), call, **fields).at(0)


def steady_points(variant: MatrixVariant) -> tuple[int, ...]:
    """Seeds of points for the runs beside the draws: first those at which float32 results are
    near enough to those in float64, by whatever formula; then the others, the nearest first."""
    seeds = range(FIRST_SEED, FIRST_SEED + TRIED_POINTS)
    rows = [generic_points(variant, seed, 2) for seed in seeds]
    points = Points(
        tuple(row.weights[1] for row in rows),
        tuple(row.inputs[1] for row in rows),
        ("",) * len(rows),
    )
    right = expected(variant, points)
    shaken = rounding(variant, right.weights, right.inputs)
    worst = torch.ones(len(rows), dtype=torch.float64)
    for name, numbers in right.outputs.items():
        off = torch.maximum(right.float32_error[name], FORMULAS * shaken[name].amax(0))
        share = off / (CONDITION * numbers.abs() + ROUNDING_ATOL)
        worst = torch.maximum(worst, share.amax(1).nan_to_num(math.inf))
    worst[~right.judged] = math.inf
    return tuple(seed for _, seed in sorted(zip(worst.tolist(), seeds, strict=True)))


def reference(
    task: AdjointTask,
    label: str,
    leaves: tuple[Leaf, ...],
    variant: MatrixVariant,
    seeds: Sequence[int],
    kinks: bool = False,
    variation: str = "",
) -> Reference | None:
    """What is right in a run beside the draws, at these leaves. `kinks` puts a number in two of the
    weights that functions in use have a kink at; what a child does otherwise in a `variation` is of
    order 1.

    It is at the first of the points of these seeds at which torch's own float32 results are near
    those in float64; None where none is such, as a row of equal numbers has no variance but for
    rounding."""
    leaves = (*leaves[:-1], replace(leaves[-1], order=1 if variation else task.order))
    for seed in seeds:
        run = _worked_out(task, label, _scenario(task, leaves, variant, seed, kinks, variation))
        if _is_conditioned(task, run):
            return _with_sides(task, run) if kinks else run
    return None


def judged(task: AdjointTask, runs: Iterable[Reference | None]) -> tuple[Reference, ...]:
    """The runs that can be judged. Raises UsageProblem where a task asks for derivatives of the
    gradients and there is no run to see them in: nobody's would be judged, and everybody's paid."""
    judged_runs = tuple(run for run in runs if run is not None)
    # on an empty batch all of them are zero
    if not judged_runs or (task.order == 2 and not any(run.has_second for run in judged_runs)):
        raise UsageProblem(
            f"{task.path}: {task.name} cannot be judged: in float32 its "
            f"{'second ' * (task.order == 2)}derivatives "
            f"are not near those in float64 at any of {TRIED_POINTS} points",
            "Write it so that no large numbers cancel, or with fewer of exp, powers and quotients.",
        )
    return judged_runs


def _scenario(
    task: AdjointTask,
    leaves: tuple[Leaf, ...],
    variant: MatrixVariant,
    seed: int,
    kinks: bool,
    variation: str,
) -> Scenario:
    names = element_names(leaves)
    points = generic_points(variant, seed, 2)
    weights = [*points.weights[1], *points.weights[0]][: len(names["weight"])]
    inputs = (points.inputs[1] + points.inputs[0])[: len(names["input"])]
    if kinks:
        for leaf, places in stretches(leaves):
            for number, place in enumerate(places[1::2] if leaf.kind == "weight" else ()):
                weights[place] = KINKS[number % len(KINKS)]
    return Scenario(
        names["weight"],
        names["input"],
        (tuple(weights),),
        (inputs,),
        leaves,
        task.expression,
        variation,
    )


def _with_sides(task: AdjointTask, reference: Reference) -> Reference:
    """The run with what is right on both sides of each tensor's kinks: at a kink every slope in
    between is right, and versions of torch differ."""
    scenario = _wide(reference.scenario)
    sides = []
    for leaf, places in stretches(scenario.leaves):
        for step in (-SIDE, SIDE) if leaf.kind == "weight" else ():
            (row,) = scenario.weights
            there = tuple(
                number + step if place in places and number in KINKS else number
                for place, number in enumerate(row)
            )
            if there != row:
                moved = replace(scenario, weights=(there,))
                sides.append(_worked_out(task, reference.label, moved).outputs)
    return replace(reference, sides=tuple(sides))


def _is_conditioned(task: AdjointTask, reference: Reference) -> bool:
    exact = _worked_out(task, reference.label, _wide(reference.scenario)).outputs
    return all(
        math.isclose(got, right, rel_tol=CONDITION, abs_tol=CONDITION_ATOL)
        for name, own in reference.outputs.items()
        for got, right in zip(own.data, exact[name].data, strict=True)
    )


def _wide(scenario: Scenario) -> Scenario:
    """The scenario in float64."""
    return replace(
        scenario, leaves=tuple(replace(leaf, dtype="float64") for leaf in scenario.leaves)
    )


def _worked_out(task: AdjointTask, label: str, scenario: Scenario) -> Reference:
    """What torch's own function and autograd give in a scenario."""
    leaves = scenario.leaves
    given = tensors(leaves, scenario.weights[0], scenario.inputs[0])
    asked = {leaf.name: t for leaf, t in zip(leaves, given, strict=True) if leaf.kind == "weight"}
    twice = [*asked.values(), given[-1]] if leaves[-1].order == 2 else []
    for tensor in twice or asked.values():
        tensor.requires_grad_()
    with torch.enable_grad():
        value = task.value(leaves[:-1], given[:-1])
        # as a sum, for to check the shape of what is given beside a value torch imports SymPy,
        # which takes a second
        gradients = torch.autograd.grad(
            (value * given[-1]).sum(),
            [*asked.values()],
            allow_unused=True,
            create_graph=bool(twice),
        )
        second = second_order(gradients, twice, None) if twice else ()
    outputs = {VALUE: told(value)}
    for (name, leaf), gradient in zip(asked.items(), gradients, strict=True):
        outputs[gradient_of(name)] = told(torch.zeros_like(leaf) if gradient is None else gradient)
    outputs |= {second_of(name): told(g) for name, g in zip(asked, second, strict=False)}
    unused = [name for name, g in zip(asked, gradients, strict=True) if g is None]
    return Reference(label, scenario, outputs, tuple(unused))


def told(tensor: torch.Tensor) -> Tensor:
    """A tensor as a child tells it."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Tensor(tuple(tensor.detach().double().flatten().tolist()), tuple(tensor.shape), dtype)

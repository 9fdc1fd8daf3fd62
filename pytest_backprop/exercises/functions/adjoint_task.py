"""Tasks whose value may have any shape, and whose students give vector-Jacobian products: what is
right is the gradients of f(x, ...) with grad_output, one more leaf, for the adjoint of the value.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import phrase, say
from ...model import VALUE, Leaf, Scenario, Tensor, gradient_of, places, second_of, width_of
from ..adjoint import GRAD_OUTPUT, Reference
from ..adjoint.tensors import as_sent, sample, second_order, tensors
from .bank.library import task_text
from .dimensions import Sizes, shape_of
from .parameters import NUMBERS, Kind
from .probes import ProbedTask
from .reference import ROUNDED_RUNS, Rounded
from .scenarios import generic_points
from .typed_task import (
    MatrixVariant,
    TypedTask,
    compiled,
    function_of,
    parts_of,
    read_constant,
    with_accepted,
)

KINKS = (0.0, -1.0, 1.0)
"""Numbers at which functions in use have kinks."""
EQUAL = 4
"""A size of several dimensions."""
STEP, DIRECTIONS, JUMP = 1e-7, 4, 1e-5
"""How far aside is looked for a jump, in how many directions, and what is one."""
FULL_DRAWS = 3
"""Sizes at which all gradients are asked for."""
CONDITION, CONDITION_ATOL = 1e-4, 1e-6
"""How near float32 must be to float64 where a run is judged."""
FORMULA_ATOL = 2e-7
"""The same for another formula: a fifth of what a child's own results may be off."""
FORMULAS = 4
"""How many times more another formula may round than the task's own."""
SEEDS = range(77, 93)
"""Of points for a run beside the draws, until one is well-conditioned."""
OTHER_SEED = 76
"""Of points for calls that come before."""
MOST_TRIED = 2**15
"""Numbers of all these points together, where they are more than two."""
ROUNDS = 8
"""Of draws of all plain values, one of which gives a run beside the others."""

Task = TypeVar("Task", bound=TypedTask)


class AdjointTask(ProbedTask, frozen=True):
    """A task as its file has it."""

    draw_count: int = FULL_DRAWS

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and grad_output."""
        leaves = super().leaves_at(sizes, draw, random)
        with torch.no_grad():
            value = self.call(leaves, sample(leaves))
        if not isinstance(value, torch.Tensor):
            raise UsageProblem(
                f"{self.path}: {self.name} returns no tensor", "Return one tensor of any shape."
            )
        dtype = next(leaf.dtype for leaf in self.leaves if leaf.kind == "weight")
        return (*leaves, Leaf(GRAD_OUTPUT, "input", tuple(value.shape), dtype=dtype))

    def differentiated(
        self, leaves: Sequence[Leaf], values: Sequence[Any]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The value, of any shape, and grad_output."""
        return self.call(leaves[:-1], values[:-1]), values[-1]


def read_adjoint_task(
    path: Path,
    make: Callable[..., Task],
    extra: Callable[[ast.Module], Mapping[str, Any]] = lambda _: {},
    positional: Kind = "weight",
    prepare: Callable[[ast.FunctionDef], None] = lambda _: None,
) -> MatrixVariant:
    """The task of a file, at its first sizes: `make` is its class, `extra` gives fields that the
    class has beside, and `prepare` changes the functions before they are run. Raises UsageProblem
    for a file that is none."""
    text = task_text(path)
    function, of = parts_of(text, str(path), positional)
    if positional == "weight" and not any(leaf.kind == "weight" for leaf in of.leaves):
        raise UsageProblem(
            f"{path}: no parameter is a float tensor", "Annotate one so: Float[Tensor, …]."
        )
    module = ast.parse(text)
    prepare(function)
    call = compiled(function, str(path))
    fields = {"order": read_constant(module, "ORDER", 1), "said": of.said, **extra(module)}
    task = make(function.name, of.leaves, of.below, text, str(path), call, **fields)
    return with_accepted(task, module, function_of(module, str(path)), prepare).at(0)


# -- what is right in runs beside the draws ------------------------------------------------------


def reference(
    where: str,
    leaves: tuple[Leaf, ...],
    variant: MatrixVariant,
    variation: str = "",
    kinks: Sequence[Kind] = (),
    constant: Collection[str] = (),
) -> Reference | None:
    """What is right in a run beside the draws, at these leaves; what a child does otherwise in a
    `variation` is of order 1. The leaves `constant` need no gradient where gradients are
    differentiated again. In leaves of the kinds `kinks` every second number is one at which
    functions in use have a kink, where the task says nothing of its numbers.

    It is at the first point at which results are near those in float64, by torch's own float32 and
    by whatever formula; else at the one at which a formula matters least. None where torch's own
    float32 is near nowhere, as a row of equal numbers has no variance but for rounding."""
    task = variant.task
    fixed = [leaf.name for leaf in leaves[:-1] if leaf.kind == "input"] + [*constant]
    leaves = tuple(
        replace(leaf, order=1 if variation or leaf.name in fixed else task.order) for leaf in leaves
    )
    wide = tuple(replace(each, dtype="float64") if each.is_drawn else each for each in leaves)
    best, least = None, math.inf
    for seed in SEEDS[: max(2, MOST_TRIED // max(1, width_of(leaves)))]:
        scenario = _scenario(leaves, variant, seed, kinks, variation)
        outputs, unused = _worked_out(task, scenario)
        exact, _ = _worked_out(task, replace(scenario, leaves=wide))
        with Rounded(torch.Generator().manual_seed(0)):
            shaken = [
                _worked_out(task, replace(scenario, leaves=wide))[0] for _ in range(ROUNDED_RUNS)
            ]
        if _share_off(outputs, exact, CONDITION_ATOL) > 1:
            continue
        share = FORMULAS * max(_share_off(each, exact, FORMULA_ATOL) for each in shaken)
        if share < least:
            best, least = (scenario, outputs, exact, unused), share
        if share <= 1:
            break
    if best is None:
        return None
    scenario, outputs, exact, unused = best
    if kinks:
        outputs = _smooth(task, replace(scenario, leaves=wide), outputs, exact)
    return Reference(where, scenario, outputs, unused)


def at_kinks(variant: MatrixVariant, hint: str = "") -> Reference | None:
    """What is right where numbers are 0, 1 and -1, plain ones 0 and sizes equal if the task has
    a value there."""
    task, numbers = variant.task, [*map(repr, NUMBERS)]
    free = [name for name in task.dimensions if name not in task.said and name[0] != "*"]
    equal = {name: [EQUAL] for name in free}
    both: tuple[Kind, ...] = ("weight", "input")
    # a gradient of a wrong shape has no second derivatives, and may be of the right one there
    for said in (equal, {}) if task.order == 1 else ({},):
        try:
            at = replace(task, said={**task.said, **said}).at(0)
        except UsageProblem:
            continue
        where = say(phrase("at {sizes}, with 0, 1 and -1 among the numbers"), sizes=at.sizes)
        at_zero = tuple(
            replace(leaf, literal="0.0") if leaf.literal in numbers else leaf for leaf in at.leaves
        )
        ways = ((at_zero, both), (at.leaves, both), (at.leaves, both[:1]))
        for leaves, kinds in dict.fromkeys(ways):
            run = reference(_escaped(where), leaves, at, kinks=kinds)
            if run is not None and any(any(own.data) for own in run.outputs.values()):
                return replace(run, hint=hint)
    return None


def _escaped(text: str) -> str:
    """A text as a message that `say` takes."""
    return text.replace("{", "{{").replace("}", "}}")


def _smooth(
    task: TypedTask, scenario: Scenario, outputs: Mapping[str, Tensor], exact: Mapping[str, Tensor]
) -> dict[str, Tensor]:
    """The outputs, with NaN for each number that jumps at the scenario's point: in float64 it is
    another a little to one of two sides, in some direction."""
    (point,) = scenario.points
    random = Random(5)
    aside = []
    for _ in range(DIRECTIONS):
        steps = [random.uniform(-STEP, STEP) for _ in point]
        for sign in (1, -1):
            there = tuple(x + sign * step for x, step in zip(point, steps, strict=True))
            aside.append(_worked_out(task, replace(scenario, points=(there,)))[0])
    return {
        name: replace(
            tensor,
            data=tuple(
                number
                if all(abs(of[name].data[at] - right) <= JUMP * (1 + abs(right)) for of in aside)
                else math.nan
                for at, (number, right) in enumerate(
                    zip(tensor.data, exact[name].data, strict=True)
                )
            ),
        )
        for name, tensor in outputs.items()
    }


def _share_off(outputs: Mapping[str, Tensor], exact: Mapping[str, Tensor], atol: float) -> float:
    """How far numbers are off, as a share of how far they may be; infinite where one is none."""
    shares = (
        abs(number - right) / (CONDITION * abs(right) + atol)
        for name, tensor in outputs.items()
        for number, right in zip(tensor.data, exact[name].data, strict=True)
    )
    return max((math.inf if math.isnan(share) else share for share in shares), default=0.0)


def another(variant: MatrixVariant, kept: Collection[str] | None = None) -> Scenario | None:
    """A run at other numbers and plain values, and at other sizes but for those of the dimensions
    that are `kept`, all of them if that is None; None for a task that has no such."""
    task = variant.task
    sizes = task.sizes_at(0, Random(task._key(0)))
    names = sizes if kept is None else kept
    said = {name: [size] for name in names if isinstance(size := sizes[name], int)}
    try:
        other = replace(task, said={**task.said, **said}).at(2)
    except UsageProblem:
        return None
    return _scenario(other.leaves, other, OTHER_SEED)


def at_values(variant: MatrixVariant) -> Iterator[Reference]:
    """Runs at the plain values that have one draw alone, the least sizes aside, which may tell
    nothing: at sizes that are even where those are odd, and odd where they are even, as far as they
    can be."""
    count = ROUNDS * variant.task.combinations
    task = replace(variant.task, draw_count=count)  # all gradients are asked for at each of these
    literals = {draw: task.literals_at(draw) for draw in (0, *range(2, count))}
    tried = {0, *range(2, variant.task.full_count)}

    def parities(draw: int) -> list[int]:
        sizes = task.sizes_at(draw, Random(f"sizes:{task.name}:{draw}"))
        return [size % 2 for size in shape_of(sizes, sizes)]

    for name, literal in ((leaf.name, each) for leaf in task.leaves for each in leaf.literals):
        first, *others = (draw for draw in literals if literals[draw][name] == literal)
        if len(tried.intersection((first, *others))) > 1:
            continue
        of_first = parities(first)
        unlike = [sum(map(operator.ne, parities(draw), of_first)) for draw in others]
        tried.add(draw := others[unlike.index(max(unlike))])
        at = task.at(draw)
        run = reference(_escaped(at.sizes), at.leaves, at)
        # what is larger is not sent
        if run and all(len(of.data) == math.prod(of.shape) for of in run.outputs.values()):
            yield replace(unrecorded(run), is_draw=True)


def unrecorded(run: Reference) -> Reference:
    """A run of which numbers alone are asked for: at the draws is seen how they come about."""
    return replace(run, scenario=replace(run.scenario, is_recorded=False))


def judged(task: TypedTask, runs: Iterable[Reference | None]) -> tuple[Reference, ...]:
    """The runs that can be judged. Raises UsageProblem where a task asks for derivatives of the
    gradients and there is no run to see them in: nobody's would be judged, and everybody's paid."""
    judged_runs = tuple(run for run in runs if run is not None)
    # on an empty batch all of them are zero
    if not judged_runs or (task.order == 2 and not any(run.has_second for run in judged_runs)):
        raise UsageProblem(
            f"{task.path}: {task.name} cannot be judged: in float32 its "
            f"{'second ' * (task.order == 2)}derivatives "
            f"are not near those in float64 at any of {len(SEEDS)} points",
            "Write it so that no large numbers cancel, or with fewer of exp, powers and quotients.",
        )
    return judged_runs


def _scenario(
    leaves: tuple[Leaf, ...],
    variant: MatrixVariant,
    seed: int,
    kinks: Sequence[Kind] = (),
    variation: str = "",
) -> Scenario:
    assignment, signed = generic_points(variant, seed, 2).rows
    point = [*signed, *assignment][: width_of(leaves)]
    for leaf in leaves[:-1]:
        if leaf.is_drawn and leaf.kind in kinks and not (leaf.positive or leaf.ranges):
            own = places(leaves)[leaf.name]
            for number, place in enumerate(own[1::2]):
                point[place] = KINKS[number % len(KINKS)]
    return Scenario(leaves, (tuple(point),), variant.expression, variation)


def _worked_out(task: TypedTask, scenario: Scenario) -> tuple[dict[str, Tensor], tuple[str, ...]]:
    """What torch's own function and autograd give in a scenario, and the inputs that the value
    does not depend on."""
    leaves = scenario.leaves
    values = tensors(leaves, scenario.points[0])
    pairs = list(zip(leaves, values, strict=True))
    asked = {leaf.name: tensor for leaf, tensor in pairs if leaf.kind == "weight"}
    twice = {leaf.name: tensor for leaf, tensor in pairs if leaf.order == 2}
    for tensor in (asked | twice).values():
        tensor.requires_grad_()
    with torch.enable_grad():
        value, adjoint = task.differentiated(leaves, values)
        # as a sum, for to check the shape of what is given beside a value torch imports SymPy,
        # which takes a second
        total = (value if adjoint is None else value * adjoint).sum()
        gradients = torch.autograd.grad(
            total, [*asked.values()], allow_unused=True, create_graph=bool(twice)
        )
        again = {n: g for n, g in zip(asked, gradients, strict=True) if n in twice}
        second = second_order([*again.values()], [*twice.values()], None)
    outputs = {VALUE: as_sent(value)}
    for (name, leaf), gradient in zip(asked.items(), gradients, strict=True):
        outputs[gradient_of(name)] = as_sent(
            torch.zeros_like(leaf) if gradient is None else gradient
        )
    outputs |= {second_of(name): as_sent(g) for name, g in zip(again, second, strict=True)}
    return outputs, tuple(n for n, g in zip(asked, gradients, strict=False) if g is None)

"""Tasks of this exercise: a typed function whose value is one number, such as a loss, and in whose
body intermediates have names.

`GRADIENTS = ("hidden", "logits")` says of which the gradients are asked for; each is the target of
one assignment. Such a task is taken for the function of its tensors and of as many more, the
probes, that are added to these intermediates: at zeros it is the same function, and the gradients
of the probes are those of the intermediates. So all that judges gradients of leaves judges these.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import say
from ...model import VALUE, Leaf, Scenario, gradient_of
from ...trace.calls import NotReplayable
from ...trace.replay import Program
from ..adjoint.tensors import tensors
from ..functions.adjoint_task import told
from ..functions.bank import Bank
from ..functions.bank.library import load_bank as load_variants, task_text
from ..functions.own_run import own_run
from ..functions.scenarios import generic_points
from ..functions.typed_task import (
    FEW_ELEMENTS,
    MatrixVariant,
    TypedTask,
    compiled,
    parts_of,
    read_constant,
)
from . import NAME
from .facts import AGAIN, IntermediateReference, Known

PROBES = "__probes__"
"""The name by which the function's own code has the probes."""
SIZES = 4
"""At how many sizes a task is judged."""


class IntermediateTask(TypedTask, frozen=True):
    """A task as its file has it. `asked` are the names of the intermediates; `free` those of the
    parameters that are leaves of autograd's graph: the keyword-only ones. Its function takes the
    probes, too."""

    asked: tuple[str, ...] = ()
    free: tuple[str, ...] = ()

    def leaves_at(self, sizes: Mapping[str, int], draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, and a probe for each
        intermediate."""
        leaves = tuple(
            replace(leaf, kind="input", requires_grad=leaf.name in self.free)
            for leaf in super().leaves_at(sizes, draw, random)
        )
        made = self._values(leaves)
        return (*leaves, *(Leaf(name, "weight", shape, probe=True) for name, shape in made.items()))

    @property
    def draw_count(self) -> int:
        """Some sizes."""
        return SIZES

    def fits(self, sizes: Mapping[str, int]) -> bool:
        """Whether the tensors, and the intermediates, are small enough."""
        leaves = tuple(
            replace(leaf, kind="input") for leaf in super().leaves_at(sizes, 0, Random(0))
        )
        given = sum(math.prod(leaf.shape) for leaf in leaves if leaf.is_drawn)
        try:
            probes = sum(math.prod(shape) for shape in self._values(leaves).values())
        except Exception:
            return True  # what fails is told when it is taken apart
        return max(given, probes) <= FEW_ELEMENTS

    def call(self, leaves: tuple[Leaf, ...], given: list[torch.Tensor]) -> torch.Tensor:
        """The function itself, with the probes added to the intermediates."""
        probes = {
            leaf.name: tensor for leaf, tensor in zip(leaves, given, strict=True) if leaf.probe
        }
        value: torch.Tensor = self.function(
            **{leaf.name: t for leaf, t in zip(leaves, given, strict=True) if not leaf.probe},
            **{PROBES: lambda name, value: value + probes[name]},
        )
        return value

    def shown(self, leaves: tuple[Leaf, ...], given: list[torch.Tensor]) -> torch.Tensor:
        """The function without the probes."""
        return self.intermediates(leaves, given)[0]

    def intermediates(
        self, leaves: Sequence[Leaf], given: Sequence[torch.Tensor]
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """The value of the function, and the intermediates that are asked for by name, without
        probes."""
        made: dict[str, torch.Tensor] = {}

        def noted(name: str, value: torch.Tensor) -> torch.Tensor:
            made[name] = value
            return value

        pairs = zip(leaves, given, strict=True)
        value = self.function(
            **{leaf.name: t for leaf, t in pairs if not leaf.probe}, **{PROBES: noted}
        )
        return value, {name: made[name] for name in self.asked}

    def _values(self, leaves: Sequence[Leaf]) -> dict[str, tuple[int, ...]]:
        """The shapes of the intermediates. Raises UsageProblem for one that is no tensor with a
        gradient."""
        given = [
            torch.tensor(leaf.integers).reshape(leaf.shape)
            if leaf.integers is not None
            else torch.full(leaf.shape, 0.5, requires_grad=leaf.name in self.free)
            for leaf in leaves
        ]
        with torch.enable_grad():
            try:
                _, made = self.intermediates(leaves, given)
            except Exception as error:
                raise UsageProblem(
                    f"{self.path}: {self.name} fails: {type(error).__name__}: {error}",
                    "A task must run at all sizes, of each dimension 1 to 8.",
                ) from None
        for name, value in made.items():
            if not isinstance(value, torch.Tensor) or not value.requires_grad:
                raise UsageProblem(
                    f"{self.path}: {name} of {self.name} has no gradient",
                    "Calculate it from a keyword-only parameter: these are leaves that require a "
                    "gradient.",
                )
        return {name: tuple(value.shape) for name, value in made.items()}


def load_bank(folder: Path) -> Bank:
    """The tasks of this kind in a folder. Raises UsageProblem."""
    return load_variants(folder, NAME, _read_task)


def references(variant: MatrixVariant) -> tuple[IntermediateReference, ...]:
    """What is right in runs beside the draws: called once, twice with the same tensors, and in
    float64."""
    task = variant.task
    assert isinstance(task, IntermediateTask)
    wide = tuple(
        replace(leaf, dtype="float64") if leaf.is_drawn else leaf for leaf in variant.leaves
    )
    return (
        _reference(task, "plain", variant, variant.leaves),
        _reference(task, AGAIN, variant, variant.leaves, AGAIN),
        _reference(task, "plain float64", variant, wide),
    )


def _reference(
    task: IntermediateTask,
    label: str,
    variant: MatrixVariant,
    leaves: tuple[Leaf, ...],
    variation: str = "",
) -> IntermediateReference:
    point = generic_points(variant, 77, 1)
    scenario = Scenario(
        variant.weights, variant.inputs, point.weights, point.inputs, leaves, variation=variation
    )
    given = tensors(leaves, point.weights[0], point.inputs[0])
    free = [
        (leaf, t.requires_grad_())
        for leaf, t in zip(leaves, given, strict=True)
        if leaf.requires_grad
    ]
    with torch.enable_grad():
        value, made = task.intermediates(leaves, given)
        wanted = [*made.values(), *(t for _, t in free)]
        found = torch.autograd.grad(value, wanted, materialize_grads=True)
    gradients = found[: len(made)]
    known = [
        Known("leaf", leaf.name, told(gradient))
        for (leaf, _), gradient in zip(free, found[len(made) :], strict=True)
    ]
    known += [Known("value", name, told(tensor)) for name, tensor in made.items()]
    outputs = {gradient_of(name): told(g) for name, g in zip(task.asked, gradients, strict=True)}
    outputs[VALUE] = told(value)
    return IntermediateReference(label, scenario, outputs, known=tuple(known))


def _read_task(path: Path) -> MatrixVariant:
    """The task of a file, at its first sizes. Raises UsageProblem for a file that is none."""
    text = task_text(path)
    function, leaves, below = parts_of(text, str(path), "input")
    asked = read_constant(ast.parse(text), "GRADIENTS", ())
    free = tuple(argument.arg for argument in function.args.kwonlyargs)
    probed = _probed(function, asked, path)
    task = IntermediateTask(
        function.name,
        leaves,
        below,
        text,
        str(path),
        compiled(probed, str(path)),
        asked=tuple(asked),
        free=free,
    )
    variant = task.at(0)
    _check_replay(task, variant)
    return variant


def _probed(function: ast.FunctionDef, asked: Any, path: Path) -> ast.FunctionDef:
    """The function with `name = __probes__("name", name)` behind the assignment of each name.
    Raises UsageProblem for a name that is not assigned once, on a line of its own."""
    usual = 'Write GRADIENTS = ("hidden", "logits"), names to which the function assigns its intermediates.'
    if not (isinstance(asked, tuple | list) and asked and all(isinstance(n, str) for n in asked)):
        raise UsageProblem(f"{path}: GRADIENTS = {asked!r} has no names of intermediates", usual)
    if len(set(asked)) < len(asked):
        raise UsageProblem(f"{path}: GRADIENTS = {asked!r} has a name twice", usual)
    made = copy.deepcopy(function)
    parameters = {
        arg.arg for arg in (*made.args.posonlyargs, *made.args.args, *made.args.kwonlyargs)
    }
    stored = [
        node.id
        for node in ast.walk(made)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    body: list[ast.stmt] = []
    found: set[str] = set()
    for statement in made.body:
        body.append(statement)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(target, ast.Name) or target.id not in asked:
            continue
        found.add(target.id)
        probe = ast.parse(f"{target.id} = {PROBES}({target.id!r}, {target.id})").body[0]
        body.append(ast.fix_missing_locations(ast.copy_location(probe, statement)))
    for name in asked:
        if name in parameters:
            raise UsageProblem(
                f"{path}: {name} is a parameter of {made.name}, a leaf and no intermediate", usual
            )
        if name not in found or stored.count(name) != 1:
            raise UsageProblem(
                f"{path}: {made.name} does not assign {name} once, by a statement of its own",
                f"Write `{name} = …` on one line of the function's body.",
            )
    made.body = body
    made.args.kwonlyargs.append(ast.arg(PROBES))
    made.args.kw_defaults.append(None)
    return ast.fix_missing_locations(made)


def _check_replay(task: IntermediateTask, variant: MatrixVariant) -> None:
    """Raises UsageProblem unless the grader can run again what torch's engine runs of the task."""
    point = generic_points(variant, 1, 1)
    weights = torch.tensor(point.weights, dtype=torch.float64)
    inputs = torch.tensor(point.inputs, dtype=torch.float64)
    try:
        Program(own_run(variant)).run_anyhow(weights, inputs)
    except NotReplayable as problem:
        raise UsageProblem(
            f"{task.path}: what torch's engine runs of {task.name} cannot be run again: {problem}",
            say("write the task with plainer operations"),
        ) from None

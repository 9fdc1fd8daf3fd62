"""Tasks of this exercise: the model, `def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"])`,
and beside it `def loss(prediction, target)`, a mean or a sum over the rows of a batch; and what is
right: the training on the joined batches by torch's own optimizer, in several runs.

A target has the shape of the prediction, unless the loss says another: `target: Int[Tensor, "n"]`
with `BELOW = {"target": "c"}`. `LAST` says what becomes of a last group that is not full,
`WEIGHTED` whether batches have unequal numbers of rows."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

import msgspec
import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...model import Leaf, Scenario
from ..adjoint.tensors import sample
from ..functions.bank import Variant
from ..functions.bank.library import task_text
from ..functions.dimensions import is_simple
from ..functions.parameters import TypedLeaf, bounds_of, check_unsaid, read_leaves
from ..functions.typed_task import compiled, parts_of, read_constant
from . import Setting
from .watch import drawn, make_optimizer

RUNS: Final = (
    Setting("sgd", 0.3, 2, 4),
    Setting("sgd", 0.2, 3, 7),
    Setting("sgd", 0.2, 2, 5),
    Setting("adam", 0.05, 3, 5),
    Setting("sgd", 0.2, 4, 8),
    Setting("sgd", 0.3, 1, 2),
    Setting("adam", 0.05, 4, 3),
)
"""In some the last group is full, in some it has one batch or two, in the last there is no full
one."""
SIZES: Final = range(2, 5)
TRIES: Final = 50
RTOL, ATOL = 1e-3, 1e-6
"""How near gradients must be: relatively to the largest number of each, and at all; and parameters,
relatively to how far the step moves them."""
LEAST_MOVE: Final = 1e-3
MARGIN: Final = 0.25
"""What share of that float32 may take."""


class TrainingTask(Variant, frozen=True):
    """A task as its file has it: `tensors` are the weights and x, `target` what a batch's y is
    (None: a float of the prediction's shape). `is_sum` says what the loss does over the rows.
    `expression` is the text of both functions, without annotations."""

    tensors: tuple[TypedLeaf, ...] = ()
    target: TypedLeaf | None = None
    below: str | int = 0
    last: Literal["step", "drop"] = "step"
    weighted: bool = False
    is_sum: bool = False
    model: Callable[..., torch.Tensor] = torch.clone
    loss: Callable[..., torch.Tensor] = torch.clone

    @property
    def x(self) -> TypedLeaf:
        """The parameter of the model that is a batch."""
        return next(leaf for leaf in self.tensors if leaf.kind == "input")


@dataclass
class TrainingReference:
    """What is right in one run, in float64.

    `groups` has the batches of each step. `factors` says how much each batch's own loss counts in
    its group, a dropped one being taken for a group, too. `slopes` has that loss's derivative by
    the prediction (rows, numbers of a row), and `own` its gradient. Gradients and parameters are
    all tensors one behind the other: `gradients` and `parameters` of each step, and those at the
    `start`."""

    scenario: Scenario
    setting: Setting
    start: torch.Tensor
    groups: list[tuple[int, ...]] = field(default_factory=list)
    factors: list[float] = field(default_factory=list)
    slopes: list[torch.Tensor] = field(default_factory=list)
    own: list[torch.Tensor] = field(default_factory=list)
    gradients: list[torch.Tensor] = field(default_factory=list)
    parameters: list[torch.Tensor] = field(default_factory=list)


# -- tasks


def read_task(path: Path) -> TrainingTask:
    """The task of a file. Raises UsageProblem."""
    text = task_text(path)
    function, of = parts_of(text, str(path), "input")
    leaves = of.leaves
    module = ast.parse(text)
    loss = next(
        (n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == "loss"), None
    )
    if loss is None or len(loss.args.args) != 2 or loss.args.kwonlyargs:
        raise UsageProblem(
            f"{path}: there is no function loss(prediction, target)",
            "Write it beside the model: def loss(prediction, target): …",
        )
    inputs = [leaf for leaf in leaves if leaf.kind == "input"]
    check_unsaid(module, str(path), "VALUES", "SIZES", "RANGES", "ACCEPTS", "DTYPE")
    is_plain = all(is_simple(dim) for leaf in leaves for dim in leaf.dims)
    is_batch = is_plain and len(inputs) == 1 and len(leaves) > 1 and not inputs[0].integer
    if not is_batch or not inputs[0].dims or isinstance(inputs[0].dims[0], int):
        raise UsageProblem(
            f"{path}: {function.name} is no model of one batch of floats, of any number of rows, "
            "and its weights",
            'Write it as def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]).',
        )
    target, bounds = None, of.below
    if loss.args.args[1].annotation is not None:
        loss.args.args[0].annotation = ast.parse('Float[Tensor, ""]', mode="eval").body
        target = read_leaves(loss, str(path))[1]
        if target.plain or not all(map(is_simple, target.dims)):
            raise UsageProblem(
                f"{path}: target: {' '.join(map(str, target.dims)) or target.dtype}",
                'Say its dimensions by names and numbers: target: Int[Tensor, "n"].',
            )
        bounds = bounds_of(module, (*leaves, target), str(path))
    compiled_model, compiled_loss = (compiled(each, str(path)) for each in (function, loss))
    task = TrainingTask(
        function.name,
        text,
        str(path),
        (),
        (),
        tensors=leaves,
        target=target,
        below=0 if target is None else bounds.get(target.name, 0),
        last=_one_of(module, path, "LAST", ("step", "drop")),
        weighted=_one_of(module, path, "WEIGHTED", (False, True)),
        model=compiled_model,
        loss=compiled_loss,
        # both have no annotations any more once they are compiled
        expression=f"{ast.unparse(function)}\n\n\n{ast.unparse(loss)}",
    )
    try:
        first = _reference(task, RUNS[0])
        scenario, is_sum = first.scenario, first.factors[0] == 1
    except UsageProblem:
        raise
    except Exception as error:
        raise UsageProblem(
            f"{path}: {task.name} does not run: {type(error).__name__}: {error}",
            f"Try loss({task.name}(x, …), y) with tensors of the shapes that it declares.",
        ) from None
    return replace(task, leaves=scenario.leaves, is_sum=is_sum)


def _one_of(module: ast.Module, path: Path, name: str, values: tuple[Any, ...]) -> Any:
    """A constant of a task's file, usually the first of the values."""
    value = read_constant(module, name, values[0])
    if value not in values:
        raise UsageProblem(
            f"{path}: {name} = {value!r}", f"Give it one of {', '.join(map(repr, values))}."
        )
    return value


# -- what is right


def references(task: TrainingTask) -> tuple[TrainingReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task whose parameters do not
    move, or are not the same in float32."""
    return tuple(_reference(task, setting) for setting in RUNS)


def _reference(task: TrainingTask, setting: Setting) -> TrainingReference:
    """What is right in a run, at the first draw at which each step moves the parameters and float32
    is near enough."""
    for seed in range(TRIES):
        scenario = _scenario(task, setting, Random(f"accumulation:{task.name}:{setting}:{seed}"))
        right, rounded = (
            _trained(task, setting, scenario, dtype) for dtype in (torch.float64, torch.float32)
        )
        before = (right.start, *right.parameters)
        steps = list(zip(before, right.parameters, rounded.parameters, strict=False))
        is_moved = all((want - start).abs().max() >= LEAST_MOVE for start, want, _ in steps)
        if is_moved and all(is_near(got, want, start, MARGIN) for start, want, got in steps):
            return right
    raise UsageProblem(
        f"{task.path}: float32 is too far from float64 where {task.name} is trained",
        "Write a model whose gradients stay between 0.001 and 1000.",
    )


def is_near(
    got: torch.Tensor, want: torch.Tensor, before: torch.Tensor | float = 0.0, share: float = 1.0
) -> bool:
    """Whether gradients are the same but for rounding, or parameters are those that a step from
    `before` leads to, within a share of what is allowed."""
    allowed = share * (RTOL * (want - before).abs().max() + ATOL)
    return got.shape == want.shape and bool(((got - want).abs() <= allowed).all())


def _scenario(task: TrainingTask, setting: Setting, random: Random) -> Scenario:
    """What a run trains on: tensors of some sizes, and a seed for their numbers."""
    names = {dim for leaf in task.tensors for dim in leaf.dims if isinstance(dim, str)}
    sizes = {name: random.choice(SIZES) for name in sorted(names)}
    rows_name = str(task.x.dims[0])
    rows = [sizes[rows_name]] * setting.batches
    if task.weighted:
        rows = [*random.sample((1, 2, 3, 5), 2), *random.choices((1, 2, 3, 5), k=len(rows) - 2)]
    weights = [leaf for leaf in task.tensors if leaf.kind == "weight"]
    leaves = [Leaf(leaf.name, "weight", leaf.shape(sizes)) for leaf in weights]
    numbers = {leaf.name: tensor for leaf, tensor in zip(leaves, sample(leaves), strict=True)}
    for at, count in enumerate(rows):
        sizes[rows_name] = count
        x, integers = Leaf(f"x{at}", "input", task.x.shape(sizes)), None
        if task.target is None:
            with torch.no_grad():
                shape = tuple(task.model(*sample([x]), **numbers).shape)
        else:
            shape = task.target.shape(sizes)
            if task.target.integer:
                most = sizes[task.below] if isinstance(task.below, str) else task.below
                integers = tuple(random.randrange(most) for _ in range(math.prod(shape)))
        leaves += [x, Leaf(f"y{at}", "input", shape, integers)]
    seed, variation = float(random.getrandbits(32)), msgspec.json.encode(setting).decode()
    return Scenario(tuple(leaves), ((seed,),), task.expression, variation)


def _trained(
    task: TrainingTask, setting: Setting, scenario: Scenario, dtype: torch.dtype
) -> TrainingReference:
    """The run in one dtype."""
    weights, batches = drawn(scenario, dtype)
    for weight in weights.values():
        weight.requires_grad_()
    optimizer = make_optimizer(setting.optimizer, weights.values(), setting.rate)
    right = TrainingReference(scenario, setting, _flat(weights.values()))

    def differentiated(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """The derivatives of a batch's loss by the rows of the prediction, and by the weights."""
        with torch.enable_grad():
            prediction = task.model(x, **weights)
            slope, *parts = torch.autograd.grad(
                task.loss(prediction, y), [prediction, *weights.values()], materialize_grads=True
            )
        return slope.reshape(len(slope), -1), parts

    for first in range(0, setting.batches, setting.steps):
        group = batches[first : first + setting.steps]
        each = [differentiated(*batch) for batch in group]
        x, y = (torch.cat(parts) for parts in zip(*group, strict=True))
        joined, gradient = differentiated(x, y)
        right.factors += _factors(task, joined, [slope for slope, _ in each])
        right.slopes += [slope for slope, _ in each]
        right.own += [_flat(parts) for _, parts in each]
        if len(group) < setting.steps and task.last == "drop":
            continue
        for weight, part in zip(weights.values(), gradient, strict=True):
            weight.grad = part
        optimizer.step()
        right.groups.append(tuple(range(first, first + len(group))))
        right.gradients.append(_flat(gradient))
        right.parameters.append(_flat(weights.values()))
    return right


def _factors(task: TrainingTask, joined: torch.Tensor, own: Sequence[torch.Tensor]) -> list[float]:
    """How much the loss of each batch counts in that of the joined ones, by the derivatives of
    each: as many as its rows, or all of it. Raises UsageProblem for a loss that does neither."""
    for factors in ([len(slope) / len(joined) for slope in own], [1.0] * len(own)):
        want = torch.cat([factor * slope for factor, slope in zip(factors, own, strict=True)])
        if want.shape == joined.shape and torch.allclose(joined, want, 1e-4, 1e-6):
            return factors
    raise UsageProblem(
        f"{task.path}: the loss of {task.name} is neither the mean nor the sum of those of the "
        "rows",
        "Have each row of the prediction depend on one row of x, and the loss be one number.",
    )


def _flat(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
    return torch.cat([tensor.detach().flatten() for tensor in tensors])

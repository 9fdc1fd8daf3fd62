"""What is right: a task trained by torch on the joined batches, in several runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Final, Literal

import msgspec
import torch

from ...errors import UsageProblem
from ...model import Leaf, Scenario
from ..functions.bank import Variant
from ..functions.typed_task import TypedLeaf
from .facts import Numbers, Setting, TrainingReference
from .watch import make_optimizer

RUNS: Final[tuple[tuple[Literal["sgd", "momentum", "adam"], float, int, int], ...]] = (
    ("sgd", 0.3, 2, 4),
    ("sgd", 0.2, 3, 7),
    ("momentum", 0.2, 2, 5),
    ("adam", 0.05, 3, 5),
    ("sgd", 0.2, 4, 8),
    ("sgd", 0.3, 1, 2),
    ("adam", 0.05, 4, 3),
)
"""Optimizer, rate, accumulation steps and batches of each run. In some the last group is full, in
some it has one batch or two, in the last there is no full one."""
SIZES: Final = range(2, 5)
MAX_ELEMENTS: Final = 64
"""Of the weights together."""
TRIES: Final = 50
RTOL, ATOL = 1e-3, 1e-5
"""How near parameters must be: to how far the step moves them, and at all."""
MARGIN: Final = 0.25
"""What share of that float32 may take."""
LINEAR = 1e-9
"""How closely the loss of joined batches must be the mean, or the sum, of those of the batches."""

Batch = tuple[torch.Tensor, torch.Tensor]


class TrainingTask(Variant, frozen=True):
    """A task as its file has it: `tensors` are the weights and x, `target` what a batch's y is
    (None: a float of the prediction's shape). `reduction` says what the loss does over the rows.
    `expression` is the text of both functions, without annotations."""

    tensors: tuple[TypedLeaf, ...] = ()
    target: TypedLeaf | None = None
    below: str | int = 0
    last: Literal["step", "drop"] = "step"
    weighted: bool | None = None
    reduction: Literal["mean", "sum"] = "mean"
    model: Callable[..., torch.Tensor] = torch.clone
    loss: Callable[..., torch.Tensor] = torch.clone

    @property
    def x(self) -> TypedLeaf:
        """The parameter of the model that is a batch."""
        return next(leaf for leaf in self.tensors if leaf.kind == "input")

    def factors(self, steps: int, rows: Sequence[int]) -> Numbers:
        """How much the loss of each batch counts in its group, a dropped one being taken for a
        group, too."""
        factors = []
        for at in range(0, len(rows), steps):
            group = rows[at : at + steps]
            for count in group:
                share = count / sum(group) if self.weighted else 1 / len(group)
                factors.append(1.0 if self.reduction == "sum" else share)
        return tuple(factors)


class _Drawn(msgspec.Struct, frozen=True):
    """The tensors of one run, float32 numbers: weights by name, and batches."""

    weights: dict[str, torch.Tensor]
    batches: tuple[Batch, ...]

    def double(self) -> _Drawn:
        """The same in float64."""
        return _Drawn(
            {name: tensor.double() for name, tensor in self.weights.items()},
            tuple(
                (x.double(), y.double() if y.is_floating_point() else y) for x, y in self.batches
            ),
        )


def references(task: TrainingTask) -> tuple[TrainingReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task whose parameters do not
    move, or are not the same in float32."""
    return tuple(_reference(task, Setting(task.name, *run)) for run in RUNS)


def _reference(task: TrainingTask, setting: Setting) -> TrainingReference:
    """What is right in a run, at the first draw at which each step moves the parameters and float32
    is near enough."""
    for seed in range(TRIES):
        drawn = _draw(task, setting, Random(f"accumulation:{task.name}:{setting}:{seed}"))
        right = _trained(task, setting, drawn.double(), _scenario(task, setting, drawn))
        near = _trained(task, setting, drawn, right.scenario).parameters
        steps = list(zip((right.start, *right.parameters), right.parameters, near, strict=False))
        is_moved = all(_distance(before, after) >= 100 * ATOL for before, after, _ in steps)
        if is_moved and all(is_near(got, want, before, MARGIN) for before, want, got in steps):
            return right
    raise UsageProblem(
        f"{task.path}: float32 is too far from float64 where {task.name} is trained",
        "Write a model whose gradients stay between 0.001 and 1000.",
    )


def is_near(got: Numbers, want: Numbers, before: Numbers, times: float = 1.0) -> bool:
    """Whether parameters are those that a step from `before` leads to."""
    allowed = times * (RTOL * _distance(want, before) + ATOL)
    return len(got) == len(want) and all(
        abs(a - b) <= allowed for a, b in zip(got, want, strict=True)
    )


def _distance(one: Numbers, other: Numbers) -> float:
    return max((abs(a - b) for a, b in zip(one, other, strict=True)), default=0.0)


# -- what a run trains on


def _draw(task: TrainingTask, setting: Setting, random: Random) -> _Drawn:
    weights = [leaf for leaf in task.tensors if leaf.kind == "weight"]
    names = {dim for leaf in task.tensors for dim in leaf.dims if isinstance(dim, str)}
    for _ in range(TRIES):
        sizes = {name: random.choice(SIZES) for name in sorted(names)}
        if sum(math.prod(_shape(leaf, sizes)) for leaf in weights) <= MAX_ELEMENTS:
            break
    rows_name = str(task.x.dims[0])
    rows = [sizes[rows_name]] * setting.batches
    if task.weighted is not None:
        rows = [random.choice((1, 2, 3, 5)) for _ in rows]
        rows[:2] = random.sample((1, 2, 3, 5), 2)[: len(rows)]
    numbers = {leaf.name: _floats(_shape(leaf, sizes), random, 0.2, 1.0) for leaf in weights}
    batches = []
    for count in rows:
        sizes = sizes | {rows_name: count}
        x = _floats(_shape(task.x, sizes), random, 0.3, 1.5)
        with torch.no_grad():
            like = task.model(x, **numbers).shape
        shape = tuple(like) if task.target is None else _shape(task.target, sizes)
        if task.target is not None and task.target.integer:
            most = sizes[task.below] if isinstance(task.below, str) else task.below
            integers = [random.randrange(most) for _ in range(math.prod(shape))]
            batches.append((x, torch.tensor(integers).reshape(shape)))
        else:
            batches.append((x, _floats(shape, random, 0.2, 2.0)))
    return _Drawn(numbers, tuple(batches))


def _shape(leaf: TypedLeaf, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in leaf.dims)


def _floats(shape: tuple[int, ...], random: Random, low: float, high: float) -> torch.Tensor:
    numbers = [
        math.copysign(random.uniform(low, high), random.random() - 0.5)
        for _ in range(math.prod(shape))
    ]
    return torch.tensor(numbers, dtype=torch.float32).reshape(shape)


def _scenario(task: TrainingTask, setting: Setting, drawn: _Drawn) -> Scenario:
    weights = [Leaf(name, "weight", tuple(t.shape)) for name, t in drawn.weights.items()]
    inputs, numbers = [], []
    for at, (x, y) in enumerate(drawn.batches):
        integers = None if y.is_floating_point() else tuple(y.flatten().tolist())
        inputs.append(Leaf(f"x{at}", "input", tuple(x.shape)))
        inputs.append(Leaf(f"y{at}", "input", tuple(y.shape), integers))
        numbers += [x] if integers else [x, y]
    return Scenario(
        tuple(name for leaf in weights for name in leaf.elements),
        tuple(name for leaf in inputs for name in leaf.elements),
        (_flat(drawn.weights.values()),),
        (_flat(numbers),),
        (*weights, *inputs),
        task.expression,
        msgspec.json.encode(setting).decode(),
    )


def _flat(tensors: Iterable[torch.Tensor]) -> Numbers:
    return tuple(number for tensor in tensors for number in tensor.detach().flatten().tolist())


# -- training


def _trained(
    task: TrainingTask, setting: Setting, drawn: _Drawn, scenario: Scenario
) -> TrainingReference:
    """The run on the joined batches, by torch."""
    weights = {name: t.clone().requires_grad_() for name, t in drawn.weights.items()}
    optimizer = make_optimizer(setting.optimizer, weights.values(), setting.rate)
    rows = tuple(len(x) for x, _ in drawn.batches)
    start = _flat(weights.values())
    groups, slopes, own, gradients, parameters = [], [], [], [], []
    for first in range(0, len(rows), setting.steps):
        group = tuple(range(first, min(first + setting.steps, len(rows))))
        batches = [drawn.batches[at] for at in group]
        for x, y in batches:
            slope, alone = _alone(task, weights, x, y)
            slopes.append(slope)
            own.append(alone)
        if len(group) < setting.steps and task.last == "drop":
            continue
        gradient = _gradient(task, weights, batches)
        for weight, part in zip(weights.values(), gradient, strict=True):
            weight.grad = part.clone()
        optimizer.step()
        groups.append(group)
        gradients.append(_flat(gradient))
        parameters.append(_flat(weights.values()))
    return TrainingReference(
        scenario,
        setting,
        tuple(groups),
        rows,
        task.factors(setting.steps, rows),
        tuple(slopes),
        tuple(own),
        start,
        tuple(gradients),
        tuple(parameters),
    )


def _gradient(
    task: TrainingTask, weights: Mapping[str, torch.Tensor], batches: Sequence[Batch]
) -> tuple[torch.Tensor, ...]:
    """The gradient of a group: of the joined batches, where each row counts alike, else of all
    losses together."""
    with torch.enable_grad():
        if task.weighted is False:
            losses = torch.stack([task.loss(task.model(x, **weights), y) for x, y in batches])
            total = losses.sum() if task.reduction == "sum" else losses.mean()
        else:
            x, y = (torch.cat(parts) for parts in zip(*batches, strict=True))
            total = task.loss(task.model(x, **weights), y)
        return torch.autograd.grad(total, list(weights.values()), materialize_grads=True)


def _alone(
    task: TrainingTask, weights: Mapping[str, torch.Tensor], x: torch.Tensor, y: torch.Tensor
) -> tuple[tuple[Numbers, ...], Numbers]:
    """Of one batch's loss: the derivatives by the prediction, row by row, and by the weights."""
    with torch.enable_grad():
        prediction = task.model(x, **weights)
        loss = task.loss(prediction, y)
        slope, *alone = torch.autograd.grad(
            loss, [prediction, *weights.values()], materialize_grads=True
        )
    return tuple(_flat([row]) for row in slope), _flat(alone)


def reduction_of(task: TrainingTask) -> Literal["mean", "sum"]:
    """What the loss does over the rows. Raises UsageProblem for one that does neither, or is not a
    number."""
    names = [leaf.name for leaf in task.tensors if leaf.kind == "weight"]
    try:
        random = Random(f"reduction:{task.name}")
        drawn = _draw(task, Setting(task.name, "sgd", 0.1, 2, 2), random).double()
        with torch.no_grad():
            losses = [task.loss(task.model(x, **drawn.weights), y) for x, y in drawn.batches]
            x, y = (torch.cat(parts) for parts in zip(*drawn.batches, strict=True))
            prediction = task.model(x, **drawn.weights)
            whole = task.loss(prediction, y)
    except Exception as error:
        raise UsageProblem(
            f"{task.path}: {task.name} does not run: {type(error).__name__}: {error}",
            f"Try it: loss({task.name}(x, {', '.join(f'{n}={n}' for n in names)}), y).",
        ) from None
    rows = [len(x) for x, _ in drawn.batches]
    if whole.shape == () and len(prediction) == sum(rows):
        means = sum(n * loss for n, loss in zip(rows, losses, strict=True)) / sum(rows)
        if torch.isclose(whole, torch.as_tensor(means), LINEAR):
            return "mean"
        if torch.isclose(whole, torch.stack(losses).sum(), LINEAR):
            return "sum"
    raise UsageProblem(
        f"{task.path}: the loss of {task.name} is neither the mean nor the sum of those of the "
        "rows",
        "Have each row of the prediction depend on one row of x, and the loss be one number.",
    )

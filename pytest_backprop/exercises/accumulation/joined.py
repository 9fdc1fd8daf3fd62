"""What is right: a task trained on the joined batches by torch's own optimizer, in several runs."""

from __future__ import annotations

import itertools
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
from .facts import Setting
from .watch import make_optimizer

RUNS: Final = (
    Setting("sgd", 0.3, 2, 4),
    Setting("sgd", 0.2, 3, 7),
    Setting("momentum", 0.2, 2, 5),
    Setting("adam", 0.05, 3, 5),
    Setting("sgd", 0.2, 4, 8),
    Setting("sgd", 0.3, 1, 2),
    Setting("adam", 0.05, 4, 3),
)
"""In some the last group is full, in some it has one batch or two, in the last there is no full
one."""
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
Drawn = tuple[dict[str, torch.Tensor], list[Batch]]
"""Weights by name, and batches: numbers of float32 in float64."""


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

    def factors(self, steps: int, rows: Sequence[int]) -> tuple[float, ...]:
        """How much the loss of each batch counts in its group, a dropped one being taken for a
        group, too."""
        factors = []
        for at in range(0, len(rows), steps):
            group = rows[at : at + steps]
            for count in group:
                share = count / sum(group) if self.weighted else 1 / len(group)
                factors.append(1.0 if self.reduction == "sum" else share)
        return tuple(factors)


class TrainingReference(msgspec.Struct, frozen=True):
    """What is right in one run, in float64.

    `groups` has the batches of each step, `rows` the number of rows of each batch. `factors` says
    how much each batch's own loss counts in its group. `slopes` has that loss's derivative by the
    prediction (rows, numbers of a row), and `own` its gradient. Gradients and parameters are all
    tensors one behind the other: `gradients` and `parameters` of each step, and those at the
    `start`.
    """

    scenario: Scenario
    setting: Setting
    groups: tuple[tuple[int, ...], ...]
    rows: tuple[int, ...]
    factors: tuple[float, ...]
    slopes: tuple[torch.Tensor, ...]
    own: tuple[torch.Tensor, ...]
    start: torch.Tensor
    gradients: tuple[torch.Tensor, ...]
    parameters: tuple[torch.Tensor, ...]


def references(task: TrainingTask) -> tuple[TrainingReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task whose parameters do not
    move, or are not the same in float32."""
    return tuple(_reference(task, setting) for setting in RUNS)


def _reference(task: TrainingTask, setting: Setting) -> TrainingReference:
    """What is right in a run, at the first draw at which each step moves the parameters and float32
    is near enough."""
    for seed in range(TRIES):
        drawn = _draw(task, setting, Random(f"accumulation:{task.name}:{setting}:{seed}"))
        right, rounded = (_trained(task, setting, drawn, d) for d in (torch.float64, torch.float32))
        before = (right.start, *right.parameters)
        steps = list(zip(before, right.parameters, rounded.parameters, strict=False))
        is_moved = all((want - start).abs().max() >= 100 * ATOL for start, want, _ in steps)
        if is_moved and all(is_near(got, want, start, MARGIN) for start, want, got in steps):
            return right
    raise UsageProblem(
        f"{task.path}: float32 is too far from float64 where {task.name} is trained",
        "Write a model whose gradients stay between 0.001 and 1000.",
    )


def is_near(
    got: torch.Tensor, want: torch.Tensor, before: torch.Tensor, share: float = 1.0
) -> bool:
    """Whether parameters are those that a step from `before` leads to, within a share of what is
    allowed."""
    allowed = share * (RTOL * (want - before).abs().max() + ATOL)
    return got.shape == want.shape and bool(((got - want).abs() <= allowed).all())


def _draw(task: TrainingTask, setting: Setting, random: Random) -> Drawn:
    """What a run trains on."""
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
        rows[:2] = random.sample((1, 2, 3, 5), 2)
    generator = torch.Generator().manual_seed(random.getrandbits(63))
    numbers = {leaf.name: _floats(_shape(leaf, sizes), generator, 0.2, 1.0) for leaf in weights}
    batches = []
    for count in rows:
        sizes = sizes | {rows_name: count}
        x = _floats(_shape(task.x, sizes), generator, 0.3, 1.5)
        with torch.no_grad():
            like = tuple(task.model(x, **numbers).shape)
        shape = like if task.target is None else _shape(task.target, sizes)
        if task.target is not None and task.target.integer:
            most = sizes[task.below] if isinstance(task.below, str) else task.below
            batches.append((x, torch.randint(most, shape, generator=generator)))
        else:
            batches.append((x, _floats(shape, generator, 0.2, 2.0)))
    return numbers, batches


def _shape(leaf: TypedLeaf, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in leaf.dims)


def _floats(
    shape: tuple[int, ...], generator: torch.Generator, low: float, high: float
) -> torch.Tensor:
    """Numbers of either sign between two bounds."""
    sizes, signs = torch.rand(2, *shape, generator=generator)
    numbers: torch.Tensor = (low + (high - low) * sizes) * torch.where(signs < 0.5, -1, 1)
    return numbers.double()


def _scenario(task: TrainingTask, setting: Setting, drawn: Drawn) -> Scenario:
    weights = [Leaf(name, "weight", tuple(t.shape)) for name, t in drawn[0].items()]
    inputs, numbers = list[Leaf](), list[float]()
    for at, (x, y) in enumerate(drawn[1]):
        integers = None if y.is_floating_point() else tuple(y.flatten().tolist())
        inputs.append(Leaf(f"x{at}", "input", tuple(x.shape)))
        inputs.append(Leaf(f"y{at}", "input", tuple(y.shape), integers))
        numbers += [*x.flatten().tolist(), *([] if integers else y.flatten().tolist())]
    return Scenario(
        tuple(name for leaf in weights for name in leaf.elements),
        tuple(name for leaf in inputs for name in leaf.elements),
        (tuple(_flat(drawn[0].values()).tolist()),),
        (tuple(numbers),),
        (*weights, *inputs),
        task.expression,
        msgspec.json.encode(setting).decode(),
    )


def _flat(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
    return torch.cat([tensor.detach().flatten() for tensor in tensors])


def _trained(
    task: TrainingTask, setting: Setting, drawn: Drawn, dtype: torch.dtype
) -> TrainingReference:
    """The run in one dtype. The gradient of joined batches is the sum of those of the batches, each
    times its factor: a loss is a mean or a sum over rows that do not depend on each other."""
    weights = {name: t.to(dtype, copy=True).requires_grad_() for name, t in drawn[0].items()}
    optimizer = make_optimizer(setting.optimizer, weights.values(), setting.rate)
    rows = tuple(len(x) for x, _ in drawn[1])
    factors = task.factors(setting.steps, rows)
    start = _flat(weights.values())
    ends = list(itertools.accumulate(weight.numel() for weight in weights.values()))[:-1]
    groups, slopes, own, gradients, parameters = [], [], list[torch.Tensor](), [], []
    for first in range(0, len(rows), setting.steps):
        group = tuple(range(first, min(first + setting.steps, len(rows))))
        for x, y in drawn[1][first : first + setting.steps]:
            with torch.enable_grad():
                prediction = task.model(x.to(dtype), **weights)
                loss = task.loss(prediction, y.to(dtype) if y.is_floating_point() else y)
                slope, *parts = torch.autograd.grad(
                    loss, [prediction, *weights.values()], materialize_grads=True
                )
            slopes.append(slope.reshape(len(slope), -1))
            own.append(_flat(parts))
        if len(group) < setting.steps and task.last == "drop":
            continue
        gradient = torch.stack([factors[at] * own[at] for at in group]).sum(0)
        for weight, part in zip(weights.values(), gradient.tensor_split(ends), strict=True):
            weight.grad = part.reshape(weight.shape)
        optimizer.step()
        groups.append(group)
        gradients.append(gradient)
        parameters.append(_flat(weights.values()))
    return TrainingReference(
        _scenario(task, setting, drawn),
        setting,
        tuple(groups),
        rows,
        factors,
        tuple(slopes),
        tuple(own),
        start,
        tuple(gradients),
        tuple(parameters),
    )


def reduction_of(task: TrainingTask) -> Literal["mean", "sum"]:
    """What the loss does over the rows. Raises UsageProblem for one that does neither, or is not a
    number."""
    try:
        weights, batches = _draw(task, Setting("sgd", 0.1, 2, 2), Random(f"reduction:{task.name}"))
        with torch.no_grad():
            losses = [task.loss(task.model(x, **weights), y) for x, y in batches]
            x, y = (torch.cat(parts) for parts in zip(*batches, strict=True))
            prediction = task.model(x, **weights)
            whole = task.loss(prediction, y)
    except Exception as error:
        names = [leaf.name for leaf in task.tensors if leaf.kind == "weight"]
        raise UsageProblem(
            f"{task.path}: {task.name} does not run: {type(error).__name__}: {error}",
            f"Try it: loss({task.name}(x, {', '.join(f'{n}={n}' for n in names)}), y).",
        ) from None
    if whole.shape == () and len(prediction) == len(x):
        rows = [len(x) for x, _ in batches]
        mean = sum(n * loss for n, loss in zip(rows, losses, strict=True)) / sum(rows)
        if torch.isclose(whole, torch.as_tensor(mean), LINEAR):
            return "mean"
        if torch.isclose(whole, torch.stack(losses).sum(), LINEAR):
            return "sum"
    raise UsageProblem(
        f"{task.path}: the loss of {task.name} is neither the mean nor the sum of those of the "
        "rows",
        "Have each row of the prediction depend on one row of x, and the loss be one number.",
    )

"""What is right: a task trained by torch on the joined batches, in several runs that a wrong training does not pass."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec
import torch

from ...errors import UsageProblem
from ...model import Leaf, Scenario
from ..functions.bank import Variant
from ..functions.typed_task import TypedLeaf
from .facts import Setting, TrainingReference
from .optimizers import make_optimizer

RUNS: Final[tuple[tuple[str, float, int, int], ...]] = (
    ("sgd", 0.3, 2, 4),
    ("sgd", 0.2, 3, 7),
    ("momentum", 0.2, 2, 5),
    ("adam", 0.05, 3, 5),
    ("sgd", 0.2, 4, 8),
    ("sgd", 0.3, 1, 2),
    ("adam", 0.05, 4, 3),
)
"""Optimizer, rate, accumulation steps and batches of each run. In some the last group is full, in some it has one
batch or two, in the last there is no full one."""
SIZES: Final = range(2, 5)
MAX_ELEMENTS: Final = 64
"""Of the weights together, and of a batch."""
TRIES: Final = 50
RTOL, ATOL = 1e-3, 1e-5
"""How near parameters must be: to how far the step moves them, and at all."""
MARGIN: Final = 0.25
"""What share of that float32 may take."""
CLEAR: Final = 10.0
"""How many times as far a wrong training must be off in some run."""
LINEAR = 1e-9
"""How closely the loss of joined batches must be the mean, or the sum, of those of the batches."""

Numbers = tuple[float, ...]


class TrainingTask(Variant, frozen=True):
    """A task as its file has it: `tensors` are the weights and x, `target` what a batch's y is (None: a float of the
    prediction's shape). `reduction` says what the loss does over the rows."""

    tensors: tuple[TypedLeaf, ...] = ()
    target: TypedLeaf | None = None
    below: str | int = 0
    last: Literal["step", "drop"] = "step"
    weighted: bool | None = None
    reduction: Literal["mean", "sum"] = "mean"
    model: Callable[..., torch.Tensor] = torch.clone
    loss: Callable[..., torch.Tensor] = torch.clone
    text: str = ""
    """Of both functions, without annotations."""

    @property
    def expression(self) -> str:
        """What a child is given of it."""
        return self.text

    @property
    def x(self) -> TypedLeaf:
        """The parameter of the model that is a batch."""
        return next(leaf for leaf in self.tensors if leaf.kind == "input")

    def groups(self, steps: int, batches: int) -> tuple[tuple[int, ...], ...]:
        """The batches of each step."""
        whole = [tuple(range(at, min(at + steps, batches))) for at in range(0, batches, steps)]
        return tuple(g for g in whole if len(g) == steps or self.last == "step")

    def factors(self, steps: int, rows: Sequence[int]) -> tuple[float, ...]:
        """How much the loss of each batch counts in its group, a dropped one being taken for a group, too."""
        found = []
        for at in range(0, len(rows), steps):
            group = rows[at : at + steps]
            for count in group:
                share = count / sum(group) if self.weighted else 1 / len(group)
                found.append(1.0 if self.reduction == "sum" else share)
        return tuple(found)


class _Drawn(msgspec.Struct, frozen=True):
    """The tensors of one run, float32 numbers: weights by name, and batches."""

    weights: dict[str, torch.Tensor]
    batches: tuple[tuple[torch.Tensor, torch.Tensor], ...]

    def double(self) -> _Drawn:
        """The same in float64."""
        return _Drawn(
            {name: tensor.double() for name, tensor in self.weights.items()},
            tuple(
                (x.double(), y.double() if y.is_floating_point() else y) for x, y in self.batches
            ),
        )


def references(task: TrainingTask) -> tuple[TrainingReference, ...]:
    """What is right in each of the runs. Raises UsageProblem for a task on which a wrong training cannot be told
    from a right one."""
    found, told = [], False
    for optimizer, rate, steps, batches in RUNS:
        setting = Setting(task.name, optimizer, rate, steps, batches)  # type: ignore[arg-type]
        reference, clear = _reference(task, setting)
        found.append(reference)
        told |= clear
    if not told:
        raise UsageProblem(
            f"{task.path}: on {task.name} a training that is wrong moves the parameters as a right one does",
            "Have the gradients of batches differ: a model and a loss that depend on every weight.",
        )
    return tuple(found)


def _reference(task: TrainingTask, setting: Setting) -> tuple[TrainingReference, bool]:
    """What is right in a run, at the first draw at which float32 is near enough, and whether wrong trainings are
    far off."""
    for seed in range(TRIES):
        random = Random(f"accumulation:{task.name}:{setting}:{seed}")
        drawn = _draw(task, setting, random)
        made = _trained(task, setting, drawn.double())
        steps = list(zip((made.start, *made.parameters), made.parameters, strict=False))
        if any(max(map(abs, _difference(*step))) < 100 * ATOL for step in steps):
            continue
        near = _trained(task, setting, drawn).parameters
        if not _all_near(near, made, MARGIN):
            continue
        clear = all(
            not _all_near(_trained(task, setting, drawn.double(), fault).parameters, made, CLEAR)
            for fault in ("unscaled", "last", "kept")
            if made.parameters and not _is_right(task, setting, made, fault)
        )
        if clear or seed == TRIES - 1:
            scenario = _scenario(task, setting, drawn)
            return msgspec.structs.replace(made, scenario=scenario), clear and setting.steps > 1
    raise UsageProblem(
        f"{task.path}: float32 is too far from float64 where {task.name} is trained",
        "Write a model whose gradients stay between 0.001 and 1000.",
    )


def _is_right(task: TrainingTask, setting: Setting, made: TrainingReference, fault: str) -> bool:
    """Whether a way to train that is wrong elsewhere is right in this run, or nearly so."""
    if setting.optimizer == "adam":
        return True  # it goes by the signs of gradients more than by their size
    if fault == "kept":
        return len(made.groups) == 1
    return setting.steps == 1 or (fault == "unscaled" and task.reduction == "sum")


def _all_near(parameters: Sequence[Numbers], right: TrainingReference, times: float) -> bool:
    """Whether parameters are, after each step, within a part of the tolerance, or some times it."""
    before = (right.start, *right.parameters)
    return all(
        is_near(got, want, then, times)
        for got, want, then in zip(parameters, right.parameters, before, strict=False)
    )


def is_near(got: Numbers, want: Numbers, before: Numbers, times: float = 1.0) -> bool:
    """Whether parameters are those that a step from `before` leads to."""
    moved = max(map(abs, _difference(want, before)), default=0.0)
    allowed = times * (RTOL * moved + ATOL)
    return len(got) == len(want) and all(
        abs(difference) <= allowed for difference in _difference(got, want)
    )


def _difference(one: Numbers, other: Numbers) -> list[float]:
    return [a - b for a, b in zip(one, other, strict=True)]


def _draw(task: TrainingTask, setting: Setting, random: Random) -> _Drawn:
    rows_name = task.x.dims[0]
    names = {dim for leaf in task.tensors for dim in leaf.dims if isinstance(dim, str)}
    for _ in range(TRIES):
        sizes = {name: random.choice(SIZES) for name in sorted(names)}
        weights = [leaf for leaf in task.tensors if leaf.kind == "weight"]
        if sum(math.prod(_shape(leaf, sizes)) for leaf in weights) <= MAX_ELEMENTS:
            break
    rows = [sizes[str(rows_name)]] * setting.batches
    if task.weighted is not None:
        rows = [random.choice((1, 2, 3, 5)) for _ in rows]
        rows[:2] = random.sample((1, 2, 3, 5), 2)[: len(rows)]
    made = {leaf.name: _floats(_shape(leaf, sizes), random, 0.2, 1.0) for leaf in weights}
    batches = []
    for count in rows:
        own = sizes | {str(rows_name): count}
        x = _floats(_shape(task.x, own), random, 0.3, 1.5)
        batches.append((x, _drawn_target(task, x, made, own, random)))
    return _Drawn(made, tuple(batches))


def _drawn_target(
    task: TrainingTask, x: torch.Tensor, weights: Mapping[str, torch.Tensor],
    sizes: Mapping[str, int], random: Random,
) -> torch.Tensor:  # fmt: skip
    if task.target is None:
        with torch.no_grad():
            return _floats(tuple(task.model(x, **weights).shape), random, 0.2, 2.0)
    shape = _shape(task.target, sizes)
    if not task.target.integer:
        return _floats(shape, random, 0.2, 2.0)
    most = sizes[task.below] if isinstance(task.below, str) else task.below
    return torch.tensor([random.randrange(most) for _ in range(math.prod(shape))]).reshape(shape)


def _shape(leaf: TypedLeaf, sizes: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(dim if isinstance(dim, int) else sizes[dim] for dim in leaf.dims)


def _floats(shape: tuple[int, ...], random: Random, low: float, high: float) -> torch.Tensor:
    numbers = [
        math.copysign(random.uniform(low, high), random.random() - 0.5)
        for _ in range(math.prod(shape))
    ]
    return torch.tensor(numbers, dtype=torch.float32).reshape(shape)


def _scenario(task: TrainingTask, setting: Setting, drawn: _Drawn) -> Scenario:
    leaves = [Leaf(name, "weight", tuple(t.shape)) for name, t in drawn.weights.items()]
    numbers: list[float] = []
    for at, (x, y) in enumerate(drawn.batches):
        leaves.append(Leaf(f"x{at}", "input", tuple(x.shape)))
        numbers += x.flatten().tolist()
        floats = y.is_floating_point()
        integers = None if floats else tuple(y.flatten().tolist())
        leaves.append(Leaf(f"y{at}", "input", tuple(y.shape), integers))
        numbers += y.flatten().tolist() if floats else []
    names = {
        kind: tuple(name for leaf in leaves if leaf.kind == kind for name in leaf.elements)
        for kind in ("weight", "input")
    }
    weights = tuple(n for t in drawn.weights.values() for n in t.flatten().tolist())
    return Scenario(
        names["weight"], names["input"], (weights,), (tuple(numbers),), tuple(leaves),
        task.expression, msgspec.json.encode(setting).decode(),
    )  # fmt: skip


# -- training ------------------------------------------------------------------------------------


def _trained(
    task: TrainingTask, setting: Setting, drawn: _Drawn, fault: str = ""
) -> TrainingReference:
    """The run on the joined batches, by torch; or one with a fault, so far as the parameters go."""
    weights = {name: t.clone().requires_grad_() for name, t in drawn.weights.items()}
    optimizer = make_optimizer(setting.optimizer, weights.values(), setting.rate)
    rows = [len(x) for x, _ in drawn.batches]
    factors = task.factors(setting.steps, rows)
    groups = task.groups(setting.steps, len(rows))
    start = _flat(weights.values())
    slopes: list[tuple[Numbers, ...]] = []
    own: list[Numbers] = []
    gradients, parameters = [], []
    whole = [tuple(range(at, min(at + setting.steps, len(rows)))) for at in range(0, len(rows), setting.steps)]  # fmt: skip
    kept: tuple[torch.Tensor, ...] | None = None
    with torch.enable_grad():
        for group in whole:
            for at in group if not fault else ():
                sloped, alone = _alone(task, weights, *drawn.batches[at])
                slopes.append(sloped)
                own.append(alone)
            if group not in groups:
                continue
            found = _joined(task, weights, drawn, group, factors, fault)
            if fault == "kept" and kept is not None:
                found = tuple(a + b for a, b in zip(found, kept, strict=True))
            kept = found
            for weight, gradient in zip(weights.values(), found, strict=True):
                weight.grad = gradient.clone()
            optimizer.step()
            gradients.append(_flat(found))
            parameters.append(_flat(weights.values()))
    return TrainingReference(
        f"{setting.optimizer} {setting.steps} {setting.batches}", Scenario((), (), (), ()), setting,
        groups, tuple(rows), factors, tuple(slopes), tuple(own), start, tuple(gradients),
        tuple(parameters),
    )  # fmt: skip


def _joined(
    task: TrainingTask, weights: Mapping[str, torch.Tensor], drawn: _Drawn,
    group: Sequence[int], factors: Sequence[float], fault: str,
) -> tuple[torch.Tensor, ...]:  # fmt: skip
    """The gradient of a group: of the joined batches, where each row counts alike."""
    batches = [drawn.batches[at] for at in group]
    if fault:
        used = batches[-1:] if fault == "last" else batches
        shares = [1.0 if fault == "unscaled" else factors[at] for at in group][-len(used) :]
        losses = [
            share * task.loss(task.model(x, **weights), y)
            for share, (x, y) in zip(shares, used, strict=True)
        ]
        total = torch.stack(losses).sum()
    elif task.weighted is False:
        losses = [task.loss(task.model(x, **weights), y) for x, y in batches]
        total = sum(losses[1:], losses[0])
        total = total if task.reduction == "sum" else total / len(losses)
    else:
        x, y = (torch.cat(parts) for parts in zip(*batches, strict=True))
        total = task.loss(task.model(x, **weights), y)
    return torch.autograd.grad(total, list(weights.values()), materialize_grads=True)


def _alone(
    task: TrainingTask, weights: Mapping[str, torch.Tensor], x: torch.Tensor, y: torch.Tensor
) -> tuple[tuple[Numbers, ...], Numbers]:
    """Of one batch's loss: the derivatives by the prediction, row by row, and by the weights."""
    prediction = task.model(x, **weights)
    loss = task.loss(prediction, y)
    sloped, *alone = torch.autograd.grad(
        loss, [prediction, *weights.values()], materialize_grads=True
    )
    return tuple(_flat([row]) for row in sloped), _flat(alone)


def _flat(tensors: Any) -> Numbers:
    return tuple(itertools.chain.from_iterable(t.detach().flatten().tolist() for t in tensors))


def reduction_of(task: TrainingTask) -> Literal["mean", "sum"]:
    """What the loss does over the rows. Raises UsageProblem for one that does neither, or is not a number."""
    setting = Setting(task.name, "sgd", 0.1, 2, 2)
    names = [leaf.name for leaf in task.tensors if leaf.kind == "weight"]
    try:
        drawn = _draw(task, setting, Random(f"reduction:{task.name}")).double()
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
    means = sum(n * loss for n, loss in zip(rows, losses, strict=True)) / sum(rows)
    total = torch.stack(losses).sum()
    if whole.shape == () and len(prediction) == sum(rows):
        if torch.isclose(whole, torch.as_tensor(means), LINEAR):
            return "mean"
        if torch.isclose(whole, total, LINEAR):
            return "sum"
    raise UsageProblem(
        f"{task.path}: the loss of {task.name} is neither the mean nor the sum of those of the rows",
        "Have each row of the prediction depend on one row of x, and the loss be one number.",
    )

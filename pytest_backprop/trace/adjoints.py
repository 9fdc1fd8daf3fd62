"""A recording, replayed and differentiated: the gradient of the value that it calculates, and the
ops of which nothing that it gives depends."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import torch
from msgspec.structs import replace

from ..model import VALUE, Op, Recording
from .calls import NotReplayable, refusals
from .graph import op_name
from .op_table import having
from .replay import CHUNK_BYTES, WIDENED, Program
from .torch_private import batch_dim, batch_of

T = TypeVar("T")

NOTHING = 2.0**-24
"""Changes of an output, relative to it, that are none: less than half of a last digit of float32.
In that the student's own output is the same number with the op as without."""
TYPED_ZERO = 2.0**-10
"""The number that stands for zeros that are typed in: a small one, so that few comparisons turn."""
ROUNDING = 1e-9
"""What is smaller is zero but for rounding: terms of the task's own derivative that cancel."""
FIRST_POINTS, MOST_POINTS = 64, 512
"""Points at which nearly every op that has an effect shows it; and those at which the rest is
looked for."""
FEWEST_POINTS = 16
"""At fewer, what is chosen now and then may be chosen at none."""
MOST_OPS = 2_000
"""Of a longer recording no effects are worked out."""
FLOATS = ("float", "bfloat")
STEPWISE, EXTREME = having("stepwise"), having("extreme")


class Adjoints(Program):
    """A recording whose replay is differentiated by torch's autograd::

        adjoints = Adjoints(Program(recording))
        gradient = adjoints.of_value(points)
        effects = adjoints.effects(points)

    The recording is a program, so its value y and its gradients g_i are functions of a point p, the
    weights and inputs. Autograd through the replay gives dy/dp: the gradient of what the student
    calculated, whatever was asked for.

    The *effect* of an op p that calculates: the program takes v_p + e_p for what it gives, v_p, at
    e = 0. The outputs o_k, which are y and each g_i, are summed up with random weights r_k, each
    relative to its own size:

        s = sum_k r_k o_k / |o_k|        where |o_k| is a constant, 1 in the place of 0.

    One backward pass gives ds/de_p for all p: by how many times its size the outputs change for a
    change of v_p by 1. The effect is the greatest |ds/de_p| max(1, |v_p|) of all points and
    elements of v_p. It is zero, but for rounding, where v_p is chosen at no point (`where`,
    `maximum`), or cancelled (`+ v - v`). The weights r_k are random so that changes of two outputs
    do not cancel.

    torch cuts its graph at `detach` and `.data`, where data flows on: here they are aliases.
    `typed_zero` is put in the place of zeros that are typed in, and of what comes out as zero: what
    a tangent is multiplied by that happens to be zero is no waste."""

    def __init__(self, program: Program, typed_zero: float = 0.0) -> None:
        vars(self).update(vars(program))
        self._typed_zero = typed_zero
        self._steps = []
        for step in program._steps:
            op = step.op
            if op.target == "aten::detach":
                step = step._replace(call=torch.ops.aten.alias)
            elif typed_zero and op_name(op).removesuffix("_") == "mul":
                factors = tuple(
                    typed_zero if isinstance(arg, int | float) and arg == 0 else arg
                    for arg in op.args
                )
                step = step._replace(op=replace(op, args=factors))
            self._steps.append(step)
        if typed_zero:
            values = tuple(
                replace(value, data=tuple(number or typed_zero for number in value.data))
                if value.dtype.startswith(FLOATS)
                else value
                for value in self._recording.values
            )
            self._recording = replace(self._recording, values=values)

    def of_value(self, points: torch.Tensor) -> torch.Tensor:
        """The gradient of the recording's value, one number, at the points (N, D): (N, D). Raises
        NotReplayable."""

        def value(point: torch.Tensor) -> torch.Tensor:
            return self.numbers(VALUE, self._evaluate(point, WIDENED)).reshape(())

        def gradient(chunk: torch.Tensor, keeps: bool) -> torch.Tensor:
            with _differentiated(keeps):
                chunk = chunk.clone().requires_grad_()
                y = torch.vmap(value, randomness="different")(chunk)
                return torch.autograd.grad(y.sum(), chunk, materialize_grads=True)[0]

        return torch.cat([self._keeping(gradient, chunk) for chunk in self._chunks(points)])

    def effects(self, points: torch.Tensor) -> dict[int, float]:
        """By position the effect of each op at those of the points (N, D) where all outputs are
        finite; inf where its own is not. Raises NotReplayable."""
        effects: dict[int, float] = {}
        generator = torch.Generator().manual_seed(61)
        for chunk in self._chunks(points):
            parts = dict.fromkeys(self.widths, ...)
            positions, products, judged = self._keeping(
                self._products, chunk, parts, generator, 1.0
            )
            own = products[:, judged].nan_to_num(math.inf) if judged.any() else products + math.inf
            for position, effect in zip(positions, own.amax(1).tolist(), strict=True):
                effects[position] = max(effect, effects.get(position, 0.0))
        return effects

    def growths(
        self, points: torch.Tensor, numbers: Mapping[str, torch.Tensor]
    ) -> tuple[list[int], torch.Tensor]:
        """By position, how many times larger than the relative error of an op's result the relative
        errors are which it makes in some of the outputs' numbers, at each of the points (N, D):
        (ops, N), the greatest of its results' elements. `numbers` has, by output, which of its
        elements these are. It is |ds/de_p| |v_p|, with the sum s of these numbers alone. Raises
        NotReplayable."""
        generator = torch.Generator().manual_seed(67)
        chunks = [
            self._keeping(self._products, chunk, numbers, generator, 0.0)
            for chunk in self._chunks(points)
        ]
        return chunks[0][0], torch.cat([products for _, products, _ in chunks], 1)

    @property
    def at_once(self) -> int:
        """How many points are differentiated at once: the graph and adjoints take as much as the
        values, and more."""
        return max(1, CHUNK_BYTES // (4 * self.made))

    def _chunks(self, points: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return torch.split(points, self.at_once)

    def _keeping(self, run: Callable[..., T], *arguments: Any) -> T:
        """What `run` gives; its last argument is whether torch keeps what is written to. That
        takes twice as long: it is asked for where torch else refuses to differentiate. Raises
        NotReplayable."""
        is_written = bool(self.flow.last_writes)
        with contextlib.suppress(NotReplayable) if is_written else contextlib.nullcontext():
            return run(*arguments, False)
        return run(*arguments, True)

    def _products(
        self,
        points: torch.Tensor,
        outputs: Mapping[str, Any],
        generator: torch.Generator,
        least: float,
        keeps: bool,
    ) -> tuple[list[int], torch.Tensor, torch.Tensor]:
        """The positions of ops that calculate, |ds/de_p| max(`least`, |v_p|), the greatest of each
        op's elements (ops, N), and the points (N,) at which all of these elements of `outputs` are
        finite."""
        results: dict[torch.Size, list[tuple[int, torch.Tensor]]] = {}  # p, v_p (N, ...) by shape

        def one_point(point: torch.Tensor, zero: torch.Tensor) -> torch.Tensor:
            def changed(position: int, v: torch.Tensor) -> torch.Tensor:
                if self._typed_zero:
                    v = v + (v.detach().abs() < ROUNDING).to(v.dtype) * self._typed_zero
                if not self.calculates(position) or not v.numel():
                    return v
                is_written = self.flow.is_written(position)
                v = v.clone() if is_written else v
                if batch_dim(v) != 0 or not batch_of(v).requires_grad:
                    v = v + zero.to(v.dtype)
                results.setdefault(v.shape, []).append((position, batch_of(v)))
                return v.clone() if is_written else v

            values = self._evaluate(point, WIDENED, None, changed)
            return torch.cat([self.numbers(name, values)[at] for name, at in outputs.items()])

        with _differentiated(keeps):
            points = points.clone().requires_grad_()
            zero = torch.zeros(len(points), dtype=torch.float64, requires_grad=True)
            o = torch.vmap(one_point, randomness="different")(points, zero)
            r = torch.rand(o.shape, generator=generator, dtype=torch.float64) + 0.5
            r *= torch.randint(0, 2, r.shape, generator=generator) * 2 - 1
            size = o.detach().abs()
            judged = size.isfinite().all(1)
            s = (r * o / torch.where(size > 0, size, 1.0))[judged].sum()
            positions = sorted({at for alike in results.values() for at, _ in alike})
            products = torch.zeros(len(positions), len(points), dtype=torch.float64)
            if not positions or not s.requires_grad:  # no output depends on any of them
                return positions, products, judged
            each = [batch for alike in results.values() for _, batch in alike]
            adjoints = iter(torch.autograd.grad(s, each, materialize_grads=True))
        order = {position: at for at, position in enumerate(positions)}
        for alike in results.values():
            product = torch.stack([*itertools.islice(adjoints, len(alike))]).abs_()
            product *= torch.stack([batch.detach() for _, batch in alike]).abs_().clamp_min_(least)
            greatest = product.reshape(*product.shape[:2], -1).amax(2).double()
            rows = torch.tensor([order[at] for at, _ in alike])[:, None].expand_as(greatest)
            products.scatter_reduce_(0, rows, greatest, "amax")
        return positions, products, judged


@contextlib.contextmanager
def _differentiated(keeps: bool) -> Iterator[None]:
    """Autograd is on, and `keeps` what is written to later; what torch says against it is
    NotReplayable."""
    keeping = torch.autograd.graph.allow_mutation_on_saved_tensors
    with refusals(), torch.enable_grad(), keeping() if keeps else contextlib.nullcontext():
        yield


def idle_ops(program: Program, points: torch.Tensor) -> frozenset[int]:
    """The ops from which data reaches the result or a gradient, and which change neither by NOTHING
    at the first of the points (N, D). None where the recording cannot be differentiated:
    data flow alone tells there.

    What is chosen by has an effect that no derivative shows: the ops that truths, integers and
    steps are made of are used by data flow. So are those from which a maximum is taken that is idle
    itself, as the one that is subtracted before `exp` and added after `log`; and an expression that
    has an effect when it runs another time."""
    flow, recording, ops = program.flow, program.flow.recording, program.flow.recording.ops
    if len(ops) > MOST_OPS or len(points) < FEWEST_POINTS:
        return frozenset()
    idle: set[int] | None = None
    probed: set[int] = set()
    try:
        for typed_zero in (0.0, TYPED_ZERO):
            adjoints = Adjoints(program, typed_zero)
            count = min(MOST_POINTS, len(points))
            ends = sorted({0, min(FIRST_POINTS, count), count})
            for start, end in itertools.pairwise(ends):
                effects = adjoints.effects(points[start:end])
                probed |= effects.keys()
                without = {position for position, effect in effects.items() if effect <= NOTHING}
                idle = without if idle is None else idle & without
                if not idle:
                    return frozenset()
    except NotReplayable:
        return frozenset()
    assert idle is not None
    choosing = {
        position
        for position in flow.reached
        if _is_whole(recording, ops[position])
        or (position in idle and op_name(ops[position]) in EXTREME)
        or (position not in idle and _is_stepwise(ops[position]))
    }
    idle &= flow.reached - flow.upstream(choosing)
    sites = {ops[position].site for position in probed - idle} - {None}
    return frozenset(position for position in idle if ops[position].site not in sites)


def _is_whole(recording: Recording, op: Op) -> bool:
    """Whether all that an op makes are truths or integers."""
    dtypes = [recording.values[v].dtype for v in (*op.outputs, *op.writes)]
    return bool(dtypes) and all(d == "bool" or d.startswith(("int", "uint")) for d in dtypes)


def _is_stepwise(op: Op) -> bool:
    return op_name(op).removesuffix("_") in STEPWISE or bool(op.kwargs.get("rounding_mode"))

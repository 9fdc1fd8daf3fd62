"""Finds finite differences in a recorded pass by two rules, neither of which asks how a difference
is written.

- The pass calculates y's own graph again, with something else in the place of some of its leaves,
  and a gradient comes of two such calculations (`repeated`).
- A gradient is right, and rounding errors grow in it far more than in the task's own gradient. A
  difference of nearly equal values that is divided by its step h makes errors 1 / h times larger; a
  rule of differentiation does not.

Neither sees a difference of a part of y whose step is so wide that no error grows.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import torch

from ..exercises.functions.reference import drawn_as
from ..messages import say
from ..model import VALUE, Recording, Span
from ..trace.calls import NotReplayable
from ..trace.graph import op_name
from ..trace.op_table import row_of
from ..trace.replay import Change, Replayed
from .case import Method, PassCase
from .compare import mismatch
from .repeated import repetition
from .values import is_drowned

NEAR = 0.1
"""Part of its size by which a derivative by differences is off, at most."""
NOISE = 1e-9
"""Part of its size by which the result of each calculation is off, far above float64's rounding."""
APART = 1e-12
"""Part of their size by which the runs' points lie apart, so that no two runs round alike."""
SCATTER = 1e13
"""So large that numbers which differ by less than APART round in ways of their own."""
RUNS = 4
POINTS = 256
FEW_POINTS = 128
"""On each of several ways, or point by point."""
WAYS = 8
REGIMES = frozenset({"assignment", "signed", "small", "large"})
"""Points drawn so that nothing is near anything else."""
LEAST = 16
"""With fewer of them nothing is said."""
TIMES = 6.0
"""How many times the noise an error is, at nearly all points, where something is said."""
NATURAL = 3.0
"""How many times more than in the task's own gradients: errors may grow more in another formula."""
NEARLY_ALL = 0.1
"""Terms of an honest sum cancel at some points; a difference does at all but this share of them."""
TINY = 1e-300
"""Beside any number nothing, but of nothing the logarithm is none."""
SHARE = 0.1
"""The op that is told makes at least this share of the growth."""
SUDDEN = 3.0
"""It makes errors so many times larger than they are in its operands."""
NOTHING = 1e13
"""What errors change more is no value, but the rounding of terms that cancel exactly."""


Number = tuple[str, int]
"""One number of an output: its name, and the element."""


class FiniteDifference(NamedTuple):
    """What gives finite differences away, as a sentence, and where."""

    message: str
    site: Span | None


def finite_difference(case: PassCase) -> FiniteDifference | None:
    """None if nothing gives any away, in any of the ways that the pass takes; where no replay runs
    it, in its graph."""
    if case.manual.verified.how == "observed":
        return _repeated(case, torch.tensor([], dtype=torch.long))
    for way in _ways(case):
        at = _points(way)
        if len(at) < LEAST:
            continue
        difference = _repeated(way, at) or _amplified(way, at)
        if difference is not None:
            return difference
    return None


def _ways(case: PassCase) -> Iterator[PassCase]:
    """The case as each of the ways has it that the pass takes, the most taken first: with what each
    op makes, at points that led there; where there are few, at the grader's own."""
    manual = case.manual
    if manual.replayed is None:
        return
    if len(manual.verified.paths) == 1 and manual.replayed.ops:
        yield case
        return
    paths = sorted(manual.verified.paths, key=lambda path: -len(path.runs))
    for path in paths[:WAYS]:
        rows = torch.tensor(path.runs[:FEW_POINTS])
        own = manual.expected.at(rows) if len(paths) > 1 and len(rows) >= LEAST else None
        expected = own or case.expected.first(FEW_POINTS)
        try:
            replayed = path.program.run_anyhow(expected.weights, expected.inputs)
        except NotReplayable:
            continue
        verified = manual.verified._replace(paths=(path,))
        explained = verified.provided(replayed.only(expected.widths))
        method = Method(verified, explained, expected)
        yield replace(case, manual=method, flow=path.program.flow)


def _points(case: PassCase) -> torch.Tensor:
    """Judged points at which nothing is near anything else, of those whose outputs were kept."""
    expected, replayed = case.manual.expected, case.manual.replayed
    assert replayed is not None
    asked = expected.judged & drawn_as(expected.regimes, REGIMES)
    return asked[: replayed.kept_points].nonzero().flatten()[:POINTS]


def _repeated(case: PassCase, at: torch.Tensor) -> FiniteDifference | None:
    """The value's own graph at other leaves, for a gradient."""
    repeated = repetition(case, at)
    if repeated is None:
        return None
    message = say(
        "the pass takes finite differences: it evaluates the function again with a weight moved"
    )
    return FiniteDifference(message, repeated.site(case))


def _amplified(case: PassCase, at: torch.Tensor) -> FiniteDifference | None:
    """A gradient that is right, and in which rounding errors grow as they do in a difference."""
    expected, program = case.manual.expected, case.manual.verified.program
    replayed = case.manual.replayed
    assert program is not None
    assert replayed is not None
    elements = [
        (o, e) for o, numbers in replayed.gradients.items() for e in range(numbers.shape[1])
    ]
    right = [number for number in elements if _is_right(case, number, at)]
    if not right:
        return None
    weights, inputs = expected.weights[at], expected.inputs[at]
    apart = 1 + APART * torch.arange(RUNS, dtype=torch.float64).repeat_interleave(len(at))[:, None]
    try:
        noisy = program.run_anyhow(
            weights.repeat(RUNS, 1) * apart, inputs.repeat(RUNS, 1) * apart, _noise(case.recording)
        )
    except NotReplayable:  # it was replayed already: only what the noise led to can be refused
        return None
    if noisy.ops.keys().isdisjoint(replayed.ops):
        return None  # nothing is calculated
    growth = _Growth(replayed, noisy, at)
    worst = max(_greatest_growth(case, growth, number, at) for number in right)
    if worst < TIMES:
        return None
    if worst < NATURAL * float(_at_nearly_all(case.gradient_growth(weights, inputs)).max()):
        return None
    message = say(
        "the pass takes finite differences: rounding errors grow {times} times, as in a difference "
        "of nearly equal values",
        times=f"{worst:.2g}" if worst < 100 else f"{worst:.0f}",
    )
    position = _origin(case, growth, right, worst)
    return FiniteDifference(
        message, None if position is None else case.recording.ops[position].site
    )


def _is_right(case: PassCase, number: Number, at: torch.Tensor) -> bool:
    """Whether a number of a gradient is near the right one at most of the points, as one by
    differences is, and not off by the roundings of a formula for the very function, such as `(t +
    1e13) - 1e13`."""
    assert case.manual.replayed is not None
    (output, element), expected = number, case.manual.expected
    got, right = (of.outputs[output][:, element] for of in (case.manual.replayed, expected))
    off = mismatch(got, right, expected.judged, case.tolerance)
    return bool(_is_near(got[at, None], right[at])) and not (
        off and is_drowned(case.manual, output, element, expected.judged, case.tolerance, off)
    )


def _is_near(got: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """Which elements (N, elements) are near what is right (N,) at most of the points."""
    off = (got - right[:, None]).abs() <= NEAR * right[:, None].abs()
    return off.double().mean(0) > 0.5


def _noise(recording: Recording) -> Change:
    """A change that makes each number off by a part of its size, at most NOISE, which depends on
    the number alone: equal numbers stay equal, as they round alike, and `relu(t) == w0 * x1` stays
    true. Ops that choose among numbers round none."""
    exact = {p for p, op in enumerate(recording.ops) if "choosing" in row_of(op_name(op)).traits}

    def noisy(position: int, value: torch.Tensor) -> torch.Tensor:
        if position in exact:
            return value
        phase = torch.sin(91.7 * torch.log2(value.abs().double() + TINY))
        return (value * (1 + NOISE * torch.frac(SCATTER * phase))).to(value.dtype)

    return noisy


class _Growth:
    """How many times larger than the noise the relative error of a number is, at nearly all points,
    in a replay with noise. This has RUNS times the points `at`, one run after the other. The growth
    of what is nothing but rounding is 0."""

    def __init__(self, right: Replayed, noisy: Replayed, at: torch.Tensor) -> None:
        self._right, self._noisy, self._at = right, noisy, at
        self.ops = sorted(right.ops.keys() & noisy.ops.keys())
        self._numbers = torch.cat([right.ops[op][at] for op in self.ops], dim=1)
        """All that ops gave, (points, elements)."""
        self._growths = self._of(self._numbers, torch.cat([noisy.ops[p] for p in self.ops], 1))
        sizes = torch.tensor([right.ops[op].shape[1] for op in self.ops])
        self._makers = torch.tensor(self.ops).repeat_interleave(sizes)
        """The op that gave each."""

    def of_gradient(self, output: str, element: int) -> float:
        """That of a number of a gradient."""
        right, noisy = (of.outputs[output][:, element, None] for of in (self._right, self._noisy))
        return float(self._of(right[self._at], noisy))

    def of_op(self, position: int) -> float:
        """The greatest of what an op gave."""
        return self._greatest(self._makers == position)

    def of_near(self, ops: Iterable[int], near: torch.Tensor) -> float:
        """The greatest of what some ops gave, of that which is near something (N,)."""
        there = torch.isin(self._makers, torch.tensor(sorted(ops), dtype=torch.long))
        return self._greatest(there & _is_near(self._numbers, near))

    def _greatest(self, elements: torch.Tensor) -> float:
        return float(self._growths[elements].amax()) if elements.any() else 0.0

    @staticmethod
    def _of(right: torch.Tensor, noisy: torch.Tensor) -> torch.Tensor:
        off = (noisy.reshape(RUNS, *right.shape) - right).abs().mean(0) / right.abs() / NOISE
        return _at_nearly_all(off)


def _greatest_growth(case: PassCase, growth: _Growth, number: Number, at: torch.Tensor) -> float:
    """That of a number of a gradient, or of what is near it on the way there: rounded to fewer
    digits it has no noise any more."""
    flow, (output, element) = case.flow, number
    right = case.manual.expected.outputs[output][at, element]
    behind = flow.upstream(flow.sources[output]) - flow.upstream(flow.sources[VALUE])
    return max(growth.of_gradient(output, element), growth.of_near(behind, right))


def _at_nearly_all(growth: torch.Tensor) -> torch.Tensor:
    """Of growths (N, elements) those at all but a few of the points (elements,)."""
    growth = torch.where(torch.isfinite(growth) & (growth < NOTHING), growth, torch.nan)
    is_number = (~growth.isnan()).double().mean(0) > 0.5
    return torch.where(is_number, growth.nanquantile(NEARLY_ALL, dim=0), 0.0)


def _origin(case: PassCase, growth: _Growth, right: list[Number], worst: float) -> int | None:
    """The first op on the way to a right gradient at which errors grow, and not before."""
    flow = case.flow
    sources = set().union(*(flow.sources[output] for output, _ in right))
    of_op = functools.cache(growth.of_op)
    ops = set(growth.ops)
    for position in sorted(flow.upstream(sources) & ops):
        before = [of_op(p) for p in flow.producers[position] if p in ops]
        if of_op(position) >= SHARE * worst and of_op(position) > SUDDEN * max([1.0, *before]):
            return position
    return None

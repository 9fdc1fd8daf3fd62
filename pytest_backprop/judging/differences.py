"""Finds finite differences in a recorded pass by two rules, neither of which asks how a difference
is written.

- The pass calculates y's own graph again, with something else in the place of some of its leaves,
  and a gradient comes of two such calculations (`repeated`).
- A gradient g is right, and rounding errors grow in it far more than in the task's own gradient.
  Where an op rounds its result v by a part d of its size, g is off by |dg/dv| |v| / |g| times d,
  which autograd through the replay gives for all ops at once (`Adjoints.growths`). A difference of
  nearly equal values that is divided by its step h makes that about 1 / h; a rule of
  differentiation does not.

Neither sees a difference of a part of y whose step is so wide that no error grows, or that is
rounded to fewer digits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import torch

from ..exercises.functions.reference import drawn_as, gradient_growth
from ..messages import say
from ..model import VALUE
from ..trace.adjoints import Adjoints
from ..trace.calls import NotReplayable
from .case import Method, PassCase
from .compare import drowned, wrong_at
from .repeated import FiniteDifference, repetition

NEAR = 0.1
"""Part of its size by which a derivative by differences is off, at most."""
POINTS = 64
FEW_POINTS = 128
"""Points of a way, before those are chosen at which nothing is near anything else."""
WAYS = 8
REGIMES = frozenset({"assignment", "signed", "small", "large"})
"""Points drawn so that nothing is near anything else."""
LEAST = 16
"""With fewer of them nothing is said."""
TIMES = 6.0
"""How many times larger an error becomes, at nearly all points, where something is said; of many
numbers, whose errors add up by chance, as many times more as the root of their number."""
NATURAL = 7.0
"""How many times more than in the task's own gradients: errors may grow more in another formula,
4.3 times where large scores less their logsumexp are the log of a probability. In the differences
of the tests' corpora they grow 10 times more and above."""
CANCELLING = 0.4
"""Share of the points at which errors may grow less: terms of an honest sum cancel at some, and a
part of a gradient that a difference makes adds little at some. At the others they grow in right
passes of the tests' corpora to a third of what is asked, in differences of one part in single
precision to twice that."""
SHARE = 0.1
"""What the op that is told reads has at least this share of the growth."""
SUDDEN = 3.0
"""Errors of its operands grow so many times more than its own."""
FEW_NUMBERS = 64
"""Of a gradient that are looked at."""
NOTHING = 1e13
"""What errors change more is no value, but the rounding of terms that cancel exactly."""
VANISHING = 1e-11
"""A gradient that is no larger is the rounding of terms that cancel, as of a bias before a mean is
taken off: nothing of it is amplified."""
_growths: dict[tuple[str, tuple[int, ...]], float] = {}
"""Those of the tasks at their points, which come of the grader's own files and settings alone."""


def finite_difference(case: PassCase) -> FiniteDifference | None:
    """None if nothing gives any away, in any of the ways that the pass takes. Nothing is looked for
    where a twin of as few numbers, or fewer, tells: of these more is asked of an error."""
    twin = case.twin
    if twin is not None and len(_asked(twin)) >= LEAST:
        numbers, own = (sum(map(len, each.gradients.values())) for each in (twin, case))
        if numbers <= own:
            return None
    for way in _ways(case):
        at = _asked(way)
        if len(at) >= LEAST and (difference := repetition(way, at) or _amplified(way, at)):
            return difference
    return None


def _asked(case: PassCase) -> torch.Tensor:
    """The points at which it is looked for differences."""
    expected = case.manual.expected
    apart = expected.judged & drawn_as(expected.regimes, REGIMES)
    return apart.nonzero().flatten()[:POINTS]


def _ways(case: PassCase) -> Iterator[PassCase]:
    """The case as each of the ways has it that the pass takes, the most taken first: with what each
    op makes, at points that led there; where there are few, at the grader's own, if it runs at all
    of these at once."""
    manual = case.manual
    if manual.replayed is None:
        return
    if len(manual.verified.paths) == 1:
        yield case
        return
    paths = sorted(manual.verified.paths, key=lambda path: -len(path.runs))
    for path in paths[:WAYS]:
        rows = torch.tensor(path.runs[:FEW_POINTS])
        is_few = len(rows) < LEAST
        expected = case.draw.expected.first(FEW_POINTS) if is_few else manual.expected.at(rows)
        run = path.program.run_at_once if is_few else path.program.run
        try:
            replayed = run(expected.points)
        except NotReplayable:
            continue
        verified = manual.verified._replace(paths=(path,))
        explained = verified.provided(replayed.only(expected.widths))
        method = Method(verified, explained, expected)
        yield replace(case, manual=method, flow=path.program.flow)


def _amplified(case: PassCase, at: torch.Tensor) -> FiniteDifference | None:
    """A gradient that is right, and in which rounding errors grow as they do in a difference."""
    replayed, adjoints = case.manual.replayed, Adjoints(case.manual.verified.paths[0].program)
    assert replayed is not None
    at = at[: max(LEAST, adjoints.at_once)]  # of a pass of thousands of ops
    points = case.manual.expected.points[at]
    right = {name: _are_right(case, name, at) for name in replayed.gradients}
    right = {name: elements for name, elements in right.items() if elements.any()}
    if not right:
        return None
    try:
        positions, growths = adjoints.growths(points, right)
    except NotReplayable:
        return None
    if not positions:
        return None
    growth = dict(zip(positions, _at_most(growths).tolist(), strict=True))
    worst = max(growth.values())
    count = sum(int(elements.sum()) for elements in right.values())
    # errors of many numbers add up by chance, in the task's own gradients as in these
    if worst < TIMES * math.sqrt(count):
        return None
    if worst < NATURAL * _natural(case, at):
        return None
    message = say(
        "the pass takes finite differences: rounding errors grow {times} times, as in a difference "
        "of nearly equal values",
        times=f"{worst:.2g}" if worst < 100 else f"{worst:.0f}",
    )
    # the first op on the way to a right gradient that reads what errors grow in, and in which they
    # do not grow any more, takes the difference
    flow = case.flow
    for position in sorted(flow.serving(*right)):
        operands = max((growth.get(p, 0.0) for p in flow.producers[position]), default=0.0)
        if operands >= SHARE * worst and operands > SUDDEN * growth.get(position, operands):
            return FiniteDifference(message, case.recording.ops[position].site)
    return FiniteDifference(message, None)


def _natural(case: PassCase, at: torch.Tensor) -> float:
    """The task's own growth of errors, once for all submissions at the grader's points."""
    expected = case.manual.expected
    key = case.variant.source, tuple(at.tolist())
    # of a pass of many ops there are fewer points, the first of these
    own = case.draw.expected.points[: len(expected.points)]
    is_own = torch.equal(own, expected.points)
    if is_own and key in _growths:
        return _growths[key]
    widths = case.draw.expected.widths
    looked_at = torch.cat([_some(width) for name, width in widths.items() if name != VALUE])
    growth = gradient_growth(case.variant, expected.points[at])[:, looked_at]
    right = torch.cat([own for name, own in expected.outputs.items() if name != VALUE], 1)
    # of a number that is 0 at a point, as of what a mask leaves out, there is no part
    is_part = growth.isfinite() & (right[at][:, looked_at].abs() > VANISHING)
    growth = growth.where(is_part, 0.0)
    natural: float = _at_most(growth.square().sum(1).sqrt()).item()
    if is_own:
        _growths[key] = natural
    return natural


def _are_right(case: PassCase, name: str, at: torch.Tensor) -> torch.Tensor:
    """Which elements of a gradient are near the right one at most of the points, as those by
    differences are, and not off by the roundings of a formula for the very function, such as `(t +
    1e13) - 1e13`."""
    assert case.manual.replayed is not None
    expected = case.manual.expected
    got, right = case.manual.replayed.outputs[name], expected.outputs[name]
    are_right = ((got[at] - right[at]).abs() <= NEAR * right[at].abs()).double().mean(0) > 0.5
    are_right &= _some(right.shape[1]) & ((right[at].abs() > VANISHING).double().mean(0) > 0.5)
    off = wrong_at(got, right, expected.judged[:, None], case.tolerance).any(0)
    asked = (are_right & off).nonzero().flatten().tolist()
    are_right[asked] = ~drowned(case.manual, name, asked, expected.judged, case.tolerance)
    return are_right


def _some(count: int) -> torch.Tensor:
    """Which of so many numbers are looked at (count,): all of a few. Errors grow in each number of
    a difference; of thousands one is nearly 0 in any right gradient, and relatively far off."""
    some = torch.zeros(count, dtype=torch.bool)
    some[:: math.ceil(count / FEW_NUMBERS)] = True
    return some


def _at_most(growth: torch.Tensor) -> torch.Tensor:
    """What growths (..., N) are at all but a share of the points, or above (...); 0 where at most
    points they are no number."""
    is_number = torch.isfinite(growth) & (growth < NOTHING)
    least = growth.where(is_number, math.nan).nanquantile(CANCELLING, -1)
    return least.where(is_number.double().mean(-1) > 0.5, 0.0)

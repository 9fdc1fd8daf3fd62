"""Holds numbers against what they should be, and says how they differ the way torch does. What
differs by no more than the roundings of a right formula is no mistake."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import torch
from msgspec.structs import replace

from ..exercises.functions.reference import Expected, drawn_as
from ..messages import say, say_count
from ..model import Finding
from ..trace.calls import NotReplayable
from ..trace.graph import op_name, rounds
from ..trace.replay import Program, Replayed
from .case import Case, Method, Tolerance
from .reproduce import Shown, reproducer

SINGULAR_REGIMES = frozenset({"simple", "near-equal"})
"""Regimes whose points may sit exactly on a singularity of one formula for a function that has none
there: `2 * c2 / c1` for the derivative of `c1 ** 2`, at `c1 = 0`."""
MOSTLY = 0.5
"""Of the judged points: what differs at more of them than this is another function."""
RUNS = 16
TIMES = 4.0
"""How many times the change by roundings a difference may be: now and then all go one way."""
ULP = 2.0**-52
MOST_SHOWN = 4_096
"""Numbers of a point that are told."""
GUARD = torch.finfo(torch.float32).eps
"""A number that is typed in may keep another from 0 up to here."""


class Mismatch(NamedTuple):
    """How `failed` of the `judged` numbers miss what they should be. `example` is the point to
    show, the simplest that fails, with what it is there and should be. `absolute` and `relative`
    are the greatest differences, in float64; inf where one is NaN or inf. `element` is the number
    of the output that this is about, row-major."""

    failed: int
    judged: int
    absolute: float
    relative: float
    example: int
    got: float
    right: float
    element: int = 0


def mismatch(
    got: torch.Tensor,
    expected: torch.Tensor,
    judged: torch.Tensor,
    tolerance: Tolerance,
    regimes: Sequence[str] = (),
) -> Mismatch | None:
    """None when every judged number (N,) is within the tolerance. NaN and inf match nothing."""
    wrong = wrong_at(got, expected, judged, tolerance)
    failing = wrong.nonzero().flatten().tolist()
    if not failing:
        return None
    difference = (got.to(torch.float64) - expected).abs().nan_to_num(torch.inf, torch.inf)
    relative = (difference / expected.abs())[wrong & (expected != 0)]  # of 0 nothing is a part
    simple = [i for i in failing if i < len(regimes) and regimes[i] == "simple"]
    example = (simple or failing)[0]
    return Mismatch(
        len(failing),
        int(judged.sum()),
        float(difference[wrong].max()),
        float(relative.max()) if len(relative) else torch.inf,
        example,
        got[example].item(),
        expected[example].item(),
    )


def wrong_at(
    got: torch.Tensor, expected: torch.Tensor, judged: torch.Tensor, tolerance: Tolerance
) -> torch.Tensor:
    """At which judged points a number is not within the tolerance; all of one shape."""
    difference = (got.to(torch.float64) - expected).abs_()
    allowed = expected.abs().mul_(tolerance.rtol).add_(tolerance.atol)
    return ~((difference < torch.inf) & (difference <= allowed)) & judged


class OutputVerdict(NamedTuple):
    """The first number of an output that is wrong, None if none is; the first that is right but
    `unstable` in floating point; and the points (N,) at which the formula has a singularity that
    the function does not have."""

    wrong: Mismatch | None
    unstable: Mismatch | None
    singular: torch.Tensor


def judge_output(method: Method, output: str, tolerance: Tolerance) -> OutputVerdict:
    """Holds an output that was replayed against the task's."""
    assert method.replayed is not None
    got, expected = method.replayed.outputs[output], method.expected
    right, judged = expected.outputs[output], expected.judged
    unstable, singular = None, torch.zeros_like(judged)
    unguarded = functools.cache(lambda: _without_guards(method))  # a replay, for whoever asks first
    off = wrong_at(got, right, judged[:, None], tolerance).any(0)
    for element in off.nonzero().flatten().tolist():
        own, should = got[:, element], right[:, element]
        there = on_singularities(own, judged, expected.regimes)
        singular |= there
        missed = mismatch(own, should, judged & ~there, tolerance, expected.regimes)
        if missed is None:
            continue
        missed = missed._replace(element=element)
        if not (
            drowned(method, output, [element], judged & ~there, tolerance)
            or _is_guarded(unguarded, output, right, missed, judged & ~there, tolerance)
        ):
            return OutputVerdict(missed, unstable, singular)
        unstable = unstable or missed
    return OutputVerdict(None, unstable, singular)


def _is_guarded(
    unguarded: Callable[[], Replayed | None],
    output: str,
    right: torch.Tensor,
    missed: Mismatch,
    judged: torch.Tensor,
    tolerance: Tolerance,
) -> bool:
    """Whether an element of an output that `missed` what is right, and not at most of the points,
    is so by guards alone, small numbers that are typed in: `log(p + 1e-12)`. With next to nothing
    in their place it is right at the judged points (N,)."""
    if missed.failed > MOSTLY * missed.judged or (again := unguarded()) is None:
        return False
    own = again.outputs[output][:, missed.element]
    return not bool(wrong_at(own, right[:, missed.element], judged, tolerance).any())


def _without_guards(method: Method) -> Replayed | None:
    """A method with next to nothing in the place of its guards; None where it has none."""
    program = method.verified.program
    if program is None:
        return None
    recording = program.flow.recording
    ops = tuple([replace(op, args=_unguarded(op.args)) for op in recording.ops])
    values = tuple([replace(value, data=_unguarded(value.data)) for value in recording.values])
    if (ops, values) == (recording.ops, recording.values):
        return None
    try:
        return Program(replace(recording, ops=ops, values=values)).run(method.expected.points)
    except NotReplayable:
        return None


def _unguarded(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """Operands with next to nothing in the place of guards: with 0, `0 / (0 + 1e-8)` is none."""
    return tuple([a * 1e-200 if type(a) is float and abs(a) <= GUARD else a for a in operands])


def on_singularities(
    got: torch.Tensor, judged: torch.Tensor, regimes: Sequence[str]
) -> torch.Tensor:
    """Judged points (N,) of `SINGULAR_REGIMES` at which a number of `got` (N,) is not finite: told,
    not failed. On the other regimes NaN and inf match nothing."""
    special = drawn_as(tuple(regimes), SINGULAR_REGIMES)
    if len(special) != len(got):
        return torch.zeros_like(judged)
    return judged & special & ~torch.isfinite(got)


def drowned(
    method: Method, output: str, elements: Sequence[int], judged: torch.Tensor, tolerance: Tolerance
) -> torch.Tensor:
    """Of which elements of an output all by which they miss what is right at the judged points
    (N,) is rounding, and not at most of them: (elements,), bool.

    At some points a right formula has no digits left: `log(1 - p)` where p is nearly 1, or `(t +
    1e13) - 1e13`. There its own roundings, in float64, change what comes out as much as it is
    off, which no mistake in a formula does. Where they lead to nothing but what came out and what
    is right, it is a mistake that they step over: `margins[margins == 1] = 0`."""
    program, replayed, own = method.verified.program, method.replayed, [*elements]
    none = torch.zeros(len(own), dtype=torch.bool)
    if program is None or replayed is None or not own:
        return none
    got, right = (of.outputs[output][:, own] for of in (replayed, method.expected))
    wrong = wrong_at(got, right, judged[:, None], tolerance)
    rare = wrong.sum(0) <= MOSTLY * judged.sum()
    at = (wrong & rare).any(1).nonzero().flatten()
    if not len(at):
        return none
    generator = torch.Generator().manual_seed(53)

    def rounded(position: int, value: torch.Tensor) -> torch.Tensor:
        op = program.flow.recording.ops[position]
        if not rounds(op_name(op), op.args):
            return value
        steps = torch.randint(-1, 2, value.shape, generator=generator, dtype=torch.float64)
        return value * (1 + ULP * steps)

    points = method.expected.points[at]
    try:
        again = program.run(points.repeat(RUNS, 1), rounded)
    except NotReplayable:
        return none
    numbers = again.outputs[output][:, own].reshape(RUNS, len(at), len(own))
    changes = (numbers - got[at]).abs().nan_to_num(torch.inf).amax(0)
    off = (got[at] - right[at]).abs()
    is_rounding = torch.isfinite(off) & (off <= TIMES * changes)
    near = [
        ~wrong_at(numbers, of[at].expand_as(numbers), torch.tensor(True), tolerance)
        for of in (got, right)
    ]
    is_rounding &= ~(near[0] | near[1]).all(0)
    return rare & (is_rounding | ~wrong[at]).all(0)


def unstable(what: str, difference: str) -> Finding:
    """The note for the value or a gradient whose differences from what is right are roundings of
    float64 in the pass itself."""
    message = say(
        "{what} is the right function, but unstable in floating point: {difference}",
        what=what,
        difference=difference,
    )
    return Finding("unstable", message, "note")


def describe(case: Case, expected: Expected, missed: Mismatch) -> str:
    """One line: how many points differ, an example to check by hand, and the allowance."""
    if (
        not case.variant.of_scalars
    ):  # the sizes of matrices, or shapes where the task says the sizes
        shapes = ", ".join(f"{leaf.name} {list(leaf.shape)}" for leaf in case.leaves)
        point = case.sizes or shapes
    else:
        numbers = _point(case, expected, missed.example)
        point = ", ".join(f"{name}={number:.6g}" for name, number in numbers.items())
    return say_count(
        "{failed} of {count} points differ; at {point} it is {got:.6g}, should be {right:.6g}; "
        "greatest difference {absolute:.3g} absolute (allowed: {atol:g}), {relative:.3g} relative "
        "(allowed: {rtol:g})",
        "{failed} of {count} points differ; at {point} it is {got:.6g}, should be {right:.6g}; "
        "greatest difference {absolute:.3g} absolute (allowed: {atol:g}), {relative:.3g} relative "
        "(allowed: {rtol:g})",
        missed.judged,
        failed=missed.failed,
        point=point,
        got=missed.got,
        right=missed.right,
        absolute=missed.absolute,
        atol=case.tolerance.atol,
        relative=missed.relative,
        rtol=case.tolerance.rtol,
    )


def details(case: Case, expected: Expected, missed: Mismatch, shown: Shown) -> dict[str, object]:
    """The same for a program to read, with the lines that show it."""
    return {
        "points": missed.judged,
        "of": len(expected.judged),
        "differ": missed.failed,
        "worst_absolute": missed.absolute,
        "worst_relative": missed.relative,
        "example": {
            "point": _point(case, expected, missed.example),
            "got": missed.got,
            "expected": missed.right,
        },
        "reproducer": reproducer(case, expected, missed.example, shown),
        "rtol": case.tolerance.rtol,
        "atol": case.tolerance.atol,
    }


def _point(case: Case, expected: Expected, index: int) -> dict[str, float]:
    """The numbers of a point by name; none where they are more than anybody reads."""
    if expected.points.shape[1] > MOST_SHOWN:
        return {}
    names = (*case.variant.weights, *case.variant.inputs)
    numbers = expected.points[index].tolist()
    probes = {name for leaf in case.leaves if leaf.probe for name in leaf.elements}
    return {name: number for name, number in zip(names, numbers, strict=True) if name not in probes}


def observed_tolerance(tolerance: Tolerance) -> Tolerance:
    """Ten times the tolerance: the child's float32 results carry the rounding of the student's own
    formula, which autograd's does not bound."""
    return Tolerance(10 * tolerance.rtol, 10 * tolerance.atol)


def told_by_single(
    expected: Expected, tolerance: Tolerance, outputs: Collection[str] = ()
) -> torch.Tensor:
    """At which points (N,) float32 tells these outputs, or all: where autograd's float32 run is
    off by less than a sixteenth of the allowance, so that another order of the same operations
    cannot miss it."""
    single = torch.ones_like(expected.judged)
    for name in outputs or expected.outputs:
        allowed = tolerance.atol + tolerance.rtol * expected.outputs[name].abs()
        single &= (expected.float32_error[name] * 16 <= allowed).all(1)
    return single

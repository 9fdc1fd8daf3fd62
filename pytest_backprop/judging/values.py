"""Is an output what it should be, at each of its numbers and at every judged point? What differs
by no more than the roundings of a right formula is no mistake. And what `forward` and
`manual-forward` share: the value of a method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import torch
from msgspec.structs import replace

from ..exercises.adjoint import GRAD_OUTPUT
from ..messages import say
from ..model import (
    VALUE,
    Basis,
    CheckResult,
    CheckRules,
    Finding,
    Observation,
    Place,
    Tensor,
)
from ..trace.calls import NotReplayable
from .case import Case, Method, Tolerance
from .compare import (
    Difference,
    Mismatch,
    describe,
    details,
    mismatch,
    no_points,
    on_singularities,
    unstable,
    wrong_at,
)
from .credit import by_findings, failed
from .raises import raised
from .unexplained import unexplained

NOTHING = ("raises", "wrong-type", "hidden-work")
"""Kinds of findings that leave no value to judge: a method that raises, returns no tensor, or whose
numbers no op explains."""


MOSTLY = 0.5
"""Of the judged points: what differs at more of them than this is another function."""
RUNS = 16
TIMES = 4.0
"""How many times the change by roundings a difference may be: now and then all go one way."""
ULP = 2.0**-52


class OutputVerdict(NamedTuple):
    """The first number that is wrong, None if none is; the first that is right but `unstable` in
    floating point; and the points (N,) at which the formula has a singularity that the function
    does not have."""

    wrong: Difference | None
    unstable: Difference | None
    singular: torch.Tensor


def judge_output(method: Method, output: str, tolerance: Tolerance) -> OutputVerdict:
    """Holds an output that was replayed against the task's."""
    assert method.replayed is not None
    got, expected = method.replayed.outputs[output], method.expected
    right, judged = expected.outputs[output], expected.judged
    unstable, singular = None, torch.zeros_like(judged)
    off = wrong_at(got, right, judged[:, None], tolerance).any(0)
    for element in off.nonzero().flatten().tolist():
        own, should = got[:, element], right[:, element]
        there = on_singularities(own, judged, expected.regimes)
        singular |= there
        missed = mismatch(own, should, judged & ~there, tolerance, expected.regimes)
        if missed is None:
            continue
        difference = Difference(element, missed, own, should, judged & ~there)
        if not is_drowned(method, output, element, judged & ~there, tolerance, missed):
            return OutputVerdict(difference, unstable, singular)
        unstable = unstable or difference
    return OutputVerdict(None, unstable, singular)


def is_drowned(
    method: Method,
    output: str,
    element: int,
    judged: torch.Tensor,
    tolerance: Tolerance,
    mismatch: Mismatch,
) -> bool:
    """Whether all that differs in an element of an output at the judged points (N,) is rounding,
    and not at most of them.

    At some points a right formula has no digits left: `log(1 - p)` where p is nearly 1, or `(t +
    1e13) - 1e13`. There its own roundings, in float64, change what comes out as much as it is
    off, which no mistake in a formula does."""
    program, replayed = method.verified.program, method.replayed
    if program is None or replayed is None or mismatch.failed > MOSTLY * mismatch.judged:
        return False
    got, right = (of.outputs[output][:, element] for of in (replayed, method.expected))
    at = wrong_at(got, right, judged, tolerance).nonzero().flatten()
    generator = torch.Generator().manual_seed(53)

    def rounded(position: int, value: torch.Tensor) -> torch.Tensor:
        steps = torch.randint(-1, 2, value.shape, generator=generator, dtype=torch.float64)
        return value * (1 + ULP * steps)

    weights, inputs = method.expected.weights[at], method.expected.inputs[at]
    try:
        again = program.run_anyhow(weights.repeat(RUNS, 1), inputs.repeat(RUNS, 1), rounded)
    except NotReplayable:
        return False
    numbers = again.outputs[output][:, element]
    changes = (numbers.reshape(RUNS, -1) - got[at]).abs().nan_to_num(torch.inf).amax(0)
    off = (got[at] - right[at]).abs()
    return bool((torch.isfinite(off) & (off <= TIMES * changes)).all())


def judge_value(
    case: Case,
    rules: CheckRules,
    id: str,
    run: Literal["forward", "pass"],
    passed: str,
    place: Place | None,
    notes: Sequence[Finding] = (),
) -> CheckResult:
    """Holds the value that a method returns against the variant's: type, shape, dtype, then every
    point.

    The result of a check `id`, which says `passed` where nothing is wrong, and ends with the
    `notes`."""
    if run == "pass":
        method, runs, shown = case.manual, case.evidence.pass_runs, case.evidence.pass_name
    else:
        method, runs, shown = case.forward, case.evidence.forward_runs, say(case.wording.value)
    problem = raised(case, runs, shown, place) or _malformed(case, runs, shown, place)
    if problem is None and (method.replayed is None or VALUE not in method.replayed.outputs):
        recordings = case.evidence.recordings(run)
        what = say("the value of {method}", method=shown)
        problem = unexplained(case, method, recordings, what)
    if problem is not None and problem.kind in NOTHING:
        return failed(id, problem.message, problem, *notes)
    if problem is not None:
        return by_findings(id, rules, [problem, *notes], passed)
    basis: Basis = "observed" if method.verified.how == "observed" else "replayed"
    expected, judged = method.expected, method.expected.judged
    if no_points(judged):
        return CheckResult(id, "not_judged", 0.0, say("no point was well-conditioned"), basis)
    verdict = judge_output(method, VALUE, case.tolerance)
    if verdict.wrong is None:
        counted = {"points": int(judged.sum()), "of": len(judged)}
        counted["singular"] = int(verdict.singular.sum())
        unsteady = (
            ()
            if verdict.unstable is None
            else (unstable(describe(case, expected, verdict.unstable), None),)
        )
        return by_findings(id, rules, [*unsteady, *notes], passed, counted, basis=basis)
    text = describe(case, expected, verdict.wrong)
    finding = Finding(
        "wrong-value",
        say("{method} does not return the variant's value: {text}", method=shown, text=text),
        place=place,
        hint=say("compare its expression with the variant, operation by operation"),
    )
    located = case.locate(run)
    numbers = details(case, expected, verdict.wrong, "value" if run == "pass" else "forward")
    numbers["repairs"] = list(located.details)
    # numbers come after the line where they go wrong
    message = say("{method} does not return the variant's value", method=shown)
    result = by_findings(id, rules, [finding], passed, numbers, message=message, basis=basis)
    return replace(result, findings=(*located.and_numbers([finding]), *notes))


def _malformed(
    case: Case, runs: Sequence[Observation], shown: str, place: Place | None
) -> Finding | None:
    right_dtype = torch.promote_types(
        getattr(torch, case.evidence.weight_dtype, torch.float32), torch.float32
    )
    wanted = str(right_dtype).removeprefix("torch.")
    shapes = {(), case.evidence.piece_shape}
    if case.leaves and case.leaves[-1].name == GRAD_OUTPUT:
        shapes = {case.leaves[-1].shape}
    for run in runs:
        value = run.outputs.get(VALUE)
        if not isinstance(value, Tensor):
            return Finding(
                "wrong-type",
                _no_tensor(shown, value),
                place=place,
                hint=say("return y, as a tensor"),
            )
        if value.shape not in shapes:
            return Finding(
                "wrong-shape",
                say(
                    "{method} returns a tensor of shape {shape}; y has shape []",
                    method=shown,
                    shape=list(value.shape),
                ),
                place=place,
                hint=say("return y itself, not a tensor that holds it"),
            )
        if value.dtype != wanted:
            return Finding(
                "wrong-dtype",
                say(
                    "{method} returns {dtype}; for {wanted} weights and inputs y is {wanted}",
                    method=shown,
                    dtype=value.dtype,
                    wanted=wanted,
                ),
                place=place,
                hint=say("do not convert y to another dtype"),
            )
    return None


def _no_tensor(shown: str, type_: str | None) -> str:
    if type_ is None or type_ == "NoneType":
        return say("{method} returns None, not a tensor", method=shown)
    if type_.startswith(tuple("aeiouAEIOU")):
        return say("{method} returns an {type}, not a tensor", method=shown, type=type_)
    return say("{method} returns a {type}, not a tensor", method=shown, type=type_)

"""Is an output what it should be, at each of its numbers and at every judged point? What differs by no more than the
roundings of a right formula is no mistake. And what `forward` and `manual-forward` share: the value of a method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch

from ..exercises.adjoint.facts import GRAD_OUTPUT
from ..messages import say
from ..model import VALUE, Basis, CheckRules, Faults, Finding, Observation, Outcome, Place, Tensor
from .case import Case, Method, Tolerance
from .compare import (
    Difference,
    describe,
    details,
    mismatch,
    no_points,
    on_singularities,
    unstable,
    wrong_at,
)
from .credit import credited
from .raises import raised
from .reproduce import Shown
from .rounding import is_drowned
from .unexplained import unexplained

NOTHING = ("raises", "wrong-type", "hidden-work")
"""Kinds of findings that leave no value to judge: a method that raises, returns no tensor, or whose
numbers no op explains."""


class OutputVerdict(NamedTuple):
    """The first number that is wrong, None if none is; the first that is right but `unstable` in floating point; and
    the points (N,) at which the formula has a singularity that the function does not have."""

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
        found = mismatch(own, should, judged & ~there, tolerance, expected.regimes)
        if found is None:
            continue
        difference = Difference(element, found, own, should, judged & ~there)
        if not is_drowned(method, output, element, judged & ~there, tolerance, found):
            return OutputVerdict(difference, unstable, singular)
        unstable = unstable or difference
    return OutputVerdict(None, unstable, singular)


class ValueVerdict(NamedTuple):
    """What is wrong with a method's value; `finding` None when nothing is. `judged` False when
    there was no point to judge on. `notes` cost nothing."""

    finding: Finding | None
    basis: Basis
    details: dict[str, object]
    judged: bool = True
    notes: tuple[Finding, ...] = ()


def judge_value(
    case: Case, runs: Sequence[Observation], method: Method, shown: str, place: Place | None
) -> ValueVerdict:
    """Holds the returned value against the variant: type, shape, dtype, then every point."""
    basis: Basis = "observed" if method.verified.how == "observed" else "replayed"
    problem = raised(case, runs, shown, place) or _malformed(case, runs, shown, place)
    if problem is not None:
        return ValueVerdict(problem, "observed", {})
    if method.replayed is None or VALUE not in method.replayed.outputs:
        recordings = (
            case.evidence.pass_recordings
            if method is case.manual
            else case.evidence.forward_recordings
        )
        what = say("the value of {method}", method=shown)
        return ValueVerdict(unexplained(case, method, recordings, what), "observed", {})
    expected = method.expected
    judged = expected.judged
    counted: dict[str, object] = {"points": int(judged.sum()), "of": len(judged)}
    if no_points(judged):
        return ValueVerdict(None, basis, counted, judged=False)
    verdict = judge_output(method, VALUE, case.tolerance)
    if verdict.wrong is None:
        counted["singular"] = int(verdict.singular.sum())
        notes: tuple[Finding, ...] = ()
        if verdict.unstable is not None:
            notes = (unstable(describe(case, expected, verdict.unstable), None),)
        return ValueVerdict(None, basis, counted, True, notes)
    text = describe(case, expected, verdict.wrong)
    finding = Finding(
        "wrong-value",
        say("{method} does not return the variant's value: {text}", method=shown, text=text),
        place=place,
        hint=say("compare its expression with the variant, operation by operation"),
    )
    run: Shown = "value" if method is case.manual else "forward"
    return ValueVerdict(finding, basis, details(case, expected, verdict.wrong, run))


def earned(finding: Finding, rules: CheckRules) -> tuple[Outcome, float, Faults | None]:
    """The outcome of a method whose value is wrong, the fraction of its points, and what that comes from."""
    return ("failed", 0.0, None) if finding.kind in NOTHING else credited(rules, 1)


def headline(finding: Finding, shown: str) -> str:
    """What is wrong in one line; numbers come after the line where they go wrong."""
    if finding.kind == "wrong-value":
        return say("{method} does not return the variant's value", method=shown)
    return finding.message


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
        told = run.outputs.get(VALUE)
        if not isinstance(told, Tensor):
            return Finding(
                "wrong-type",
                _no_tensor(shown, told),
                place=place,
                hint=say("return y, as a tensor"),
            )
        if told.shape not in shapes:
            return Finding(
                "wrong-shape",
                say(
                    "{method} returns a tensor of shape {shape}; y has shape []",
                    method=shown,
                    shape=list(told.shape),
                ),
                place=place,
                hint=say("return y itself, not a tensor that holds it"),
            )
        if told.dtype != wanted:
            return Finding(
                "wrong-dtype",
                say(
                    "{method} returns {dtype}; for {wanted} weights and inputs y is {wanted}",
                    method=shown,
                    dtype=told.dtype,
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

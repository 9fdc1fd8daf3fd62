"""One mistake, one price: what follows from a wrong value of the pass is judged as if that were mended, where the
rubric has the check follow through.

Mended are two mistakes: a value that is worked out and not returned, and a function that is the variant's but for
one slip, whose derivative is then held against that function's own. Both are told by the grader's replay, and the
second against a list of slips, so that nobody is paid for the derivative of a function of their own choosing.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import torch

from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import autograd_cost, expected, values
from ..exercises.functions.scenarios import Points
from ..exercises.functions.slips import slips
from ..messages import say
from ..model import OTHER_TASK, CheckResult, CheckRules
from ..trace.calls import NotReplayable
from ..trace.replay import Program
from .checks.case import Case, Method, PassCase, not_located
from .checks.compare import mismatch
from .checks.table import Judge
from .rubric import FOLLOWING

LOOKS = 32
"""Points at which a value is held against a function before it is at all of them."""
MOST = 400
"""Values of a pass that are looked at, the last ones."""
SAME = 1e-9
"""Relative difference of the same function, worked out twice in float64."""


class AsIf(NamedTuple):
    """A pass as it would be without its mistake; `name` of the value that is returned then, None where it is
    another function that is asked for."""

    case: Case
    name: str | None
    returned: bool


def followed(
    results: Sequence[CheckResult],
    case: Case,
    variant: Variant,
    rules: Mapping[str, CheckRules],
    checks: Mapping[str, Judge],
) -> list[CheckResult]:
    """The results, those of the checks that follow through with their share of what they would earn if the value
    of the pass were right, where that is more."""
    asking = {
        result.id
        for result in results
        if result.id in FOLLOWING and rules[result.id].follow_through and result.fraction < 1
    }
    mended = _mended(results, case, variant) if asking else None
    if mended is None:
        return [*results]
    return [
        _raised(result, checks[result.id](mended.case, rules[result.id]), rules[result.id], mended)
        if result.id in asking
        else result
        for result in results
    ]


def _raised(
    result: CheckResult, other: CheckResult, rules: CheckRules, mended: AsIf
) -> CheckResult:
    fraction = rules.follow_through * other.fraction
    if fraction <= result.fraction:
        return result
    score = {"score": fraction * rules.points, "max_score": rules.points}
    if not mended.returned:
        message = say(
            "{message}; judged as if the function that the pass computes were asked for: {score:g} of "
            "{max_score:g} points",
            message=result.message,
            **score,
        )
    else:
        message = say(
            "{message}; judged as if {value} were returned: {score:g} of {max_score:g} points",
            message=result.message,
            value=f"`{mended.name}`" if mended.name else "y",
            **score,
        )
    details = {
        **result.details,
        "follow_through": {"fraction": other.fraction, "message": other.message},
    }
    return msgspec.structs.replace(
        result, outcome="partial", fraction=fraction, message=message, details=details, faults=None
    )


def _mended(results: Sequence[CheckResult], case: Case, variant: Variant) -> AsIf | None:
    """The pass without the one mistake in its value; None where it has none, or another one."""
    path = case.manual.verified.paths[0] if len(case.manual.verified.paths) == 1 else None
    if not isinstance(case, PassCase) or path is None or variant.leaves:
        return None
    kinds = {f.kind for r in results if r.id == "manual-forward" for f in r.findings}
    try:
        if "wrong-type" in kinds and all(
            run.result == "NoneType" for run in case.evidence.pass_runs
        ):
            return _returned(case)
        if kinds & {"wrong-value", OTHER_TASK}:
            return _as_computed(case, variant)
    except NotReplayable:
        return None
    return None


def _returned(case: PassCase) -> AsIf | None:
    """As if the value were returned that the pass works out itself, and that is right at every point."""
    recording, points = case.recording, case.expected
    made = [(v, position) for position, op in enumerate(recording.ops) if op.context == "student"
            for v in op.outputs if math.prod(recording.values[v].shape) == 1
            and recording.values[v].dtype.startswith("float")][-MOST:]  # fmt: skip
    few = points.at(points.judged.nonzero().flatten()[:LOOKS])
    probe = msgspec.structs.replace(
        recording, result=None, gradients=tuple((v, 0) for v, _ in made)
    )
    ran = Program(probe).run_anyhow(few.weights, few.inputs) if made else None
    for (value, position), numbers in zip(made, ran.gradients if ran else (), strict=True):
        if numbers is None or not torch.allclose(numbers, few.value, *case.tolerance):
            continue
        whole = msgspec.structs.replace(recording, result=value)
        program = Program(whole)
        flow = program.flow
        if any(recording.ops[p].context == "forward" for p in flow.upstream(flow.result_sources)):
            continue
        replayed = program.run_keeping(points.weights, points.inputs)
        if replayed.result is None or mismatch(
            replayed.result, points.value, points.judged, case.tolerance
        ):
            continue
        manual = case.manual._replace(replayed=replayed, expected=points)
        mended = dataclasses.replace(case, manual=manual, flow=flow, locate=not_located)
        return AsIf(mended, recording.ops[position].name, returned=True)
    return None


def _as_computed(case: PassCase, variant: Variant) -> AsIf | None:
    """As if the function were asked for that the pass computes, if one slip makes it of the variant."""
    replayed = case.manual.replayed
    if replayed is None or replayed.result is None:
        return None
    points = case.manual.expected
    rows = points.judged.nonzero().flatten()[:LOOKS]
    few, got = points.at(rows), replayed.result[rows]
    for slip in slips(variant):
        try:
            numbers = values(slip, few.weights, few.inputs)
        except (
            ArithmeticError,
            TypeError,
            ValueError,
        ):  # of constants alone: Python's own division
            continue
        if not torch.allclose(numbers, got, rtol=SAME, atol=SAME):
            continue
        right = expected(slip, _points(case.manual))
        if mismatch(replayed.result, right.value, right.judged, case.tolerance):
            continue
        if not right.gradients[right.judged].any(0).all():
            continue  # there is nothing to work out for some weight
        manual = case.manual._replace(expected=right)
        mended = dataclasses.replace(
            case, manual=manual, expected=right, cost=autograd_cost(slip), locate=not_located
        )
        return AsIf(mended, None, returned=False)
    return None


def _points(method: Method) -> Points:
    points = method.expected
    return Points(
        tuple(map(tuple, points.weights.tolist())),
        tuple(map(tuple, points.inputs.tolist())),
        points.regimes,
    )

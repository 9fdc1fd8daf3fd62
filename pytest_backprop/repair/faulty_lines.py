"""What is told of a wrong method: that it is right for another task of the bank; else the lines at
which it goes wrong, by the search for an edit that mends it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import torch

from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import outputs
from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Located, Method, Tolerance
from ..judging.compare import judge_output, mismatch
from ..messages import say
from ..model import OTHER_LINE, OTHER_TASK, VALUE, Finding, MethodName, Place, Submission
from ..submission.parse import place_of
from . import FaultyLine, find
from .tensor_lines import lines_on_tensors

FEW_POINTS = 256
"""Points at which a method is held against another task."""
ALIKE = 0.9
"""Of these, which are chosen for the task that was given; another may be ill-conditioned at
some."""
HARDLY_ANY = 2
"""Numbers of a leaf: where all leaves have no more, most changes are the same."""


def locate(cases: Sequence[Case], bank: Sequence[Variant], which: MethodName) -> Located:
    """The faulty lines of a method, searched for at one of its sizes after another: first where all
    gradients are asked for, and where the most outputs are wrong. One that is right at some sizes
    alone, as many are of a softmax over two, says nothing of the lines that it is made by; nor does
    a change that mends all where there are hardly any numbers, as many do. A `forward` has one
    output: lines at further sizes would be chance."""
    sound = [case for case in cases if not case.is_void] or [*cases]
    sound = [case for case in sound if not _is_tiny(case)] or sound
    ranked = sorted(sound, key=lambda case: (not case.needs_all, -_wrong_outputs(case, which)))
    located = Located()
    for case in ranked[:1] if which == "forward" else ranked:
        located = _located(case, bank, which)
        if located.findings:
            break
    return located


def _is_tiny(case: Case) -> bool:
    return all(math.prod(leaf.shape) <= HARDLY_ANY for leaf in case.leaves if leaf.is_drawn)


def _wrong_outputs(case: Case, which: MethodName) -> int:
    method = case.manual if which == "pass" else case.forward
    names = [] if method.replayed is None else method.replayed.only(method.expected.widths).outputs
    verdicts = (judge_output(method, name, case.tolerance) for name in names)
    return sum(verdict.wrong is not None for verdict in verdicts)


def _located(case: Case, bank: Sequence[Variant], which: MethodName) -> Located:
    """The faulty lines of a method whose recording can be believed; or which other task it is
    of."""
    submission, variant, evidence = case.submission, case.variant, case.evidence
    assert submission is not None
    method, shown, site = case.forward, "forward", evidence.forward_site
    if which == "pass":
        method, shown, site = case.manual, evidence.pass_name, evidence.pass_site
    if variant.of_scalars:
        place = place_of(submission, site)
        other = _other_task(variant, bank, method, case.tolerance, shown, place)
        if other is not None:
            return Located((other,))
    how = method.verified.how
    if how not in ("replayable", "branches") or not evidence.recordings(which):
        return Located()
    if isinstance(variant, MatrixVariant):
        lines = every = lines_on_tensors(case, submission, variant, method)
    elif how == "branches":
        return Located()
    else:
        units = [unit.text for unit in submission.units]
        search = find(variant, method.verified.paths[0].recording, units)
        lines, every = search.lines, search.all
    findings: list[Finding] = []
    for number, line in enumerate(lines):
        kind = OTHER_LINE if number and line.sure == "one of several" else "faulty-line"
        findings.append(_finding(submission, line, kind))
    details = tuple(_detail(submission, line) for line in every)
    return Located(tuple(findings), details)


def _finding(submission: Submission, line: FaultyLine, kind: str = "faulty-line") -> Finding:
    place = place_of(submission, line.site)
    return Finding(kind, line.message, "note", place, line.name, line.hint)


def _detail(submission: Submission, line: FaultyLine) -> dict[str, object]:
    place = place_of(submission, line.site)
    return {
        "kind": line.kind,
        "cell": None if place is None else place.cell,
        "line": None if place is None else place.line,
        "source": None if place is None else place.source,
        "name": line.name,
        "message": line.message,
        "sure": line.sure,
    }


def _other_task(
    variant: Variant,
    bank: Iterable[Variant],
    method: Method,
    tolerance: Tolerance,
    shown: str,
    place: Place | None,
) -> Finding | None:
    """The finding for a method, called `shown`, that returns the value of another task."""
    if method.replayed is None or VALUE not in method.replayed.outputs:
        return None
    got = method.replayed.outputs[VALUE][:FEW_POINTS, 0]
    names = [*variant.weights, *variant.inputs]
    for other in bank:
        if other.name == variant.name or not {*names}.issuperset((*other.weights, *other.inputs)):
            continue
        at = [names.index(name) for name in (*other.weights, *other.inputs)]
        right = outputs(other, method.expected.points[:FEW_POINTS, at])[VALUE][:, 0]
        judged = torch.isfinite(right)
        missed = mismatch(got, right, judged, tolerance)
        wrong = 0 if missed is None else missed.failed
        if int(judged.sum()) - wrong > ALIKE * len(right):
            message = say(
                "{method} is that of {other}, and the task given here is {variant}",
                method=shown,
                other=other.name,
                variant=variant.name,
            )
            hint = say("compare your variant's number with the one that was given to you")
            return Finding(OTHER_TASK, message, "fault", place, other.name, hint)
    return None

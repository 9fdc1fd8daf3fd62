"""What is told of a wrong method: that it is right for another task of the bank; else the lines at
which it goes wrong, by the search for an edit that mends it, or, on matrices, by what of it the
task's graph does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch

from ..exercises.adjoint import GRAD_OUTPUT
from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import outputs
from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Located, Method, Tolerance, calling_site
from ..judging.compare import mismatch, wrong_at
from ..messages import say
from ..model import OTHER_TASK, VALUE, Finding, MethodName, Place, Span, Submission, places
from ..submission.parse import place_of
from . import FaultyLine, find
from .quantities import POINTS, first_wrong, quantities, read_by_all
from .scalar_nodes import NotLowered
from .wording import MAX_TOLD

FEW_POINTS = 256
"""Points at which a method is held against another task."""
ALIKE = 0.9
"""Of these, which are chosen for the task that was given; another may be ill-conditioned at
some."""


def locate(case: Case, bank: Sequence[Variant], which: MethodName) -> Located:
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
    if method.verified.how != "replayable" or not evidence.recordings(which):
        return Located()
    if isinstance(variant, MatrixVariant):
        return _locate_by_quantities(case, submission, variant, method)
    units = [unit.text for unit in submission.units]
    search = find(variant, method.verified.paths[0].recording, units)
    findings: list[Finding] = []
    for number, line in enumerate(search.lines):
        place = place_of(submission, line.site)
        kind = "possible-line" if number and line.sure == "one of several" else "faulty-line"
        findings.append(Finding(kind, line.message, "note", place, line.name, line.hint))
    return Located(tuple(findings), tuple(_detail(submission, line) for line in search.all))


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
        if not other.of_scalars or other.name == variant.name:
            continue
        if not {*names}.issuperset((*other.weights, *other.inputs)):
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


def _locate_by_quantities(
    case: Case, submission: Submission, variant: MatrixVariant, method: Method
) -> Located:
    """The faulty lines on matrices: where what the task's graph does not have comes of what it
    has."""
    program, expected, judged = method.verified.program, method.expected, method.expected.judged
    replayed = {} if method.replayed is None else method.replayed.outputs
    off = {
        name: wrong_at(got, expected.outputs[name], judged[:, None], case.tolerance)
        for name, got in replayed.items()
    }
    # first the points at which something is wrong: a fault may show on one side of a kink alone
    telling = torch.zeros_like(judged)
    for wrong_there in off.values():
        telling |= wrong_there.any(1)
    both = (telling, judged & ~telling)
    at = torch.cat([mask.nonzero().flatten() for mask in both])[:POINTS]
    if program is None or len(at) < POINTS:
        return Located()
    points = expected.points[at]
    ops = program.run(points, keeps=True).only(expected.widths).ops
    flow = program.flow
    right = [name for name, wrong_there in off.items() if not wrong_there.any()]
    serving = flow.upstream({op for name in right for op in flow.sources[name]})
    wrong = [
        flow.writers(slot.value, element if slot.element is None else slot.element)
        for name, slot in flow.recording.outputs.items()
        if name in off
        for element in off[name][at].any(0).nonzero().flatten().tolist()
    ]
    sent = places(variant.leaves).get(GRAD_OUTPUT, ())
    # a product may be taken with grad_output when the derivative is complete
    alone = [points.index_fill(1, torch.tensor(sent), 1.0)] if sent else []
    try:
        right_numbers = quantities(variant, points, *alone)
    except NotLowered:
        return Located()
    begins = first_wrong(flow.recording, flow, ops, right_numbers, wrong, serving)
    # a right number of the graph where another one belongs is wrong only there
    ends = {max(ops) for ops in wrong if ops and flow.upstream(ops).isdisjoint(begins)}
    shared = read_by_all(flow, {*begins, *ends}, serving) if VALUE in right else None
    if shared is not None:
        begins, ends = [], {shared}
    findings: dict[Span | None, Finding] = {}
    for position in sorted({*begins, *ends}):
        op = flow.recording.ops[position]
        what = say("it goes wrong here")
        if op.name:
            what = say("`{name}` goes wrong here", name=op.name)
        message = say(
            "{what}: what it is made of is right, and it is no value, derivative or adjoint of "
            "the task",
            what=what,
        )
        if position in ends:
            message = say(
                "{what}: it is a part of what is asked for: is a term or a factor missing, or "
                "another value meant?",
                what=what,
            )
        site = calling_site(submission, case.evidence.class_name, flow.recording, op)
        place = place_of(submission, site)
        findings.setdefault(site, Finding("faulty-line", message, "note", place, op.name))
    return Located(tuple(findings.values())[:MAX_TOLD])

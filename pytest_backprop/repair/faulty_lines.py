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
from ..trace.calls import NotReplayable
from ..trace.replay import Program
from . import FaultyLine, find
from .task_values import TaskValues
from .tensor_bench import TensorBench
from .tensor_search import Wanted, mends

POINTS = 6
"""At which a change must make all of a method on tensors right."""
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
        return _locate_on_tensors(case, submission, variant, method)
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


def _locate_on_tensors(
    case: Case, submission: Submission, variant: MatrixVariant, method: Method
) -> Located:
    """The line of the change that makes a method on tensors right."""
    program, expected, judged = method.verified.program, method.expected, method.expected.judged
    replayed = {} if method.replayed is None else method.replayed.outputs
    off = {
        name: wrong_at(got, expected.outputs[name], judged[:, None], case.tolerance)
        for name, got in replayed.items()
    }
    wrong = [name for name, wrong_there in off.items() if wrong_there.any()]
    if program is None or not wrong:
        return Located()
    # first the points at which most is wrong: a fault may show on one side of a kink alone
    telling = torch.stack([off[name].any(1) for name in wrong]).sum(0) + 2 * judged
    at = telling.argsort(descending=True, stable=True)[:POINTS]
    points = expected.points[at[judged[at]]]
    try:
        task = TaskValues(variant)
        bench = TensorBench(_whole(program), variant.leaves, points, [task.at(each) for each in points])
        right = [name for name in off if name not in wrong]
        outputs = {name: numbers[at] for name, numbers in expected.outputs.items()}
        wanted = Wanted(outputs, right, wrong, *case.tolerance)
        hits = mends(bench, wanted, variant.leaves)
    except NotReplayable:
        return Located()
    if not hits:
        return Located()
    op = bench.op(hits[0].key)
    place = place_of(
        submission, calling_site(submission, case.evidence.class_name, method.verified.paths[0].recording, op)
    )
    message = f"{op.name} {hits[0].edit.kind} {hits[0].rank} {op.target}"
    details = [{"kind": h.edit.kind, "rank": h.rank, "op": h.key[1], "line": h.key[0] and h.key[0].line} for h in hits]
    return Located((Finding("faulty-line", message, "note", place, op.name),), tuple(details))


def _whole(program: Program) -> Program:
    """A program with what the outputs do not need as well: a student may have forgotten to read
    it."""
    flow = program.flow
    ops = flow.recording.ops
    also = {p for p, op in enumerate(ops) if op.context != "python" and p not in flow.views}
    try:
        return Program(flow.recording, flow, also)
    except NotReplayable:
        return program

"""Which lines of a wrong method are told: by the search for an edit that mends it, or, on matrices,
by what of it the task's graph does not have."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..exercises.adjoint.facts import GRAD_OUTPUT
from ..exercises.functions.bank import Variant
from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Located, Method, Tolerance, calling_site
from ..judging.compare import differs, mismatch, wrong_at
from ..messages import say
from ..model import VALUE, Finding, MethodName, Output, Span, Submission
from ..submission.parse import place_of
from . import FaultyLine, find
from .other_tasks import other_task
from .quantities import POINTS, first_wrong, quantities, read_by_all
from .scalar_nodes import NotLowered
from .wording import MAX_TOLD


def locate(case: Case, bank: Sequence[Variant], which: MethodName) -> Located:
    """The faulty lines of a method whose recording can be believed; or which other task it is
    of."""
    submission, variant = case.submission, case.draw.variant
    assert submission is not None
    evidence, tolerance = case.evidence, case.tolerance
    method = case.manual if which == "pass" else case.forward
    shown, site = (
        (evidence.pass_name, evidence.pass_site)
        if which == "pass"
        else ("forward", evidence.forward_site)
    )
    place = place_of(submission, site)
    other = None if variant.leaves else other_task(variant, bank, method, tolerance, shown, place)
    if other is not None:
        return Located((other,))
    if method.verified.how != "replayable" or not evidence.recordings(which):
        return Located()
    if isinstance(variant, MatrixVariant):
        return _locate_by_quantities(submission, evidence.class_name, variant, method, tolerance)
    units = [unit.text for unit in submission.units]
    path = method.verified.paths[0]
    search = find(variant, path.recording, units)
    findings: list[Finding] = []
    for number, line in enumerate(search.lines):
        place = place_of(submission, line.site)
        kind = "possible-line" if number and line.sure == "one of several" else "faulty-line"
        findings.append(Finding(kind, line.message, "note", place, line.name, line.hint))
    return Located(tuple(findings), tuple(_detail(submission, line) for line in search.all))


def _locate_by_quantities(
    submission: Submission,
    class_name: str,
    variant: MatrixVariant,
    method: Method,
    tolerance: Tolerance,
) -> Located:
    """The same on matrices: where what the task's graph does not have comes of what it has."""
    program, expected = method.verified.program, method.expected
    at = _telling_points(method, tolerance)
    if program is None or len(at) < POINTS:
        return Located()
    weights, inputs = expected.weights[at], expected.inputs[at]
    ran = program.run_anyhow(weights, inputs).only(expected.widths)
    flow = program.flow
    right = _right_outputs(method, tolerance)
    serving = flow.upstream({op for name in right for op in flow.sources[name]})
    everywhere = torch.ones(len(at), dtype=torch.bool)

    def is_wrong(got: torch.Tensor, right: torch.Tensor) -> bool:
        return mismatch(got, right, everywhere, tolerance) is not None

    wrong = [
        flow.writers(*at_element)
        for name, slot in flow.recording.outputs.items()
        if name in ran.outputs
        for element, at_element in enumerate(_elements(slot, ran.outputs[name]))
        if is_wrong(ran.outputs[name][:, element], expected.outputs[name][at, element])
    ]
    sent = [place for place, name in enumerate(variant.inputs) if name.startswith(GRAD_OUTPUT)]
    # a product may be taken with grad_output when the derivative is complete
    alone = [inputs.index_fill(1, torch.tensor(sent), 1.0)] if sent else []
    try:
        right_numbers = quantities(variant, weights, inputs, *alone)
    except NotLowered:
        return Located()
    begins = first_wrong(flow.recording, flow, ran.ops, right_numbers, wrong, serving)
    # a right number of the graph where another one belongs is wrong only there
    ends = {max(ops) for ops in wrong if ops and flow.upstream(ops).isdisjoint(begins)}
    shared = read_by_all(flow, {*begins, *ends}, serving) if VALUE in right else None
    if shared is not None:
        begins, ends = [], {shared}
    findings: dict[Span | None, Finding] = {}
    for position in sorted({*begins, *ends}):
        op = flow.recording.ops[position]
        named = (
            say("`{name}` goes wrong here", name=op.name) if op.name else say("it goes wrong here")
        )
        message = (
            say(
                "{what}: it is a part of what is asked for: is a term or a factor missing, or "
                "another value meant?",
                what=named,
            )
            if position in ends
            else say(
                "{what}: what it is made of is right, and it is no value, derivative or adjoint of "
                "the task",
                what=named,
            )
        )
        site = calling_site(submission, class_name, flow.recording, op)
        place = place_of(submission, site)
        findings.setdefault(site, Finding("faulty-line", message, "note", place, op.name))
    return Located(tuple(findings.values())[:MAX_TOLD])


def _elements(slot: Output, numbers: torch.Tensor) -> list[tuple[int, int]]:
    """The value and element that each number (N, elements) of an output is."""
    if slot.element is not None:
        return [(slot.value, slot.element)]
    return [(slot.value, element) for element in range(numbers.shape[1])]


def _right_outputs(method: Method, tolerance: Tolerance) -> list[str]:
    """Which outputs of the pass are right at each judged point."""
    expected = method.expected
    return [
        name
        for name, got in (() if method.replayed is None else method.replayed.outputs.items())
        if not differs(got, expected.outputs[name], expected.judged, tolerance)
    ]


def _telling_points(method: Method, tolerance: Tolerance) -> torch.Tensor:
    """Some of the points that are judged, first those at which something is wrong: a fault may show
    on one side of a kink alone."""
    expected, replayed = method.expected, method.replayed
    off = torch.zeros_like(expected.judged)
    for name, got in () if replayed is None else replayed.outputs.items():
        off |= wrong_at(got, expected.outputs[name], expected.judged[:, None], tolerance).any(1)
    both = (expected.judged & off, expected.judged & ~off)
    return torch.cat([mask.nonzero().flatten() for mask in both])[:POINTS]


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

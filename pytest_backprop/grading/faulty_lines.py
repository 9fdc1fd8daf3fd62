"""Which lines of a wrong method are told: by the search for an edit that mends it, or, on matrices, by what
of it the task's graph does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch

from ..exercises.adjoint.facts import GRAD_OUTPUT
from ..exercises.functions.bank import Variant
from ..messages import say
from ..model import Finding, Span, Submission, stretches
from ..repair import FaultyLine, find
from ..repair.quantities import POINTS, first_wrong, quantities, read_by_all
from ..repair.wording import MAX_TOLD
from ..submission.text import place_of
from .checks.callers import calling_site
from .checks.case import Case, Located, Method, Tolerance
from .checks.compare import mismatch
from .other_tasks import other_task

Which = Literal["pass", "forward"]


def locate(
    submission: Submission,
    variant: Variant,
    case: Case,
    bank: Sequence[Variant],
    which: Which,
) -> Located:
    """The faulty lines of a method whose recording can be believed; or which other task it is of."""
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
    recorded = evidence.pass_recordings if which == "pass" else evidence.forward_recordings
    if method.verified.how != "replayable" or not recorded:
        return Located()
    if variant.leaves:
        return _locate_by_quantities(submission, evidence.class_name, variant, method, tolerance)
    units = [unit.text for unit in submission.units]
    path = method.verified.paths[0]
    found = find(variant, path.recording, units)
    findings: list[Finding] = []
    for number, line in enumerate(found.lines):
        place = place_of(submission, line.site)
        kind = "possible-line" if number and line.sure == "one of several" else "faulty-line"
        findings.append(Finding(kind, line.message, "note", place, line.name, line.hint))
    return Located(tuple(findings), tuple(_detail(submission, line) for line in found.all))


def _locate_by_quantities(
    submission: Submission, class_name: str, variant: Variant, method: Method, tolerance: Tolerance
) -> Located:
    """The same on matrices: where what the task's graph does not have comes of what it has."""
    program, expected = method.verified.program, method.expected
    at = _telling_points(method, tolerance)
    if program is None or len(at) < POINTS:
        return Located()
    weights, inputs = expected.weights[at], expected.inputs[at]
    ran = program.run_anyhow(weights, inputs)
    flow = program.flow
    sources = (flow.result_sources, *flow.gradient_sources)
    should_be = (expected.value[at], *expected.gradients[at].unbind(1))
    right = _right_outputs(variant, method, tolerance)
    serving = flow.upstream({op for n in right for op in sources[n]})
    wrong = [
        made
        for got, should, made in zip((ran.result, *ran.gradients), should_be, sources, strict=False)
        if got is not None
        and mismatch(got, should, torch.ones(len(at), dtype=torch.bool), tolerance) is not None
    ]
    known = quantities(variant, weights, inputs)
    sent = [place for place, name in enumerate(variant.inputs) if name.startswith(GRAD_OUTPUT)]
    if sent:  # a product may be taken with the derivative when that is complete
        alone = inputs.index_fill(1, torch.tensor(sent), 1.0)
        known = torch.cat([known, quantities(variant, weights, alone)])
    begins = first_wrong(flow.recording, flow, ran.outputs, known, wrong, serving)
    # a right number of the graph where another one belongs is wrong only there
    ends = {max(made) for made in wrong if made and flow.upstream(made).isdisjoint(begins)}
    shared = read_by_all(flow, {*begins, *ends}, serving) if 0 in right else None
    if shared is not None:
        begins, ends = [], {shared}
    found: dict[Span | None, Finding] = {}
    for position in sorted({*begins, *ends}):
        op = flow.recording.ops[position]
        named = (
            say("`{name}` goes wrong here", name=op.name) if op.name else say("it goes wrong here")
        )
        message = (
            say(
                "{what}: it is a part of what is asked for: is a term or a factor missing, or another "
                "value meant?",
                what=named,
            )
            if position in ends
            else say(
                "{what}: what it is made of is right, and it is no value, derivative or adjoint of the "
                "task",
                what=named,
            )
        )
        site = calling_site(submission, class_name, flow.recording, op)
        place = place_of(submission, site)
        found.setdefault(site, Finding("faulty-line", message, "note", place, op.name))
    return Located(tuple(found.values())[:MAX_TOLD])


def _right_outputs(variant: Variant, method: Method, tolerance: Tolerance) -> list[int]:
    """Which outputs of the pass are right at each judged point, y first: of a gradient all numbers, or none."""
    replayed, expected = method.replayed, method.expected
    if replayed is None:
        return []
    pairs = [
        (replayed.result, expected.value),
        *zip(replayed.gradients, expected.gradients.unbind(1), strict=False),
    ]
    right = [
        got is not None and mismatch(got, should, expected.judged, tolerance) is None
        for got, should in pairs
    ]
    weights = [places for leaf, places in stretches(variant.leaves) if leaf.kind == "weight"]
    groups = [[0], *([1 + place for place in places] for places in weights)]
    groups = [group for group in groups if all(n < len(right) and right[n] for n in group)]
    return [n for group in groups for n in group]


def _telling_points(method: Method, tolerance: Tolerance) -> torch.Tensor:
    """Some of the points that are judged, first those at which something is wrong: a fault may show on one
    side of a kink alone."""
    expected, replayed = method.expected, method.replayed
    off = torch.zeros_like(expected.judged)
    if replayed is not None:
        right = (expected.value, *expected.gradients.unbind(1))
        for got, should in zip((replayed.result, *replayed.gradients), right, strict=False):
            if got is not None:
                off |= (got - should).abs() > tolerance.atol + tolerance.rtol * should.abs()
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

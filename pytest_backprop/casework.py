"""From a child's evidence to a case: what of it can be replayed, and what must be seen again."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from msgspec import Struct

from .bank import Variant
from .checks.case import AutogradCost, Case, Expected, Located, Method, Tolerance
from .fuzz import Points, generic_points
from .identity import Identity, identity
from .messages import say, say_count
from .model import Evidence, Finding, Observation, Place, Recording, Span, Submission
from .reference import expected, variant_nodes
from .repair import FaultyLine, find
from .trace.graph import DataFlow
from .trace.replay import NotReplayable
from .trace.validate import Malformed, check_recording
from .trace.verify import Verified, decides, verify

RECORDED = 1
"""Points that run under the recorder, when one recording explains all runs."""
RECORDED_AGAIN = 6
"""When it does not: more, so that numbers that move with the point show, and other branches."""
CHILD_POINTS = 8
"""Points that the student's code runs on; the others are replayed, on points it never sees."""
MANY_POINTS = 400
"""Points that it runs on when it branches on values, or cannot be replayed."""

SETTLED = ("replayable", "faulty")
Rerun = Callable[[Points, int], Evidence | None]
"""Runs the submission again on points, the first so many recorded; None if it did not answer."""


class Known(Struct, frozen=True):
    """A variant with what depends on it alone: the grader's points, and those the child sees."""

    variant: Variant
    points: Expected
    child_points: Points
    child: Expected
    cost: AutogradCost


def build_case(
    submission: Submission,
    known: Known,
    tolerance: Tolerance,
    seed: int,
    evidence: Evidence,
    rerun: Rerun,
) -> Case:
    """Verifies the recordings, replays what can be, and runs the submission again where one
    recording does not tell all: Python looked at a tensor, or the replay gives other results."""
    variant = known.variant
    manual, ahead, flow = _methods(evidence, known)
    recordings = (*evidence.pass_recordings, *evidence.forward_recordings)
    if decides(recordings) or not _settled(manual, ahead):
        again = rerun(known.child_points, RECORDED_AGAIN)
        if again is not None and malformed(again, variant) is None:
            evidence = again
            manual, ahead, flow = _methods(evidence, known)
        given = _many_points(submission, variant, seed)
        told = rerun(given, 0)
        if told is not None and len(told.pass_runs) == len(told.forward_runs) == MANY_POINTS:
            many = expected(variant, given)
            manual = _doubt(manual, evidence.pass_recordings, told.pass_runs, many, evidence)
            ahead = _doubt(ahead, evidence.forward_recordings, told.forward_runs, many, evidence)
            if not _settled(manual, ahead):
                evidence = msgspec.structs.replace(
                    evidence,
                    forward_runs=told.forward_runs,
                    pass_runs=told.pass_runs,
                    gradient_problems=told.gradient_problems,
                    notes=(*evidence.notes, *_why_observed(manual, ahead)),
                )
                manual = manual._replace(observed_expected=many)
                ahead = ahead._replace(observed_expected=many)
    return Case(
        evidence,
        variant.weights,
        variant.inputs,
        tuple(float(c) for c in variant.constants),
        known.points,
        known.cost,
        tolerance,
        ahead,
        manual,
        flow,
        lambda span: place_of(submission, span),
        functools.partial(variant_nodes, variant, known.points.weights, known.points.inputs),
        submission=submission,
        locate=functools.cache(
            functools.partial(_locate, submission, variant, evidence, ahead, manual)
        ),
    )


def _locate(
    submission: Submission, variant: Variant, evidence: Evidence, ahead: Method, manual: Method,
    which: Literal["pass", "forward"],
) -> Located:  # fmt: skip
    """The faulty lines of a method whose recording can be believed."""
    method = manual if which == "pass" else ahead
    recorded = evidence.pass_recordings if which == "pass" else evidence.forward_recordings
    if method.verified.how != "replayable" or not recorded:
        return Located()
    units = [unit.text for unit in submission.units]
    found = find(variant, recorded[0], DataFlow(recorded[0]), units)
    findings: list[Finding] = []
    for line in found.lines:
        place = place_of(submission, line.site)
        findings.append(Finding("faulty-line", line.message, "note", place, line.name, line.hint))
        if line.fix is not None:
            findings.append(Finding("repair", line.fix, "note", place, line.name))
    return Located(tuple(findings), tuple(_detail(submission, line) for line in found.all))


def _detail(submission: Submission, line: FaultyLine) -> dict[str, object]:
    place = place_of(submission, line.site)
    return {
        "kind": line.kind,
        "cell": None if place is None else place.cell,
        "line": None if place is None else place.line,
        "source": None if place is None else place.source,
        "name": line.name,
        "message": line.message,
        "fix": line.fix,
        "sure": line.sure,
    }


def malformed(evidence: Evidence, variant: Variant) -> str | None:
    """Why an answer is no evidence, though it has the right schema; None if it may be."""
    weights, inputs = len(variant.weights), len(variant.inputs)
    if len(evidence.pass_runs) != CHILD_POINTS or len(evidence.forward_runs) != CHILD_POINTS:
        return say("it did not run all points")
    if evidence.weight_dtype not in ("float16", "bfloat16", "float32", "float64"):
        return say("weights of dtype {dtype!r}", dtype=evidence.weight_dtype[:40])
    if evidence.pass_runs[0].fault is None and not evidence.pass_recordings:
        return say("it has no recording")
    runs = (*evidence.pass_runs, *evidence.forward_runs)
    if any(len(run.gradients) not in (0, weights) for run in runs):
        return say("it has not one gradient a weight")
    try:
        for recording in (*evidence.pass_recordings, *evidence.forward_recordings):
            check_recording(recording, weights, inputs)
    except Malformed as problem:
        return str(problem)
    return None


def place_of(submission: Submission, span: Span | None) -> Place | None:
    """The place of a span in a reader's counting; None for one outside the submission."""
    if span is None or not 0 <= span.unit < len(submission.units):
        return None
    unit = submission.units[span.unit]
    lines = (unit.original or unit.text).split("\n")
    if not 1 <= span.line <= len(lines):
        return None
    source = lines[span.line - 1]
    before = source.encode("utf-8", "replace")[: max(span.column, 0)]
    column = len(before.decode("utf-8", "replace")) + 1
    return Place(submission.path, span.line, column, unit.cell, source)


def _settled(*methods: Method) -> bool:
    return all(method.verified.how in SETTLED for method in methods)


def _many_points(submission: Submission, variant: Variant, seed: int) -> Points:
    """Points that depend on the text: no table of them can stand in it."""
    text = "\0".join(unit.original for unit in submission.units).encode("utf-8", "replace")
    digest = int.from_bytes(hashlib.sha256(text).digest()[:6], "big")
    return generic_points(variant, seed + digest, MANY_POINTS)


def _methods(evidence: Evidence, known: Known) -> tuple[Method, Method, DataFlow | None]:
    """The manual pass, forward, and the data flow of the pass."""
    recorded = evidence.pass_recordings
    flow = DataFlow(recorded[0]) if recorded else None
    manual = _method(evidence, recorded, evidence.pass_runs, known, flow, outputs=True)
    ahead = _method(
        evidence, evidence.forward_recordings, evidence.forward_runs, known, None, outputs=False
    )
    return manual, ahead, flow


def _method(
    evidence: Evidence,
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    known: Known,
    flow: DataFlow | None,
    outputs: bool,
) -> Method:
    child = known.child
    verified = verify(recordings, runs, child.weights, child.inputs, evidence.weight_dtype, flow)
    replayed = None
    if verified.program is not None:
        try:
            points = known.points
            replayed = verified.program.run(points.weights, points.inputs, outputs=outputs)
        except NotReplayable as problem:
            verified = Verified("unsupported", problem.reason, None, problem.op)
    same = Identity(None, (), 0)
    if replayed is not None:
        same = identity(known.variant, recordings[0], flow or DataFlow(recordings[0]))
    return Method(verified, replayed, child, same.value, same.gradients)


def _doubt(
    method: Method,
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    many: Expected,
    evidence: Evidence,
) -> Method:
    """A replay of a method in which Python looked at a tensor counts only if it explains many more
    points: on a few, a branch may not show."""
    if method.verified.how != "replayable" or not decides(recordings):
        return method
    again = verify(recordings, runs, many.weights, many.inputs, evidence.weight_dtype)
    if again.how == "replayable":
        return method
    return Method(again, None, method.observed_expected)


def _why_observed(*methods: Method) -> list[str]:
    return [
        say_count(
            "judged on {count} point that it ran itself: {reason}",
            "judged on {count} points that it ran itself: {reason}",
            MANY_POINTS,
            reason=method.verified.reason,
        )
        for method in methods
        if method.verified.how in ("branches", "unsupported")
    ]

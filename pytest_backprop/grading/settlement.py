"""From a child's evidence to what it explains: what of it can be replayed, and what must be seen again."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from ctypes import c_float
from random import SystemRandom
from typing import NamedTuple

import msgspec
import torch
from msgspec import Struct

from ..exercises.functions.bank import Variant
from ..exercises.functions.reference import AutogradCost, Expected, expected
from ..exercises.functions.scenarios import Points, generic_points, scenario
from ..messages import say, say_count
from ..model import Evidence, Observation, Recording, Scenario, Submission
from ..trace.calls import NotReplayable
from ..trace.graph import DataFlow
from ..trace.replay import ONE_BY_ONE
from ..trace.validate import Malformed, check_ops, check_recording
from ..trace.verify import Verified, decides, replay_paths, settle, sort_runs, verify
from .checks.case import Method, Tolerance
from .checks.compare import told_by_single

RECORDED = 1
"""Points that run under the recorder at first: one recording explains all runs of most passes."""
CHILD_POINTS = 8
"""Points that the student's code runs on; the others are replayed, on points it never sees."""
MANY_POINTS = 400
"""Points that it runs on, all recorded, when it branches on values or one recording explains not
all of its runs; fewer for a pass of many ops, so that all runs together record MANY_OPS."""
POINTS_EACH = 100
"""The same at each of the sizes of a task of matrices, which are several."""
FEWEST_POINTS = 24
SAMPLE = 24
"""Of runs that each went a way of their own so many are looked at first; where they stay unexplained,
so does the rest."""
MANY_OPS = 20_000
NEARBY = (1e-4, 1e-2)
"""How far a neighbour of a point is, relatively: near enough to take the same branches nearly always,
and so far that a number that was calculated for one does not fit the other."""

Rerun = Callable[[Points, int], Evidence | None]
"""Runs the submission again on points, the first so many recorded; None if it did not answer. Raises
TooSlow."""


class TooSlow(Exception):
    """A run was stopped when its time was up; the argument is its `Outcome`. On few points, this shows
    a slow submission or a busy machine, and not that work is hidden."""


class TaskReference(Struct, frozen=True):
    """A variant with what depends on it alone: the grader's points, and those the child sees; and the tolerance
    that it is judged by. `bank` has the tasks that it may be taken for."""

    variant: Variant
    points: Expected
    child_points: Points
    child: Expected
    cost: AutogradCost
    tolerance: Tolerance
    bank: tuple[Variant, ...] = ()


class Settled(NamedTuple):
    """Evidence, and what both methods are judged by. `flow` is the data flow that is judged for nodes and
    releases; None where the pass left no recording."""

    evidence: Evidence
    manual: Method
    forward: Method
    flow: DataFlow | None


def settled(
    submission: Submission, known: TaskReference, seed: int, evidence: Evidence, rerun: Rerun
) -> Settled:
    """Verifies the recordings, replays what can be, and runs the submission again where one
    recording does not tell all: Python looked at a tensor, or the replay gives other results."""
    manual = _first(evidence.pass_recordings, evidence.pass_runs, known, evidence)
    ahead = _first(evidence.forward_recordings, evidence.forward_runs, known, evidence)
    if not (_is_settled(manual, _is_nothing(evidence)) and _is_settled(ahead)):
        evidence, manual, ahead = _many(submission, known, seed, evidence, rerun, manual, ahead)
    return Settled(evidence, manual, ahead, _judged_flow(manual, evidence))


def malformed(evidence: Evidence, asked: Scenario, recorded: bool = True) -> str | None:
    """Why an answer is no evidence of what was asked for, though it has the right schema; None if it may be.
    `recorded`: whether a pass that ran must have left a recording."""
    weights, inputs, points = len(asked.weight_names), len(asked.input_names), len(asked.weights)
    if len(evidence.pass_runs) != points or len(evidence.forward_runs) != points:
        return say("it did not run all points")
    if evidence.weight_dtype not in ("float16", "bfloat16", "float32", "float64"):
        return say("weights of dtype {dtype!r}", dtype=evidence.weight_dtype[:40])
    if recorded and evidence.pass_runs[0].fault is None and not evidence.pass_recordings:
        return say("it has no recording")
    runs = (*evidence.pass_runs, *evidence.forward_runs)
    if any(len(run.gradients) not in (0, weights) for run in runs):
        return say("it has not one gradient a weight")
    for count, told in (
        (len(evidence.pass_recordings), evidence.pass_runs),
        (len(evidence.forward_recordings), evidence.forward_runs),
    ):
        if any(run.recording is not None and not 0 <= run.recording < count for run in told):
            return say("it has no recording")
    try:
        for recording in (*evidence.pass_recordings, *evidence.forward_recordings):
            check_recording(recording, weights, inputs)
            check_ops(recording)
    except Malformed as problem:
        return str(problem)
    return None


def _is_settled(method: Method, nothing: bool = False) -> bool:
    """Whether nothing more is to be learnt from other runs; `nothing`: as no number came of any."""
    if method.verified.how == "faulty" or nothing:
        return True
    recordings = [path.recording for path in method.verified.paths]
    return method.verified.how == "replayable" and not decides(recordings)


def _is_nothing(evidence: Evidence) -> bool:
    """Whether no run of a pass that is told in phases gave a gradient, so that there is nothing to explain."""
    phased = any(recording.phases for recording in evidence.pass_recordings)
    return phased and not any(
        number is not None for run in evidence.pass_runs for number in run.gradients
    )


def _first(
    recordings: Sequence[Recording],
    runs: Sequence[Observation],
    known: TaskReference,
    evidence: Evidence,
) -> Method:
    """What the first recording says, on all runs of the child."""
    child = known.child
    verified = verify(recordings, runs, child.weights, child.inputs, evidence.weight_dtype)
    return _method(verified, known)


def _method(verified: Verified, known: TaskReference) -> Method:
    """A method of one path: replayed on the grader's points, for what of it is explained."""
    program, points = verified.program, known.points
    if program is None:
        return Method(verified, None, points)
    try:
        try:
            replayed = program.run_keeping(points.weights, points.inputs)
        except NotReplayable:
            points = points.first(ONE_BY_ONE)
            replayed = program.run_each(points.weights, points.inputs)
    except NotReplayable as problem:
        return Method(_refused(problem), None, points)
    return Method(verified, verified.provided(replayed), points)


def _refused(problem: NotReplayable) -> Verified:
    return Verified("unexplained", problem.reason, op=problem.op, refused=True)


def _many(
    submission: Submission,
    known: TaskReference,
    seed: int,
    evidence: Evidence,
    rerun: Rerun,
    manual: Method,
    ahead: Method,
) -> tuple[Evidence, Method, Method]:
    """Runs the submission on many more points, each run recorded, and sorts the runs by what
    explains them. Paths that explain one run alone are tried at a neighbour of its point, in another
    process: what was calculated out of sight for one point does not fit another."""
    given = _many_points(submission, known.variant, seed, evidence)
    try:
        told = _answer(rerun, given, known)
    except TooSlow:
        told = None
    if told is None:
        given = given.first(FEWEST_POINTS)
        told = _answer(rerun, given, known)
    count = len(given)
    if told is None:
        lost = Verified(
            "unexplained", say("it did not run again on {count} other points", count=count)
        )
        kept = [
            method if method.verified.how != "replayable" or _is_settled(method)
            else Method(lost, None, known.points)
            for method in (manual, ahead)
        ]  # fmt: skip
        return evidence, kept[0], kept[1]
    many = expected(known.variant, given)
    near: list[Evidence] = []

    def again(points: Points) -> Evidence | None:
        seen = _answer(rerun, points, known)
        near.extend([] if seen is None else [seen])
        return seen

    verdicts = _verdicts(told, many, given, known, again, SAMPLE)
    if verdicts is None:  # what is seen of a few that went alone may hold of all
        verdicts = _verdicts(told, many, given, known, again, count)
    assert verdicts is not None
    methods = [
        old if _is_settled(old) else _branching(verified, many, known)
        for old, verified in zip((manual, ahead), verdicts, strict=True)
    ]
    branching = any(len(method.verified.paths) > 1 for method in methods)
    first = evidence
    evidence = msgspec.structs.replace(
        told if branching else first,
        # breaches in any run count
        pass_recordings=(*first.pass_recordings, *told.pass_recordings,
                         *(r for seen in near for r in seen.pass_recordings)),
        forward_recordings=(*first.forward_recordings, *told.forward_recordings),
        notes=(*first.notes, *_why_observed(count, *methods)),
    )  # fmt: skip
    return evidence, methods[0], methods[1]


def _answer(rerun: Rerun, points: Points, known: TaskReference) -> Evidence | None:
    """What the submission did on points, all recorded; None if it gave no sound answer."""
    told = rerun(points, len(points))
    if told is None or malformed(told, scenario(known.variant, points)) is not None:
        return None
    return told


def _verdicts(
    told: Evidence,
    many: Expected,
    given: Points,
    known: TaskReference,
    again: Callable[[Points], Evidence | None],
    alone: int,
) -> tuple[Verified, Verified] | None:
    """The verdicts on pass and forward; None where they stand on a sample, and are not against it."""
    dtype = told.weight_dtype
    at = many.weights, many.inputs
    ways = (
        sort_runs(told.pass_recordings, told.pass_runs, *at, dtype, alone),
        sort_runs(told.forward_recordings, told.forward_runs, *at, dtype, alone),
    )
    rows = [path.runs[0] for way in ways for path in way.doubtful]
    near = _neighbours(given, rows)
    seen = again(near) if rows else None
    split = len(ways[0].doubtful)
    nearby = expected(known.variant, near) if rows else many
    verdicts = (
        settle(ways[0], () if seen is None else seen.pass_runs[:split],
               nearby.weights[:split], nearby.inputs[:split], dtype),
        settle(ways[1], () if seen is None else seen.forward_runs[split:],
               nearby.weights[split:], nearby.inputs[split:], dtype),
    )  # fmt: skip
    for way, verdict in zip(ways, verdicts, strict=True):
        if way.left and verdict.how != "unexplained":
            return None
    return verdicts


def _branching(verified: Verified, many: Expected, known: TaskReference) -> Method:
    """A method of several paths: judged on the points that the child ran, each run by the replay of
    its own recording. Where that is not the usual one, a number such as 1.0 may be what float32 made of
    `tanh(t)` on its way through a list: such a run is judged where float32 tells right from wrong."""
    if len(verified.paths) < 2:
        return _method(verified, known)
    try:
        replayed, covered = replay_paths(verified, many.weights, many.inputs)
    except NotReplayable as problem:
        return Method(_refused(problem), None, known.points)
    usual = max(verified.paths, key=lambda path: len(path.runs))
    judged = many.judged & covered
    single = torch.ones_like(judged)
    single[list(usual.runs)] = False
    judged &= ~single | told_by_single(many, known.tolerance).all(1)
    return Method(verified, replayed, many._replace(judged=judged))


def _judged_flow(manual: Method, evidence: Evidence) -> DataFlow | None:
    """The data flow that is judged for nodes and releases: of several paths the one most taken."""
    paths, recordings = manual.verified.paths, evidence.pass_recordings
    if not paths:
        return DataFlow(recordings[0]) if recordings else None
    path = max(paths, key=lambda path: len(path.runs))
    whole = path.program.flow.recording is path.recording  # not the value or the gradients alone
    return path.program.flow if whole else DataFlow(path.recording)


def _many_points(submission: Submission, variant: Variant, seed: int, evidence: Evidence) -> Points:
    """Points that depend on the text: no table of them can stand in it."""
    text = "\0".join(unit.original for unit in submission.units).encode("utf-8", "replace")
    digest = int.from_bytes(hashlib.sha256(text).digest()[:6], "big")
    recordings = (*evidence.pass_recordings, *evidence.forward_recordings)
    ops = max((len(recording.ops) for recording in recordings), default=1)
    most = POINTS_EACH if variant.leaves else MANY_POINTS
    count = min(most, max(FEWEST_POINTS, MANY_OPS // max(ops, 1)))
    return generic_points(variant, seed + digest, count)


def _neighbours(given: Points, rows: Sequence[int]) -> Points:
    """For each of the points a neighbour, every weight and input a little off, in float32."""
    random = SystemRandom()  # who could foresee the step could undo it

    def moved(numbers: tuple[float, ...]) -> tuple[float, ...]:
        low, high = map(math.log, NEARBY)
        return tuple(
            c_float(
                number * (1 + random.choice((-1, 1)) * math.exp(random.uniform(low, high)))
            ).value
            for number in numbers
        )

    return Points(
        tuple(moved(given.weights[row]) for row in rows),
        tuple(moved(given.inputs[row]) for row in rows),
        tuple(given.regimes[row] for row in rows),
    )


def _why_observed(count: int, *methods: Method) -> list[str]:
    return [
        say_count(
            "judged on {count} point that it ran itself: {reason}",
            "judged on {count} points that it ran itself: {reason}",
            count,
            reason=method.verified.reason,
        )
        for method in methods
        if method.verified.how == "branches"
    ]

"""From a child's evidence to the case that the checks are given: what of it can be replayed, and
what must be seen again."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import torch
from msgspec.structs import replace

from ..exercises.adjoint import GRAD_OUTPUT
from ..exercises.base import Exercise
from ..exercises.functions.reference import Expected, expected
from ..exercises.functions.scenarios import Points, generic_points
from ..judging.case import Case, Draw, Method, PassCase, Tolerance
from ..judging.compare import observed_tolerance, told_by_single, wrong_at
from ..messages import say, say_count
from ..model import VALUE, Evidence, MethodName, Observation, Submission, places, width_of
from ..submission.parse import place_of
from ..trace.calls import NotReplayable
from ..trace.forks import decides, may_hide
from ..trace.graph import DataFlow
from ..trace.replay import ONE_BY_ONE, Replayed
from ..trace.verify import Verified, refused, replay_paths, verify
from .runs import Unfinished

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
MANY_OPS = 20_000
MOST_REPLAYED, FEWEST_REPLAYED = 2**28, 128
"""Bytes that a replay makes at all of its points together, and points where these would be fewer: a
loop over pixels runs thousands of ops at each."""
MANY_NUMBERS = 2**21
"""Of all these points together, as the child tells what it makes of them."""


class Explainer(NamedTuple):
    """Explains what a submission did at a draw of its task. Where one recording does not tell all
    (Python looked at a tensor, or the replay gives other results than the run), `rerun` runs it
    again on points, the first so many recorded, as `Runs.run_again` does."""

    submission: Submission
    draw: Draw
    tolerance: Tolerance
    seed: int
    rerun: Callable[[Points, int], Evidence | None]
    exercise: Exercise

    def case(self, evidence: Evidence) -> Case:
        """Verifies the recordings, replays what can be replayed, and runs the submission again
        where that is needed. Raises Unfinished."""
        manual = self._verified(evidence, "pass")
        is_forward = not evidence.forward_runs and self._gives_value(manual)
        methods: dict[MethodName, Method] = {
            "pass": manual,
            "forward": manual if is_forward else self._verified(evidence, "forward"),
        }
        unclear = [name for name, own in methods.items() if not (is_forward or _explains_all(own))]
        # a pass that is told in phases, of which no run gave a gradient, has nothing to explain
        is_phased = any(recording.phases for recording in evidence.pass_recordings)
        if is_phased and not any(run.gave_gradient() for run in evidence.pass_runs):
            unclear = [name for name in unclear if name != "pass"]
        if unclear:
            evidence = self._many(evidence, methods, unclear)
        case = Case(
            evidence=evidence,
            tolerance=self.tolerance,
            place=functools.partial(place_of, self.submission),
            exercise=self.exercise,
            submission=self.submission,
            draw=self.draw,
            forward=methods["forward"],
            manual=methods["pass"],
        )
        flow = _judged_flow(case.manual, evidence)
        return case if flow is None else PassCase(**vars(case), flow=flow, loops={})

    def _verified(self, evidence: Evidence, name: MethodName) -> Method:
        """A method by its first runs."""
        points = self.draw.child_expected.points
        return self._method(verify(evidence.recordings(name), evidence.runs(name), points))

    def _gives_value(self, manual: Method) -> bool:
        """Whether a pass that forward did not run beside gives the right value: of that nothing
        more is to be learnt."""
        if not _explains_all(manual) or manual.replayed is None:
            return False
        got, (_, outputs, judged, *_) = manual.replayed.outputs.get(VALUE), manual.expected
        right = outputs[VALUE]
        return got is not None and not wrong_at(got, right, judged[:, None], self.tolerance).any()

    def _method(self, verified: Verified) -> Method:
        """A method of one path: replayed on the grader's points, for what of it is explained."""
        program, points = verified.program, self.draw.expected
        if program is None:
            return Method(verified, None, points)
        points = points.first(max(FEWEST_REPLAYED, MOST_REPLAYED // program.made))
        try:
            try:
                replayed = program.run_at_once(points.points)
            except NotReplayable:
                points = points.first(ONE_BY_ONE)
                replayed = program.run_each(points.points)
        except NotReplayable as problem:
            return Method(refused(problem), None, points)
        return Method(verified, verified.provided(replayed.only(points.widths)), points)

    def _many(
        self, first: Evidence, methods: dict[MethodName, Method], unclear: Sequence[MethodName]
    ) -> Evidence:
        """Runs the submission on many more points, each run recorded, and puts in place of the
        methods that are unclear what these runs explain."""
        points, again = self._many_points(first), None
        with contextlib.suppress(Unfinished):
            again = self.rerun(points, len(points))
        if again is None:
            points = points.first(FEWEST_POINTS)
            again = self.rerun(points, len(points))
        if again is None:
            text = say("it did not run again on {count} other points", count=len(points))
            for name in unclear:
                if methods[name].verified.how in ("replayable", "observed"):
                    lost = Verified("unexplained", text)
                    methods[name] = Method(lost, None, self.draw.expected)
            return first
        right = expected(self.draw.variant, points)
        methods |= {name: self._explained(again, name, right) for name in unclear}
        unexplained = [n for n in unclear if methods[n].verified.how == "unexplained"]
        methods |= self._with_constants(again, right, points, unexplained)
        reasons = [
            say_count(
                "judged on {count} point that it ran itself: {reason}",
                "judged on {count} points that it ran itself: {reason}",
                len(points),
                reason=method.verified.reason,
            )
            for method in methods.values()
            if method.verified.how in ("branches", "observed")
        ]
        branching = any(len(method.verified.paths) > 1 for method in methods.values())
        return replace(
            again if branching else first,
            # breaches in any run count
            pass_recordings=(*first.pass_recordings, *again.pass_recordings),
            forward_recordings=(*first.forward_recordings, *again.forward_recordings),
            notes=(*first.notes, *reasons),
        )

    def _with_constants(
        self, many: Evidence, right: Expected, points: Points, unclear: Sequence[MethodName]
    ) -> Mapping[MethodName, Method]:
        """Those methods of which one recording explains all runs when what has no gradient is the
        same at all points: Python may calculate with numbers of it, as in
        `math.sqrt(running_var[j].item() + eps)`. Where a run of `many` is wrong, it shows that."""
        again, steady = None, self._steady(points) if unclear else None
        if steady is not None:
            with contextlib.suppress(Unfinished):
                again = self.rerun(steady, len(steady))
        if again is None or steady is None:
            return {}
        alike, methods = expected(self.draw.variant, steady), dict[MethodName, Method]()
        for name in unclear:
            verified = verify(again.recordings(name), again.runs(name), alike.points)
            if verified.how in ("replayable", "branches"):
                seen = self._seen(verified._replace(how="observed"), many.runs(name), right)
                assert seen.replayed is not None
                own, judged = seen.replayed.outputs, seen.expected.judged
                is_right = all(own[n][judged].equal(right.outputs[n][judged]) for n in own)
                methods[name] = self._branching(verified, alike) if is_right else seen
        return methods

    def _steady(self, points: Points) -> Points | None:
        """These points with the numbers of the first for what has no gradient; None where all has,
        or Python may not calculate with them."""
        leaves = self.draw.variant.leaves
        names = {leaf.name for leaf in leaves if leaf.kind == "input"} - {GRAD_OUTPUT}
        steady = {at for name, place in places(leaves).items() if name in names for at in place}
        if not steady or not self.exercise.takes_numbers:
            return None
        first, *_ = points.rows
        rows = (
            tuple([first[at] if at in steady else number for at, number in enumerate(row)])
            for row in points.rows
        )
        return Points(tuple(rows), points.regimes)

    def _many_points(self, evidence: Evidence) -> Points:
        """Points that depend on the text: no table of them can stand in it."""
        text = "\0".join(unit.original for unit in self.submission.units).encode("utf-8", "replace")
        digest = int.from_bytes(hashlib.sha256(text).digest()[:6], "big")
        recordings = (*evidence.pass_recordings, *evidence.forward_recordings)
        ops = max((len(recording.ops) for recording in recordings), default=1)
        most = MANY_POINTS if self.draw.variant.of_scalars else POINTS_EACH
        count = min(most, max(FEWEST_POINTS, MANY_OPS // max(ops, 1)))
        count = min(count, MANY_NUMBERS // width_of(self.draw.variant.leaves))
        return generic_points(self.draw.variant, self.seed + digest, count)

    def _explained(self, evidence: Evidence, name: MethodName, many: Expected) -> Method:
        """A method by runs at many points, all recorded."""
        recordings, runs = evidence.recordings(name), evidence.runs(name)
        verified = verify(recordings, runs, many.points)
        method = self._method(verified)
        if len(verified.paths) > 1 or not _is_whole(method):
            method = self._branching(verified, many)
        verified = method.verified
        if name == "forward" and verified.how == "unexplained" and self._is_loss:
            # no gradient goes through it: `loss += x.item()`, `math.log(p)` are as good
            return self._seen(verified._replace(how="observed"), runs, many)
        if verified.how != "observed":
            return method
        if may_hide(recordings):
            reason = say("the numbers in it change from run to run")
            hidden = Verified("unexplained", reason, refused=True)
            return Method(hidden, None, self.draw.expected)
        return self._seen(verified, runs, many)

    @property
    def _is_loss(self) -> bool:
        """Whether the task's value is a loss, whose adjoint nobody is sent."""
        last = self.draw.variant.leaves[-1]
        return last.name == GRAD_OUTPUT and not last.is_drawn

    def _branching(self, verified: Verified, many: Expected) -> Method:
        """A method of several paths: judged on the points that the child ran, each run by the
        replay of its own recording. Where that is not the usual one, a number such as 1.0 may be
        what float32 made of `tanh(t)` on its way through a list: such a run is judged where
        float32 tells right from wrong."""
        try:
            replayed, covered = replay_paths(verified, many.points)
        except NotReplayable as problem:
            return Method(refused(problem), None, self.draw.expected)
        usual = max(verified.paths, key=lambda path: len(path.runs))
        judged = many.judged & covered
        single = torch.ones_like(judged)
        single[list(usual.runs)] = False
        judged &= ~single | told_by_single(many, self.tolerance)
        return Method(verified, replayed.only(many.widths), many._replace(judged=judged))

    def _seen(self, verified: Verified, runs: Sequence[Observation], many: Expected) -> Method:
        """A method that no replay runs, judged by the numbers that it gave at the points (P,):
        where float32 tells right from wrong, and within ten times the tolerance, as they carry
        the roundings of the student's own formula."""
        judged = many.judged & told_by_single(many, self.tolerance)
        outputs = {}
        for name, right in many.outputs.items():
            got = torch.full_like(right, math.nan)
            for row, run in enumerate(runs):
                tensor = run.tensor(name)
                if tensor is not None and len(tensor.data) == right.shape[1]:
                    got[row] = torch.tensor(tensor.data, dtype=torch.float64)
            near = ~wrong_at(got, right, torch.tensor(True), observed_tolerance(self.tolerance))
            outputs[name] = torch.where(near, right, got)
        return Method(verified, Replayed(outputs, {}), many._replace(judged=judged))


def _explains_all(method: Method) -> bool:
    """Whether nothing more is to be learnt from other runs."""
    if method.verified.how == "faulty":
        return True
    recordings = [path.recording for path in method.verified.paths]
    return method.verified.how == "replayable" and _is_whole(method) and not decides(recordings)


def _is_whole(method: Method) -> bool:
    """Whether its recording holds at all of the grader's points."""
    return method.replayed is None or not method.replayed.refused


def _judged_flow(manual: Method, evidence: Evidence) -> DataFlow | None:
    """The data flow that is judged for nodes and releases: of several paths the one most taken."""
    paths, recordings = manual.verified.paths, evidence.pass_recordings
    if not paths:
        return DataFlow(recordings[0]) if recordings else None
    path = max(paths, key=lambda path: len(path.runs))
    whole = path.program.flow.recording is path.recording  # not the value or the gradients alone
    return path.program.flow if whole else DataFlow(path.recording)

"""The only module that knows the order of the steps, from a file to a grade."""

from __future__ import annotations

import contextlib
import functools
import re
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from .assignment import Assigned, assign, student_of
from .bank import Bank, Variant
from .casework import CHILD_POINTS, RECORDED, Known, build_case, malformed, place_of
from .checks import forward, gradient, integrity, manual_forward, release, unused_nodes
from .checks.case import Case, Tolerance
from .errors import GraderFault, SubmissionProblem, UsageProblem
from .fuzz import Points, generic_points, points
from .model import (
    CheckResult,
    CheckRules,
    Evidence,
    Finding,
    Grade,
    Status,
    Submission,
)
from .reference import autograd_cost, check_conditioning, expected
from .roster import Roster
from .rubric import Rubric, grade, not_judged_all, planned, uniform_failure
from .sensitivity import check_sensitivity
from .submission import read
from .worker.client import Outcome, Worker
from .worker.protocol import Limits, Problem, Ran, Request

CHECKS: Mapping[str, Callable[[Case, CheckRules], CheckResult]] = MappingProxyType(
    {
        module.ID: module.judge
        for module in (forward, manual_forward, gradient, unused_nodes, release, integrity)
    }
)


class Plan(Struct, frozen=True):
    """How to grade: plain values, from options or from another program.

    `seconds` and `memory` (bytes) limit one submission. `variant` is for submissions that the
    roster does not list.
    """

    variant: str | None
    class_name: str | None
    seed: int
    points: int
    rtol: float
    atol: float
    seconds: float
    memory: int
    sandbox: bool = True


class _Seen(Struct, frozen=True):
    """A submission that was read and run, and not yet judged."""

    submission: Submission | None
    problem: SubmissionProblem | None
    assigned: Assigned | None
    known: Known | None
    outcome: Outcome | None
    seconds: float


class Grader:
    """Grades submissions one after another. `close` it when done."""

    def __init__(
        self,
        plan: Plan,
        rubric: Rubric,
        bank: Bank,
        roster: Roster | None,
        worker: Worker | None = None,
    ) -> None:
        self._plan = plan
        self._tolerance = Tolerance(plan.rtol, plan.atol)
        self._rubric = rubric
        self._bank = bank
        self._roster = roster
        self._known: dict[str, Known] = {}
        self._worker = worker or Worker()
        # one thread: the worker serves one at a time, and torch need not be shared
        self._pool = ThreadPoolExecutor(1, "backprop-worker")
        self._ahead: dict[str, Future[_Seen]] = {}

    def close(self) -> None:
        """Ends the worker, also in the middle of a submission."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._worker.close()
        self._pool.shutdown()

    def prepare(self, submissions: Iterable[tuple[Path, str]]) -> None:
        """Makes ready every variant that roster, option or file names ask for.

        Raises UsageProblem, before anything is graded, for one that cannot be graded on with these
        points and tolerances.
        """
        for path, shown in submissions:
            try:
                asked = assign(path, shown, None, self._bank, self._plan.variant, self._roster)
            except UsageProblem:
                continue  # its own text may say, or it is told with its grade
            self._variant(asked.variant)

    def grade(self, path: Path, shown: str, following: tuple[Path, str] | None = None) -> Grade:
        """Grades one submission. `shown` is how reports name it.

        `following` is the one that will be graded next, if that is known: it runs while this one
        is judged. Never raises for what a submission does. A fault of ours ends as `grader_error`.
        """
        start = time.monotonic()
        try:
            seen = (self._ahead.pop(shown, None) or self._look(path, shown)).result()
            if following is not None:
                self._ahead[following[1]] = self._look(*following)
            start = time.monotonic() - seen.seconds
            return self._judge(shown, seen, start)
        except UsageProblem as problem:
            return self._not_judged(shown, f"{problem.message}; {problem.way_out}", start)
        except GraderFault as fault:
            return self._not_judged(shown, f"the grader failed: {fault}", start)
        except Exception as error:
            text = f"the grader failed: {type(error).__name__}: {error}"
            return self._not_judged(shown, text, start)

    # -- steps -----------------------------------------------------------------------------

    def _look(self, path: Path, shown: str) -> Future[_Seen]:
        return self._pool.submit(self._see, path, shown)

    def _see(self, path: Path, shown: str) -> _Seen:
        """Reads a submission, finds its variant, and runs it. In the worker's thread."""
        start = time.monotonic()
        plan, roster = self._plan, self._roster
        try:
            submission = read(path, shown)
        except SubmissionProblem as problem:
            assigned = None
            with contextlib.suppress(UsageProblem):
                assigned = assign(path, shown, None, self._bank, plan.variant, roster)
            return _Seen(None, problem, assigned, None, None, time.monotonic() - start)
        assigned = assign(path, shown, submission, self._bank, plan.variant, roster)
        known = self._variant(assigned.variant)
        outcome = self._run(submission, assigned.variant, known.child_points, RECORDED)
        return _Seen(submission, None, assigned, known, outcome, time.monotonic() - start)

    def _judge(self, shown: str, seen: _Seen, start: float) -> Grade:
        submission, outcome, assigned = seen.submission, seen.outcome, seen.assigned
        if seen.problem is not None:
            return self._failed(shown, assigned, "unreadable", seen.problem, None, start)
        assert submission is not None
        assert outcome is not None
        assert assigned is not None
        assert seen.known is not None
        if outcome.how != "answered":
            stopped = SubmissionProblem(outcome.how, _ended(outcome), _end_way_out(outcome))
            return self._failed(shown, assigned, outcome.how, stopped, submission, start)
        if isinstance(outcome.answer, Problem):
            told = outcome.answer
            unloaded = SubmissionProblem(_kind(told.kind), told.message, told.way_out, told.span)
            return self._failed(shown, assigned, "unreadable", unloaded, submission, start)
        if not isinstance(outcome.answer, Ran):
            raise GraderFault(f"the child answered nothing: {outcome.message}")
        evidence = outcome.answer.evidence
        forged = malformed(evidence, assigned.variant)
        if forged is not None:
            broken = SubmissionProblem(
                "bad-answer",
                f"its process gave an answer that the recorder cannot have made: {forged}",
                "take out whatever reaches into the grader's process",
            )
            return self._failed(shown, assigned, "crashed", broken, submission, start)
        case = build_case(
            submission,
            seen.known,
            self._tolerance,
            self._plan.seed,
            evidence,
            functools.partial(self._once_more, submission, assigned.variant),
        )
        results = [
            CHECKS[check](case, self._rubric.rules[check]) for check in planned(self._rubric)
        ]
        notes = (*assigned.notes, *case.evidence.notes)
        return grade(shown, assigned.student, assigned.variant.name, assigned.source, "graded", "",
                     results, self._rubric, time.monotonic() - start, notes)  # fmt: skip

    def _not_judged(self, shown: str, message: str, start: float) -> Grade:
        student = student_of(self._roster, shown)
        results = not_judged_all(self._rubric, message)
        return grade(shown, student, None, None, "grader_error", message, results, self._rubric,
                     time.monotonic() - start)  # fmt: skip

    def _variant(self, variant: Variant) -> Known:
        key = variant.source
        known = self._known.get(key)
        if known is None:
            judged = expected(variant, points(variant, self._plan.seed, self._plan.points))
            check_conditioning(variant, judged)
            check_sensitivity(variant, judged, self._tolerance)
            # another seed than the grader's own points: the child must not see those
            given = generic_points(variant, self._plan.seed + 1, CHILD_POINTS)
            known = self._known[key] = Known(
                variant, judged, given, expected(variant, given), autograd_cost(variant)
            )
        return known

    def _run(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Outcome:
        return self._worker.run(
            Request(
                submission.units,
                self._plan.class_name,
                variant.weights,
                variant.inputs,
                given.weights,
                given.inputs,
                recorded,
                Limits(self._plan.seconds, self._plan.memory, self._plan.sandbox),
            )
        )

    def _once_more(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Evidence | None:
        future = self._pool.submit(self._run, submission, variant, given, recorded)
        answer = future.result().answer
        return answer.evidence if isinstance(answer, Ran) else None

    def _failed(
        self,
        shown: str,
        assigned: Assigned | None,
        status: Status,
        problem: SubmissionProblem,
        submission: Submission | None,
        start: float,
    ) -> Grade:
        """A submission that could not be run to its end: 0, with one finding that says why."""
        place = place_of(submission, problem.span) if submission is not None else None
        finding = Finding(problem.kind, problem.message, place=place, hint=problem.way_out or None)
        results = uniform_failure(self._rubric, problem.message, finding)
        return grade(
            shown,
            student_of(self._roster, shown),
            None if assigned is None else assigned.variant.name,
            None if assigned is None else assigned.source,
            status,
            problem.message,
            results,
            self._rubric,
            time.monotonic() - start,
            () if assigned is None else assigned.notes,
        )


def _ended(outcome: Outcome) -> str:
    return f"the submission {'was ' if outcome.how != 'crashed' else ''}{outcome.message}"


def _kind(told: str) -> str:
    """A kind of finding as a child told it; a word of ours, for it may be anything."""
    return told if re.fullmatch("[a-z-]{1,40}", told) else "problem"


def _end_way_out(outcome: Outcome) -> str:
    if outcome.how == "timeout":
        return "look for a loop that does not end; --backprop-timeout sets the limit"
    if outcome.how == "out_of_memory":
        return "look for a tensor or list that grows; --backprop-memory sets the limit"
    return "look for exit(), os._exit() or a crash in what the class needs"

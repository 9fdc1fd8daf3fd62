"""The only module that knows the order of the steps, from a file to a grade."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import msgspec
from msgspec import Struct

from ..classroom import HandIn
from ..classroom.roster import Roster
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises.forward_backward.bank import Bank, Variant
from ..exercises.forward_backward.reference import (
    autograd_cost,
    check_conditioning,
    expected,
    left_out_note,
)
from ..exercises.forward_backward.scenarios import Points, generic_points, points
from ..messages import say
from ..model import PASS_NAMES, CheckResult, CheckRules, Evidence, Grade, Status, Submission
from ..onnx.model_file import find_model
from ..onnx.models import Models, check_installed
from ..submission import read
from ..submission.text import place_of
from ..worker.child_watch import Outcome
from ..worker.client import Worker
from ..worker.protocol import Limits, LoadProblem, Ran, Request
from .assignment import Assigned, assign
from .case_builder import CHILD_POINTS, RECORDED, TaskReference, TooSlow, build_case, malformed
from .checks import forward, gradient, integrity, manual_forward, onnx, release, unused_nodes
from .checks.case import Case, PassCase, Tolerance
from .drawing import draw
from .draws import DRAWS, references
from .draws import joined as at_all_sizes
from .failures import (
    Unfinished,
    bad_answer,
    check_makeable,
    failure,
    not_judged,
    problem_of,
    unfinished,
)
from .plugin_guard import Additions, joined
from .rubric import Rubric, grade, planned
from .sensitivity import check_sensitivity
from .vector_runs import Scales

CHECKS: Mapping[str, Callable[[Case, CheckRules], CheckResult]] = MappingProxyType(
    {
        module.ID: module.judge
        for module in (forward, manual_forward, gradient, unused_nodes, release, integrity, onnx)
    }
)


class GradingPlan(Struct, frozen=True):
    """How to grade: plain values, from options or from another program.

    `seconds` and `memory` (bytes) limit one submission. `variant` is for submissions that the
    roster does not list. `exports` is a folder that keeps exports from one run to the next.
    `drawing`: whether grades carry what pages draw. `pass_names`: what the manual pass may be called.
    `own_task`: whether a submission may set a task that the bank does not have.
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
    exports: Path | None = None
    drawing: bool = False
    pass_names: tuple[str, ...] = PASS_NAMES
    own_task: bool = False


class _Seen(Struct, frozen=True):
    """A submission that was read and run, and not yet judged."""

    submission: Submission | None
    problem: SubmissionProblem | None
    assigned: Assigned | None
    known: TaskReference | None
    outcome: Outcome | None
    weighed: Future[Outcome | None] | None
    seconds: float


class Grader:
    """Grades submissions one after another::

        plan = GradingPlan("v8", None, 0, points=4096, rtol=5e-5, atol=1e-7, seconds=20, memory=2**31)
        with contextlib.closing(Grader(plan, default_rubric(), load_bank(folder), None)) as grader:
            score = grader.grade(path, shown=path.name).score

    `close` ends the processes that it started.
    """

    def __init__(
        self,
        plan: GradingPlan,
        rubric: Rubric,
        bank: Bank,
        roster: Roster | None,
        worker: Worker | None = None,
        additions: Additions | None = None,
        handed: Mapping[str, HandIn] = MappingProxyType({}),
        on_run: Callable[[str, float], None] = lambda shown, seconds: None,
    ) -> None:
        """`handed` has, by their shown names, the submissions that are more than a file. `on_run` is
        told, in another thread, of each whose own code was run, and how many seconds that took."""
        self._plan = plan
        self._handed = handed
        self._tolerance = Tolerance(plan.rtol, plan.atol)
        self._rubric = rubric
        self._bank = bank
        self._roster = roster
        self._additions = additions or Additions()
        self._checks = {**CHECKS, **self._additions.checks}
        self._known: dict[str, tuple[TaskReference, ...]] = {}
        self._worker = worker or Worker()
        self._limits = Limits(plan.seconds, plan.memory, plan.sandbox)
        weighs = "release" in planned(rubric) and rubric.rules["release"].points > 0
        called = plan.class_name, plan.pass_names
        self._scales = Scales(self._worker, self._limits, *called) if weighs else None
        self._models: Models | None = None
        if "onnx" in planned(rubric):
            check_installed()
            self._models = Models(
                plan.seed, plan.class_name, self._limits, plan.exports, plan.pass_names
            )
        # one thread: the worker serves one at a time, and torch need not be shared
        self._pool = ThreadPoolExecutor(1, "backprop-worker")
        self._ahead: dict[str, Future[_Seen]] = {}
        self._on_run = on_run
        self._closed = False

    def close(self) -> None:
        """Ends the worker, also in the middle of a submission."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._scales is not None:
            self._scales.close()
        self._worker.close()
        if self._models is not None:
            self._models.close()
        self._pool.shutdown()
        self._worker.close()  # it may have been started again in between

    def prepare(self, submissions: Iterable[tuple[Path, str]]) -> None:
        """Makes ready every variant that roster, option or file names ask for.

        Raises UsageProblem, before anything is graded, for one that cannot be graded on with these
        points and tolerances.
        """
        if self._models is not None:
            self._models.start()
        for path, shown in submissions:
            try:
                asked = assign(path, shown, None, self._bank, self._plan.variant, self._roster)
            except UsageProblem:
                continue  # its own text may say, or it is told with its grade
            self._references(asked.variant)

    def grade(self, path: Path, shown: str, following: tuple[Path, str] | None = None) -> Grade:
        """Grades one submission. `shown` is how reports name it.

        `following` is the one that will be graded next, if that is known: it runs while this one
        is judged. Never raises for what a submission does, but MemoryError where this process may
        have no more. A fault of ours ends as `grader_error`.
        """
        start = time.monotonic()
        try:
            seen = (self._ahead.pop(shown, None) or self._look(path, shown)).result()
            if following is not None:
                self._ahead[following[1]] = self._look(*following)
            start = time.monotonic() - seen.seconds
            return self._judge(path, shown, seen, start)
        except UsageProblem as problem:
            return self._not_judged(shown, f"{problem.message}; {problem.way_out}", start)
        except GraderFault as fault:
            return self._not_judged(shown, say("the grader failed: {fault}", fault=fault), start)
        except MemoryError:
            raise
        except Exception as error:
            text = say("the grader failed: {fault}", fault=f"{type(error).__name__}: {error}")
            return self._not_judged(shown, text, start)

    # -- steps -----------------------------------------------------------------------------

    def _look(self, path: Path, shown: str) -> Future[_Seen]:
        return self._pool.submit(self._see, path, shown)

    def _see(self, path: Path, shown: str) -> _Seen:
        """Reads a submission, finds its variant, and runs it. In the worker's thread."""
        start = time.monotonic()
        try:
            return self._read_and_run(path, shown, start)
        finally:
            self._on_run(shown, time.monotonic() - start)

    def _read_and_run(self, path: Path, shown: str, start: float) -> _Seen:
        plan, roster = self._plan, self._roster
        try:
            submission = self._read(path, shown)
        except SubmissionProblem as problem:
            assigned = None
            with contextlib.suppress(UsageProblem):
                assigned = assign(path, shown, None, self._bank, plan.variant, roster)
            return _Seen(None, problem, assigned, None, None, None, time.monotonic() - start)
        assigned = assign(path, shown, submission, self._bank, plan.variant, roster, plan.own_task)
        known = self._references(assigned.variant)[0]
        weighed = None
        if self._scales is not None and not assigned.variant.leaves:
            weighed = self._scales.weigh(
                submission.units, assigned.variant, given=known.child_points
            )
            self._scales.weigh_autograd(assigned.variant)
        outcome = self._run(submission, assigned.variant, known.child_points, RECORDED)
        return _Seen(submission, None, assigned, known, outcome, weighed, time.monotonic() - start)

    def _read(self, path: Path, shown: str) -> Submission:
        handed = self._handed.get(shown)
        if handed is not None and handed.problem is not None:
            problem = handed.problem
            raise SubmissionProblem(problem.kind, problem.message, problem.way_out)
        return self._additions.loaders.get(path.suffix.lower(), read)(path, shown)

    def _judge(self, path: Path, shown: str, seen: _Seen, start: float) -> Grade:
        submission, outcome, assigned = seen.submission, seen.outcome, seen.assigned
        if seen.problem is not None:
            return self._failed(shown, assigned, "unreadable", seen.problem, None, start)
        assert submission is not None
        assert outcome is not None
        assert assigned is not None
        assert seen.known is not None
        cases: list[Case] = []
        try:
            for known in self._references(assigned.variant):
                if cases:
                    given = known.child_points
                    run = self._pool.submit(self._run, submission, known.variant, given, RECORDED)
                    outcome = run.result()
                cases.append(self._case(submission, known, outcome))
        except Unfinished as ended:
            return self._failed(shown, assigned, ended.status, ended.problem, submission, start)
        case = cases[0]
        if self._models is not None and not assigned.variant.leaves:
            found = find_model(path, self._handed.get(shown))
            model = self._models.look(
                found, submission, assigned.variant, case.evidence.weight_labels
            )
            case = replace(case, model=model)
        if self._scales is not None and seen.weighed is not None and isinstance(case, PassCase):
            again = functools.partial(self._again, submission, assigned.variant)
            measured = self._scales.measured(case, assigned.variant, seen.weighed, again)
            case = replace(case, outside=measured)
        cases[0] = case
        results = [
            at_all_sizes(
                [self._checks[check](case, self._rubric.rules[check]) for case in cases],
                [case.sizes for case in cases],
            )
            for check in planned(self._rubric)
        ]
        left_out = left_out_note(seen.known.points)
        notes = (*assigned.notes, *case.evidence.notes, *([left_out] if left_out else []))
        graded = grade(shown, assigned.student, assigned.variant.name, assigned.source, "graded",
                       "", results, self._rubric, time.monotonic() - start, notes)  # fmt: skip
        return self._drawn(graded, submission, case)

    def _case(self, submission: Submission, known: TaskReference, outcome: Outcome) -> Case:
        """The case of one run. Raises Unfinished, GraderFault."""
        if outcome.how != "answered":
            raise Unfinished(outcome.how, unfinished(outcome, self._limits))
        if isinstance(outcome.answer, LoadProblem):
            raise Unfinished("unreadable", problem_of(outcome.answer))
        if not isinstance(outcome.answer, Ran):
            raise GraderFault(f"the child answered nothing: {outcome.message}")
        evidence = outcome.answer.evidence
        forged = malformed(evidence, known.variant)
        if forged is not None:
            raise Unfinished("crashed", bad_answer(forged))
        check_makeable(evidence, self._rubric)
        rerun = functools.partial(self._once_more, submission, known.variant)
        try:
            return build_case(submission, known, self._tolerance, self._plan.seed, evidence, rerun)
        except TooSlow as slow:
            raise Unfinished("timeout", unfinished(slow.args[0], self._limits)) from slow

    def _drawn(self, graded: Grade, submission: Submission | None, case: Case | None) -> Grade:
        """The grade with its drawing, if one was asked for."""
        if not self._plan.drawing or submission is None:
            return graded
        try:
            release = self._rubric.rules.get("release")
            made = draw(submission, graded.checks, case, release.slack if release else 0)
        except MemoryError:
            raise
        except Exception as fault:  # a fault in the picture must not cost the grade
            why = say(
                "the page has no drawing: the grader failed: {fault}",
                fault=f"{type(fault).__name__}: {fault}",
            )
            return msgspec.structs.replace(graded, notes=(*graded.notes, why))
        return msgspec.structs.replace(graded, drawing=made)

    def _not_judged(self, shown: str, message: str, start: float) -> Grade:
        return not_judged(self._rubric, self._roster, shown, message, time.monotonic() - start)

    def _references(self, variant: Variant) -> tuple[TaskReference, ...]:
        """What is right, at each of the sizes that a task of matrices is judged at."""
        known = self._known.get(variant.source)
        if known is None:
            known = self._known[variant.source] = references(variant, self._reference)
        return known

    def _reference(self, variant: Variant) -> TaskReference:
        seed = self._plan.seed
        # of matrices, each of a point's numbers is judged, and at several sizes
        own = points(variant, seed, self._plan.points // (DRAWS if variant.leaves else 1))
        judged = expected(variant, joined(own, self._additions.points(variant, seed)))
        check_conditioning(variant, judged)
        check_sensitivity(variant, judged, self._tolerance)
        # another seed than the grader's own points: the child must not see those
        given = generic_points(variant, seed + 1, CHILD_POINTS)
        child, cost = expected(variant, given), autograd_cost(variant)
        return TaskReference(variant, judged, given, child, cost, self._bank.values())

    def _run(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Outcome:
        request = Request(
            submission.units,
            self._plan.class_name,
            variant.weights,
            variant.inputs,
            given.weights,
            given.inputs,
            recorded,
            self._limits,
            pass_names=self._plan.pass_names,
            leaves=variant.leaves,
        )
        try:
            return self._worker.run(request)
        except GraderFault:
            if self._closed:
                raise
            # what killed the worker may have come from outside; a second time it has not
            self._worker.start()
            return self._worker.run(request)

    def _once_more(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Evidence | None:
        future = self._pool.submit(self._run, submission, variant, given, recorded)
        outcome = future.result()
        if outcome.how == "timeout":
            raise TooSlow(outcome)
        answer = outcome.answer
        return answer.evidence if isinstance(answer, Ran) else None

    def _again(self, submission: Submission, variant: Variant, length: int) -> Outcome | None:
        """Another run on vectors, in the thread in which a zygote may be started."""
        scales = self._scales
        assert scales is not None
        given = self._references(variant)[0].child_points  # the first is recorded
        run = self._pool.submit(scales.weigh, submission.units, variant, length, given)
        return scales.result(run.result())

    def _failed(
        self,
        shown: str,
        assigned: Assigned | None,
        status: Status,
        problem: SubmissionProblem,
        submission: Submission | None,
        start: float,
    ) -> Grade:
        place = place_of(submission, problem.span) if submission is not None else None
        seconds = time.monotonic() - start
        graded = failure(
            self._rubric, self._roster, shown, assigned, status, problem, seconds, place
        )
        return self._drawn(graded, submission, None)

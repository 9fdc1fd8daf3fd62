"""The only module that knows the order of the steps, from a file to a grade."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from ..classroom.hand_in import HandInProblem
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises import FORWARD_BACKWARD
from ..exercises.base import Exercise, checks_half
from ..exercises.functions.bank import Bank, Variant
from ..exercises.functions.reference import left_out_note
from ..judging.case import Beside, Case, Draw, PassCase, Tolerance
from ..likeness.traits import traits_of
from ..messages import say
from ..model import NO_GRADE, Evidence, Grade, Status, Submission
from ..onnx.check import ID as ONNX, judge_model
from ..onnx.model_file import find_model
from ..onnx.models import Models, check_installed
from ..processes.client import Zygote
from ..processes.protocol import Limits
from ..processes.supervisor import Outcome
from ..submission import read
from ..submission.parse import place_of
from ..trace.lateness import loops_of
from .assignment import Assigned, assign
from .brief import Brief
from .case_builder import build_case, build_observed
from .drawing import draw
from .draws import judged as at_all_sizes
from .failures import (
    Unfinished,
    bad_answer,
    check_size,
    evidences_of,
    facts_of,
    failure,
    not_judged,
    unfinished,
    without_grade,
)
from .follow_through import followed
from .plugin_guard import Additions
from .provenance import RECORDED, Explainer, Provenance, TooSlow, malformed
from .rubric import Rubric, grade, planned
from .runs import Runs
from .tasks import Tasks
from .trials import TrialRuns, run_trials, trial_case


class GradingPlan(Struct, frozen=True):
    """How to grade: plain values, from options or from another program.

    `seconds` and `memory` (bytes) limit one submission. `variant` is for submissions that the
    roster does not list.
    `drawing`: whether grades carry what pages draw.
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
    drawing: bool = False
    exercise: Exercise = FORWARD_BACKWARD


class _Seen(Struct, frozen=True):
    """A submission that was read and run, and not yet judged."""

    submission: Submission | None
    problem: SubmissionProblem | None
    assigned: Assigned | None
    draws: tuple[Draw, ...] = ()
    outcome: Outcome | None = None
    trials: TrialRuns | None = None


class Grader:
    """Grades submissions one after another::

        plan = GradingPlan("v8", None, 0, points=4096, rtol=5e-5, atol=1e-7, seconds=20, memory=2**31)
        with contextlib.closing(Grader(plan, default_rubric(), load_bank(folder))) as grader:
            score = grader.grade(path, shown=path.name).score

    `close` ends the processes that it started.



    """

    def __init__(
        self,
        plan: GradingPlan,
        rubric: Rubric,
        bank: Bank,
        zygote: Zygote | None = None,
        additions: Additions | None = None,
    ) -> None:
        """The `zygote` forks what runs submissions; without one it is started when it is needed."""
        self._plan = plan
        self._tolerance = Tolerance(plan.rtol, plan.atol)
        self._rubric = rubric
        self._bank = bank
        self._additions = additions or Additions()
        self._checks = {**checks_half(plan.exercise).CHECKS, **self._additions.checks}
        self._tasks = Tasks(
            plan.exercise, bank, plan.seed, plan.points, self._tolerance, self._additions
        )
        self._limits = Limits(plan.seconds, plan.memory, plan.sandbox)
        self._runs = Runs(plan.exercise, plan.class_name, self._limits, zygote)
        self._models: Models | None = None
        if "onnx" in planned(rubric):
            check_installed()
            self._models = Models(
                plan.seed, plan.class_name, self._limits, plan.exercise.pass_names
            )

    def close(self) -> None:
        """Ends the zygotes that it started."""
        self._runs.close()
        if self._models is not None:
            self._models.close()

    def started(self) -> tuple[Zygote, ...]:
        """The zygotes that it runs submissions and models by, started again where they are gone.
        They may not be ready yet. Raises GraderFault."""
        zygotes = (self._runs.zygote, *(self._models.zygotes if self._models is not None else ()))
        for zygote in zygotes:
            zygote.start()
        return zygotes

    def prepare(self, variants: Iterable[str]) -> None:
        """Makes these variants ready. Raises UsageProblem for one that cannot be graded on with
        these points and tolerances, GraderFault."""
        self.started()
        for name in variants:
            self._tasks.draws(self._bank.get(name))

    def grade(self, path: Path, shown: str, brief: Brief | None = None) -> Grade:
        """Grades one submission. `shown` is how reports name it; without a `brief` there is nothing
        but the file, and what lies beside it.

        Never raises for what a submission does, but MemoryError where this process may have no
        more. A fault of ours ends as `grader_error`, what whoever grades has to mend as
        `not_judged`.
        """
        start = time.monotonic()
        if brief is None:
            brief = Brief(model=None if self._models is None else find_model(path))
        try:
            return self._judge(shown, brief, self._see(path, shown, brief), start)
        except (UsageProblem, GraderFault) as known:
            reason: UsageProblem | GraderFault = known
        except MemoryError:
            raise
        except Exception as error:
            reason = GraderFault(f"{type(error).__name__}: {error}")
        seconds = time.monotonic() - start
        return not_judged(self._rubric, shown, reason, seconds)

    # -- steps -----------------------------------------------------------------------------

    def _see(self, path: Path, shown: str, brief: Brief) -> _Seen:
        """Reads a submission, finds its variant, and runs it."""
        plan, roster = self._plan, brief.roster
        try:
            submission = self._read(path, shown, brief.problem)
        except SubmissionProblem as problem:
            assigned = None
            with contextlib.suppress(UsageProblem):
                assigned = assign(path, shown, None, self._bank, plan.variant, roster)
            return _Seen(None, problem, assigned)
        assigned = assign(path, shown, submission, self._bank, plan.variant, roster)
        variant = assigned.variant
        draws = self._tasks.draws(variant)
        if plan.exercise.quota:
            tried = run_trials(self._runs, submission, self._tasks.beside(variant))
            return _Seen(submission, None, assigned, trials=tried)
        outcome = self._runs.run(submission, self._tasks.scenarios(variant), RECORDED)
        return _Seen(submission, None, assigned, draws, outcome)

    def _read(self, path: Path, shown: str, problem: HandInProblem | None) -> Submission:
        if problem is not None:
            raise SubmissionProblem(problem.kind, problem.message, problem.way_out)
        return self._additions.loaders.get(path.suffix.lower(), read)(path, shown)

    def _judge(self, shown: str, brief: Brief, seen: _Seen, start: float) -> Grade:
        submission, assigned = seen.submission, seen.assigned
        if seen.problem is not None:
            return self._failed(shown, assigned, "unreadable", seen.problem, None, start)
        assert submission is not None
        assert assigned is not None
        try:
            cases = self._cases(brief, submission, seen)
        except Unfinished as ended:
            return self._failed(shown, assigned, ended.status, ended.problem, submission, start)
        case = cases[0]
        rubric = self._tasks.rubric(self._rubric, assigned)
        sound = [each for each in cases if not each.is_void] or cases
        checks: Mapping[str, Any] = self._checks
        if self._models is not None:
            check = functools.partial(judge_model, self._models, brief.model, assigned.variant)
            checks = {**checks, ONNX: check}
        results = [
            at_all_sizes(checks[check], cases if check == "forward" else sound, rubric.rules[check])
            for check in planned(self._rubric)
        ]
        if isinstance(case, Case) and len(cases) == 1:
            results = followed(results, case, rubric.rules)
        left_out = left_out_note(seen.draws[0].expected) if seen.draws else None
        notes = (*assigned.notes, *case.evidence.notes, *([left_out] if left_out else []))
        graded = grade(
            shown,
            assigned.variant.name,
            assigned.source,
            "graded",
            "",
            results,
            rubric,
            time.monotonic() - start,
            notes,
        )
        if isinstance(case, PassCase):
            graded = msgspec.structs.replace(graded, traits=traits_of(case))
        return self._drawn(graded, submission, case if isinstance(case, Case) else None)

    def _cases(self, brief: Brief, submission: Submission, seen: _Seen) -> Sequence[Any]:
        """What the checks are given, for each of the draws. Raises Unfinished, GraderFault."""
        if seen.trials is not None:
            return [trial_case(submission, seen.trials, self._limits, self._plan.exercise)]
        assert seen.assigned is not None
        draws, variant = seen.draws, seen.assigned.variant
        evidences = self._evidences(variant, seen.outcome)
        facts = [facts_of(evidence, self._plan.exercise.facts) for evidence in evidences]
        runs = self._tasks.beside(variant), evidences[len(draws) :], facts[len(draws) :]
        beside = tuple(Beside(*run) for run in zip(*runs, strict=True))
        exercise = self._plan.exercise
        if not draws:
            return [build_observed(submission, self._tolerance, exercise, beside)]
        explained = [
            self._provenance(submission, draw, evidence)
            for draw, evidence in zip(draws, evidences, strict=False)
        ]
        recordings = [each.flow.recording for each in explained if each.flow is not None]
        build = functools.partial(
            build_case,
            submission,
            self._tolerance,
            exercise,
            bank=self._bank.values(),
            loops=loops_of(recordings) if len(recordings) > 1 else {},
        )
        first = build(
            draws[0],
            explained[0],
            facts=facts[0],
            memory=0 if seen.outcome is None else seen.outcome.memory,
            beside=beside,
        )
        others = zip(draws[1:], explained[1:], facts[1:], strict=False)
        return [first, *(build(draw, each, facts=own) for draw, each, own in others)]

    def _evidences(self, variant: Variant, outcome: Outcome | None) -> tuple[Evidence, ...]:
        """What the child saw, for each of the scenarios. Raises Unfinished, GraderFault."""
        asked = self._tasks.scenarios(variant)
        evidences = evidences_of(outcome, self._limits, len(asked))
        for each, evidence in zip(asked, evidences, strict=True):
            if (forged := malformed(evidence, each, self._plan.exercise.replays)) is not None:
                raise Unfinished("crashed", bad_answer(forged))
            check_size(evidence)
        return evidences

    def _provenance(self, submission: Submission, draw: Draw, evidence: Evidence) -> Provenance:
        rerun = functools.partial(self._runs.run_again, submission, draw.variant)
        try:
            explainer = Explainer(submission, draw, self._tolerance, self._plan.seed, rerun)
            return explainer.provenance(evidence)
        except TooSlow as slow:
            raise Unfinished("timeout", unfinished(slow.args[0], self._limits)) from slow

    def _drawn(self, graded: Grade, submission: Submission | None, case: Case | None) -> Grade:
        """The grade with its drawing, if one was asked for."""
        if not self._plan.drawing or submission is None:
            return graded
        try:
            made = draw(submission, graded.checks, case)
        except MemoryError:
            raise
        except Exception as fault:  # a fault in the picture must not cost the grade
            why = say(
                "the page has no drawing: the grader failed: {fault}",
                fault=f"{type(fault).__name__}: {fault}",
            )
            return msgspec.structs.replace(graded, notes=(*graded.notes, why))
        return msgspec.structs.replace(graded, drawing=made)

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
        rubric, seconds = self._tasks.rubric(self._rubric, assigned), time.monotonic() - start
        if status in NO_GRADE:
            return without_grade(rubric, shown, status, problem.message, seconds, assigned)
        graded = failure(rubric, shown, assigned, status, problem, seconds, place)
        return self._drawn(graded, submission, None)

"""The only module that knows the order of the steps, from a file to a grade."""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from .. import rooms
from ..errors import SubmissionProblem
from ..exercises import FORWARD_BACKWARD
from ..exercises.base import Exercise, checks_half
from ..exercises.functions.bank import Bank, Variant
from ..exercises.functions.reference import left_out_note
from ..exercises.functions.scenarios import scenario
from ..extension import Judge, Loader
from ..judging.beside import refusal
from ..judging.case import Beside, Case, Draw, ObservedCase, PassCase, Tolerance, with_twins
from ..messages import say
from ..model import CheckResult, Evidence, Finding, Grade, Scenario, Submission
from ..processes.client import Worker
from ..processes.protocol import Limits
from ..rooms import ModelJudge
from ..submission import as_imported, check_amount, read
from ..submission.parse import place_of
from ..trace.calls import NO_MEMORY
from ..trace.lateness import loops_of
from .assignment import NOBODY, Brief, Briefs, Part, assign_own
from .drawing import draw
from .grades import grade, without_grade
from .provenance import RECORDED, Explainer
from .rubric import ONNX, Rubric, planned
from .runs import Runs, Unfinished, facts_of
from .tasks import Tasks
from .verdicts import at_all_sizes, followed


class GradingPlan(Struct, frozen=True):
    """How to grade. `seconds` and `memory` (bytes) limit one submission. `variant` is for
    submissions that the roster does not list. `drawing`: whether grades carry what pages draw."""

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


class Grader:
    """Grades submissions one after another::

        plan = GradingPlan("v8", None, 0, 4096, 5e-5, 1e-7, seconds=20, memory=2**31)
        with contextlib.closing(Grader(plan, default_rubric(), load_bank(folder))) as grader:
            score = grader.grade(path, shown=path.name).score

    `close` ends the processes that it started."""

    def __init__(
        self,
        plan: GradingPlan,
        rubric: Rubric,
        bank: Bank,
        worker: Worker | None = None,
        loaders: Mapping[str, Loader] = MappingProxyType({}),
        checks: Mapping[str, Judge] = MappingProxyType({}),
    ) -> None:
        """The `worker` has what runs submissions; without one it is started when it is needed.
        `loaders`, by suffix, and `checks`, by id, are those of plugins."""
        self._plan = plan
        self._tolerance = Tolerance(plan.rtol, plan.atol)
        self._rubric = rubric
        self._bank = bank
        self._loaders = loaders
        self._checks = {**checks_half(plan.exercise).CHECKS, **checks}
        self._tasks = Tasks(plan.exercise, plan.seed, plan.points, self._tolerance)
        self._limits = Limits(plan.seconds, plan.memory, plan.sandbox)
        self._runs = Runs(plan.exercise, plan.class_name, self._limits, worker)
        for module in rooms.PRELOADED:
            importlib.import_module(module)
        self._models: ModelJudge | None = None
        if ONNX in planned(rubric):
            names = plan.exercise.pass_names
            self._models = rooms.models(plan.seed, plan.class_name, self._limits, names)
        self._workers = (self._runs.worker, *(self._models.workers if self._models else ()))

    def close(self) -> None:
        """Ends the workers that it started."""
        for worker in self._workers:
            worker.close()

    def started(self) -> tuple[Worker, ...]:
        """The workers that it runs submissions and models by, started again where they are gone.
        They may not be ready yet. Raises GraderFault."""
        for worker in self._workers:
            worker.start()
        return self._workers

    def prepare(self, variants: Iterable[str]) -> None:
        """Makes these variants ready. Raises UsageProblem for one that cannot be graded on with
        these points and tolerances, GraderFault."""
        self.started()
        for name in variants:
            for accepted in self._tasks.accepted(self._bank.get(name)).values():
                self._tasks.right(accepted)

    def grade(self, path: Path, shown: str, brief: Brief | None = None) -> Grade:
        """Grades one submission. `shown` is how reports name it; without a `brief` there is nothing
        but the file, and what lies beside it. Raises UsageProblem for what whoever grades has to
        mend, GraderFault, MemoryError where this process may have no more."""
        start = time.monotonic()
        if brief is None:
            parts = (Part(self._plan.exercise.name, self._rubric),)
            (brief,) = Briefs(parts, self._bank, None, self._plan.variant, {}).of(path, shown)
        try:
            graded = self._graded(path, shown, brief)
        except RuntimeError as error:  # torch's own of a kernel that gives no more
            if any(words in str(error) for words in NO_MEMORY):
                raise MemoryError from error
            raise
        return msgspec.structs.replace(graded, seconds=time.monotonic() - start)

    # -- steps -----------------------------------------------------------------------------

    def _graded(self, path: Path, shown: str, brief: Brief) -> Grade:
        """Raises UsageProblem where the variant is unknown or cannot be graded on; GraderFault."""
        assigned, submission, variant = brief.assigned, None, None
        if assigned.variant is not None:
            variant = self._bank.get(assigned.variant)
        try:
            submission = self._read(path, shown, brief)
            if variant is None:
                assigned = assign_own(assigned, submission, self._bank)
                variant = self._bank.get(str(assigned.variant))
            support = as_imported(submission.units, self._bank.support.get(variant.name, ()))
            submission = msgspec.structs.replace(submission, support=support)
            accepted = self._tasks.accepted(variant)
            cases = self._cases(submission, [*accepted.values()])
        except Unfinished as ended:
            place = None if submission is None else place_of(submission, ended.problem.span)
            message, way_out = ended.problem.message, ended.problem.way_out
            finding = Finding(ended.problem.kind, message, place=place, hint=way_out or None)
            rubric = self._tasks.rubric(self._rubric, variant)
            graded = without_grade(rubric, shown, ended.status, message, assigned, finding)
            return self._drawn(graded, submission, None)
        rubric = self._tasks.rubric(self._rubric, variant)
        taken = self._met_best(variant, cases, rubric, brief.model)
        results, notes = self._judged(variant, cases[taken], rubric, brief.model)
        if len(cases) > 1:
            name = [*accepted][taken]
            notes.append(
                say(
                    "of the functions that are right here it meets `{name}` best, and was judged "
                    "against that",
                    name=name,
                )
            )
        graded = grade(shown, assigned, results, rubric, notes)
        if isinstance(case := cases[taken][0], PassCase):
            graded = msgspec.structs.replace(graded, traits=rooms.traits(case))
        return self._drawn(graded, submission, case)

    def _read(self, path: Path, shown: str, brief: Brief) -> Submission:
        try:
            if (problem := brief.problem) is not None:
                raise SubmissionProblem(problem.kind, problem.message, problem.way_out)
            load = self._loaders.get(path.suffix.lower(), read)
            submission = brief.submission or load(path, shown)
            units = (*submission.units, *brief.siblings)
            check_amount(sum(len(unit.original) for unit in units), shown)
            return msgspec.structs.replace(submission, units=units)
        except SubmissionProblem as reason:
            raise Unfinished("unreadable", reason) from None

    def _cases(
        self, submission: Submission, accepted: Sequence[Variant]
    ) -> Sequence[Sequence[Any]]:
        """Runs a submission once, and makes of it what the checks are given, for each of the draws
        of each of the functions that its task accepts. Raises Unfinished, UsageProblem,
        GraderFault."""
        right = [self._tasks.right(variant) for variant in accepted]
        if self._plan.exercise.quota:
            return [[self._observed(submission, self._runs.trials(submission, right[0][1]))]]
        runs = dict.fromkeys(each for of in right for each in _scenarios(*of))
        outcome, evidences = self._runs.run(submission, [*runs], RECORDED)
        by_run = dict(zip(runs, evidences, strict=True))
        return [self._cases_of(submission, *of, by_run, outcome.memory) for of in right]

    def _cases_of(
        self,
        submission: Submission,
        draws: Sequence[Draw],
        references: Sequence[Any],
        by_run: Mapping[Scenario, Evidence],
        memory: int,
    ) -> Sequence[Any]:
        evidences = [by_run[each] for each in _scenarios(draws, references)]
        facts = [facts_of(evidence, self._plan.exercise.facts) for evidence in evidences]
        runs = tuple(map(Beside, references, evidences[len(draws) :], facts[len(draws) :]))
        if not draws:
            return [self._observed(submission, runs)]
        cases = [
            self._case(submission, *each) for each in zip(draws, evidences, facts, strict=False)
        ]
        refusals = [refusal(cases[0], run) for run in runs]
        runs = tuple(run for run, note in zip(runs, refusals, strict=True) if note is None)
        notes = (*cases[0].evidence.notes, *filter(None, refusals))
        evidence = msgspec.structs.replace(cases[0].evidence, notes=notes)
        cases[0] = replace(cases[0], memory=memory, evidence=evidence)
        # runs as of draws are judged after these, where all gradients are
        last = max((at for at, case in enumerate(cases) if case.needs_all), default=len(cases) - 1)
        for at, is_draw in ((0, False), (last, True)):
            own = tuple(run for run in runs if run.reference.is_draw == is_draw)
            cases[at] = replace(cases[at], beside=cases[at].beside + own)
        recordings = [case.recording for case in cases if isinstance(case, PassCase)]
        if len(recordings) > 1:
            loops = loops_of(recordings)
            cases = [replace(c, loops=loops) if isinstance(c, PassCase) else c for c in cases]
        # the search for the line that is wrong runs once a method
        search = functools.cache(functools.partial(rooms.locate, cases, self._bank.of_scalars))
        return with_twins(replace(case, locate=search) for case in cases)

    def _observed(self, submission: Submission, beside: tuple[Beside, ...]) -> ObservedCase:
        return ObservedCase(
            evidence=beside[0].evidence,
            tolerance=self._tolerance,
            place=functools.partial(place_of, submission),
            exercise=self._plan.exercise,
            submission=submission,
            beside=beside,
        )

    def _case(self, submission: Submission, draw: Draw, evidence: Evidence, facts: Any) -> Case:
        rerun = functools.partial(self._runs.run_again, submission, draw.variant)
        plan = self._plan
        explainer = Explainer(submission, draw, self._tolerance, plan.seed, rerun, plan.exercise)
        return replace(explainer.case(evidence), facts=facts)

    def _met_best(
        self, variant: Variant, cases: Sequence[Sequence[Any]], rubric: Rubric, model: bytes
    ) -> int:
        """Which of the functions that a task accepts a submission's forward calculates; of those
        that it calculates as well, the first by which it earns most; of those by which it earns as
        much, the first by which a line can be told."""
        if len(cases) == 1:
            return 0
        silent = [[replace(case, locate=Case.locate) for case in of] for of in cases]
        graded = [self._judged(variant, of, rubric, model)[0] for of in silent]
        forward = [sum(r.fraction for r in of if r.id == "forward") for of in graded]
        scores = [grade("", NOBODY, results, rubric).score for results in graded]
        met = [*zip(forward, scores, strict=True)]
        best = [at for at, each in enumerate(met) if each == max(met)]
        ties = best if len(best) > 1 else []
        return next((at for at in ties if cases[at][0].locate("pass").findings), best[0])

    def _judged(
        self, variant: Variant, cases: Sequence[Any], rubric: Rubric, model: bytes
    ) -> tuple[list[CheckResult], list[str]]:
        """The verdicts of the planned checks, and notes on the submission."""
        checks = self._checks
        if self._models is not None:
            checks = {**checks, ONNX: self._models.check(model, variant)}
        sound = [each for each in cases if not each.is_void] or cases
        results = [
            at_all_sizes(checks[check], cases if check == "forward" else sound, rubric.rules[check])
            for check in planned(self._rubric)
        ]
        case = cases[0]
        notes = [*case.evidence.notes]
        if isinstance(case, Case):
            if len(cases) == 1:
                results = followed(results, case, rubric.rules)
            notes += filter(None, [left_out_note(case.draw.expected)])
        return results, notes

    def _drawn(self, graded: Grade, submission: Submission | None, case: Any) -> Grade:
        """The grade with its drawing, if one was asked for."""
        if not self._plan.drawing or submission is None:
            return graded
        try:
            return msgspec.structs.replace(graded, drawing=draw(submission, case))
        except Exception as fault:  # a fault in the picture must not cost the grade
            why = say(
                "the page has no drawing: the grader failed: {fault}",
                fault=f"{type(fault).__name__}: {fault}",
            )
            return msgspec.structs.replace(graded, notes=(*graded.notes, why))


def _scenarios(draws: Sequence[Draw], references: Sequence[Any]) -> list[Scenario]:
    """What a submission is run at: the draws of its task, and the runs beside them."""
    runs = [scenario(draw.variant, draw.child_points) for draw in draws]
    return [*runs, *(each.scenario for each in references)]

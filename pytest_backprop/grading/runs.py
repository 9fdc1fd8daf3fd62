"""Runs submissions, each in a process of its own, and tells how a run ended; and the trials of
those that are judged by what is seen from outside while they run."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from ..errors import GraderFault, SubmissionProblem
from ..exercises.base import Exercise, checks_half
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..messages import say
from ..model import Evidence, Scenario, Span, Status, Submission
from ..processes.client import Zygote
from ..processes.folder import HeldFile, held_files, make_folder, remove_folder
from ..processes.protocol import Limits, LoadProblem, Ran, Request, bounded
from ..processes.supervisor import FRAMES, Outcome
from ..submission.parse import place_of

TOO_LARGE = "TooLarge"
"""The fault of a run that was larger than a recording may be, by its name: `trace.validate`, which
has it, needs torch."""
FRAME = re.compile(r'^  File "<submission (\d{1,9})>", line (\d{1,9}) in (.*)$', re.MULTILINE)
"""A frame of the submission's in what faulthandler writes."""


class Unfinished(Exception):
    """A submission that did not run, or was not judged, to its end: its status and what to tell."""

    def __init__(self, status: Status, problem: SubmissionProblem) -> None:
        super().__init__(problem.message)
        self.status = status
        self.problem = problem


class TooSlow(Exception):
    """A run was stopped when its time was up; the argument is its `Outcome`. On few points, this
    shows a slow submission or a busy machine, and not that work is hidden."""


class Runs:
    """What runs the submissions of an exercise within limits."""

    def __init__(
        self, exercise: Exercise, class_name: str | None, limits: Limits, zygote: Zygote | None
    ) -> None:
        self._exercise, self._class_name, self._limits = exercise, class_name, limits
        self.zygote = zygote or Zygote(halves=(exercise.child,))
        """Forks what runs submissions."""

    def run(
        self, submission: Submission, scenarios: Sequence[Scenario], recorded: int
    ) -> tuple[Outcome, tuple[Evidence, ...]]:
        """Runs a submission, at each scenario the first so many points recorded. Raises Unfinished,
        GraderFault."""
        outcome = self.zygote.run(self._request(submission, scenarios, recorded))
        evidences = evidences_of(outcome, self._limits, len(scenarios))
        for evidence in evidences:
            for run in (*evidence.pass_runs, *evidence.forward_runs):
                # it came to its end at points that were not recorded: the bound is ours, no zero
                if run.fault is not None and run.fault.kind == TOO_LARGE:
                    message = say(
                        "{reason}; write the pass in fewer ops on smaller tensors",
                        reason=run.fault.message,
                    )
                    raise Unfinished("not_judged", SubmissionProblem("too-large", message, ""))
        return outcome, evidences

    def run_again(
        self, submission: Submission, variant: Variant, at: Points, recorded: int
    ) -> Evidence | None:
        """What a submission does at other points; None if it answered nothing. Raises TooSlow,
        GraderFault."""
        outcome = self.zygote.run(self._request(submission, [scenario(variant, at)], recorded))
        if outcome.how == "timeout":
            raise TooSlow(outcome)
        answer = outcome.answer
        return answer.evidences[0] if isinstance(answer, Ran) and answer.evidences else None

    def _request(
        self, submission: Submission, scenarios: Sequence[Scenario], recorded: int
    ) -> Request:
        return Request(
            submission.units,
            self._class_name,
            tuple(scenarios),
            recorded,
            self._limits,
            pass_names=self._exercise.pass_names,
            child=self._exercise.child,
        )

    # -- trials -----------------------------------------------------------------------------

    def trial_case(self, submission: Submission, references: Sequence[Any]) -> Any:
        """Runs a submission in the trial of each reference, and gives what the checks are given.
        Those whose files are emptied have each a process of its own, as that may end it. Raises
        Unfinished, GraderFault."""
        exercise, half = self._exercise, checks_half(self._exercise)
        usual = [each for each in references if not each.is_emptied]
        outcome, left_over = self._tried(submission, usual)
        evidences = evidences_of(outcome, self._limits, len(usual))
        looks = iter(outcome.stops)
        trials = []
        before: set[str] = set()  # what an earlier trial left
        for reference, evidence in zip(usual, evidences, strict=True):
            files_at = {name: next(looks) for name in reference.stops}
            stops = {
                name: tuple(file for file in files if file.path not in before)
                for name, files in files_at.items()
            }
            trials.append(half.Trial(reference, facts_of(evidence, exercise.facts), stops))
            before = {file.path for file in files_at["freed"]}
        return half.TrialCase(
            submission=submission,
            place=functools.partial(place_of, submission),
            evidence=evidences[0],
            exercise=exercise,
            trials=tuple(trials),
            left=left_over,
            emptied=tuple(self._emptied(submission, r) for r in references if r.is_emptied),
        )

    def _emptied(self, submission: Submission, reference: Any) -> Any:
        """The trial of one whose files are emptied at its last stop. Raises Unfinished where it did
        not come so far, GraderFault."""
        count = len(reference.stops)
        outcome, _ = self._tried(submission, [reference], emptied=(count - 1,))
        if len(outcome.stops) != count:
            evidences_of(outcome, self._limits, 1)
            raise bad_answer(say("it did not run all points"))
        facts, answer = None, outcome.answer
        if isinstance(answer, Ran) and len(answer.evidences) == 1:  # else its empty files ended it
            facts = facts_of(answer.evidences[0], self._exercise.facts)
        return reference, facts

    def _tried(
        self, submission: Submission, references: Sequence[Any], emptied: tuple[int, ...] = ()
    ) -> tuple[Outcome, tuple[HeldFile, ...]]:
        """Runs a submission in a folder of its own, which it may write to. It stops itself where
        the references say; after the stops in `emptied` its files are empty. Gives also the files
        that are left. Raises GraderFault."""
        folder = make_folder()
        try:
            request = replace(
                self._request(submission, [each.scenario for each in references], 0),
                limits=replace(self._limits, folder=folder, quota=self._exercise.quota),
                stops=sum(len(each.stops) for each in references),
                emptied=emptied,
            )
            return self.zygote.run(request), held_files(folder)
        finally:
            remove_folder(folder)


# -- what a child answered ----------------------------------------------------------------------


def evidences_of(outcome: Outcome, limits: Limits, count: int) -> tuple[Evidence, ...]:
    """What a child saw, which was asked for so many runs. Raises Unfinished, GraderFault."""
    answer = outcome.answer
    if outcome.how != "answered":
        raise Unfinished(outcome.how, unfinished(outcome, limits))
    if isinstance(answer, LoadProblem):
        # a word of ours, for what a child tells may be anything
        kind = answer.kind if re.fullmatch("[a-z-]{1,40}", answer.kind) else "problem"
        problem = SubmissionProblem(kind, answer.message, answer.way_out, answer.span)
        raise Unfinished("unreadable", problem)
    if not isinstance(answer, Ran):
        raise GraderFault(f"the child answered nothing: {outcome.message}")
    if len(answer.evidences) != count:
        raise bad_answer(say("it did not run all points"))
    return answer.evidences


def facts_of(evidence: Evidence, kind: type[Any] | None) -> Any:
    """What the exercise saw beside the runs, of the type that it has for that; None where it has
    none. Raises Unfinished."""
    try:
        return None if kind is None else bounded(msgspec.msgpack.decode(evidence.facts, type=kind))
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise bad_answer(say("no facts beside the runs")) from None


def bad_answer(reason: str) -> Unfinished:
    """Of an answer that is no evidence, for a reason."""
    message = say(
        "its process gave an answer that the recorder cannot have made: {reason}", reason=reason
    )
    way_out = say("take out whatever reaches into the grader's process")
    return Unfinished("crashed", SubmissionProblem("bad-answer", message, way_out))


def unfinished(outcome: Outcome, limits: Limits) -> SubmissionProblem:
    """The problem of a child that gave no answer; where it was ended for its time or its output,
    with the line at which it was, by what faulthandler wrote last."""
    frames = FRAME.findall(outcome.output.rpartition(FRAMES.decode())[2])
    site = None
    if frames and outcome.ended in ("timeout", "output"):
        unit, line = map(int, frames[0][:2])
        site = Span(unit, line, 0, line, 0)
    if outcome.how == "timeout":
        message = say("the submission was stopped after {seconds:g} s", seconds=limits.seconds)
        way_out = say("look for a loop that does not end; --backprop-timeout sets the limit")
        if any(function == "<module>" for _, _, function in frames):
            way_out = say(
                "that line runs when the submission is loaded, which needs what it binds or may "
                'change: make it short, or indent it below `if __name__ == "__main__":` if it is '
                "a test"
            )
    elif outcome.how == "out_of_memory":
        message = say(
            "the submission was stopped at {used:.0f} MB; the limit is {limit:.0f} MB",
            used=outcome.memory / 2**20,
            limit=limits.memory / 2**20,
        )
        way_out = say("look for a tensor or list that grows; --backprop-memory sets the limit")
    else:
        message = say("the submission's process did not end well: {reason}", reason=outcome.message)
        way_out = say("look for `exit()`, `os._exit()` or a crash in what the class needs")
        if outcome.ended == "output":
            way_out = say("print less; look for a `print` in a loop that does not end")
        elif outcome.ended == "quota":
            way_out = say(
                "write each saved tensor once, and remove its file when it is not needed any more"
            )
    return SubmissionProblem(outcome.how, message, way_out, site)

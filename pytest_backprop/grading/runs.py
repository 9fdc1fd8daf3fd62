"""Runs of submissions, each in a process of its own; and the trials of those that are judged by
what is seen from outside while they run."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ..exercises.base import Exercise, checks_half
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..messages import say
from ..model import Evidence, Scenario, Submission
from ..processes.client import Zygote
from ..processes.protocol import Limits, Ran, Request
from ..processes.supervisor import Outcome
from ..processes.usage import HeldFile, held_files, make_folder, remove_folder
from ..submission.parse import place_of
from .failures import Unfinished, bad_answer, evidences_of, facts_of, unfinished
from .provenance import TooSlow


class Runs:
    """What runs the submissions of an exercise within limits."""

    def __init__(
        self, exercise: Exercise, class_name: str | None, limits: Limits, zygote: Zygote | None
    ) -> None:
        self._exercise, self._class_name, self._limits = exercise, class_name, limits
        self.zygote = zygote or Zygote(halves=(exercise.child,))
        """Forks what runs submissions."""

    def run(self, submission: Submission, scenarios: Sequence[Scenario], recorded: int) -> Outcome:
        """Runs a submission, at each scenario the first so many points recorded. Raises
        GraderFault."""
        return self.zygote.run(self._request(submission, scenarios, recorded))

    def run_again(
        self, submission: Submission, variant: Variant, at: Points, recorded: int
    ) -> Evidence | None:
        """What a submission does at other points; None if it answered nothing. Raises TooSlow,
        GraderFault."""
        outcome = self.run(submission, [scenario(variant, at)], recorded)
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
        seen = iter(outcome.stops)
        trials = []
        before: frozenset[str] = frozenset()
        for reference, evidence in zip(usual, evidences, strict=True):
            stops = {name: next(seen) for name in reference.stops}
            left = frozenset(file.path for file in stops["freed"])
            stops = {name: _without(files, before) for name, files in stops.items()}
            trials.append(half.Trial(reference, facts_of(evidence, exercise.facts), stops))
            before = left
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
            if outcome.how == "answered":
                raise bad_answer(say("it did not run all points"))
            raise Unfinished(outcome.how, unfinished(outcome, self._limits))
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


def _without(files: tuple[HeldFile, ...], paths: frozenset[str]) -> tuple[HeldFile, ...]:
    """What was seen but for the files that an earlier trial left."""
    return tuple(file for file in files if file.path not in paths)

"""Runs of submissions, each in a process of its own; and the trials of those that are judged by
what is seen from outside while they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..judging.case import Beside
from ..model import Evidence, Scenario, Submission
from ..processes.client import Zygote
from ..processes.protocol import Limits, Ran, Request
from ..processes.supervisor import Outcome
from ..processes.usage import make_folder, remove_folder
from .failures import evidences_of, facts_of
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

    def trials(self, submission: Submission, references: Sequence[Any]) -> tuple[Beside, ...]:
        """Runs a submission in the trial of each reference, in a folder of its own, which it may
        write to. It stops itself where the references say. Raises Unfinished, GraderFault."""
        folder = make_folder()
        try:
            request = replace(
                self._request(submission, [each.scenario for each in references], 0),
                limits=replace(self._limits, folder=folder, quota=self._exercise.quota),
                stops=sum(len(each.stops) for each in references),
            )
            outcome = self.zygote.run(request)
        finally:
            remove_folder(folder)
        evidences = evidences_of(outcome, self._limits, len(references))
        seen, left = iter(outcome.stops), frozenset[str]()
        trials = []
        for reference, evidence in zip(references, evidences, strict=True):
            stops = {name: next(seen) for name in reference.stops}
            own = {
                name: [file for file in files if file.path not in left]
                for name, files in stops.items()
            }
            facts = facts_of(evidence, self._exercise.facts)
            trials.append(Beside(reference, evidence, facts, own))
            left = frozenset(file.path for file in stops[reference.stops[-1]])
        return tuple(trials)

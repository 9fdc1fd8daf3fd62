"""Runs of submissions, each in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..model import Evidence, Scenario, Submission
from ..processes.client import Zygote
from ..processes.folder import HeldFile, held_files, make_folder, remove_folder
from ..processes.protocol import Limits, Ran, Request
from ..processes.supervisor import Outcome
from .provenance import TooSlow


class Tried(NamedTuple):
    """What came of a submission's trials, and what was left in their folder."""

    outcome: Outcome
    left: tuple[HeldFile, ...]


class Runs:
    """What runs the submissions of an exercise within limits."""

    def __init__(
        self, exercise: Exercise, class_name: str | None, limits: Limits, zygote: Zygote | None
    ) -> None:
        self._exercise, self._class_name, self._limits = exercise, class_name, limits
        self.zygote = zygote or Zygote(halves=(exercise.child,))
        """Forks what runs submissions."""

    def close(self) -> None:
        """Ends the zygote, if it was started here."""
        self.zygote.close()

    def run(self, submission: Submission, scenarios: Sequence[Scenario], recorded: int) -> Outcome:
        """Runs a submission, at each scenario the first so many points recorded. Raises
        GraderFault."""
        request = Request(
            submission.units,
            self._class_name,
            tuple(scenarios),
            recorded,
            self._limits,
            pass_names=self._exercise.pass_names,
            child=self._exercise.child,
        )
        return self.zygote.run(request)

    def run_trials(
        self,
        submission: Submission,
        scenarios: Sequence[Scenario],
        stops: int,
        emptied: tuple[int, ...] = (),
    ) -> Tried:
        """Runs a submission in a folder of its own, which it may write to; it stops itself so
        often, and after the stops in `emptied` its files are empty. Raises GraderFault."""
        folder = make_folder()
        try:
            limits = replace(self._limits, folder=folder, quota=self._exercise.quota)
            request = Request(
                submission.units,
                self._class_name,
                tuple(scenarios),
                0,
                limits,
                stops=stops,
                emptied=emptied,
                pass_names=self._exercise.pass_names,
                child=self._exercise.child,
            )
            outcome = self.zygote.run(request)
            return Tried(outcome, held_files(folder, contents=False))
        finally:
            remove_folder(folder)

    def run_again(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Evidence | None:
        """What a submission does at other points; None if it answered nothing. Raises TooSlow,
        GraderFault."""
        outcome = self.run(submission, [scenario(variant, given)], recorded)
        if outcome.how == "timeout":
            raise TooSlow(outcome)
        answer = outcome.answer
        return answer.evidences[0] if isinstance(answer, Ran) and answer.evidences else None

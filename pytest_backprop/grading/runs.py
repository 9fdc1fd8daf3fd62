"""Runs of submissions: in the worker's children, one at a time."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ..errors import GraderFault, UsageProblem
from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..messages import say
from ..model import Evidence, Scenario, Submission
from ..worker.child_watch import Outcome
from ..worker.client import Worker
from ..worker.folder import HeldFile, held_files, make_folder, remove_folder
from ..worker.protocol import Limits, Ran, Request
from .settlement import TooSlow


class Tried(NamedTuple):
    """What came of a submission's trials, and what was left in their folder."""

    outcome: Outcome
    left: tuple[HeldFile, ...]


class Runs:
    """What runs the submissions of an exercise within limits."""

    def __init__(
        self, exercise: Exercise, class_name: str | None, limits: Limits, worker: Worker | None
    ) -> None:
        self._exercise, self._class_name, self._limits = exercise, class_name, limits
        self._worker = worker or Worker(halves=(exercise.child,))

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()

    def check_kind(self) -> None:
        """Raises UsageProblem where this torch cannot have the kind of exercise, GraderFault for a worker that does
        not come up."""
        hello = self._worker.ready()
        kind = self._exercise.name
        reason = hello.left_out.get(self._exercise.child)
        if reason is not None:
            raise UsageProblem(
                say("the kind {kind} cannot be graded with torch {version}: {reason}",
                    kind=kind, version=hello.torch, reason=reason),
                say("install a torch that the README names; the other kinds are graded with this one"),
            )  # fmt: skip

    def run(self, submission: Submission, scenarios: Sequence[Scenario], recorded: int) -> Outcome:
        """Runs a submission, at each scenario the first so many points recorded. Raises GraderFault."""
        request = Request(
            submission.units,
            self._class_name,
            tuple(scenarios),
            recorded,
            self._limits,
            pass_names=self._exercise.pass_names,
            child=self._exercise.child,
        )
        return self._run(request)

    def run_trials(
        self,
        submission: Submission,
        scenarios: Sequence[Scenario],
        stops: int,
        emptied: tuple[int, ...] = (),
    ) -> Tried:
        """Runs a submission in a folder of its own, which it may write to; it stops itself so often, and after
        the stops in `emptied` its files are empty. Raises GraderFault."""
        folder = make_folder()
        try:
            limits = replace(self._limits, folder=folder, quota=self._exercise.quota)
            request = Request(
                submission.units,
                self._class_name,
                tuple(scenarios),
                0,
                limits,
                stops=tuple(secrets.token_bytes(16) for _ in range(stops)),
                emptied=emptied,
                pass_names=self._exercise.pass_names,
                child=self._exercise.child,
            )
            outcome = self._run(request)
            return Tried(outcome, held_files(folder, contents=False))
        finally:
            remove_folder(folder)

    def _run(self, request: Request) -> Outcome:
        self.check_kind()
        try:
            return self._worker.run(request)
        except GraderFault:
            # what killed the worker may have come from outside; a second time it has not
            return self._worker.run(request)

    def run_again(
        self, submission: Submission, variant: Variant, given: Points, recorded: int
    ) -> Evidence | None:
        """What a submission does at other points; None if it answered nothing. Raises TooSlow, GraderFault."""
        outcome = self.run(submission, [scenario(variant, given)], recorded)
        if outcome.how == "timeout":
            raise TooSlow(outcome)
        answer = outcome.answer
        return answer.evidences[0] if isinstance(answer, Ran) and answer.evidences else None

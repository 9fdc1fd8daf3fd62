"""Submissions that are judged by what is seen from outside while they run: their trials, and the
case of them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..exercises.base import Exercise, checks_half
from ..model import Submission
from ..processes.folder import HeldFile
from ..processes.protocol import Limits, Ran
from ..processes.supervisor import Outcome
from ..submission.parse import place_of
from .failures import Unfinished, evidences_of, facts_of, not_all_ran, unfinished
from .runs import Runs, Tried


class TrialRuns(NamedTuple):
    """The trials of a submission, each reference's in turn; and those whose files were emptied,
    each in a process of its own, as that may end it."""

    references: tuple[Any, ...]
    tried: Tried
    emptied: tuple[tuple[Any, Tried], ...]


def run_trials(runs: Runs, submission: Submission, references: Sequence[Any]) -> TrialRuns:
    """Runs a submission in its trials. Raises GraderFault."""
    usual = tuple(each for each in references if not each.is_emptied)
    stops = sum(len(each.stops) for each in usual)
    tried = runs.run_trials(submission, [each.scenario for each in usual], stops)
    emptied = []
    for each in references if isinstance(tried.outcome.answer, Ran) else ():
        if each.is_emptied:
            count = len(each.stops)
            emptied.append(
                (each, runs.run_trials(submission, [each.scenario], count, (count - 1,)))
            )
    return TrialRuns(usual, tried, tuple(emptied))


def trial_case(submission: Submission, seen: TrialRuns, limits: Limits, exercise: Exercise) -> Any:
    """What the checks are given. Raises Unfinished, GraderFault."""
    half, outcome = checks_half(exercise), seen.tried.outcome
    evidences = evidences_of(outcome, limits, len(seen.references))
    stops = iter(outcome.stops)
    trials = []
    before: frozenset[str] = frozenset()
    for reference, evidence in zip(seen.references, evidences, strict=True):
        own = {name: next(stops) for name in reference.stops}
        left = frozenset(file.path for file in own["freed"])
        own = {name: _without(files, before) for name, files in own.items()}
        trials.append(half.Trial(reference, facts_of(evidence, exercise.facts), own))
        before = left
    return half.TrialCase(
        submission=submission,
        place=functools.partial(place_of, submission),
        evidence=evidences[0],
        exercise=exercise,
        trials=tuple(trials),
        left=seen.tried.left,
        emptied=tuple(
            _emptied(each, tried.outcome, limits, exercise) for each, tried in seen.emptied
        ),
    )


def _without(files: tuple[HeldFile, ...], paths: frozenset[str]) -> tuple[HeldFile, ...]:
    """What was seen but for the files that an earlier trial left."""
    return tuple(file for file in files if file.path not in paths)


def _emptied(reference: Any, outcome: Outcome, limits: Limits, exercise: Exercise) -> Any:
    """Raises Unfinished where it did not come so far that there was something to be emptied."""
    if len(outcome.stops) != len(reference.stops):
        if outcome.how == "answered":
            raise not_all_ran()
        raise Unfinished(outcome.how, unfinished(outcome, limits))
    return checks_half(exercise).EmptiedTrial(reference, _answered(outcome, exercise))


def _answered(outcome: Outcome, exercise: Exercise) -> Any:
    """What the child told in the end, None if its empty files ended it."""
    answer = outcome.answer
    if isinstance(answer, Ran) and len(answer.evidences) == 1:
        return facts_of(answer.evidences[0], exercise.facts)
    return None

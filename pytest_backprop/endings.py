"""How a submission that did not run to its end is told to its student."""

from __future__ import annotations

import re

from .errors import SubmissionProblem
from .messages import say
from .worker.client import Outcome
from .worker.protocol import Limits, Problem


def unfinished(outcome: Outcome, limits: Limits) -> SubmissionProblem:
    """The problem of a child that gave no answer."""
    return SubmissionProblem(outcome.how, _message(outcome, limits), _way_out(outcome))


def problem_of(told: Problem) -> SubmissionProblem:
    """The problem that a child tells. Its kind is a word of ours, for it may be anything."""
    kind = told.kind if re.fullmatch("[a-z-]{1,40}", told.kind) else "problem"
    return SubmissionProblem(kind, told.message, told.way_out, told.span)


def _message(outcome: Outcome, limits: Limits) -> str:
    if outcome.how == "timeout":
        return say("the submission was stopped after {seconds:g} s", seconds=limits.seconds)
    if outcome.how == "out_of_memory":
        return say(
            "the submission was stopped at {used:.0f} MB; the limit is {limit:.0f} MB",
            used=outcome.memory / 2**20,
            limit=limits.memory / 2**20,
        )
    return say("the submission's process did not end well: {reason}", reason=outcome.message)


def _way_out(outcome: Outcome) -> str:
    if outcome.how == "timeout":
        return say("look for a loop that does not end; --backprop-timeout sets the limit")
    if outcome.how == "out_of_memory":
        return say("look for a tensor or list that grows; --backprop-memory sets the limit")
    return say("look for exit(), os._exit() or a crash in what the class needs")

"""How a submission that did not run to its end, or was not judged to its end, is told and
graded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..messages import say
from ..model import CheckResult, Evidence, Finding, Grade, Place, Span, Status
from ..processes.protocol import Limits, LoadProblem, Ran, bounded
from ..processes.supervisor import FRAMES, How, Outcome
from .assignment import Assigned
from .rubric import Rubric, grade, uniform_failure


class Unfinished(Exception):
    """A submission that did not run, or was not judged, to its end: its status and what to tell."""

    def __init__(self, status: Status, problem: SubmissionProblem) -> None:
        super().__init__(problem.message)
        self.status = status
        self.problem = problem


def bad_answer(reason: str) -> SubmissionProblem:
    """The problem of an answer that is no evidence, for a reason."""
    return SubmissionProblem(
        "bad-answer",
        say(
            "its process gave an answer that the recorder cannot have made: {reason}",
            reason=reason,
        ),
        say("take out whatever reaches into the grader's process"),
    )


def evidences_of(outcome: Outcome | None, limits: Limits, count: int) -> tuple[Evidence, ...]:
    """What a child saw, which was asked for so many runs. Raises Unfinished, GraderFault."""
    assert outcome is not None
    if outcome.how != "answered":
        raise Unfinished(outcome.how, unfinished(outcome, limits))
    if isinstance(outcome.answer, LoadProblem):
        raise Unfinished("unreadable", problem_of(outcome.answer))
    if not isinstance(outcome.answer, Ran):
        raise GraderFault(f"the child answered nothing: {outcome.message}")
    if len(outcome.answer.evidences) != count:
        raise not_all_ran()
    return outcome.answer.evidences


def not_all_ran() -> Unfinished:
    """Of a child that ended well, and too early."""
    return Unfinished("crashed", bad_answer(say("it did not run all points")))


def facts_of(evidence: Evidence, kind: type[Any] | None) -> Any:
    """What the exercise saw beside the runs, of the type that it has for that; None where it has
    none. Raises Unfinished."""
    try:
        return None if kind is None else bounded(msgspec.msgpack.decode(evidence.facts, type=kind))
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise Unfinished("crashed", bad_answer(say("no facts beside the runs"))) from None


def failure(
    rubric: Rubric,
    shown: str,
    assigned: Assigned | None,
    status: Status,
    problem: SubmissionProblem,
    seconds: float,
    place: Place | None = None,
) -> Grade:
    """A submission that could not be run or judged to its end: 0, with one finding that says
    why."""
    finding = Finding(problem.kind, problem.message, place=place, hint=problem.way_out or None)
    results = uniform_failure(rubric, problem.message, finding)
    return _grade(rubric, shown, assigned, status, problem.message, results, seconds)


def not_judged(
    rubric: Rubric, shown: str, reason: GraderFault | UsageProblem, seconds: float
) -> Grade:
    """A submission that is not judged: for a fault of ours, or for what whoever grades has to
    mend."""
    status: Status = "grader_error"
    message = say("the grader failed: {fault}", fault=reason)
    if isinstance(reason, UsageProblem):
        status = "not_judged"
        message = "; ".join(text for text in (reason.message, reason.way_out) if text)
    return without_grade(rubric, shown, status, message, seconds)


def without_grade(
    rubric: Rubric,
    shown: str,
    status: Status,
    message: str,
    seconds: float,
    assigned: Assigned | None = None,
) -> Grade:
    """A submission of which nothing was judged; `status` is one of NO_GRADE, for which every check
    says the message."""
    return _grade(rubric, shown, assigned, status, message, (), seconds)


def _grade(
    rubric: Rubric,
    shown: str,
    assigned: Assigned | None,
    status: Status,
    message: str,
    results: Sequence[CheckResult],
    seconds: float,
) -> Grade:
    variant = source = None
    notes: tuple[str, ...] = ()
    if assigned is not None:
        variant, source, notes = assigned.variant.name, assigned.source, assigned.notes
    return grade(shown, variant, source, status, message, results, rubric, seconds, notes)


def judging_stopped(how: How, seconds: float, memory: int, reason: str) -> str:
    """What is told of a submission on which the judge was stopped, or died: its bounds in seconds
    and bytes, and the reason of a death. No zero: how long judging takes follows from the task and
    the machine, too."""
    if how == "timeout":
        return say(
            "judging its recording took more than {seconds:g} s; give more by --backprop-timeout, "
            "or write the pass in fewer ops",
            seconds=seconds,
        )
    if how == "out_of_memory":
        return say(
            "judging its recording took more than {limit:.0f} MB; write the pass in fewer ops on "
            "smaller tensors",
            limit=memory / 2**20,
        )
    return say(
        "judging its recording ended the grader's process: {reason}; look for ops with extreme "
        "arguments",
        reason=reason,
    )


TOO_LARGE = "TooLarge"
"""The fault of a run that was larger than a recording may be, by its name: `trace.validate`, which
has it, needs torch."""


def check_size(evidence: Evidence) -> None:
    """Raises Unfinished for a method that is larger than the grader takes. It came to its end at
    points that were not recorded: the bound is ours, and no zero."""
    for run in (*evidence.pass_runs, *evidence.forward_runs):
        if run.fault is not None and run.fault.kind == TOO_LARGE:
            message = say(
                "{reason}; write the pass in fewer ops on smaller tensors", reason=run.fault.message
            )
            raise Unfinished("not_judged", SubmissionProblem("too-large", message, ""))


def problem_of(problem: LoadProblem) -> SubmissionProblem:
    """The problem that a child tells. Its kind is a word of ours, for it may be anything."""
    kind = problem.kind if re.fullmatch("[a-z-]{1,40}", problem.kind) else "problem"
    return SubmissionProblem(kind, problem.message, problem.way_out, problem.span)


FRAME = re.compile(r'^  File "<submission (\d{1,9})>", line (\d{1,9}) in ', re.MULTILINE)
"""A frame of the submission's in what faulthandler writes."""
AT_LOAD = re.compile(r'^  File "<submission \d{1,9}>", line \d{1,9} in <module>', re.MULTILINE)
"""Such a frame of a statement at the top level."""


def unfinished(outcome: Outcome, limits: Limits) -> SubmissionProblem:
    """The problem of a child that gave no answer; where it was ended for its time or its output,
    with the line at which it was, by what faulthandler wrote last."""
    frames = outcome.output.rpartition(FRAMES.decode())[2]
    frame = FRAME.search(frames) if outcome.ended in ("timeout", "output") else None
    site = frame and Span(int(frame[1]), int(frame[2]), 0, int(frame[2]), 0)
    message, way_out = _account_of(outcome, limits, at_load=AT_LOAD.search(frames) is not None)
    return SubmissionProblem(outcome.how, message, way_out, site)


def _account_of(outcome: Outcome, limits: Limits, at_load: bool) -> tuple[str, str]:
    """What happened to a child that gave no answer, and what to do."""
    if outcome.how == "timeout":
        message = say("the submission was stopped after {seconds:g} s", seconds=limits.seconds)
        if at_load:
            return message, say(
                "that line runs when the submission is loaded, which needs what it binds or may "
                'change: make it short, or indent it below `if __name__ == "__main__":` if it is '
                "a test"
            )
        return message, say("look for a loop that does not end; --backprop-timeout sets the limit")
    if outcome.how == "out_of_memory":
        message = say(
            "the submission was stopped at {used:.0f} MB; the limit is {limit:.0f} MB",
            used=outcome.memory / 2**20,
            limit=limits.memory / 2**20,
        )
        return message, say(
            "look for a tensor or list that grows; --backprop-memory sets the limit"
        )
    message = say("the submission's process did not end well: {reason}", reason=outcome.message)
    if outcome.ended == "output":
        return message, say("print less; look for a `print` in a loop that does not end")
    if outcome.ended == "quota":
        return message, say(
            "write each saved tensor once, and remove its file when it is not needed any more"
        )
    return message, say("look for `exit()`, `os._exit()` or a crash in what the class needs")

"""How a submission that did not run to its end, or was not judged to its end, is told and
graded."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..messages import say
from ..model import Evidence, Finding, Grade, Span, Status
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


# -- grades -------------------------------------------------------------------------------------


def without_grade(
    rubric: Rubric,
    shown: str,
    status: Status,
    message: str,
    seconds: float,
    assigned: Assigned | None = None,
    finding: Finding | None = None,
) -> Grade:
    """The grade of a submission that was not run or judged to its end: every check failed, for the
    one reason that `message` and `finding` tell; with a status of NO_GRADE none was judged."""
    variant = source = None
    notes: tuple[str, ...] = ()
    if assigned is not None:
        variant, source, notes = assigned.variant.name, assigned.source, assigned.notes
    results = uniform_failure(rubric, message, finding)
    return grade(shown, variant, source, status, message, results, rubric, seconds, notes)


def not_judged(
    rubric: Rubric, shown: str, reason: GraderFault | UsageProblem, seconds: float
) -> Grade:
    """A submission that is not judged: for a fault of ours, or for what whoever grades has to
    mend."""
    if isinstance(reason, UsageProblem):
        message = "; ".join(text for text in (reason.message, reason.way_out) if text)
        return without_grade(rubric, shown, "not_judged", message, seconds)
    message = say("the grader failed: {fault}", fault=reason)
    return without_grade(rubric, shown, "grader_error", message, seconds)


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


# -- a child that gave no answer ----------------------------------------------------------------

FRAME = re.compile(r'^  File "<submission (\d{1,9})>", line (\d{1,9}) in (.*)$', re.MULTILINE)
"""A frame of the submission's in what faulthandler writes."""


def unfinished(outcome: Outcome, limits: Limits) -> SubmissionProblem:
    """The problem of a child that gave no answer; where it was ended for its time, with
    the line at which it was, by what faulthandler wrote last."""
    frames = FRAME.findall(outcome.output.rpartition(FRAMES.decode())[2])
    site = None
    if frames and outcome.ended == "timeout":
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
        if outcome.ended == "quota":
            way_out = say(
                "write each saved tensor once, and remove its file when it is not needed any more"
            )
    return SubmissionProblem(outcome.how, message, way_out, site)

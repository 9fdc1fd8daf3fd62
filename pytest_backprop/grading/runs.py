"""Runs submissions, each in a process of its own, and tells how a run ended; and the trials of
those that are judged by what is seen from outside while they run."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import msgspec
from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..judging.case import Beside
from ..messages import meant, phrase, say
from ..model import Evidence, MethodName, Scenario, Span, Status, Submission, Tensor, width_of
from ..processes.client import Worker, worker
from ..processes.protocol import Limits, LoadProblem, Ran, Request, bounded
from ..processes.supervisor import Outcome, Why
from ..processes.usage import make_folder, remove_folder
from ..submission.modules import LIBRARIES
from ..submission.parse import newer_python
from ..trace.validate import Malformed, TooLarge, check_recording

METHODS: tuple[MethodName, ...] = ("pass", "forward")
FRAME = re.compile(r'^  File "<submission (\d{1,9})>", line (\d{1,9}) in (.*)$', re.MULTILINE)
"""A frame of the submission's in what faulthandler writes."""
LACKING = re.compile(r"ModuleNotFoundError: No module named '(\w{1,99})[.']")
"""What Python says of a module that is nowhere."""
WAYS_OUT: dict[Why | None, str] = {
    "timeout": phrase("look for a loop that does not end; the setting `timeout` is the limit"),
    "out_of_memory": phrase(
        "look for a tensor or list that grows; the setting `memory` is the limit"
    ),
    "quota": phrase(
        "write each saved tensor once, and remove its file when it is not needed any more"
    ),
    None: phrase("look for `exit()`, `os._exit()` or a crash in what the class needs"),
}
"""By why the submission's process was ended; None where it ended itself."""


class Unfinished(Exception):
    """A submission that did not run, or was not judged, to its end: its status and what to tell."""

    def __init__(self, status: Status, problem: SubmissionProblem) -> None:
        super().__init__(problem.message)
        self.status = status
        self.problem = problem


class Runs:
    """What runs the submissions of an exercise within limits."""

    def __init__(
        self, exercise: Exercise, class_name: str | None, limits: Limits, children: Worker | None
    ) -> None:
        self._exercise, self._class_name, self._limits = exercise, class_name, limits
        self.worker = children or worker(halves=(exercise.child,))
        """Has the processes that run submissions."""

    def run(
        self, submission: Submission, scenarios: Sequence[Scenario], recorded: int
    ) -> tuple[Outcome, tuple[Evidence, ...]]:
        """Runs a submission, at each scenario the first so many points recorded. Raises Unfinished,
        GraderFault."""
        outcome = self.worker.run(self._request(submission, scenarios, recorded))
        evidences = _evidences(outcome, len(scenarios), submission)
        for asked, evidence in zip(scenarios, evidences, strict=True):
            rules = self._exercise.replays, self._exercise.one_call
            if (reason := malformed(evidence, asked, *rules)) is not None:
                raise _bad_answer(reason)
            for run in (*evidence.pass_runs, *evidence.forward_runs):
                # it came to its end at points that were not recorded: the bound is ours, no zero
                if run.fault is not None and run.fault.kind == TooLarge.__name__:
                    message = say(
                        "{reason}; write the pass in fewer ops on smaller tensors",
                        reason=run.fault.message,
                    )
                    raise Unfinished("not_judged", SubmissionProblem("too-large", message, ""))
        return outcome, evidences

    def run_again(
        self, submission: Submission, variant: Variant, at: Points, recorded: int
    ) -> Evidence | None:
        """What a submission does at other points; None if it gave no sound answer. Raises
        Unfinished where it took too much, which shows a slow submission and not that work is
        hidden; GraderFault."""
        try:
            return self.run(submission, [scenario(variant, at)], recorded)[1][0]
        except Unfinished as ended:
            if ended.status in ("timeout", "not_judged"):
                raise
            return None

    def _request(
        self, submission: Submission, scenarios: Sequence[Scenario], recorded: int
    ) -> Request:
        return Request(
            (*submission.units, *submission.support),
            submission.class_name or self._class_name,
            tuple(scenarios),
            recorded,
            self._limits,
            pass_names=self._exercise.pass_names,
            child=self._exercise.child,
            one_call=self._exercise.one_call,
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
            outcome = self.worker.run(request)
        finally:
            remove_folder(folder)
        evidences = _evidences(outcome, len(references), submission)
        looks, left = iter(outcome.stops), frozenset[str]()
        trials = []
        for reference, evidence in zip(references, evidences, strict=True):
            stops = {name: next(looks) for name in reference.stops}
            own = {
                name: [file for file in files if file.path not in left]
                for name, files in stops.items()
            }
            facts = facts_of(evidence, self._exercise.facts)
            trials.append(Beside(reference, evidence, facts, own))
            left = frozenset(file.path for file in stops[reference.stops[-1]])
        return tuple(trials)


# -- what a child answered ----------------------------------------------------------------------


def _evidences(outcome: Outcome, count: int, submission: Submission) -> tuple[Evidence, ...]:
    """What a child saw, which was asked for so many runs. Raises Unfinished, GraderFault."""
    answer = outcome.answer
    if outcome.how != "answered":
        raise Unfinished(outcome.how, unfinished(outcome))
    if isinstance(answer, LoadProblem):
        _check_modules(answer.message, submission)
        # a word of ours, for what a child tells may be anything
        kind = answer.kind if re.fullmatch("[a-z-]{1,40}", answer.kind) else "problem"
        problem = SubmissionProblem(kind, answer.message, answer.way_out, answer.span)
        units, at = (*submission.units, *submission.support), answer.span
        if kind == "syntax-error" and at is not None and 0 <= at.unit < len(units):
            newer = newer_python(units[at.unit], at)
            if newer is not None:
                raise Unfinished("not_judged", newer)
        raise Unfinished("unreadable", problem)
    assert isinstance(answer, Ran)
    if len(answer.evidences) != count:
        raise _bad_answer(say("it did not run all points"))
    for evidence in answer.evidences:
        for run in (*evidence.pass_runs, *evidence.forward_runs):
            _check_modules("" if run.fault is None else run.fault.text, submission)
    return answer.evidences


def _check_modules(error: str, submission: Submission) -> None:
    """Raises Unfinished for an error that tells of a module that a submission uses and this machine
    has not, which is for whoever grades to mend; not where its name is mistyped."""
    lacking = LACKING.search(error)
    if lacking is None:
        return
    name = lacking[1]
    files = {unit.module.partition(".")[0] for unit in (*submission.units, *submission.support)}
    if meant(name, LIBRARIES | files) or name in sys.modules or find_spec(name) is not None:
        return
    message = say(
        "it uses the module `{name}`, which is not here: install it where grading runs; a file of "
        "the course's goes into the task's `SUPPORT`, one of the student's is handed in as well",
        name=name,
    )
    raise Unfinished("not_judged", SubmissionProblem("no-module", message, ""))


def malformed(
    evidence: Evidence, asked: Scenario, recorded: bool = True, one_call: bool = False
) -> str | None:
    """Why an answer is no evidence of what was asked for, though it has the right schema; None
    if it may be. `recorded`: whether a pass that ran must have left a recording, where its scenario
    asks for one; `one_call`: whether its runs may stand for those of forward."""
    recorded &= asked.is_recorded
    points, width = len(asked.points), width_of(asked.leaves)
    names = asked.outputs
    runs = (*evidence.pass_runs, *evidence.forward_runs)
    tensors = [t for run in runs for t in run.outputs.values() if isinstance(t, Tensor)]
    if (
        len(evidence.pass_runs) != points
        or len(evidence.runs("forward")) != points
        or not (evidence.forward_runs or one_call)
        or evidence.weight_dtype not in ("float16", "bfloat16", "float32", "float64")
        or (recorded and evidence.pass_runs[0].fault is None and not evidence.pass_recordings)
        or not all(run.outputs.keys() <= names for run in runs)
        or not all(len(t.data) in (0, math.prod(t.shape)) for t in tensors)
        or not all(
            run.recording is None or 0 <= run.recording < len(evidence.recordings(name))
            for name in METHODS
            for run in evidence.runs(name)
        )
    ):
        return say("it is not what was asked for")
    try:
        for recording in (*evidence.pass_recordings, *evidence.forward_recordings):
            check_recording(recording, width, names)
    except Malformed as problem:
        return str(problem)
    return None


def facts_of(evidence: Evidence, kind: type[Any] | None) -> Any:
    """What the exercise saw beside the runs, of the type that it has for that; None where it has
    none. Raises Unfinished."""
    try:
        return None if kind is None else bounded(msgspec.msgpack.decode(evidence.facts, type=kind))
    except (msgspec.DecodeError, msgspec.ValidationError):
        raise _bad_answer(say("no facts beside the runs")) from None


def _bad_answer(reason: str) -> Unfinished:
    """Of an answer that is no evidence, for a reason."""
    message = say(
        "its process gave an answer that the recorder cannot have made: {reason}", reason=reason
    )
    way_out = say("take out whatever reaches into the grader's process")
    return Unfinished("crashed", SubmissionProblem("bad-answer", message, way_out))


def unfinished(outcome: Outcome) -> SubmissionProblem:
    """The problem of a child that gave no answer; where it was ended for its time, with the
    line at which it was, by what faulthandler wrote last."""
    way_out = say(WAYS_OUT.get(outcome.ended, WAYS_OUT[None]))
    frames = FRAME.findall(outcome.where)
    site = None
    if frames:
        unit, line = map(int, frames[0][:2])
        site = Span(unit, line, 0, line, 0)
        if any(function == "<module>" for _, _, function in frames):
            way_out = say(
                "that line runs when the submission is loaded, which needs what it binds or may "
                'change: make it short, or indent it below `if __name__ == "__main__":` if it is '
                "a test"
            )
    message = say("the submission did not run to its end: {reason}", reason=outcome.message)
    return SubmissionProblem(outcome.how, message, way_out, site)

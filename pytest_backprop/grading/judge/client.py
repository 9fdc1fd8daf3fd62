"""pytest's side: has a judge grade a submission, and stops it at a bound."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from ...errors import GraderFault, UsageProblem
from ...messages import say
from ...model import Grade
from ...processes import sandbox
from ...processes.client import Zygote
from ...processes.protocol import MAX_EVENT, Limits, frame, receive
from ..assignment import Brief
from ..grades import not_judged, without_grade
from .zygote import (
    JUDGE,
    MAX_GRADE,
    MEMORY,
    PREPARE,
    WATCHED_MEMORY,
    Answer,
    Ask,
    Build,
    Done,
    Setup,
    Usage,
    serve_build,
)

AHEAD = 2
"""Submissions that are handed out for each that is graded: that one, and one that is at hand."""
CLOCK_TIMES = 100.0
"""So many seconds of the clock count as one of a judge, which waits for processes that have limits
of their own."""
# made here, in one thread: msgspec crashes if two threads ask for a new type at once
GRADE = msgspec.json.Decoder(Grade)


class Judges(Zygote):
    """The zygote of judges, of which each grades one submission. Threads may share it. `close` it
    when done."""

    def __init__(
        self,
        setup: Setup,
        most: int,
        build: Build | None = None,
        halves: Sequence[str] = (),
    ) -> None:
        """As many as `most` submissions are to be graded at a time. The zygote is started in a
        clean process; with `build`, which makes its grader, it is forked from this one. `halves`
        are modules that children need: the child's halves of exercises."""
        super().__init__(JUDGE, halves)
        self.most = most
        self._setup = setup
        self._build = build
        # judging may take twice what the submission may run
        seconds = 2 * setup.plan["seconds"]
        self._limits = Limits(
            seconds, WATCHED_MEMORY, sandbox=False, answer=MAX_GRADE, clock_times=CLOCK_TIMES
        )

    @property
    def sandbox(self) -> str:
        return sandbox.probe()

    def room(self) -> int:
        return AHEAD * self.most

    def _start(self) -> None:
        if (build := self._build) is not None:
            self.fork(lambda link: serve_build(link, build, self._halves))
            return
        super()._start()
        assert self._commands is not None
        # one that ended at once has its last words told when it is asked
        with contextlib.suppress(OSError):
            self._commands.sendall(frame(self._setup))

    def prepare(self, variants: Iterable[str]) -> None:
        """Makes variants ready. Raises UsageProblem for one that cannot be graded on with these
        points and tolerances, GraderFault."""
        answer: Answer | None = None
        with contextlib.suppress(OSError), self.command(PREPARE, tuple(variants)) as link:
            answer = receive(link, Answer, MAX_EVENT)  # type: ignore[arg-type]
        if isinstance(answer, Usage):
            raise UsageProblem(answer.message, answer.way_out)
        if not isinstance(answer, Done):
            raise GraderFault(self.last_words() if answer is None else answer.message)

    def grade(self, path: Path, shown: str, brief: Brief) -> Grade:
        """Grades one submission. `shown` is how reports name it. Never raises for what a submission
        does."""
        start = time.monotonic()
        rubric, assigned = self._setup.rubric, brief.assigned
        self._prepare_quietly(assigned.variant)
        try:
            outcome = self.run(Ask(os.fsencode(path), shown, brief, self._limits))
            answer = outcome.answer
            if isinstance(answer, Usage):
                raise UsageProblem(answer.message, answer.way_out)
        except (UsageProblem, GraderFault) as reason:
            return not_judged(rubric, shown, reason, time.monotonic() - start)
        if isinstance(answer, Done) and answer.grade:
            grade = GRADE.decode(answer.grade)
            if assigned.variant is None:
                self._prepare_quietly(grade.variant)  # for those that come
            return grade
        message = say(
            "its recording could not be judged: {reason}; look for ops with extreme arguments, write "
            "the pass in fewer ops on smaller tensors, or give more by --backprop-timeout",
            reason=outcome.message or say("more than {limit:.0f} MB", limit=MEMORY / 2**20),
        )
        # no zero: how long judging takes follows from the task and the machine, too
        seconds = time.monotonic() - start
        return without_grade(rubric, shown, "not_judged", message, seconds, assigned)

    def _prepare_quietly(self, variant: str | None) -> None:
        if variant is not None:
            with contextlib.suppress(UsageProblem, GraderFault):  # comes with its grade
                self.prepare([variant])

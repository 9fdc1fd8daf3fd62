"""pytest's side: has a judge grade a submission, and stops it at a bound."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...errors import GraderFault, UsageProblem
from ...model import Grade
from ...processes.client import Zygote
from ...processes.protocol import MAX_EVENT, Broke, Limits, frame, receive
from ..assignment import Assigned
from ..brief import Brief
from ..failures import judging_stopped, not_judged, without_grade
from ..rubric import Rubric
from .protocol import (
    JUDGE,
    MAX_GRADE,
    MEMORY,
    PREPARE,
    WATCHED_MEMORY,
    Ask,
    Graded,
    NoMemory,
    Prepared,
    Setup,
    Usage,
)
from .zygote import Build, serve_build

PREPARED: Any = Prepared | Usage | Broke
"""What the zygote answers when it was to prepare variants."""
CLOCK_TIMES = 100.0
"""So many seconds of the clock count as one of a judge, which waits for processes that have limits
of their own."""
GRADE = msgspec.json.Decoder(Grade)
# learnt here, in one thread: msgspec crashes if two threads ask for a new type at once
msgspec.msgpack.Decoder(PREPARED)


class JudgeZygote(Zygote):
    """The zygote of judges: started in a clean process with a `setup`; without one it is forked
    from this process, and `build` makes its grader. `halves` are modules that children need: the
    child's halves of exercises."""

    def __init__(
        self, setup: Setup | None, build: Build | None = None, halves: Sequence[str] = ()
    ) -> None:
        super().__init__(JUDGE, halves)
        self._setup = setup
        self._build = build

    def _start(self) -> None:
        if self._setup is None:
            build = self._build
            assert build is not None
            self.fork(lambda link: serve_build(link, build, self._halves))
            return
        super()._start()
        assert self._commands is not None
        # one that ended at once has its last words told when it is asked
        with contextlib.suppress(OSError):
            self._commands.sendall(frame(self._setup))


class Judges:
    """Grades submissions, each in a process of its own; as many at a time as there are threads that
    ask. `close` it when done."""

    def __init__(self, zygote: JudgeZygote, rubric: Rubric, seconds: float) -> None:
        """`seconds` is what one submission may run; judging it may take twice that of a
        processor."""
        self._zygote = zygote
        self._rubric = rubric
        self._limits = Limits(
            2 * seconds, WATCHED_MEMORY, sandbox=False, answer=MAX_GRADE, clock_times=CLOCK_TIMES
        )

    def start(self) -> None:
        """Has judges that are ready, or on their way."""
        self._zygote.start()

    def prepare(self, variants: Iterable[str]) -> None:
        """Makes variants ready. Raises UsageProblem for one that cannot be graded on with these
        points and tolerances, GraderFault."""
        answer = None
        with contextlib.suppress(OSError), self._zygote.command(PREPARE, tuple(variants)) as link:
            answer = receive(link, PREPARED, MAX_EVENT)
        if answer is None:
            raise GraderFault(self._zygote.last_words())
        if not isinstance(answer, Prepared):
            raise _problem(answer)

    def grade(self, path: Path, shown: str, brief: Brief, assigned: Assigned | None) -> Grade:
        """Grades one submission. `shown` is how reports name it, `assigned` the variant that it
        has, if that is known before it is read. Never raises for what a submission does."""
        start = time.monotonic()
        if assigned is not None:
            with contextlib.suppress(UsageProblem, GraderFault):  # comes with its grade
                self.prepare([assigned.variant.name])
        try:
            outcome = self._zygote.run(Ask(os.fsencode(path), shown, brief, self._limits))
            answer, how = outcome.answer, outcome.how
            if isinstance(answer, Usage):
                raise _problem(answer)
        except (UsageProblem, GraderFault) as reason:
            return not_judged(self._rubric, shown, reason, time.monotonic() - start)
        if isinstance(answer, Graded):
            grade = GRADE.decode(answer.grade)
            if assigned is None and grade.variant is not None:  # for those that come
                with contextlib.suppress(UsageProblem, GraderFault):
                    self.prepare([grade.variant])
            return grade
        message = judging_stopped(
            "out_of_memory" if isinstance(answer, NoMemory) else how,
            self._limits.seconds,
            MEMORY,
            outcome.message,
        )
        seconds = time.monotonic() - start
        return without_grade(self._rubric, shown, "not_judged", message, seconds, assigned)

    def close(self) -> None:
        """Ends all judges, also in the middle of submissions that other threads wait for."""
        self._zygote.close()


def _problem(answer: Usage | Broke) -> UsageProblem | GraderFault:
    if isinstance(answer, Usage):
        return UsageProblem(answer.message, answer.way_out)
    return GraderFault(answer.message)

"""pytest's side: looks like a `Grader`, has a judge grade, and stops it at a bound.

Time is the wall clock's, memory the judge's own resident one: what its children take is watched by
the judge. A judge that is stopped or dies is replaced, and the next submission is graded as usual.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
import psutil
from msgspec import Struct

from ...classroom.roster import Roster
from ...errors import GraderFault, UsageProblem
from ...exercises.functions.bank import Bank
from ...model import Grade
from ...worker.child_watch import death_of
from ...worker.protocol import MAX_EVENT, frame, receive
from ...worker.time_taken import PATIENCE, TimeTaken
from ..assignment import Assigned, assign
from ..brief import Brief
from ..failures import judging_stopped, not_judged, without_grade
from ..rubric import Rubric
from .protocol import (
    BRANCH,
    EXIT_MEMORY,
    FORK,
    KILL,
    MAX_MESSAGE,
    MEMORY,
    WATCHED_MEMORY,
    Ask,
    Branched,
    Event,
    Graded,
    JudgeEnded,
    JudgeFault,
    Prepare,
    Prepared,
    Ready,
    Request,
    Setup,
    Usage,
)
from .start import CleanZygote, end_zygote
from .zygote import Build, fork_zygote

POLL_SECONDS = 0.02
How = Literal["timeout", "out_of_memory", "crashed"]


class JudgeStopped(Struct, frozen=True):
    """A judge that was stopped or died. `sure`: it was the submission that it was asked for, and not what
    earlier ones had left."""

    how: How
    reason: str
    sure: bool


class _ZygoteGone(GraderFault):
    """What starts judges is gone: somebody killed it."""

    def __init__(self) -> None:
        super().__init__("the process that starts judges is gone")


class _JudgeDied(Exception):
    """`how` is `timeout` or `out_of_memory` if a bound was passed."""

    def __init__(self, how: How, reason: str) -> None:
        super().__init__(reason)
        self.how = how
        self.reason = reason


class Judge:
    """Grades submissions one after another, in another process. `close` it when done."""

    def __init__(
        self,
        build: Build,
        rubric: Rubric,
        bank: Bank,
        roster: Roster | None,
        variant: str | None,
        seconds: float,
        halves: Sequence[str] = (),
        setup: Setup | None = None,
        clean: CleanZygote | None = None,
    ) -> None:
        """`build` makes the grader, in the judge. `seconds` is what one submission may run; judging it may take
        the judge's own process twice that; `variant` is the one for those that the roster does not list. `halves`
        are modules that children need: the child's halves of exercises. With a `setup`, which says all that
        `build` would, the judge is started in a clean process: `clean`, if one is under way."""
        self._build = build
        self._halves = tuple(halves)
        self._setup = setup
        self._clean = clean
        self._rubric = rubric
        self._bank = bank
        self._roster = roster
        self._variant = variant
        self._seconds = seconds
        self._branch: socket.socket | None = None
        self._zygote: int | None = None
        self._commands: socket.socket | None = None
        self._link: socket.socket | None = None
        self._process: psutil.Process | None = None
        self._idle = 0
        self._fresh = True
        self._asked = False
        self._brief: Brief | None = None
        self._prepared: set[str] = set()
        self.sandbox = ""
        """The level that children reach, once a judge was started."""

    # -- as a grader ------------------------------------------------------------------------

    def start(self) -> None:
        """Has a judge that is ready, or on its way: then `sandbox` is known. Raises UsageProblem for what it
        cannot be built with, GraderFault if it does not come up."""
        if self._asked:  # an exception came before the answer: it would be taken for another's
            self._end(KILL)
        if self._link is not None:
            return
        self._start_zygote()
        assert self._commands is not None
        ours, theirs = socket.socketpair()
        self._link = ours
        with theirs, contextlib.suppress(OSError):  # one that is gone gives no answer
            socket.send_fds(self._commands, [FORK], [theirs.fileno()])
        if not self.sandbox:
            self._ready()

    def _start_zygote(self) -> None:
        if self._commands is not None or self._take_branch():
            return
        if self._setup is not None:
            clean, self._clean = self._clean or CleanZygote(), None
            try:
                started = clean.set_up(self._setup, PATIENCE)
                self._zygote, self._commands, self.sandbox = started
                return
            except (OSError, ValueError):  # it was killed, or a name in the setup is no text
                clean.close()
        if self._clean is not None:
            self._clean.close()
        self._zygote, self._commands = fork_zygote(self._build, self._halves)

    def _take_branch(self) -> bool:
        """Takes the zygote that was to be forked from another judge's, and says whether it is there."""
        link, self._branch = self._branch, None
        if link is None:
            return False
        branched: Branched | None = None
        with contextlib.suppress(OSError):
            link.settimeout(PATIENCE)
            branched = receive(link, Branched, MAX_EVENT)
            link.settimeout(None)
        if branched is None:
            link.close()
            return False
        self._zygote, self._commands = branched.pid, link
        return True

    def _ready(self) -> None:
        """Waits for the judge, if need be. Raises as `start` does."""
        self.start()
        if self._process is not None:
            return
        try:
            ready = self._event()
        except (_JudgeDied, OSError) as error:
            self.close()
            raise GraderFault(f"the judge did not start: {error}") from None
        if not isinstance(ready, Ready):
            self._end(KILL)
            raise _raised(ready)
        self.sandbox = ready.sandbox
        self._process = psutil.Process(ready.pid)
        self._idle = self._memory()
        self._fresh = True
        self._prepared.clear()

    def learn(self, brief: Brief) -> None:
        """Takes the class to be this submission alone, until the next brief. It may have been graded
        before, in another run."""
        self._brief, self._roster = brief, brief.roster
        self._prepared.discard(brief.shown)

    def prepare(self, submissions: Iterable[tuple[Path, str]]) -> None:
        """Makes ready every variant that roster, option or file names ask for. Raises UsageProblem, before
        anything is graded, for one that cannot be graded on with these points and tolerances."""
        with contextlib.suppress(GraderFault):  # is told with each grade
            self._prepare(submissions)

    def grade(self, path: Path, shown: str) -> Grade:
        """Grades one submission. `shown` is how reports name it. Never raises for what a submission does."""
        start = time.monotonic()
        allowed = 2 * self._seconds
        try:
            try:
                end = self._attempt(path, shown, allowed)
            except _ZygoteGone:  # a second time it has not come from outside
                end = self._attempt(path, shown, allowed)
            if isinstance(end, JudgeStopped) and not end.sure:  # once more, in a judge of its own
                end = self._attempt(path, shown, allowed)
        except (UsageProblem, GraderFault) as reason:
            seconds = time.monotonic() - start
            return not_judged(self._rubric, self._roster, shown, reason, seconds)
        if isinstance(end, Grade):
            return end
        message = judging_stopped(end.how, allowed, MEMORY, end.reason)
        assigned = self._assigned(path, shown)
        seconds = time.monotonic() - start
        return without_grade(
            self._rubric, self._roster, shown, "not_judged", message, seconds, assigned
        )

    def branch(self) -> Judge:
        """Another judge like this one, which is started when it is needed; its zygote is forked from this one's
        where that is there. Not while this one grades."""
        other = Judge(
            self._build, self._rubric, self._bank, self._roster, self._variant, self._seconds, self._halves,
            self._setup,
        )  # fmt: skip
        if self._commands is not None:
            ours, theirs = socket.socketpair()
            other._branch = ours
            with theirs, contextlib.suppress(OSError):  # one that is gone gives no answer
                socket.send_fds(self._commands, [BRANCH], [theirs.fileno()])
        return other

    def close(self) -> None:
        """Ends the judge and all that it started, also in the middle of a submission that another thread waits
        for."""
        zygote, links = self._zygote, (self._branch, self._commands, self._link)
        self._zygote = self._branch = self._commands = self._link = self._process = None
        if self._clean is not None:
            self._clean.close()
        if zygote is not None:
            end_zygote(zygote)
        for link in links:
            if link is not None:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits on it
                link.close()

    # -- steps ------------------------------------------------------------------------------

    def _attempt(self, path: Path, shown: str, allowed: float) -> Grade | JudgeStopped:
        """Grades in the judge that there is, or in a new one."""
        self._ready()
        with contextlib.suppress(UsageProblem):  # comes with its grade
            self._prepare([(path, shown)])
        if self._memory() - self._idle > WATCHED_MEMORY // 2:
            self._end(KILL)  # what earlier ones left is not for this one to pay
            return self._attempt(path, shown, allowed)
        alone, self._fresh = self._fresh, False
        try:
            graded = self._answer(Ask(os.fsencode(path), shown), allowed)
        except _JudgeDied as death:
            return JudgeStopped(death.how, death.reason, alone or death.how == "timeout")
        if not isinstance(graded, Graded):
            raise _raised(graded)
        return msgspec.json.decode(graded.grade, type=Grade)

    def _prepare(self, submissions: Iterable[tuple[Path, str]]) -> None:
        submissions = list(submissions)
        self._ready()
        new = [(path, shown) for path, shown in submissions if shown not in self._prepared]
        if not new:
            return
        self._prepared.update(shown for _, shown in new)
        asked = Prepare(tuple((os.fsencode(path), shown) for path, shown in new), self._brief)
        try:
            answer = self._answer(asked)
        except _JudgeDied as death:
            if not self._fresh:  # it was gone already, and nothing here did that
                self._prepare(submissions)
                return
            raise GraderFault(f"the judge ended: {death.reason}") from None
        self._idle = max(self._idle, self._memory())
        if not isinstance(answer, Prepared):
            raise _raised(answer)

    def _answer(self, asked: Request, allowed: float | None = None) -> Event:
        """The judge's answer. The seconds `allowed` are the processor's for the judge alone: what it has run has limits
        of its own; None for no limit, on memory either. Raises _JudgeDied."""
        assert self._link is not None
        self._asked = True
        try:
            self._link.sendall(frame(asked))
        except OSError:
            raise self._death() from None
        event = self._event(allowed)
        self._asked = False
        return event

    def _event(self, allowed: float | None = None) -> Event:
        """The next message of the judge. One that does nothing, and watches nothing, hangs. Raises _JudgeDied."""
        link = self._link
        assert link is not None
        pids = [] if self._process is None else [self._process.pid]
        taken = TimeTaken(pids)
        with selectors.DefaultSelector() as selector:
            selector.register(link, selectors.EVENT_READ)
            while not selector.select(POLL_SECONDS):
                if self._link is not link:
                    break  # another thread has closed it: a selector does not see that
                taken.look(pids)
                if taken.idle >= 2 * PATIENCE:
                    raise self._kill("timeout")
                if allowed is None:
                    continue
                if taken.processor >= allowed:
                    raise self._kill("timeout")
                if self._memory() - self._idle > WATCHED_MEMORY:
                    raise self._kill("out_of_memory")
        event: Event | None = None
        with contextlib.suppress(OSError):
            event = receive(link, Event, MAX_MESSAGE)  # type: ignore[arg-type]
        if event is None:
            raise self._death()
        return event

    def _memory(self) -> int:
        """Bytes of memory that the judge has for itself: not the libraries' that all share."""
        with contextlib.suppress(psutil.Error):
            if self._process is not None:
                info = self._process.memory_info()
                return int(info.rss) - int(getattr(info, "shared", 0))
        return 0

    def _kill(self, how: How) -> _JudgeDied:
        self._end(KILL)
        return _JudgeDied(how, "")

    def _death(self) -> _JudgeDied:
        """How a judge ended that nobody stopped. Raises GraderFault if its zygote is gone, too."""
        status = self._end()
        if status is None:
            raise _ZygoteGone
        exited = os.WIFEXITED(status) and os.WEXITSTATUS(status) == EXIT_MEMORY
        return _JudgeDied("out_of_memory" if exited else "crashed", death_of(status))

    def _end(self, command: bytes = b"") -> int | None:
        """Leaves the judge, and waits until nothing of it is there. Its exit status; None, and all
        is closed, where the zygote does not say."""
        ended = None
        self._asked = False
        with contextlib.suppress(OSError):
            assert self._commands is not None
            self._commands.settimeout(PATIENCE)
            self._commands.sendall(command)
            ended = receive(self._commands, JudgeEnded, MAX_EVENT)
            self._commands.settimeout(None)
        if ended is None:
            self.close()
            return None
        if self._link is not None:
            self._link.close()
        self._link = self._process = None
        return ended.status

    def _assigned(self, path: Path, shown: str) -> Assigned | None:
        with contextlib.suppress(UsageProblem):
            return assign(path, shown, None, self._bank, self._variant, self._roster)
        return None


def _raised(event: Event) -> UsageProblem | GraderFault:
    if isinstance(event, Usage):
        return UsageProblem(event.message, event.way_out)
    if isinstance(event, JudgeFault):
        return GraderFault(event.message)
    return GraderFault(f"the judge answered {type(event).__name__}")

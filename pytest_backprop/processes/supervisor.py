"""A process, watched from outside: the time and the resident memory of it and all it started, what
it answers, and how it ended. Children and judges, forked or started anew, are watched alike."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Iterable
from typing import Any, Literal, Protocol

import msgspec
import psutil
from msgspec import Struct

from ..errors import GraderFault
from ..messages import say
from .protocol import LENGTH, Broke, ChildKind, Limits, NoMemory, Ran, Request, bounded
from .usage import PATIENCE, HeldFile, held_files, resident, used

MB = PIPE = 2**20
"""PIPE: bytes that are read of a process at a time, more than a pipe of Linux holds."""
END_SECONDS = 10.0
"""What a process, or a pipe of one that is gone, may take to end."""
POLL_SECONDS = 0.02
STOP_SECONDS = 0.002
"""Between looks whether a child has stopped itself, where it is to."""
ASK_SECONDS = 0.1
"""What a child that is to be ended has to write where it is."""

How = Literal["answered", "timeout", "out_of_memory", "crashed"]
Why = Literal["timeout", "out_of_memory", "answer", "stop", "quota"]
"""Why a child was ended: its time, its memory, its answer's size, a stop of its own, its files."""


class Outcome(Struct, frozen=True):
    """How a child ended. `answer` is there only if it answered well and exited 0; else `message`
    says what happened (`killed by signal 9 (SIGKILL)`, `exited 3`, ...).

    `memory` is its highest resident size above the zygote's, in bytes, as polled. `stops` has for
    each time that it stopped itself what its folder held. `ended` says why, if it was ended;
    `where`, if its time was up, at which lines it was, in faulthandler's words."""

    how: How
    message: str
    answer: object
    memory: int
    stops: tuple[tuple[HeldFile, ...], ...] = ()
    ended: Why | None = None
    where: str = ""


def _seconds(pid: int) -> float:
    """Of a processor, that a process has worked. Raises psutil.Error where it is gone."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


def death_of(code: int) -> str:
    """How a process ended that was not done; `code` as `subprocess` gives it."""
    if code < 0:
        name = f" ({signal.Signals(-code).name})" if -code in set(signal.Signals) else ""
        return say("killed by signal {signal}", signal=f"{-code}{name}")
    return say("exited with status {status} before it was done", status=code)


class Running(Protocol):
    """A process that answers requests, in whichever way it was started. `baseline` is resident
    memory that is not its own doing, in bytes; `requests` counts those that it has answered."""

    pid: int
    baseline: int
    requests: int

    def ask(self, request: bytes, most: int) -> None:
        """Sends it a request, which it answers in at most so many bytes."""

    def events(self, seconds: float) -> Iterable[bytes | int]:
        """What comes of it, for which it waits so long: parts of its answer, then its exit code.
        Raises EOFError where nobody can tell any more, and what `receive` does."""

    def family(self) -> list[int]:
        """It and all that it started, as far as that lives."""

    def locate(self) -> None:
        """Has it write at which lines it is, in the place of its answer."""

    def finish(self) -> None:
        """It has answered for the last time."""

    def kill(self) -> None:
        """Ends it and what it started."""

    def close(self) -> None:
        """Nobody asks it any more: it ends."""


class Supervisor:
    """One request to a process, from then until it is gone, or has answered where it serves
    several."""

    def __init__(self, process: Running, request: Any, kind: ChildKind) -> None:
        self._process = process
        self._limits: Limits = request.limits
        self._answers = kind.answers
        self._stays = kind.requests > 1
        self._alone = [] if kind.has_descendants else [process.pid]
        self._spent = 0.0
        with contextlib.suppress(psutil.Error):
            self._spent = _seconds(process.pid)
        self._stops_due = request.stops if isinstance(request, Request) else 0
        self._stops: list[tuple[HeldFile, ...]] = []
        self._answer = bytearray()
        """Of one whose time is up, where it is."""
        self._status: int | None = None
        self._ended: Why | None = None
        self._is_killed = False
        self._grace = 0.0
        """Seconds after which it is killed that was to say where it is."""
        self._start = time.monotonic()
        self._worked: dict[int, float] = {}
        """Seconds of a processor, by process; of those that ended, as of the last look."""
        self._memory = 0

    def follow(self) -> None:
        """Reads the answer until the process is gone. Raises EOFError if nobody can tell, and
        TimeoutError if whoever could is stuck."""
        poll = time.monotonic()
        pause = STOP_SECONDS if self._stops_due else POLL_SECONDS
        while self._status is None and not (self._stays and self._is_whole):
            for event in self._process.events(pause):
                if isinstance(event, int):
                    self._status = event
                else:
                    self._take(event)
            if self._is_whole and not self._stays:
                self._process.finish()
            now = time.monotonic()
            if self._status is None and not self._is_killed:
                self._let_go_on()
            if self._status is None and not self._is_killed and now >= poll:
                poll = now + POLL_SECONDS
                self._measure()
            elif now >= poll + PATIENCE:
                raise TimeoutError

    @property
    def _is_whole(self) -> bool:
        """Whether its answer is one message."""
        size = LENGTH.size
        return len(self._answer) == size + int.from_bytes(self._answer[:size], "big")

    def outcome(self) -> Outcome:
        """What became of the child. Raises GraderFault for a fault of ours."""
        answer: object = None
        how: How = "crashed"
        where = ""
        status, ended = self._status or 0, self._ended
        if ended is not None:
            message = self._account_of(ended)
            how = ended if ended in ("timeout", "out_of_memory") else how
            where = self._answer.decode("utf-8", "replace") if how == "timeout" else ""
        elif status != 0 or not self._answer:
            message = death_of(status)
        else:
            how, answer, message = self._decoded()
        return Outcome(how, message, answer, self._memory, tuple(self._stops), ended, where)

    def _account_of(self, ended: Why) -> str:
        """What is said of a child that was ended."""
        limits = self._limits
        if ended == "timeout":
            return say("stopped after {seconds:g} s", seconds=limits.seconds)
        if ended == "out_of_memory":
            used, limit = self._memory / MB, limits.memory / MB
            return say(
                "stopped at {used:.0f} MB; the limit is {limit:.0f} MB", used=used, limit=limit
            )
        if ended == "answer":
            return say("stopped: its answer is larger than {limit} bytes", limit=limits.answer)
        if ended == "quota":
            return say(
                "stopped: its files are more than the {limit:.0f} MB that it may write",
                limit=limits.quota / MB,
            )
        return say("ended: it stopped itself")

    def _decoded(self) -> tuple[How, object, str]:
        """What an answer says, or why it says nothing. Raises GraderFault."""
        if not self._is_whole:
            return "crashed", None, say("its answer is not one message")
        try:
            answer = bounded(self._answers.decode(self._answer[LENGTH.size :]))
        except (msgspec.DecodeError, RecursionError) as error:
            return "crashed", None, say("its answer is malformed: {error}", error=error)
        if isinstance(answer, Broke):
            raise GraderFault(answer.message)
        if isinstance(answer, NoMemory):
            return "out_of_memory", None, ""
        if isinstance(answer, Ran) and len(self._stops) != self._stops_due:
            # it says that all ran, and did not stop each time
            return "crashed", None, say("its answer is not to what was asked")
        return "answered", answer, ""

    def _take(self, part: bytes) -> None:
        self._answer += part
        if len(self._answer) > self._limits.answer + LENGTH.size:
            self._answer.clear()
            self._kill("answer")

    def _let_go_on(self) -> None:
        """Looks at a child that has stopped itself, and lets it go on. One that does so too often
        is ended there."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            if process.status() != psutil.STATUS_STOPPED:
                return
            if len(self._stops) == self._stops_due:
                self._kill("stop")
                return
            folder = self._limits.folder
            self._stops.append(held_files(folder) if folder else ())
            process.resume()

    def _measure(self) -> None:
        limits, pids = self._limits, self._alone or self._process.family()
        for pid in pids:
            with contextlib.suppress(psutil.Error):
                self._worked[pid] = _seconds(pid)
        # the part of the clock is so small that a busy machine does not use a limit up
        clock = (time.monotonic() - self._start) / limits.clock_times
        seconds = max(sum(self._worked.values()) - self._spent, clock)
        self._memory = max(self._memory, resident(pids) - self._process.baseline)
        if self._memory > limits.memory:
            self._kill("out_of_memory")
        elif limits.folder and used(limits.folder) > limits.quota:
            self._kill("quota")
        elif self._ended is not None and seconds >= self._grace:
            self._kill("timeout")
        elif self._ended is None and seconds >= limits.seconds:
            self._ended, self._grace = "timeout", seconds + ASK_SECONDS
            self._answer.clear()
            self._process.locate()

    def _kill(self, why: Why) -> None:
        self._ended, self._is_killed = self._ended or why, True
        self._process.kill()

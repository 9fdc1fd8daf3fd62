"""A forked process, watched from outside: the time and the resident memory of it and all it
started, what it answers, and how it ended. Children and judges are watched alike."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import time
from typing import Any, Literal

import msgspec
import psutil
from msgspec import Struct

from ..errors import GraderFault
from ..messages import phrase, say
from .protocol import (
    LENGTH,
    MAX_EVENT,
    WHERE,
    Broke,
    ChildKind,
    Ended,
    Event,
    Limits,
    NoMemory,
    Ran,
    Request,
    Started,
    Stopped,
    bounded,
    receive,
)
from .usage import PATIENCE, HeldFile, family, held_files, kill_group, resident, used

MB = 2**20
POLL_SECONDS = 0.02
ASK_SECONDS = 0.1
"""What a child that is to be ended has to write where it is."""

GONE = phrase("the process that forks others is gone")

How = Literal["answered", "timeout", "out_of_memory", "crashed"]
Why = Literal["timeout", "out_of_memory", "answer", "stop", "quota"]
"""Why a child was ended: its time, its memory, its answer's size, a stop of its own, its files."""


class Outcome(Struct, frozen=True):
    """How a child ended. `answer` is there only if it answered well and exited 0; else `message`
    says what happened (`killed by signal 9 (SIGKILL)`, `exited 3`, ...).

    `memory` is its highest resident size above the zygote's, in bytes, as polled. `stops` has for
    each time that it stopped itself what its folder held. `ended` says why, if it was ended;
    `where`, if its time was up, at which lines it was, in faulthandler's words.
    """

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


def death_of(status: int) -> str:
    """How a process ended that was not done; `status` as `os.waitpid` gives it."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        name = f" ({signal.Signals(number).name})" if number in set(signal.Signals) else ""
        return say("killed by signal {signal}", signal=f"{number}{name}")
    return say("exited with status {status} before it was done", status=os.WEXITSTATUS(status))


class Forked:
    """A process that a zygote forked: answers over the pipe `answer` what comes on `link`."""

    def __init__(self, link: socket.socket, answer: int, started: Started) -> None:
        self.link, self.answer = link, answer
        self.pid, self.baseline = started.pid, started.memory
        self.requests = 0
        """That it has answered."""
        os.set_blocking(answer, False)

    def close(self) -> None:
        """The zygote ends one whose link is closed."""
        self.link.close()
        os.close(self.answer)


class Supervisor:
    """One request to a process, from then until it is gone, or has answered where it serves
    several."""

    def __init__(self, process: Forked, request: Any, kind: ChildKind) -> None:
        self._process = process
        self._pid = process.pid
        self._limits: Limits = request.limits
        self._answers = kind.answers
        self._stays = kind.requests > 1
        self._spent = _seconds(process.pid) if process.requests else 0.0
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
        """Reads the answer and the link until the zygote says that the process is gone. Raises
        EOFError if the zygote is gone, TimeoutError if it is stuck."""
        link, answer = self._process.link, self._process.answer
        with selectors.DefaultSelector() as selector:
            for end in (answer, link):
                selector.register(end, selectors.EVENT_READ)
            poll = time.monotonic()
            while self._status is None and not (self._stays and self._is_whole):
                for key, _ in selector.select(POLL_SECONDS):
                    if key.fileobj is link:
                        event = receive(link, Event, MAX_EVENT)  # type: ignore[arg-type]
                        if isinstance(event, Ended):
                            self._status = event.status
                        elif isinstance(event, Stopped):
                            self._look()
                        else:
                            raise EOFError
                    elif self._read(answer) == 0:
                        selector.unregister(answer)
                now = time.monotonic()
                if self._status is None and not self._is_killed and now >= poll:
                    poll = now + POLL_SECONDS
                    self._measure()
                elif now >= poll + PATIENCE:
                    raise TimeoutError
        self._read(answer)  # all that a pipe holds

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

    def _read(self, answer: int) -> int | None:
        """Reads what is there, as much as a pipe holds, and says how many bytes: 0 at the end of
        the pipe, None where there is nothing yet."""
        try:
            part = os.read(answer, MB)
        except BlockingIOError:
            return None
        self._answer += part
        if len(self._answer) > self._limits.answer + LENGTH.size:
            self._answer.clear()
            self._kill("answer")
        return len(part)

    def _look(self) -> None:
        """Looks at a child that stopped itself, and lets it go on. One that does so too often is
        ended there."""
        if len(self._stops) == self._stops_due:
            self._kill("stop")
            return
        folder = self._limits.folder
        self._stops.append(held_files(folder) if folder else ())
        os.kill(self._pid, signal.SIGCONT)

    def _measure(self) -> None:
        limits, pids = self._limits, family(self._pid)
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
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self._pid, WHERE)

    def _kill(self, why: Why) -> None:
        self._ended, self._is_killed = self._ended or why, True
        kill_group(self._pid)

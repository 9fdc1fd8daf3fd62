"""The way of every other system: a fresh interpreter for each request, asked over its standard
input; and of each kind one that is warm before it is needed."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Any, cast

import psutil

from ..errors import GraderFault
from ..messages import say
from .client import Worker, words_of
from .protocol import (
    FINISH,
    LENGTH,
    LOCATE,
    MAX_EVENT,
    SUBMISSION,
    ChildKind,
    Event,
    Started,
    receive,
)
from .supervisor import END_SECONDS, PIPE, Outcome, Running
from .usage import PATIENCE, family, kill_group, resident

FAMILY_LOOKS = 10
"""So many looks at time and memory share one at what a process has started: psutil goes through all
processes for that."""


class Interpreter(Running):
    """A process that was started for one request, or some: the pipes of its standard streams."""

    def __init__(self, process: subprocess.Popen[bytes], greeting: bytes) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._input = process, process.stdin
        self.pid, self.baseline, self.requests = process.pid, 0, 0
        self.is_closed = False
        self._room = MAX_EVENT
        """Bytes that are still read of it."""
        self._parts = queue.SimpleQueue[bytes]()
        self._unread = b""
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()
        self._seen: dict[int, psutil.Process] = {}
        """All that it has started, as far as that was seen."""
        self._looks = 0
        self._is_finished = False
        self._tell(greeting)

    def _tell(self, message: bytes) -> None:
        with contextlib.suppress(OSError):  # it is gone, and that is told
            self._send(message)

    def _send(self, message: bytes) -> None:
        self._input.write(message)
        self._input.flush()

    def _read(self, stream: IO[bytes]) -> None:
        """In a thread: a pipe of Windows cannot be asked whether something is there."""
        with contextlib.suppress(OSError, ValueError):
            while self._room > 0 and (part := os.read(stream.fileno(), PIPE)):
                self._room -= len(part)
                self._parts.put(part)
        self._parts.put(b"")

    def wait_until_warm(self) -> None:
        """Waits until it has imported what it needs. Raises EOFError."""

        def read(most: int) -> bytes:
            self._unread = self._unread or self._parts.get(timeout=PATIENCE)
            part, self._unread = self._unread[:most], self._unread[most:]
            return part

        started = None
        with contextlib.suppress(queue.Empty):
            started = receive(read, Event, MAX_EVENT)  # type: ignore[arg-type]
        if not isinstance(started, Started):
            raise EOFError
        self.pid = started.pid  # the launcher of an environment of Windows has another
        self.baseline = resident([self.pid])

    def ask(self, request: bytes, most: int) -> None:
        self._room = most + LENGTH.size + 1
        self._send(request)

    def events(self, seconds: float) -> Iterator[bytes | int]:
        if self.is_closed:
            raise EOFError
        with contextlib.suppress(queue.Empty):
            if part := self._parts.get(timeout=seconds):
                yield part
            else:
                self.finish()
        if (code := self.process.poll()) is not None:
            self.kill()  # what it left behind holds the pipe
            self._reader.join(END_SECONDS)
            if self.is_closed:  # meanwhile, which is no end of the submission's own
                raise EOFError
            while not self._parts.empty():
                yield self._parts.get()
            yield code

    def family(self) -> list[int]:
        if self._looks % FAMILY_LOOKS == 0:
            for pid in family(self.process.pid):
                with contextlib.suppress(psutil.Error):
                    self._seen.setdefault(pid, psutil.Process(pid))
        self._looks += 1
        return [pid for pid, process in self._seen.items() if process.is_running()]

    def locate(self) -> None:
        self._tell(LOCATE)

    def finish(self) -> None:
        """Lets it end, once what it has started was seen."""
        if not self._is_finished:
            self._is_finished, self._looks = True, 0
            self.family()
            self._tell(FINISH)

    def kill(self) -> None:
        self._looks = 0
        self.family()
        if hasattr(os, "killpg"):
            kill_group(self.process.pid)
        self.process.kill()
        for process in self._seen.values():
            with contextlib.suppress(psutil.Error):
                process.kill()

    def close(self) -> None:
        if self.is_closed:
            return
        self.is_closed = True
        self.kill()
        self.process.wait()
        self._reader.join(END_SECONDS)
        for stream in (self._input, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                cast(IO[bytes], stream).close()


class Interpreters(Worker):
    """A worker whose processes are interpreters of their own."""

    def __init__(
        self, kind: ChildKind = SUBMISSION, halves: Sequence[str] = (), greeting: bytes = b""
    ) -> None:
        super().__init__(kind, halves, greeting)
        self._started: set[Interpreter] = set()
        """Those that are not closed."""
        self._warm: list[Interpreter] = []
        """Those of them that were asked nothing: one, or none."""
        self._words = ""

    def start(self) -> None:
        with self.lock:
            self._started = {each for each in self._started if not each.is_closed}
            self._warm = [each for each in self._warm if each.process.poll() is None]
            if not self._warm:
                pipe = subprocess.PIPE
                self._warm.append(Interpreter(self.launch(0, pipe, pipe), self.greeting))
                self._started.update(self._warm)

    def new(self) -> Interpreter:
        with self.lock:
            self.start()
            process = self._warm.pop()
        try:
            process.wait_until_warm()
        except EOFError:
            process.kill()
            self._words = words_of(process.process.stderr, self._words)
            process.close()
            raise
        if self.kind.requests == 1:
            self.start()  # the next is warm when it is needed
        return process

    def instruct(self, request: Any) -> object:
        outcome: Outcome = self.run(request)
        if outcome.how != "answered":
            raise GraderFault(outcome.message)
        return outcome.answer

    def last_words(self, is_gone: bool = False) -> str:
        return self._words or say("the process that was started is gone")

    def close(self) -> None:
        with self.lock:
            self._idle.clear()
            self._warm.clear()
            while self._started:
                self._started.pop().close()

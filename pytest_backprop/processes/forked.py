"""The way of Linux: a zygote has imported what is slow to import, and forks a process for each
request. Here it is as whoever asks sees it."""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import socket
import subprocess
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import psutil

from ..errors import GraderFault
from ..messages import phrase, say
from . import sandbox
from .client import Serve, Worker, words_of
from .protocol import (
    FORK,
    INSTRUCT,
    MAX_EVENT,
    SUBMISSION,
    Broke,
    ChildKind,
    Ended,
    Event,
    Started,
    frame,
    receive,
    receive_bytes,
)
from .supervisor import END_SECONDS, PIPE, Running
from .usage import PATIENCE, family, kill_descendants, kill_group
from .zygote import WHERE

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
GONE = phrase("the process that forks others is gone")


class Forked(Running):
    """A process that a zygote forked: answers over the pipe `answer` what comes on `link`."""

    def __init__(self, link: socket.socket, answer: int, started: Started) -> None:
        self.link, self.answer = link, answer
        self.pid, self.baseline = started.pid, started.memory
        self.requests = 0
        os.set_blocking(answer, False)
        self._selector = selectors.DefaultSelector()
        for end in (answer, link):
            self._selector.register(end, selectors.EVENT_READ)

    def ask(self, request: bytes, most: int) -> None:
        self.link.sendall(request)

    def events(self, seconds: float) -> Iterator[bytes | int]:
        for key, _ in self._selector.select(seconds):
            if key.fileobj is not self.link:
                yield from self._parts()
                continue
            event = receive(self.link.recv, Event, MAX_EVENT)  # type: ignore[arg-type]
            if not isinstance(event, Ended):
                raise EOFError
            yield from self._parts()  # all that the pipe holds
            yield event.code

    def _parts(self) -> Iterator[bytes]:
        with contextlib.suppress(BlockingIOError):
            if part := os.read(self.answer, PIPE):
                yield part
            elif self.answer in self._selector.get_map():
                self._selector.unregister(self.answer)

    def family(self) -> list[int]:
        return family(self.pid)

    def locate(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, WHERE)

    def finish(self) -> None:
        """It counts for itself."""

    def kill(self) -> None:
        kill_group(self.pid)

    def close(self) -> None:
        """The zygote ends one whose link is closed."""
        self._selector.close()
        self.link.close()
        os.close(self.answer)


class Zygote(Worker):
    """A worker whose processes are forked from one. Also processes that are forked from the one
    that started it may share it."""

    first = "from pytest_backprop.processes.sandbox import adopt; adopt(); "

    def __init__(
        self,
        kind: ChildKind = SUBMISSION,
        halves: Sequence[str] = (),
        greeting: bytes = b"",
        serve: Serve | None = None,
    ) -> None:
        """With `serve` the zygote is forked from this process, and sent no greeting."""
        super().__init__(kind, halves, greeting)
        self._serve = serve
        self._commands: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.pid: int | None = None
        self._starter: int | None = None

    def start(self) -> None:
        with self.lock:
            if self.is_there:
                return
            if self._starter not in (None, os.getpid()):
                raise GraderFault(say(GONE))
            self.close()
            if self._serve is not None:
                self.fork(self._serve)
                return
            ours, theirs = socket.socketpair()
            with theirs:
                null = subprocess.DEVNULL
                self._process = self.launch(theirs.fileno(), null, null)
            self._commands, self.pid, self._starter = ours, self._process.pid, os.getpid()
            # one that ended at once has its last words told when it is asked
            with contextlib.suppress(OSError):
                ours.sendall(self.greeting)

    def fork(self, serve: Serve) -> None:
        """Has a zygote that is forked from this process: there `serve` is called with the socket on
        which it is sent commands."""
        ours, theirs = socket.socketpair()
        parent = os.getpid()
        # an interrupt between the fork and what follows would unwind this process's frames there
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        try:
            with warnings.catch_warnings():
                # Python warns of the pool's threads; the child needs none of them
                warnings.simplefilter("ignore", DeprecationWarning)
                pid = os.fork()
            if pid == 0:
                try:
                    ours.close()
                    os.setsid()  # Ctrl-C is for this process, which ends the other
                    sandbox.adopt()
                    if os.getppid() == parent:
                        serve(theirs)
                finally:
                    os._exit(os.EX_SOFTWARE)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        theirs.close()
        self._commands, self.pid, self._starter = ours, pid, parent

    def new(self) -> Forked:
        answer, answer_start = os.pipe()
        with contextlib.ExitStack() as failed:
            failed.callback(os.close, answer)
            link = failed.enter_context(self._command(FORK, answer_start))
            started = receive(link.recv, Event, MAX_EVENT)  # type: ignore[arg-type]
            if isinstance(started, Broke):
                raise GraderFault(started.message)
            if not isinstance(started, Started):
                raise EOFError
            failed.pop_all()
        return Forked(link, answer, started)

    def instruct(self, request: Any) -> object:
        answer: object = None
        with contextlib.suppress(OSError), self._command(INSTRUCT) as link:
            link.sendall(frame(request))
            body = receive_bytes(link.recv, MAX_EVENT)
            answer = None if body is None else self.kind.answers.decode(body)
        if answer is None:
            raise GraderFault(self.last_words())
        self.retire()  # those to come know what the zygote knows
        return answer

    def _command(self, command: bytes, *fds: int) -> socket.socket:
        """Sends a command with descriptors, which are then no longer this process's; gives the
        link on which more is said. Raises OSError, GraderFault."""
        link, theirs = socket.socketpair()
        with contextlib.ExitStack() as failed:
            failed.callback(link.close)
            try:
                self.start()
                if self._commands is None:
                    raise OSError(say(GONE))
                socket.send_fds(self._commands, [command], [theirs.fileno(), *fds])
            finally:
                theirs.close()
                for fd in fds:
                    os.close(fd)
            link.settimeout(PATIENCE)
            failed.pop_all()
        return link

    def close(self) -> None:
        self.retire()
        commands, pid, process = self._commands, self.pid, self._process
        self._commands = self.pid = self._process = None
        if commands is not None:
            commands.close()
        if pid is None or self._starter != os.getpid():
            return
        with contextlib.suppress(psutil.Error):
            if psutil.Process(pid).ppid() == os.getpid():  # or its number is another's by now
                kill_descendants(pid)
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)
        if process is not None:
            process.wait()
            if process.stderr is not None:
                process.stderr.close()

    @property
    def is_there(self) -> bool:
        """Whether it was started and has not ended."""
        commands = self._commands
        try:  # it says nothing there: only its end can be read
            return commands is not None and bool(
                commands.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            )
        except BlockingIOError:
            return True
        except OSError:
            return False

    def fileno(self) -> int:
        return -1 if self._commands is None else self._commands.fileno()

    def last_words(self, is_gone: bool = False) -> str:
        # its links are closed before its socket: then it is gone for whoever asks next, too
        if is_gone and self._commands is not None:
            select.select([self._commands], [], [], END_SECONDS)
        process = self._process
        if process is None or process.stderr is None or self._starter != os.getpid():
            return say(GONE)
        os.set_blocking(process.stderr.fileno(), False)
        return words_of(process.stderr, f"{say(GONE)}: {process.poll()}")

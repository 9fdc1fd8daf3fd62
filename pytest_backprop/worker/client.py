"""The grader's side: starts the zygote, hands it one submission at a time, watches the child.

The child is judged from outside: the time and the resident memory of it and all it started, and how it ended. Only a well-formed answer from a child that then exited 0 is evidence.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Protocol

import msgspec
import psutil

from ..errors import GraderFault
from .child_watch import PIPE_BYTES, ChildWatch, Outcome
from .descendants import kill_descendants
from .environment import environment
from .protocol import (
    MAX_EVENT,
    SIBLING,
    SUBMISSION,
    ChildKind,
    Event,
    Hello,
    Limited,
    Request,
    Started,
    frame,
    receive,
)
from .time_taken import PATIENCE

# looking for garbage is a tenth of the time that the import of torch takes, which makes little
BOOT = "import gc, sys; gc.disable(); from pytest_backprop.{} import main; main(int(sys.argv[1]))"

msgspec.msgpack.Decoder(Event)


class Elder(Protocol):
    """What has a zygote to fork others from."""

    def fork_sibling(self, sibling: Worker) -> socket.socket:
        """The socket of a new one. Raises OSError if that cannot be had."""


class Worker:
    """One zygote and its children, which do what `child` says. Not for use by several
    threads, save `close`::

        with contextlib.closing(Worker()) as worker:
            scenario = Scenario(("w0", "w1"), ("x1", "x2", "x3"), ((0.3, 0.7),), ((0.2, 0.4, 0.9),))
            outcome = worker.run(Request(units, None, (scenario,), 1, Limits(20, 2**31)))

    `units` are a submission's; `outcome.answer` is what its child said, here of one recorded point.
    """

    def __init__(
        self,
        elder: Elder | None = None,
        child: ChildKind = SUBMISSION,
        halves: Sequence[str] = (),
    ) -> None:
        """With an `elder`, the zygote is forked from the elder's, if that is there: it costs little.
        `halves` are modules that it imports: the child's halves of exercises."""
        self._halves = tuple(halves)
        self._child = child
        self._process: subprocess.Popen[bytes] | None = None
        self._link: socket.socket | None = None
        self._elder = elder
        self._siblings: list[Worker] = []
        self.hello: Hello | None = None

    def start(self) -> None:
        """Starts the zygote and returns at once; it imports torch meanwhile."""
        if self._link is not None:
            return
        if self._elder is not None:
            try:
                self._link = self._elder.fork_sibling(self)
                return
            except OSError:
                pass  # the elder was killed from outside
        self._start_alone()

    def _start_alone(self) -> None:
        """Starts a zygote that owes nothing to an elder."""
        self._elder = None
        if self._link is not None:
            self._link.close()
        if not hasattr(os, "fork"):
            raise GraderFault("grading needs os.fork, which this system does not have")
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-c",
                    BOOT.format(self._child.module),
                    str(theirs.fileno()),
                    *self._halves,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=environment(),
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                cwd="/",
            )
        self._link = ours

    def fork_sibling(self, sibling: Worker) -> socket.socket:
        """Has the zygote fork another, and gives the socket to it. Not while `run` runs."""
        self.start()  # it need not be ready yet
        assert self._link is not None
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._link, [SIBLING], [theirs.fileno()])
        if sibling not in self._siblings:
            self._siblings.append(sibling)
        return ours

    def ready(self) -> Hello:
        """Starts the zygote, also one that was closed, and waits for it. Raises GraderFault with its
        stderr if it does not come up."""
        if self.hello is None:
            self.start()
            event = self._event()
            if event is None and self._elder is not None:
                self._start_alone()  # the elder was killed when it was asked
                event = self._event()
            if not isinstance(event, Hello):
                reason = f"the worker did not start: {self._last_words()}"
                self.close()
                raise GraderFault(reason)
            self.hello = event
        return self.hello

    def run(self, request: Request | Limited) -> Outcome:
        """Runs one submission, or its model. Raises GraderFault for a fault of ours; the zygote is
        then gone, and `ready` or the next call starts a new one."""
        hello, link = self.ready(), self._link
        if link is None:
            raise GraderFault("the worker was closed")
        answer_end, answer_start = os.pipe()
        output_end, output_start = os.pipe()
        for start in (answer_start, output_start):
            with contextlib.suppress(AttributeError, OSError):  # not of this system, or too many
                fcntl.fcntl(start, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        try:
            try:
                socket.send_fds(link, [(message := frame(request))[:4]],
                                [answer_start, output_start])  # fmt: skip
                link.sendall(message[4:])
            finally:
                os.close(answer_start)
                os.close(output_start)
            started = self._event()
            if not isinstance(started, Started):
                raise GraderFault(f"the worker did not fork: {self._last_words()}")
            watch = ChildWatch(started.pid, request, hello.memory, self._child.answers)
            watch.follow(link, answer_end, output_end)
            if not request.limits.sandbox or "seccomp" not in hello.sandbox:
                self.kill_descendants()  # it may have left its group
        except (OSError, ValueError, msgspec.DecodeError) as error:
            reason = f"the worker failed: {error}; {self._last_words()}"
            self.close()
            raise GraderFault(reason) from error
        except BaseException:
            # of an interrupt, too: what the zygote says next would be taken for another's
            self.close()
            raise
        finally:
            os.close(answer_end)
            os.close(output_end)
        return watch.outcome()

    def close(self) -> None:
        """Ends the zygote and whatever it started."""
        self.kill_descendants()
        for sibling in self._siblings:
            sibling.close()
        process, link, zygote = self._process, self._link, self._zygote()
        self._process = self._link = self.hello = None
        self._siblings.clear()
        if link is not None:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)  # wakes a thread that waits on it
            link.close()
        if process is None:
            with contextlib.suppress(psutil.Error):
                if zygote is not None:
                    zygote.kill()
            return
        process.kill()
        process.wait()
        if process.stderr is not None:
            process.stderr.close()

    def fileno(self) -> int:
        """The descriptor that leads to the zygote; -1 without one."""
        return -1 if self._link is None else self._link.fileno()

    def let_go(self) -> None:
        """Leaves the zygote, which is there, to a process that was forked from this one."""
        if self._link is not None:
            self._link.close()
        self._link = None

    @property
    def pid(self) -> int | None:
        """The zygote's process id, where it is known."""
        return self.hello.pid if self.hello else self._process.pid if self._process else None

    def kill_descendants(self) -> None:
        """Kills what the zygote's children left behind: it adopts them."""
        if (zygote := self._zygote()) is not None:
            kill_descendants(zygote, {s.hello.pid for s in self._siblings if s.hello})

    def _zygote(self) -> psutil.Process | None:
        with contextlib.suppress(psutil.Error):
            return None if self.pid is None else psutil.Process(self.pid)
        return None

    def _event(self) -> Event | None:
        link = self._link
        if link is None:  # closed by another thread
            return None
        with contextlib.suppress(OSError):
            link.settimeout(PATIENCE)
            event = receive(link, Event, MAX_EVENT)  # type: ignore[arg-type]
            link.settimeout(None)
            return event
        return None

    def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return "it is gone"
        os.set_blocking(process.stderr.fileno(), False)
        text = (process.stderr.read() or b"").decode("utf-8", "replace").strip()
        return text[-2_000:] or f"exit status {process.poll()}"

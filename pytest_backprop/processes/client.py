"""The side of whoever asks: starts a zygote, has it fork a process for a request, and watches that.

A process is judged from outside: the time and the resident memory of it and all it started, and
how it ended. Only a well-formed answer from one that then exited 0 is evidence.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import msgspec
import psutil

from ..errors import GraderFault
from ..messages import say
from . import sandbox
from .protocol import FORK, MAX_EVENT, SUBMISSION, Broke, ChildKind, Event, Started, frame, receive
from .supervisor import GONE, Forked, Outcome, Supervisor
from .usage import PATIENCE, kill_descendants

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # large pages for what the zygote holds: a fork copies far fewer entries of its page tables
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    # torch's compiler, which `torch.compiler.disable` imports too, makes its folder and fails where
    # it may not: one that is there already is no trouble
    "TORCHINDUCTOR_CACHE_DIR": tempfile.gettempdir(),
    # what is in `torch.compile` runs as it is written
    "TORCHDYNAMO_DISABLE": "1",
    # autograd starts a thread for each of these devices, and none may be there at a fork
    "CUDA_VISIBLE_DEVICES": "",
}
"""The environment of a zygote and its children: nothing of the grader's own but KEPT."""
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")

# looking for garbage is a tenth of the time that the import of torch takes, which makes little
BOOT = "import gc, sys; gc.disable(); from pytest_backprop.{} import main; main(int(sys.argv[1]))"

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
END_SECONDS = 10.0
"""What a zygote that ends may take for that."""

msgspec.msgpack.Decoder(Event)


class Zygote:
    """A process that forks one for each request, as whoever asks it sees it. Threads may share it,
    and processes that are forked from the one that started it::

        with contextlib.closing(Zygote()) as zygote:
            leaves = scalars(("w0", "w1"), ("x1", "x2", "x3"))
            scenario = Scenario(leaves, ((0.3, 0.7, 0.2, 0.4, 0.9),))
            outcome = zygote.run(Request(units, None, (scenario,), 1, Limits(20, 2**31)))

    `units` are a submission's; `outcome.answer` is what its child said, here of one recorded point.
    """

    def __init__(self, kind: ChildKind = SUBMISSION, halves: Sequence[str] = ()) -> None:
        """`kind` says what its processes do; `halves` are modules that a zygote of submissions
        imports: the child's halves of exercises, without them that of the homework."""
        self._kind = kind
        self._halves = tuple(halves)
        self._commands: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self.pid: int | None = None
        self._starter: int | None = None
        self._lock = threading.RLock()
        self._idle: list[Forked] = []

    def start(self) -> None:
        """Starts the zygote, also one that is gone or was closed, and returns at once; it imports
        torch meanwhile. Raises GraderFault where another process had started it, and it is gone."""
        with self._lock:
            if self.is_there:
                return
            if self._starter not in (None, os.getpid()):
                raise GraderFault(say(GONE))
            self.close()
            self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-c",
                    BOOT.format(self._kind.module),
                    str(theirs.fileno()),
                    *self._halves,
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=ENVIRONMENT | {key: os.environ[key] for key in KEPT if key in os.environ},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                cwd="/",
            )
        self._commands, self.pid, self._starter = ours, self._process.pid, os.getpid()

    def fork(self, serve: Callable[[socket.socket], NoReturn]) -> None:
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

    def run(self, request: Any) -> Outcome:
        """Has a process answer a request, which has `limits`. Raises GraderFault for a fault of
        ours, as when the zygote is gone: the next call starts another.

        One that has answered others is asked first. What it does not answer is asked of a new one:
        no outcome depends on what was asked before.
        """
        with contextlib.suppress(IndexError, GraderFault):
            if (outcome := self._ask(self._idle.pop(), request)).how == "answered":
                return outcome
        return self._ask(self._forked(), request)

    def _forked(self) -> Forked:
        answer, answer_start = os.pipe()
        with contextlib.ExitStack() as failed, self._faults():
            failed.callback(os.close, answer)
            link = failed.enter_context(self.command(FORK, answer_start))
            started = receive(link, Event, MAX_EVENT)  # type: ignore[arg-type]
            if isinstance(started, Broke):
                raise GraderFault(started.message)
            if not isinstance(started, Started):
                raise EOFError
            failed.pop_all()
        return Forked(link, answer, started)

    def _ask(self, process: Forked, request: Any) -> Outcome:
        with contextlib.ExitStack() as ends, self._faults():
            ends.callback(process.close)
            supervisor = Supervisor(process, request, self._kind)
            process.link.sendall(frame(request))
            supervisor.follow()
            outcome = supervisor.outcome()
            process.requests += 1
            if outcome.how == "answered" and process.requests < self._kind.requests:
                ends.pop_all()
                self._idle.append(process)
        return outcome

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """What fails here is a fault of ours."""
        try:
            yield
        except EOFError as end:
            # its links are closed before its socket: then it is gone for whoever asks next, too
            if self._commands is not None:
                select.select([self._commands], [], [], END_SECONDS)
            raise GraderFault(self.last_words()) from end
        except (OSError, ValueError, msgspec.DecodeError, psutil.Error) as error:
            raise GraderFault(f"{error}; {self.last_words()}") from error

    def command(self, command: bytes, *fds: int) -> socket.socket:
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

    def retire(self) -> None:
        """Ends the processes that wait for a request: those to come know what the zygote knows."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()

    def close(self) -> None:
        """Ends the zygote and whatever it started, also while a thread waits for that."""
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
        """The descriptor over which it is sent commands; -1 without one."""
        return -1 if self._commands is None else self._commands.fileno()

    def last_words(self) -> str:
        """What it said before it ended."""
        process = self._process
        if process is None or process.stderr is None or self._starter != os.getpid():
            return say(GONE)
        os.set_blocking(process.stderr.fileno(), False)
        text = (process.stderr.read() or b"").decode("utf-8", "replace").strip()
        return text[-2_000:] or f"{say(GONE)}: {process.poll()}"

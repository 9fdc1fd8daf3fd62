"""The side of whoever asks: has a process answer a request in one of two ways, and watches that.

On Linux a zygote forks it (`forked`); elsewhere it is a fresh interpreter (`fresh`). Either is
judged from outside: the time and the resident memory of it and all it started, and how it ended.
Only a well-formed answer from one that then exited 0 is evidence."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, NoReturn

import msgspec
import psutil

from ..errors import GraderFault
from .protocol import SUBMISSION, ChildKind, Event, Policy, frame
from .supervisor import Outcome, Running, Supervisor

FORKS = sys.platform == "linux" and hasattr(os, "fork")
"""Whether processes are forked, and the kernel has what a sandbox is made of."""

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
KEPT = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")

# looking for garbage is a tenth of the time that the import of torch takes, which makes little
BOOT = "import gc, sys; gc.disable(); {}from pytest_backprop.{} import main; main(int(sys.argv[1]))"

msgspec.msgpack.Decoder(Event)

Serve = Callable[[Any], NoReturn]
"""Called in a forked process, with the socket on which it is sent commands."""


class Worker:
    """Has a process of its own answer each request, or several one by one. Threads may share it::

        with contextlib.closing(worker()) as children:
            leaves = scalars(("w0", "w1"), ("x1", "x2", "x3"))
            scenario = Scenario(leaves, ((0.3, 0.7, 0.2, 0.4, 0.9),))
            outcome = children.run(Request(units, None, (scenario,), 1, Limits(20, 2**31)))

    `units` are a submission's; `outcome.answer` is what its child said, here of one recorded point.
    """

    first = ""
    """Code that the other side begins with."""

    def __init__(
        self, kind: ChildKind = SUBMISSION, halves: Sequence[str] = (), greeting: bytes = b""
    ) -> None:
        """`kind` says what its processes do; `halves` are modules that those of submissions import:
        the child's halves of exercises, without them that of the homework. Each process that it
        starts is first sent the `greeting`."""
        self.kind = kind
        self.halves = tuple(halves)
        self.greeting = greeting
        self.lock = threading.RLock()
        self._idle: list[Running] = []

    def start(self) -> None:
        """Starts what takes time to start, also what is gone or was closed, and returns at once.
        Raises GraderFault where another process had started it, and it is gone."""
        raise NotImplementedError

    def instruct(self, request: Any) -> object:
        """Has a request answered by what answers those to come; gives the answer. Raises
        GraderFault."""
        raise NotImplementedError

    def new(self) -> Running:
        """A process that has answered nothing. Raises GraderFault, and what is one in `_faults`."""
        raise NotImplementedError

    def last_words(self, is_gone: bool = False) -> str:
        """What it said that ended, or that will have ended at once."""
        raise NotImplementedError

    def run(self, request: Any) -> Outcome:
        """Has a process answer a request, which has `limits`. Raises GraderFault for a fault of
        ours, as when what was started is gone: the next call starts another.

        One that has answered others is asked first. What it does not answer is asked of a new one:
        no outcome depends on what was asked before."""
        with contextlib.suppress(IndexError, GraderFault):
            if (outcome := self._ask(self._idle.pop(), request)).how == "answered":
                return outcome
        with self._faults():
            process = self.new()
        return self._ask(process, request)

    def _ask(self, process: Running, request: Any) -> Outcome:
        with contextlib.ExitStack() as ends, self._faults():
            ends.callback(process.close)
            supervisor = Supervisor(process, request, self.kind)
            process.ask(frame(request), request.limits.answer)
            supervisor.follow()
            outcome = supervisor.outcome()
            process.requests += 1
            if outcome.how == "answered" and process.requests < self.kind.requests:
                ends.pop_all()
                self._idle.append(process)
        return outcome

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """What fails here is a fault of ours."""
        try:
            yield
        except EOFError as end:
            raise GraderFault(self.last_words(is_gone=True)) from end
        except (OSError, ValueError, msgspec.DecodeError, psutil.Error) as error:
            raise GraderFault(f"{error}; {self.last_words()}") from error

    def launch(self, descriptor: int, stdin: int, stdout: int) -> subprocess.Popen[bytes]:
        """Starts an interpreter in a clean environment, whose `main` is called with a descriptor;
        it inherits it, unless it is its standard input."""
        boot = BOOT.format(self.first, self.kind.module)
        return subprocess.Popen(
            [sys.executable, "-I", "-X", "utf8", "-c", boot, str(descriptor), *self.halves],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT | {key: os.environ[key] for key in KEPT if key in os.environ},
            pass_fds=(descriptor,) if descriptor else (),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # of Windows
            cwd="/",
        )

    def fileno(self) -> int:
        """The descriptor by which a process that is forked from this one may ask it; or -1."""
        return -1

    def retire(self) -> None:
        """Ends the processes that wait for a request."""
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()

    def close(self) -> None:
        """Ends whatever it started, also while a thread waits for that."""
        raise NotImplementedError


def words_of(stream: IO[bytes] | None, otherwise: str) -> str:
    """The end of what a process that is gone has written there."""
    text = (stream.read() or b"").decode("utf-8", "replace").strip() if stream else ""
    return text[-2_000:] or otherwise


def worker(
    kind: ChildKind = SUBMISSION,
    halves: Sequence[str] = (),
    greeting: bytes = b"",
    serve: Serve | None = None,
) -> Worker:
    """A worker in this system's way, with the arguments of `Worker`; with `serve`, which only one
    that forks has, its zygote is forked from this process."""
    if FORKS:
        from .forked import Zygote

        return Zygote(kind, halves, greeting, serve)
    from .fresh import Interpreters

    return Interpreters(kind, halves, greeting)


def probe() -> Policy:
    """What children are kept in, as tried here."""
    if FORKS:
        from . import sandbox

        return sandbox.probe()
    return Policy(way="fresh interpreter")

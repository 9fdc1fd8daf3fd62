"""Forks judges, one after another, and clears away what each leaves behind. What grades several submissions at
a time has a zygote for each of its judges: one was started, the others are forked from it.

It is a process that `start` made: clean, or forked from pytest's when grading is set up, where plugins'
checks, loaders and points are functions that exist there alone. A judge that takes another's place comes
from here, so the state that pytest's process is in by then does not matter. The zygote stays single-threaded.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import gc
import os
import select
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import psutil

from ...errors import GraderFault
from ...messages import use_language
from ...worker import sandbox
from ...worker.client import Worker
from ...worker.descendants import kill_descendants
from ...worker.protocol import frame, receive
from .protocol import BRANCH, FORK, MAX_MESSAGE, Branched, JudgeEnded, JudgeFault, Setup

if TYPE_CHECKING:
    from ..pipeline import Grader

Build = Callable[[Worker], "Grader"]
"""Makes the grader, in the judge."""

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


def fork_zygote(build: Build, halves: Sequence[str] = ()) -> tuple[int, socket.socket]:
    """Its process id and the socket that commands go through. The zygote leaves by `os._exit` alone. `halves` are
    modules for children: the child's halves of exercises."""
    ours, theirs = socket.socketpair()
    parent = os.getpid()
    # an interrupt between the fork and what follows would unwind pytest's own frames in the child
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        with warnings.catch_warnings():
            # under xdist there are other threads, which Python warns of; none of them is needed here
            warnings.simplefilter("ignore", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _run(theirs, build, halves, parent)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return pid, ours


def _run(link: socket.socket, build: Build, halves: Sequence[str], parent: int) -> NoReturn:
    try:
        _leave(link.fileno())
        if os.getppid() == parent:
            # imports torch meanwhile, in a process of its own
            _serve(link, build, Worker(halves=halves), "")
    finally:
        os._exit(0)


def main(link_fd: int, served: socket.socket) -> NoReturn:
    """The same in a clean process, which is told on `link_fd` what to grade with; `served` leads to the zygote
    of submissions that was forked there."""
    try:
        with contextlib.suppress(Exception):  # what is wrong is told when a judge is asked for
            from .. import pipeline  # noqa: F401
        link = socket.socket(fileno=link_fd)
        setup = receive(link, Setup, MAX_MESSAGE)
        if setup is not None:
            os.environb.clear()
            os.environb.update(setup.environment)
            use_language(setup.language)
            _serve(
                link, functools.partial(_build, setup), Worker(elder=_Beside(served)), setup.level
            )
    finally:
        os._exit(0)


class _Beside:
    """In place of an elder: gives the zygote that was forked beside this process, once."""

    def __init__(self, served: socket.socket) -> None:
        self._served: socket.socket | None = served

    def fork_sibling(self, sibling: Worker) -> socket.socket:
        served, self._served = self._served, None
        if served is None:
            raise OSError
        return served


def _build(setup: Setup, worker: Worker) -> Grader:
    """In the judge."""
    from ...exercises import BUILT_IN
    from .judge import grader_of

    exercise = BUILT_IN[setup.kind]
    return grader_of(setup, exercise, exercise.load_bank(Path(setup.bank)), worker)


def _leave(*keep: int) -> None:
    """Cuts the ties with the process that this one was forked from, but for some descriptors."""
    gc.freeze()  # what is pytest's is not collected here: a temporary folder would be removed
    gc.disable()  # until all is imported
    os.setsid()  # Ctrl-C is for pytest's process, which ends this one
    sandbox.adopt()
    signal.set_wakeup_fd(-1)
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    faulthandler.disable()
    null = os.open(os.devnull, os.O_RDWR)
    # not closed: an object of pytest's that is closed here later must not hit a descriptor of ours
    for fd in _descriptors():
        if fd not in (*keep, null):
            with contextlib.suppress(OSError):
                os.dup2(null, fd, inheritable=fd < 3)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _descriptors() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(entry.name) for entry in Path(folder).iterdir()]
    return list(range(256))


def _serve(link: socket.socket, build: Build, elder: Worker, level: str) -> None:
    """Forks a judge for each FORK until the other end is closed. `level` is the sandbox that children reach, if
    that is known."""
    with contextlib.suppress(GraderFault, OSError):
        elder.start()
    while True:
        command, fds, _, _ = socket.recv_fds(link, 1, 1)
        if not command:
            break
        if command == BRANCH:
            _branch(fds[0], build, elder, level)
        if command != FORK:
            continue  # the judge that this is about is gone
        with socket.socket(fileno=fds[0]) as theirs:
            status = _one(link, theirs, build, elder, level)
        with contextlib.suppress(GraderFault, OSError):
            elder.ready()  # one that was forked is known when it has answered
        elder.kill_descendants()
        # what lost its parent came here; the elder stays, and the other zygotes
        kill_descendants(psutil.Process(), {elder.pid or 0, *_BRANCHES})
        if status is None:
            break
        link.sendall(frame(JudgeEnded(status)))
    elder.close()


_BRANCHES: set[int] = set()
"""The zygotes that were forked from this one."""


def _branch(link_fd: int, build: Build, elder: Worker, level: str) -> None:
    """Forks another zygote, with a zygote of submissions of its own."""
    with socket.socket(fileno=link_fd) as link:
        try:
            own = Worker(elder=elder)
            own.start()
            own.ready()  # from here on it is not taken for what a judge left
        except (GraderFault, OSError):
            return  # whoever asked for it sees that the link is closed
        if pid := os.fork():
            _BRANCHES.add(pid)
            own.let_go()
            return
        try:
            _BRANCHES.clear()
            _leave(link.fileno(), own.fileno())
            link.sendall(frame(Branched(os.getpid())))
            _serve(link, build, own, level)
        finally:
            os._exit(0)


def _is_gone(worker: Worker) -> bool:
    with contextlib.suppress(psutil.Error):
        return worker.pid is None or psutil.Process(worker.pid).status() == psutil.STATUS_ZOMBIE
    return True


def _one(
    link: socket.socket, theirs: socket.socket, build: Build, elder: Worker, level: str
) -> int | None:
    """Forks a judge and waits for its end; None if pytest's process is gone or wants no other."""
    worker = Worker(elder=elder)
    try:
        import torch

        from .. import pipeline  # noqa: F401  what a judge needs, for this one and the next
        from .judge import run

        torch.set_num_threads(1)  # other threads would not be there after a fork
        if elder.pid is not None and _is_gone(elder):
            elder.close()  # it is started again
        worker.start()
    except Exception as error:
        fault = str(error) if isinstance(error, GraderFault) else f"{type(error).__name__}: {error}"
        with contextlib.suppress(OSError):
            theirs.sendall(frame(JudgeFault(fault)))
        return os.EX_SOFTWARE << 8
    gc.freeze()  # what is here is shared by all judges
    gc.enable()
    alive, end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            link.close()
            os.close(alive)
            run(theirs, build, worker, level)
        finally:
            os._exit(os.EX_SOFTWARE)
    os.close(end)
    theirs.close()
    wanted = True
    try:
        while alive not in select.select([link.fileno(), alive], [], [])[0]:
            command, fds, _, _ = socket.recv_fds(link, 1, 1)
            if command == BRANCH:
                _branch(fds[0], build, elder, level)
                continue
            wanted = bool(command)  # KILL, or the end
            os.kill(pid, signal.SIGKILL)
            break
    finally:
        os.close(alive)
    _, status = os.waitpid(pid, 0)
    worker.close()
    return status if wanted else None

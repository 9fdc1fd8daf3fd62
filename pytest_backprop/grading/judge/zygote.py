"""The judges' zygote: has torch and the prepared tasks, and forks a judge for each submission.

`start` makes it in a clean process. Where plugins add to grading, that is with functions which
exist in pytest's process alone, so it is forked from that. Beside it runs the zygote of
submissions, which judges share: it has torch and nothing of a grader's.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import msgspec
from msgspec.msgpack import Decoder

from ...errors import GraderFault, UsageProblem
from ...messages import use_language
from ...processes.client import INTERRUPTS, Zygote
from ...processes.protocol import Broke, frame, receive
from ...processes.zygote import ZygoteRole, serve
from .protocol import (
    EXIT_MEMORY,
    MAX_GRADE,
    MEMORY,
    PREPARE,
    Ask,
    Graded,
    Prepare,
    Prepared,
    Setup,
    Usage,
)

if TYPE_CHECKING:
    from ...exercises.base import Exercise
    from ...exercises.functions.bank import Bank
    from ..pipeline import Grader
    from ..plugin_guard import Additions

Build = Callable[[Zygote], "Grader"]
"""Makes the grader, which runs submissions by this zygote."""


def serve_setup(link_fd: int, children: Zygote, level: str) -> NoReturn:
    """In a clean process: is sent a Setup on the socket `link_fd`, which it serves from then on.
    `children` forks what runs submissions, `level` is the sandbox that they reach."""
    link = socket.socket(fileno=link_fd)
    setup = receive(link, Setup, MAX_GRADE)
    if setup is None:
        os._exit(0)
    os.environb.clear()
    os.environb.update(setup.environment)
    use_language(setup.language)
    _serve(link.detach(), functools.partial(_build, setup), children, level)


def serve_build(link: socket.socket, build: Build, halves: Sequence[str]) -> NoReturn:
    """In a process that was forked from pytest's: ends what the two share, and serves the socket.
    `halves` are modules for children: the child's halves of exercises."""
    gc.freeze()  # what is pytest's is not collected here: a temporary folder would be removed
    signal.set_wakeup_fd(-1)
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    faulthandler.disable()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # autograd starts threads for devices
    null = os.open(os.devnull, os.O_RDWR)
    # not closed: an object of pytest's that is closed here later must not hit a descriptor of ours
    for fd in _descriptors():
        if fd not in (link.fileno(), null):
            with contextlib.suppress(OSError):
                os.dup2(null, fd, inheritable=fd < 3)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    _serve(link.detach(), build, Zygote(halves=halves), None)


def _descriptors() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        return list(range(256))


def grader_of(
    setup: Setup,
    exercise: Exercise,
    bank: Bank,
    children: Zygote,
    additions: Additions | None = None,
) -> Grader:
    """The grader that a run asks for; `additions` are what plugins add. Imports torch."""
    from ..pipeline import Grader, GradingPlan

    plan = GradingPlan(**setup.plan, exercise=exercise)
    return Grader(plan, setup.rubric, bank, children, additions)


def _build(setup: Setup, children: Zygote) -> Grader:
    """The same where no plugin adds to it."""
    from ...exercises import BUILT_IN

    exercise = BUILT_IN[setup.kind]
    return grader_of(setup, exercise, exercise.load_bank(Path(os.fsdecode(setup.bank))), children)


def _serve(link_fd: int, build: Build, children: Zygote, level: str | None) -> NoReturn:
    with contextlib.suppress(GraderFault, OSError):  # is tried again, and told, when it is needed
        children.start()
    judge = _Judge(build, children)
    role = ZygoteRole(
        Decoder(Ask),
        judge.answer,
        "",
        {},
        {PREPARE: judge.prepare},
        judge.before_fork,
        adopts=False,
    )
    serve(link_fd, role, level)


class _Judge:
    """Prepares tasks in the zygote, and grades a submission in a process that was forked from
    it."""

    def __init__(self, build: Build, children: Zygote) -> None:
        self._forks = 0
        try:
            import torch

            torch.set_num_threads(1)
            self._grader = build(children)
        except Exception as problem:
            self._problem: Exception | None = problem
        else:
            self._problem = None

    def before_fork(self) -> tuple[int, ...]:
        """The descriptors that lead to the zygotes by which a judge runs what it must."""
        if self._problem is not None:
            return ()
        self._forks += 1
        if self._forks == 2:  # the first does not wait for what pays later
            gc.freeze()
        return tuple(zygote.fileno() for zygote in self._grader.started())

    def prepare(self, link: socket.socket) -> None:
        """Answers a Prepare."""
        asked = receive(link, Prepare, MAX_GRADE)
        if asked is None:
            return
        answer: Prepared | Usage | Broke = Prepared()
        try:
            if self._problem is not None:
                raise self._problem
            self._grader.prepare(asked.variants)
        except Exception as problem:
            answer = _told(problem)
        gc.freeze()  # what is here is shared by all judges
        link.sendall(frame(answer))

    def answer(self, asked: Ask) -> Graded | Usage | Broke:
        """The grade, in a process of its own."""
        try:
            if self._problem is not None:
                raise self._problem
            _limit_memory()
            grade = self._grader.grade(Path(os.fsdecode(asked.path)), asked.shown, asked.brief)
            return Graded(msgspec.json.encode(grade))
        except MemoryError:
            os._exit(EXIT_MEMORY)
        except Exception as problem:
            return _told(problem)


def _told(problem: Exception) -> Usage | Broke:
    if isinstance(problem, UsageProblem):
        return Usage(problem.message, problem.way_out)
    if isinstance(problem, GraderFault):
        return Broke(str(problem))
    return Broke(f"{type(problem).__name__}: {problem}")


def _limit_memory() -> None:
    """From here on the kernel gives MEMORY more bytes of data and no more, where it counts them."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return
    data = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData:"))
    wanted = data * 1024 + MEMORY
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard == resource.RLIM_INFINITY or wanted <= hard:
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))

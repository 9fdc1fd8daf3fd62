"""The process that grades: a `Grader`, served on one socket."""

from __future__ import annotations

import os
import resource
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import msgspec

from ...errors import GraderFault, UsageProblem
from ...exercises.base import Exercise
from ...exercises.functions.bank import Bank
from ...messages import say
from ...worker import sandbox
from ...worker.client import Worker
from ...worker.protocol import frame, receive
from ..pipeline import Grader, GradingPlan
from ..plugin_guard import Additions
from .protocol import (
    EXIT_MEMORY,
    MAX_MESSAGE,
    MEMORY,
    Ask,
    Event,
    Graded,
    JudgeFault,
    Prepare,
    Prepared,
    Ready,
    Request,
    Setup,
    Usage,
)


def grader_of(
    setup: Setup,
    exercise: Exercise,
    bank: Bank,
    worker: Worker,
    additions: Additions | None = None,
) -> Grader:
    """The grader that a run asks for; `additions` are what plugins add."""
    exports = None if setup.exports is None else Path(setup.exports)
    plan = GradingPlan(**setup.plan, exports=exports, exercise=exercise)
    return Grader(plan, setup.rubric, bank, setup.roster, worker, additions, setup.handed)


def run(
    link: socket.socket, build: Callable[[Worker], Grader], worker: Worker, level: str
) -> NoReturn:
    """Serves requests until the other end is closed. It ends with the zygote that forked it. `level` is the
    sandbox that children reach; if it is not known, the worker says."""
    try:
        sandbox.prctl(sandbox.PR_SET_PDEATHSIG, signal.SIGKILL)
        _serve(link, build, worker, level)
        os._exit(0)
    except MemoryError:
        os._exit(EXIT_MEMORY)


def _serve(
    link: socket.socket, build: Callable[[Worker], Grader], worker: Worker, level: str
) -> None:
    try:
        grader = build(worker)
        level = level or worker.ready().sandbox
    except Exception as error:
        link.sendall(frame(_problem(error)))
        return
    link.sendall(frame(Ready(os.getpid(), level)))
    asked: Request | None
    while (asked := receive(link, Request, MAX_MESSAGE)) is not None:  # type: ignore[arg-type]
        told = _grade(grader, asked) if isinstance(asked, Ask) else _prepare(grader, asked)
        link.sendall(frame(told))


def _grade(grader: Grader, asked: Ask) -> Event:
    grade = grader.grade(Path(os.fsdecode(asked.path)), asked.shown)
    try:
        return Graded(msgspec.json.encode(grade))
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        return JudgeFault(f"{type(error).__name__}: {error}")


def _prepare(grader: Grader, asked: Prepare) -> Event:
    try:
        if asked.brief is not None:
            grader.learn(asked.brief)
        grader.prepare([(Path(os.fsdecode(path)), shown) for path, shown in asked.submissions])
    except Exception as error:
        return _problem(error)
    _limit_memory()  # not before: the variants are not a submission's to pay for
    return Prepared()


def _problem(error: Exception) -> Event:
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, UsageProblem):
        return Usage(error.message, error.way_out)
    text = str(error) if isinstance(error, GraderFault) else f"{type(error).__name__}: {error}"
    return JudgeFault(say("the grader failed: {fault}", fault=text))


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

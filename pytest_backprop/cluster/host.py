"""The process beside a Dask worker that has a judge, as pytest's process has one elsewhere.

Not the Dask worker itself: that has threads, and a judge is forked. It ends with the worker, or when it
was asked nothing for a while.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ..errors import GraderFault, UsageProblem
from ..exercises import BUILT_IN
from ..grading.judge.client import Judge
from ..grading.judge.protocol import MAX_MESSAGE, Graded, JudgeFault, Prepared, Usage
from ..grading.rubric import planned
from ..messages import use_language
from ..resume.fingerprint import versions
from ..worker.protocol import frame, receive
from .protocol import Answer, ClusterSetup, Enrolled, HostRequest, PrepareVariant

if TYPE_CHECKING:
    from ..grading.pipeline import Grader
    from ..worker.client import Worker

T = TypeVar("T")

IDLE_SECONDS = 300.0
"""After this long without a request it ends: its run has, most likely."""


def main() -> None:
    """Serves the socket whose descriptor is the first argument; writes in the folder that is the second."""
    link = socket.socket(fileno=int(sys.argv[1]))
    room = Path(sys.argv[2])
    try:
        _serve(link, room)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _serve(link: socket.socket, room: Path) -> None:
    setup = receive(link, ClusterSetup, MAX_MESSAGE)
    if setup is None:
        return
    use_language(setup.lang)
    judge = _answered(lambda: _judge(setup, room))
    threading.Thread(target=_end_with_worker, args=(link, room), daemon=True).start()
    if not isinstance(judge, Judge):
        link.sendall(frame(judge))
        return
    models = "onnx" in planned(setup.rubric)
    try:
        link.sendall(frame(Enrolled(versions(models), judge.sandbox)))
        link.settimeout(IDLE_SECONDS)
        while (asked := receive(link, HostRequest, MAX_MESSAGE)) is not None:  # type: ignore[arg-type]
            link.sendall(frame(_answered(lambda: _answer(judge, asked, room))))
    except TimeoutError:
        return
    finally:
        judge.close()


def _end_with_worker(link: socket.socket, room: Path) -> None:
    """Waits in a thread until the Dask worker is gone, also in the middle of a submission. What the judge
    started ends with this process."""
    hang_up = select.poll()
    hang_up.register(link, 0)  # that the other end was closed is told unasked
    hang_up.poll()
    shutil.rmtree(room, ignore_errors=True)
    os._exit(0)


def _judge(setup: ClusterSetup, room: Path) -> Judge:
    """A judge that is ready. Raises UsageProblem, GraderFault."""
    exercise = BUILT_IN[setup.kind]
    folder = room / "bank" / setup.folder
    folder.mkdir(parents=True)
    for name, content in setup.bank.items():
        (folder / name).write_bytes(content)
    bank = exercise.load_bank(folder)

    def build(worker: Worker) -> Grader:
        from ..grading.pipeline import Grader, GradingPlan

        plan = GradingPlan(**setup.plan, exercise=exercise)
        return Grader(plan, setup.rubric, bank, None, worker)

    variant, seconds = setup.plan["variant"], setup.plan["seconds"]
    judge = Judge(build, setup.rubric, bank, None, variant, seconds, (exercise.child,))
    judge.start()
    return judge


def _answer(judge: Judge, asked: HostRequest, room: Path) -> Answer:
    if isinstance(asked, PrepareVariant):
        name = f"{asked.name}.py"
        judge.prepare([(Path(name), name)])
        return Prepared()
    judge.learn(asked.brief)
    place = room / "submission" / os.fsdecode(asked.folder)
    try:
        place.mkdir(parents=True)
        path = place / os.fsdecode(asked.name)
        path.write_bytes(asked.content)
        return Graded(msgspec.json.encode(judge.grade(path, asked.brief.shown)))
    finally:
        shutil.rmtree(room / "submission", ignore_errors=True)


def _answered(work: Callable[[], T]) -> T | Usage | JudgeFault:
    try:
        return work()
    except UsageProblem as problem:
        return Usage(problem.message, problem.way_out)
    except Exception as error:
        text = str(error) if isinstance(error, GraderFault) else f"{type(error).__name__}: {error}"
        return JudgeFault(text)


if __name__ == "__main__":
    main()

"""Several submissions graded at a time: in what order, whoever grades them; and by the judges of
this machine, as many as it has room for."""

from __future__ import annotations

import contextlib
import functools
import os
import queue
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import psutil

from ...errors import GraderFault, UsageProblem
from ...model import Grade
from ...processes import sandbox
from ..brief import Brief, Briefs
from ..failures import not_judged
from ..rubric import Rubric
from .client import Judges

Place = tuple[Path, str]

AHEAD = 2
"""Submissions that are handed out for each that is graded: that one, and one that is at hand."""
LOOK_SECONDS = 0.1
CGROUP = Path("/sys/fs/cgroup")
"""Of the container that this process runs in, or of the machine (version 2)."""


class Queue(ABC):
    """Has submissions graded in the order in which they are asked for or were told of. Only one
    thread may use it."""

    def __init__(
        self,
        briefs: Briefs,
        rubric: Rubric,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
    ) -> None:
        """`reads` is told of each submission before its file is read, `came` of each grade, in any
        order, from the thread that calls this object."""
        self._briefs = briefs
        self._rubric = rubric
        self._reads = reads
        self._came = came
        self._waiting: deque[Place] = deque()
        self._running: dict[Any, Place] = {}
        """By their futures, of `concurrent.futures` or like it."""
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._grades: dict[str, Grade] = {}

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready what they need, and has them graded in this order once the first is asked
        for. Raises UsageProblem for what cannot be graded on."""
        places = list(submissions)
        self._make_ready(self._briefs.variants(places))
        self._waiting.extend(places)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission, when it is there. Never raises for what a submission does."""
        place = path, shown
        if shown not in self._grades and place not in self._running.values():
            with contextlib.suppress(ValueError):
                self._waiting.remove(place)
            self._waiting.appendleft(place)
        self._turn(0)
        while shown not in self._grades:
            self._turn(LOOK_SECONDS)
        return self._grades.pop(shown)

    def _turn(self, seconds: float) -> None:
        """Hands out what there is room for, and takes in what has come, for which it waits at most
        so long."""
        while self._waiting and len(self._running) < self._room():
            place = self._waiting.popleft()
            self._reads(*place)
            try:
                future = self._hand_out(place, self._briefs.of(*place))
            except UsageProblem as reason:
                self._finish(place, not_judged(self._rubric, place[1], reason, 0.0))
                continue
            self._running[future] = place
            future.add_done_callback(self._done.put)
        with contextlib.suppress(queue.Empty):
            future = self._done.get(timeout=seconds) if seconds else self._done.get_nowait()
            while True:
                if (done := self._running.pop(future, None)) is not None:  # else it was given up
                    self._take_in(done, future)
                future = self._done.get_nowait()

    def _finish(self, place: Place, grade: Grade) -> None:
        self._grades[place[1]] = grade
        self._came(*place, grade)

    @abstractmethod
    def _make_ready(self, variants: list[str]) -> None:
        """Has variants ready for all who grade. Raises UsageProblem."""

    @abstractmethod
    def _room(self) -> int:
        """How many submissions may be handed out."""

    @abstractmethod
    def _hand_out(self, place: Place, brief: Brief) -> Any:
        """Gives the future of its grade."""

    @abstractmethod
    def _take_in(self, place: Place, future: Any) -> None:
        """Finishes a submission by what has come of it, or has it graded again."""


class Pool(Queue):
    """Grades up to `most` submissions at a time on this machine. `close` it when done."""

    def __init__(
        self,
        judges: Judges,
        most: int,
        briefs: Briefs,
        rubric: Rubric,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
    ) -> None:
        super().__init__(briefs, rubric, reads, came)
        self._judges = judges
        self._most = most
        self._threads = ThreadPoolExecutor(most, "backprop-judge")

    @functools.cached_property
    def sandbox(self) -> str:
        """The level that children reach."""
        return sandbox.probe()

    def start(self) -> None:
        """Has judges that are ready, or on their way."""
        self._judges.start()

    def close(self) -> None:
        """Ends the judges, also in the middle of a submission."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._judges.close()
        while wait(self._running, LOOK_SECONDS).not_done:
            self._judges.close()  # one that was about to start another zygote is told once more

    def _make_ready(self, variants: list[str]) -> None:
        with contextlib.suppress(GraderFault):  # is told with each grade
            self._judges.prepare(variants)

    def _room(self) -> int:
        return AHEAD * self._most

    def _hand_out(self, place: Place, brief: Brief) -> Future[Grade]:
        assigned = self._briefs.assigned(*place)
        return self._threads.submit(self._judges.grade, *place, brief, assigned)

    def _take_in(self, place: Place, future: Future[Grade]) -> None:
        self._finish(place, future.result())


# -- how many at a time -------------------------------------------------------------------------


def processors() -> int:
    """Processors that this process may use: those that the kernel lets it run on, and no more than
    a container's quota is worth."""
    allowed = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        allowed = len(os.sched_getaffinity(0))
    with contextlib.suppress(OSError, ValueError):
        quota, period = (CGROUP / "cpu.max").read_text(encoding="ascii").split()
        allowed = min(allowed, int(quota) // int(period))  # "max" is no number
    return max(1, allowed)


def free_memory() -> int:
    """Bytes that processes can still get, of the machine and of a container."""
    free = int(psutil.virtual_memory().available)
    with contextlib.suppress(OSError, ValueError):
        limit = int((CGROUP / "memory.max").read_text(encoding="ascii"))
        free = min(free, limit - int((CGROUP / "memory.current").read_text(encoding="ascii")))
    return max(0, free)


def at_a_time(memory: int) -> int:
    """How many submissions, each of which may take so many bytes."""
    return max(1, min(processors(), free_memory() // memory))

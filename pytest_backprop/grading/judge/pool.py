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
from ..brief import Briefs
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
            future = self._hand_out(place)
            self._running[future] = place
            future.add_done_callback(self._done.put)
        with contextlib.suppress(queue.Empty):
            future = self._done.get(timeout=seconds) if seconds else self._done.get_nowait()
            while True:
                self._take_in(future)
                future = self._done.get_nowait()

    def _take_in(self, future: Any) -> None:
        place = self._running.pop(future, None)
        if place is None:  # it was given up
            return
        grade = self._grade_of(future, place)
        if grade is None:
            self._waiting.appendleft(place)
        else:
            self._finish(place, grade)

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
    def _hand_out(self, place: Place) -> Any:
        """A future, of `concurrent.futures` or like it."""

    @abstractmethod
    def _grade_of(self, future: Any, place: Place) -> Grade | None:
        """What has come of it; None if it is to be graded again."""


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
        running = set(self._running)
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._judges.close()
        while running := {future for future in running if not future.done()}:
            # one that was about to start another zygote is told once more
            wait(running, LOOK_SECONDS)
            self._judges.close()

    def _make_ready(self, variants: list[str]) -> None:
        with contextlib.suppress(GraderFault):  # is told with each grade
            self._judges.prepare(variants)

    def _room(self) -> int:
        return AHEAD * self._most

    def _hand_out(self, place: Place) -> Future[Grade]:
        return self._threads.submit(self._graded, *place)

    def _grade_of(self, future: Future[Grade], place: Place) -> Grade:
        return future.result()

    def _graded(self, path: Path, shown: str) -> Grade:
        """In a thread of its own."""
        try:
            brief = self._briefs.of(path, shown)
        except UsageProblem as reason:
            return not_judged(self._rubric, shown, reason, 0.0)
        return self._judges.grade(path, shown, brief, self._briefs.assigned(path, shown))


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

"""Several submissions graded at a time, in which order and by whom; and how many this machine has
room for."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Protocol

import psutil

from ...errors import GraderFault, UsageProblem
from ...model import Grade
from ...processes.protocol import Policy
from ..assignment import Brief, Briefs
from ..grades import not_judged

Place = tuple[Path, str]

LOOK_SECONDS = 0.1
CGROUP = Path("/sys/fs/cgroup")
"""Of the container that this process runs in, or of the machine (version 2)."""


class Graders(Protocol):
    """Who grades: `Judges` on this machine, or a cluster's. At most `most` submissions are
    ever graded at a time; `room` says, in the thread that waits, how many may be handed out now.
    `sandbox` is what children are kept in, None for this machine's."""

    most: int
    sandbox: Policy | None

    def room(self) -> int: ...
    def start(self) -> None: ...
    def prepare(self, tasks: Iterable[tuple[int, str]]) -> None: ...
    def grade(self, path: Path, shown: str, briefs: Sequence[Brief]) -> Grade: ...
    def close(self) -> None: ...


class Pool:
    """Has submissions graded, those that are asked for first, then the others in order. Only one
    thread may use it. `close` it when done."""

    def __init__(
        self,
        graders: Graders,
        briefs: Briefs,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
    ) -> None:
        """`reads` is told of each submission before its file is read, `came` of each grade, in any
        order, from the thread that calls this object."""
        self.graders = graders
        self._briefs = briefs
        self._reads = reads
        self._came = came
        self._waiting: deque[Place] = deque()
        self._running: dict[Future[Grade], Place] = {}
        self._grades: dict[str, Grade] = {}
        self._threads = ThreadPoolExecutor(graders.most, "backprop-judge")

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready what they need; graded they are once the first is asked for. Raises
        UsageProblem for what cannot be graded on."""
        places = list(submissions)
        with contextlib.suppress(GraderFault):  # is told with each grade
            self.graders.prepare(self._briefs.tasks(places))
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

    def close(self) -> None:
        """Ends whoever grades, also in the middle of a submission."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.graders.close()
        # one that was cancelled is done, but for `wait`
        while running := [future for future in self._running if not future.done()]:
            wait(running, LOOK_SECONDS)
            self.graders.close()  # one that was about to start another zygote is told once more

    def _turn(self, seconds: float) -> None:
        """Hands out what there is room for, and takes in what has come, for which it waits at most
        so long."""
        room = self.graders.room()
        while self._waiting and len(self._running) < room:
            place = self._waiting.popleft()
            self._reads(*place)
            self._running[self._threads.submit(self._judged, *place)] = place
        if not self._running:  # there is no room yet
            time.sleep(seconds)
        for future in wait(self._running, seconds, FIRST_COMPLETED).done:
            place = self._running.pop(future)
            self._grades[place[1]] = grade = future.result()
            self._came(*place, grade)

    def _judged(self, path: Path, shown: str) -> Grade:
        """In a thread of its own."""
        try:
            briefs = self._briefs.of(path, shown)
        except UsageProblem as reason:
            return not_judged(self._briefs.parts_of(path, shown), shown, reason)
        return self.graders.grade(path, shown, briefs)


# -- how many at a time -------------------------------------------------------------------------


def processors() -> int:
    """Processors that this process may use: those that the kernel lets it run on, and no more than
    a container's quota is worth."""
    has_affinity = hasattr(os, "sched_getaffinity")
    allowed = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
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

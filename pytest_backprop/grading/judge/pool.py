"""Several judges on this machine, each of which grades one submission at a time."""

from __future__ import annotations

import contextlib
import queue
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from ...model import Grade
from .client import Judge

Place = tuple[Path, str]

EACH = 2
"""So many submissions at least are worth a judge."""
AHEAD = 2
"""Submissions for each judge that are handed out: one that it grades, and one that it has at hand."""
LOOK_SECONDS = 0.1


class Judges:
    """Grades submissions by up to `most` judges at a time, in the order in which they are asked for or were told
    of. `close` it when done. Only one thread may use it."""

    def __init__(
        self,
        first: Judge,
        most: int,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
    ) -> None:
        """The other judges are branches of the `first`. `reads` is told of each submission before its file is
        read, `came` of each grade, in any order, from the thread that calls this object."""
        self._first = first
        self._most = most
        self._reads = reads
        self._came = came
        self._judges = [first]
        self._idle: queue.SimpleQueue[Judge] = queue.SimpleQueue()
        self._threads: ThreadPoolExecutor | None = None
        self._waiting: deque[Place] = deque()
        self._running: dict[Future[Grade], Place] = {}
        self._done: queue.SimpleQueue[Future[Grade]] = queue.SimpleQueue()
        self._grades: dict[str, Grade] = {}

    @property
    def sandbox(self) -> str:
        """The level that children reach, once the first judge was started."""
        return self._first.sandbox

    def start(self) -> None:
        """Has a judge that is ready, or on its way. Raises as `Judge.start` does."""
        self._first.start()

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready what they need, and has them graded in this order once the first is asked for. Raises
        UsageProblem for what cannot be graded on."""
        submissions = list(submissions)
        self._first.prepare(submissions)
        self._waiting.extend(submissions)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission, when it is there. Never raises for what a submission does."""
        place = path, shown
        if shown not in self._grades and place not in self._running.values():
            with contextlib.suppress(ValueError):
                self._waiting.remove(place)
            self._waiting.appendleft(place)
        self._hand_out()
        while shown not in self._grades:
            self._take_in(self._done.get())
            self._hand_out()
        with contextlib.suppress(queue.Empty):
            while True:
                self._take_in(self._done.get_nowait())
        return self._grades.pop(shown)

    def close(self) -> None:
        """Ends the judges, also in the middle of a submission."""
        running = set(self._running)
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        while True:
            for judge in self._judges:
                judge.close()
            running = {future for future in running if not future.done()}
            if not running:
                break
            # one that was about to start another judge is told once more
            wait(running, LOOK_SECONDS)

    # -- steps ------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        threads = self._threads or self._start_threads()
        while self._waiting and len(self._running) < AHEAD * len(self._judges):
            place = self._waiting.popleft()
            self._reads(*place)
            future = threads.submit(self._graded, *place)
            self._running[future] = place
            future.add_done_callback(self._done.put)

    def _start_threads(self) -> ThreadPoolExecutor:
        """Has as many judges as these submissions are worth."""
        more = min(self._most, len(self._waiting) // EACH) - 1
        self._judges += [self._first.branch() for _ in range(more)]
        for judge in self._judges:
            self._idle.put(judge)
        self._threads = ThreadPoolExecutor(len(self._judges), "backprop-judge")
        return self._threads

    def _graded(self, path: Path, shown: str) -> Grade:
        """In a thread of its own."""
        judge = self._idle.get()
        try:
            return judge.grade(path, shown)
        finally:
            self._idle.put(judge)

    def _take_in(self, future: Future[Grade]) -> None:
        path, shown = self._running.pop(future)
        self._grades[shown] = grade = future.result()
        self._came(path, shown, grade)

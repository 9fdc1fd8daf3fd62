"""Several submissions graded at a time on this machine, each by a judge of its own."""

from __future__ import annotations

import contextlib
import functools
import queue
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

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


class Pool:
    """Grades up to `most` submissions at a time, in the order in which they are asked for or were told of. `close`
    it when done. Only one thread may use it."""

    def __init__(
        self,
        judges: Judges,
        briefs: Briefs,
        rubric: Rubric,
        most: int,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
    ) -> None:
        """`reads` is told of each submission before its file is read, `came` of each grade, in any order, from the
        thread that calls this object."""
        self._judges = judges
        self._briefs = briefs
        self._rubric = rubric
        self._most = most
        self._reads = reads
        self._came = came
        self._threads = ThreadPoolExecutor(most, "backprop-judge")
        self._waiting: deque[Place] = deque()
        self._running: dict[Future[Grade], Place] = {}
        self._done: queue.SimpleQueue[Future[Grade]] = queue.SimpleQueue()
        self._grades: dict[str, Grade] = {}

    @functools.cached_property
    def sandbox(self) -> str:
        """The level that children reach."""
        return sandbox.probe()

    def start(self) -> None:
        """Has judges that are ready, or on their way."""
        self._judges.start()

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready what they need, and has them graded in this order once the first is asked for. Raises
        UsageProblem for what cannot be graded on."""
        submissions = list(submissions)
        with contextlib.suppress(GraderFault):  # is told with each grade
            self._judges.prepare(self._briefs.variants(submissions))
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
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._judges.close()
        while running := {future for future in running if not future.done()}:
            # one that was about to start another zygote is told once more
            wait(running, LOOK_SECONDS)
            self._judges.close()

    # -- steps ------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._waiting and len(self._running) < AHEAD * self._most:
            place = self._waiting.popleft()
            self._reads(*place)
            future = self._threads.submit(self._graded, *place)
            self._running[future] = place
            future.add_done_callback(self._done.put)

    def _graded(self, path: Path, shown: str) -> Grade:
        """In a thread of its own."""
        try:
            brief = self._briefs.of(path, shown)
        except UsageProblem as reason:
            return not_judged(self._rubric, shown, reason, 0.0)
        return self._judges.grade(path, shown, brief, self._briefs.assigned(path, shown))

    def _take_in(self, future: Future[Grade]) -> None:
        path, shown = self._running.pop(future)
        self._grades[shown] = grade = future.result()
        self._came(path, shown, grade)

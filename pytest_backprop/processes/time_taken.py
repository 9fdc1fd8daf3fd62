"""The time that a process takes, counted so that a busy machine changes nothing."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

CLOCK_TIMES = 2
"""So many seconds of the clock count for one where a process neither runs nor waits for a processor, as it is asleep:
who is kept from running otherwise, by a slow disk or a crowded host, has some to spare."""
MOST_TIMES = 60
"""So many seconds of the clock count for one in any case: who has many threads that hardly run could wait for ever."""
PATIENCE = 600.0
"""Seconds of the clock for what is ours: only what hangs takes so long, however busy the machine is. What dies is
seen at once."""


class TimeTaken:
    """Of a process, and of what it started as far as it lives. It knows what it saw at the last `look`."""

    def __init__(self, pids: Sequence[int]) -> None:
        """From here on what these take counts."""
        self._processor = self._withheld = self._moved = 0.0
        self._worked: dict[int, float] = {}
        self._waited: dict[str, float] = {}
        self.look(pids)
        self._start = self._moved = time.monotonic()
        self._before = self._processor, self._withheld

    def look(self, pids: Sequence[int]) -> None:
        """Reads what the kernel counts of these processes."""
        worked, self._worked = self._worked, {pid: _worked(pid) for pid in pids}
        waited, self._waited = self._waited, _waited(pids)
        more = sum(max(0.0, now - worked.get(pid, 0.0)) for pid, now in self._worked.items())
        if more:
            self._processor, self._moved = self._processor + more, time.monotonic()
        # of threads that wait at once one counts
        self._withheld += max(
            (now - waited.get(thread, 0.0) for thread, now in self._waited.items()), default=0.0
        )

    @property
    def processor(self) -> float:
        """Seconds for which a processor worked."""
        return self._processor - self._before[0]

    @property
    def clock(self) -> float:
        """Seconds that passed, but for those in which a processor was wanted and none was free."""
        withheld = self._withheld - self._before[1]
        return max(0.0, time.monotonic() - self._start - withheld)

    @property
    def counted(self) -> float:
        """What a limit is held against."""
        most = (time.monotonic() - self._start) / MOST_TIMES
        return max(self.processor, self.clock / CLOCK_TIMES, most)

    @property
    def idle(self) -> float:
        """Seconds that passed since a processor last worked."""
        return time.monotonic() - self._moved


def _worked(pid: int) -> float:
    """Seconds for which a processor worked for a process; 0 when it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _waited(pids: Sequence[int]) -> dict[str, float]:
    """For each thread of these processes the seconds for which it could have run and no processor was free; none where
    the kernel does not count them (`/proc/PID/schedstat`, its second number)."""
    waited = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError, ValueError, IndexError):
                    counts = Path(f"/proc/{pid}/task/{thread}/schedstat").read_bytes().split()
                    waited[thread] = int(counts[1]) / 1e9
    return waited

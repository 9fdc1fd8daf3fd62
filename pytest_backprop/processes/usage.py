"""What processes take of memory and time, read from outside, and how what descends from one is
ended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import psutil

LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Whether the kernel tells a process's children; psutil reads every process there is for that."""
KILL_ROUNDS = 100
"""What is killed may have started more meanwhile; each round ends what is left."""
CLOCK_TIMES = 2
"""So many seconds of the clock count for one where a process neither runs nor waits for a
processor, as it is asleep: one that a slow disk or a crowded host keeps from running has some to
spare."""
MOST_TIMES = 60
"""So many seconds of the clock count for one in any case: a process with many threads that hardly
run could wait for ever."""
PATIENCE = 600.0
"""Seconds of the clock for what is ours: only what hangs takes so long, however busy the machine
is. What dies is seen at once."""


# -- which processes ------------------------------------------------------------------------------


def children_of(pid: int) -> list[int]:
    """What a process has started itself, also those that ended and were not waited for."""
    children: list[int] = []
    if LISTS_CHILDREN:
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{pid}/task").iterdir():
                children += map(int, (thread / "children").read_text(encoding="ascii").split())
    else:
        with contextlib.suppress(psutil.Error):
            children = [child.pid for child in psutil.Process(pid).children()]
    return children


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as it lives."""
    pids = [pid]
    for each in pids:  # grows meanwhile
        pids += children_of(each)
    return pids


def living_descendants(pid: int, but: Collection[int] = ()) -> list[int]:
    """All that descends from a process and is no zombie, except for the children in `but` and what
    these started."""
    spared = {each for child in but for each in family(child)}
    return [each for each in family(pid)[1:] if each not in spared and _is_alive(each)]


def kill_descendants(pid: int, but: Collection[int] = ()) -> None:
    """Kills all that descends from a process, except for the children in `but` and what these
    started, until nothing of it is alive."""
    for _ in range(KILL_ROUNDS):
        left = living_descendants(pid, but)
        if not left:
            return
        for each in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(each, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """Kills a process that leads a group, and the group."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


# -- memory ---------------------------------------------------------------------------------------


def status_bytes(pid: int, *names: str) -> int:
    """The sum of these lines of a process's status, in bytes (proc_pid_status(5)), as `RssAnon:`
    for what is resident and of no file; 0 where the kernel has none of them."""
    total = 0
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        for line in status.splitlines():
            if line.startswith(names):
                total += int(line.split()[1]) * 1024
    return total


def resident(pids: Iterable[int]) -> int:
    """Bytes of memory that processes have for themselves or share in memory, as far as they live.

    Pages of files, libraries mostly, do not count: a forked process has none of them until it
    touches them. Where the kernel does not tell them apart, all that is resident counts.
    """
    total = 0
    for pid in pids:
        private = status_bytes(pid, "RssAnon:", "RssShmem:")
        if not private:
            with contextlib.suppress(psutil.Error):
                private = psutil.Process(pid).memory_info().rss
        total += private
    return total


# -- time -----------------------------------------------------------------------------------------


class TimeTaken:
    """The time that a process and all that it started take, as far as they live, counted so that a
    busy machine changes nothing. It is that of the last `look`."""

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
    """For each thread of these processes the seconds for which it could have run and no processor
    was free (the second number of `/proc/PID/schedstat`); empty where the kernel does not count
    them."""
    waited = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError, ValueError, IndexError):
                    counts = Path(f"/proc/{pid}/task/{thread}/schedstat").read_bytes().split()
                    waited[thread] = int(counts[1]) / 1e9
    return waited

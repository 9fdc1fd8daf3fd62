"""The kernel's and psutil's account of a process's memory, read from outside while it is stopped."""

from __future__ import annotations

import contextlib
from pathlib import Path

import psutil
from msgspec import Struct

LISTS_CHILDREN = Path("/proc/thread-self/children").exists()
"""Whether the kernel tells a process's children; psutil reads every process there is for that."""


class Account(Struct, frozen=True):
    """Resident memory in bytes: by the kernel now (VmRSS) and at its highest (VmHWM), by psutil; and what of it
    is no file's (RssAnon), by the kernel."""

    kernel: int
    kernel_peak: int
    psutil: int
    anonymous: int = 0


class Weight(Struct, frozen=True):
    """What a pass took between two stops, in bytes above the first: at its highest, by the kernel;
    at its end, by the kernel and by psutil."""

    peak: int
    kept: int
    kept_by_psutil: int


def account(pid: int) -> Account | None:
    """The account of a process; None where there is no /proc, or when it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
        kilobytes = {
            line.partition(":")[0]: int(line.split()[1])
            for line in status.splitlines()
            if line.startswith(("VmRSS:", "VmHWM:", "RssAnon:"))
        }
        rss = psutil.Process(pid).memory_info().rss
        anonymous = kilobytes.get("RssAnon", 0) * 1024
        return Account(kilobytes["VmRSS"] * 1024, kilobytes["VmHWM"] * 1024, rss, anonymous)
    except (OSError, KeyError, psutil.Error):
        return None


def resident(pid: int) -> int | None:
    """Resident memory in bytes, by psutil, of a process and all that it started; None when it is
    gone."""
    try:
        total: int = psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return None
    for descendant in _descendants(pid):
        with contextlib.suppress(psutil.Error):
            total += psutil.Process(descendant).memory_info().rss
    return total


def waited(pid: int) -> float:
    """Seconds for which the main thread of a process, as long as it lives, could have run and no processor
    was free; 0 where the kernel does not count them (`/proc/PID/schedstat`, its second number)."""
    try:
        fields = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
        return int(fields[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def all_waited(pid: int) -> float:
    """The same of a process and all that it started and that still run, together."""
    return sum(map(waited, (pid, *_descendants(pid))))


def _descendants(pid: int) -> list[int]:
    if not LISTS_CHILDREN:
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        return []
    family = [pid]
    for one in family:  # grows meanwhile
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                family += map(int, (thread / "children").read_text(encoding="ascii").split())
    return family[1:]


def forget_peak(pid: int) -> None:
    """Sets the highest resident memory back to the present, where this is allowed."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")


def weight(before: Account, after: Account) -> Weight:
    """What was taken between two accounts of one process."""
    return Weight(
        max(after.kernel_peak, after.kernel) - before.kernel,
        after.kernel - before.kernel,
        after.psutil - before.psutil,
    )

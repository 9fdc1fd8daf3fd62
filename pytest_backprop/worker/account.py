"""The kernel's and psutil's account of a process's memory, read from outside while it is stopped."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
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


def family(pid: int) -> list[int]:
    """A process and all that it started, as far as it lives."""
    return [pid, *_descendants(pid)]


def resident(pids: Iterable[int]) -> int:
    """Resident memory in bytes, by psutil, of processes, as far as they live."""
    total = 0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            total += psutil.Process(pid).memory_info().rss
    return total


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

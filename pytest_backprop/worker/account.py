"""The kernel's and psutil's account of a process's memory, read from outside while it is stopped."""

from __future__ import annotations

import contextlib
from pathlib import Path

import psutil
from msgspec import Struct


class Account(Struct, frozen=True):
    """Resident memory in bytes: by the kernel now (VmRSS) and at its highest (VmHWM), by psutil."""

    kernel: int
    kernel_peak: int
    psutil: int


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
            if line.startswith(("VmRSS:", "VmHWM:"))
        }
        rss = psutil.Process(pid).memory_info().rss
        return Account(kilobytes["VmRSS"] * 1024, kilobytes["VmHWM"] * 1024, rss)
    except (OSError, KeyError, psutil.Error):
        return None


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

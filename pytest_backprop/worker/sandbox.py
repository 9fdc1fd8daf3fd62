"""What a child gives up before it runs a line of the student's.

Here: resource limits and a process group of its own. The kernel sandbox (Landlock, seccomp) belongs
in `confine` too, once its issue is done; `LEVEL` is what the session header says.
"""

from __future__ import annotations

import os
import resource
import signal

LEVEL = "process isolation + limits"

OPEN_FILES = 256
FILE_BYTES = 16 * 2**20


def leave_group() -> None:
    """A session and process group of its own, so that it can be ended with all it started."""
    os.setsid()


def confine(seconds: float, address_space: int) -> None:
    """Applies the limits: CPU seconds, bytes of address space, size of files, no core dumps.

    The wall clock and the resident memory are watched from outside; these are backstops.
    """
    for limit, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(seconds) + 5),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_AS, address_space),
    ):
        _, hard = resource.getrlimit(limit)
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        resource.setrlimit(limit, (value, value))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)

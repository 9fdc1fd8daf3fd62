"""Starts the judge's zygote: forked from pytest's process, or in a clean process, which can be under way
before pytest knows what there is to grade.

A clean one imports torch for the zygote of submissions as well. Where plugins add to grading, that is with
functions which exist in pytest's process alone, so the zygote is forked there and imports torch besides.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
from typing import TYPE_CHECKING

import psutil
from msgspec.structs import replace

from ...worker.client import BOOT
from ...worker.descendants import kill_descendants
from ...worker.environment import environment
from ...worker.protocol import MAX_EVENT, Level, frame, receive

if TYPE_CHECKING:
    from .protocol import Setup

LINK = 3
"""The descriptor of a clean zygote's socket."""
SUCCESSOR = "pytest_backprop.grading.judge.zygote"


class CleanZygote:
    """A clean process that becomes the judge's zygote when it is told the setup. `close` it, unless it was
    given away by `set_up`."""

    def __init__(self) -> None:
        """Starts it and returns at once; it imports torch meanwhile."""
        ours, theirs = socket.socketpair()
        # hugepages suit both processes; when memory goes back to the kernel is for the submissions' alone
        variables = {k: v for k, v in environment().items() if not k.startswith("MALLOC_")}
        code = BOOT.format("worker.first_import")
        null = os.devnull
        with theirs:
            self._pid: int | None = os.posix_spawn(
                sys.executable,
                [sys.executable, "-I", "-c", code, str(LINK), SUCCESSOR],
                variables,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, theirs.fileno(), LINK),
                    (os.POSIX_SPAWN_OPEN, 0, null, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, null, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, null, os.O_WRONLY, 0),
                ],
            )
        self._link = ours

    def set_up(self, setup: Setup, seconds: float) -> tuple[int, socket.socket, str]:
        """Its process id, the socket that commands go through, and the sandbox that children reach. It is
        then no longer this object's to close.

        Raises OSError if it is gone or says nothing for so many seconds, UnicodeEncodeError for a setup with
        a name that is no text.
        """
        frame(setup)
        self._link.settimeout(seconds)
        level = receive(self._link, Level, MAX_EVENT)
        self._link.settimeout(None)
        if level is None or self._pid is None:
            raise OSError("the process that starts judges is gone")
        self._link.sendall(frame(replace(setup, level=level.sandbox)))
        pid, self._pid = self._pid, None
        return pid, self._link, level.sandbox

    def close(self) -> None:
        """Ends it."""
        if self._pid is not None:
            end_zygote(self._pid)
            self._pid = None
            self._link.close()


def end_zygote(pid: int) -> None:
    """Ends a zygote of judges and all that it started."""
    with contextlib.suppress(psutil.Error):
        kill_descendants(psutil.Process(pid))
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)

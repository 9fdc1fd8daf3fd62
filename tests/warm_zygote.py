"""One worker of submissions, for all graders of this process and all runs of pytest that it asks for."""

from __future__ import annotations

import atexit
import functools
import socket

from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.processes.client import FORKS, Worker, worker

if FORKS:
    from pytest_backprop.processes.forked import Zygote

    class BorrowedZygote(Zygote):
        """One that is there already, at the other end of a socket, and is somebody else's to end."""

        def __init__(self, commands: socket.socket) -> None:
            super().__init__()
            self._commands = commands

        def start(self) -> None:
            """It runs."""

        def close(self) -> None:
            """It goes on."""


@functools.cache
def _started() -> Worker:
    """It ends with the thread that first asks for it, so that must be the main one."""
    made = worker(halves=[exercise.child for exercise in BUILT_IN.values()])
    atexit.register(made.close)
    return made


def warm_zygote() -> Worker:
    """As any other, and not for whoever asks to end."""
    if FORKS:
        return BorrowedZygote(warm_link())
    made = _started()
    made.close = lambda: None  # type: ignore[method-assign]
    return made


def warm_link() -> socket.socket:
    """The socket on which it is sent commands."""
    made = _started()
    assert isinstance(made, Zygote)
    made.start()
    assert made._commands is not None
    return made._commands

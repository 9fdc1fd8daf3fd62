"""One zygote of submissions, for all graders of this process and all runs of pytest that it asks for."""

from __future__ import annotations

import atexit
import functools
import socket

from pytest_backprop.processes.client import Zygote


@functools.cache
def _started() -> Zygote:
    """It ends with the thread that first asks for it, so that must be the main one."""
    made = Zygote()
    atexit.register(made.close)
    return made


def warm_zygote() -> Zygote:
    """As any other, and not for whoever asks to end."""
    return Zygote(commands=warm_link())


def warm_link() -> socket.socket:
    """The socket on which it is sent commands."""
    _started().ready()
    assert _started()._commands is not None
    return _started()._commands

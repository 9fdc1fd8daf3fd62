"""One zygote with torch imported, for all graders of this process and all runs of pytest that it asks for:
theirs are forked from it, as the second one of a grader always is."""

from __future__ import annotations

import atexit
import functools
import socket

from pytest_backprop.worker.client import Worker


@functools.cache
def warm_zygote() -> Worker:
    """It ends with the thread that first asks for it, so that must be the main one."""
    made = Worker()
    made.start()
    atexit.register(made.close)
    return made


def warm_worker() -> Worker:
    """A worker as any other, started."""
    made = Worker(elder=warm_zygote())
    made.start()
    return made


def warm_link() -> socket.socket:
    """The socket on which it is asked."""
    warm_zygote().ready()
    assert warm_zygote()._link is not None
    return warm_zygote()._link

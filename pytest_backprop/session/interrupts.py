"""SIGTERM ends a run as Ctrl-C does, and neither of them ends it in the middle of a report."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType


def interrupt_by_sigterm() -> Callable[[], None]:
    """From now on SIGTERM raises KeyboardInterrupt, unless the process has its own way with it.
    What comes back ends this."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        return lambda: None
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def give_back() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    return give_back


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """For what is done at the very end: an interrupt that comes meanwhile has no effect."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ignore(number: int, frame: FrameType | None) -> None:
        return  # not SIG_IGN, which processes started meanwhile would inherit

    numbers = (signal.SIGINT, signal.SIGTERM)
    # None: a handler of somebody's C code, which could not be put back
    before = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) is not None}
    try:
        for number in before:
            signal.signal(number, ignore)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

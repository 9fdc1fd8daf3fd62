"""How tests wait: until something has happened, for as long as a busy machine may take. None asks a clock how long
it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import psutil

PATIENCE = 600.0
"""Seconds, below what one test may take (`SPREAD` in the Makefile). What is waited for never ends by itself."""


def wait_until(true: Callable[[], object], otherwise: str) -> None:
    """Raises AssertionError with `otherwise` if it does not come true."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise AssertionError(otherwise)
        time.sleep(0.02)


def is_running(process: int | psutil.Process) -> bool:
    """Whether a process, or one of this number, does more than wait to be reaped."""
    try:
        process = psutil.Process(process) if isinstance(process, int) else process
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:  # it may end between any two looks
        return False


def wait_for_the_end(processes: Iterable[int | psutil.Process]) -> None:
    """Raises AssertionError if one of them stays."""
    processes = list(processes)
    wait_until(lambda: not any(map(is_running, processes)), f"still there: {processes}")

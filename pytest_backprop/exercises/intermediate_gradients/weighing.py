"""What a call of the student's leaves in memory that is no tensor's: lists of numbers, texts, bytes."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from contextlib import suppress
from typing import Any

from ...submission.load import unit_of_filename

FRAMES = 8
"""A list that a library makes was asked for by a line of the student's, not far above."""
SLACK = 40
"""Bytes that a call may leave: a counter, a single number."""
HOLDERS = 3
"""References to what was returned while it is looked at, if nothing of the student's has it."""
HEAD = 16
"""Bytes before a container, by which the collector knows it."""


class Weighing:
    """Notes, from where it is made to where it is closed, what memory Python takes on lines of the student's."""

    def __init__(self) -> None:
        gc.collect()
        self._allowed = SLACK
        tracemalloc.start(FRAMES)

    def empty(self, returned: Any) -> None:
        """Takes everything out of what was returned, which a global may still have."""
        if type(returned) is dict or type(returned) is list:
            returned.clear()
            if sys.getrefcount(returned) > HOLDERS:
                self._allowed += sys.getsizeof(returned) + HEAD

    def held(self) -> bool:
        """Whether there is more of it by now than a call may leave."""
        with suppress(Exception):  # what was printed waits there
            sys.stdout.flush()
        gc.collect()
        traces = tracemalloc.take_snapshot().traces if tracemalloc.is_tracing() else ()
        taken = sum(
            trace.size
            for trace in traces
            if any(unit_of_filename(frame.filename) is not None for frame in trace.traceback)
        )
        return taken > self._allowed

    def close(self) -> None:
        """Ends it."""
        tracemalloc.stop()

"""How far a run on a cluster has come, told on the terminal between pytest's own lines."""

from __future__ import annotations

import time

import pytest

from ..messages import say_count

EVERY_SECONDS = 10.0


class TerminalProgress:
    """Writes a line when workers come or go, when all is graded, and every ten seconds between."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._workers = -1
        self._written: tuple[int, int, int] | None = None
        self._at = 0.0

    def come(self, graded: int, planned: int, workers: int) -> None:
        """So many submissions are graded, and so many workers may grade."""
        state = (graded, planned, workers)
        due = workers != self._workers or graded == planned or self._is_due()
        if not planned or not due or state == self._written:
            return
        self._written, self._workers, self._at = state, workers, time.monotonic()
        self.tell(
            say_count(
                "{graded} of {planned} graded, {count} worker",
                "{graded} of {planned} graded, {count} workers",
                workers,
                graded=graded,
                planned=planned,
            )
        )

    def tell(self, text: str) -> None:
        """There is something else to say."""
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None or self._config.get_verbosity() < 0:
            return
        if terminal._tw.width_of_current_line and not terminal.currentfspath:
            terminal._tw.line()  # after the dots of a class of many
        terminal.write_line(text)
        terminal.flush()

    def _is_due(self) -> bool:
        return time.monotonic() >= self._at + EVERY_SECONDS

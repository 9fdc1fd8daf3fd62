"""Whether a repair does what it promises: it is written into the text of the submission, and what comes of it
is run and judged as any submission is."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from ..model import NUMBERS, CheckResult, Submission
from ..repair import Replacement, replaced

MOST = 8
"""Runs for the repairs of one submission."""
SHARE = 0.25
"""Of the time that a submission may take, what each of them may run, and what judging all may take."""

Results = Mapping[str, CheckResult]
"""The verdicts of the checks that a repair may spoil, without a search for the line."""
Regrade = Callable[[Submission, float], Results | None]
"""What comes of another text in the place of the submission's, run within so many seconds; None where nothing
does."""


class RepairTrials:
    """The trials of one submission. `before` gives its own results; `seconds` is what it may take."""

    def __init__(
        self,
        submission: Submission,
        before: Callable[[], Results],
        regrade: Regrade,
        seconds: float,
    ) -> None:
        self._submission, self._regrade = submission, regrade
        self._before = functools.cache(before)
        self._runs, self._seconds = MOST, SHARE * seconds

    def mends(self, which: Literal["pass", "forward"], replacements: Sequence[Replacement]) -> bool:
        """Whether the text with replacements in it is right where it was wrong, and keeps all that was right.
        False where there is no time left to see."""
        if not self._runs or self._seconds <= 0:
            return False
        submission = self._submission
        texts = replaced([unit.text for unit in submission.units], replacements)
        units = tuple(
            unit if text == unit.text else replace(unit, text=text, original=text)
            for unit, text in zip(submission.units, texts, strict=True)
        )
        self._runs -= 1
        start = time.process_time()
        after = self._regrade(replace(submission, units=units), self._seconds)
        self._seconds -= time.process_time() - start
        return after is not None and _is_mended(which, self._before(), after)


def _is_mended(which: Literal["pass", "forward"], before: Results, after: Results) -> bool:
    checks = ("forward",) if which == "forward" else ("manual-forward", "gradient")
    wrong = [id for id in checks if id in before and _faults(before[id]) & NUMBERS]
    kept = all(after[id].outcome == "passed" for id in before if before[id].outcome == "passed")
    return kept and all(
        after[id].outcome in ("passed", "partial")
        and _faults(after[id]) <= _faults(before[id]) - NUMBERS
        for id in wrong
    )


def _faults(result: CheckResult) -> frozenset[str]:
    """Kinds of what is wrong."""
    return frozenset(f.kind for f in result.findings if f.level == "fault")

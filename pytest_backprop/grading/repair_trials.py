"""Whether a repair does what it promises: it is written into the text of the submission, and what comes of it
is run and judged as any submission is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from ..model import CheckResult, Submission
from ..repair import Replacement, replaced
from .checks.case import Case

MOST = 8
"""Runs for the repairs of one submission."""
SHARE = 0.25
"""Of the time that a submission may take, what all of them may take together."""
NUMBERS = ("wrong-value", "wrong-gradient")
"""Findings that a repair is to mend."""

Judge = Callable[[Case], Mapping[str, CheckResult]]
"""The verdicts of the checks that a repair may spoil, without a search for the line."""
Regrade = Callable[[Submission, float], Case | None]
"""Another text in the place of the submission's, run within so many seconds; None where it gives no case."""


class RepairTrials:
    """The trials of one submission, whose `case` it is as it was handed in."""

    def __init__(self, case: Case, judge: Judge, regrade: Regrade, seconds: float) -> None:
        """`seconds` is what one submission may take."""
        self._case, self._submission = case, case.submission
        self._judge, self._regrade = judge, regrade
        self._before: Mapping[str, CheckResult] | None = None
        self._runs, self._seconds = MOST, SHARE * seconds

    def mends(self, which: Literal["pass", "forward"], replacements: Sequence[Replacement]) -> bool:
        """Whether the text with replacements in it is right where it was wrong, and keeps all that was right.
        False where there is no time left to see."""
        submission = self._submission
        if submission is None or not self._runs or self._seconds <= 0:
            return False
        texts = replaced([unit.text for unit in submission.units], replacements)
        units = tuple(
            unit if text == unit.text else replace(unit, text=text, original=text)
            for unit, text in zip(submission.units, texts, strict=True)
        )
        self._runs -= 1
        start = time.monotonic()
        case = self._regrade(replace(submission, units=units), self._seconds)
        self._seconds -= time.monotonic() - start
        return case is not None and self._is_mended(which, case)

    def _is_mended(self, which: Literal["pass", "forward"], case: Case) -> bool:
        if self._before is None:
            self._before = self._judge(self._case)
        after = self._judge(case)
        wrong = [id for id in (("forward",) if which == "forward" else ("manual-forward", "gradient"))
                 if id in self._before and any(f.kind in NUMBERS for f in self._before[id].findings)]  # fmt: skip
        kept = all(after[id].outcome == "passed" for id, result in self._before.items()
                   if result.outcome == "passed")  # fmt: skip
        return kept and all(
            after[id].outcome in ("passed", "partial")
            and _faults(after[id]) <= _faults(self._before[id]) - {*NUMBERS}
            for id in wrong
        )


def _faults(result: CheckResult) -> set[str]:
    """Kinds of what is wrong."""
    return {f.kind for f in result.findings if f.level == "fault"}

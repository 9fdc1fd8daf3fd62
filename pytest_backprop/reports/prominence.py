"""Which finding of a check leads. The line where a number goes wrong comes first and is marked as the
fault; the line where that number is merely stored is innocent, so it comes later and without a mark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol

from ..model.verdict import LEADS, NUMBERS, OTHER_TASK

Tone = Literal["fault", "note", "neutral"]


class _Finding(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def level(self) -> Literal["fault", "note"]: ...


def tone(finding: _Finding, findings: Sequence[_Finding]) -> Tone:
    """How a finding is marked among all those of its check."""
    if finding.kind in LEADS:
        return "fault"
    if finding.kind in NUMBERS and any(other.kind in LEADS for other in findings):
        return "neutral"
    return finding.level


def reproducer(details: Mapping[str, Any], findings: Iterable[_Finding]) -> str | None:
    """The first piece of code that shows a fault, in a check's details or in those of one of its parts. Of a
    method that is right for another task the numbers show nothing."""
    if any(finding.kind == OTHER_TASK for finding in findings):
        return None
    parts = (details, *(value for value in details.values() if isinstance(value, dict)))
    return next((c for part in parts if isinstance(c := part.get("reproducer"), str)), None)

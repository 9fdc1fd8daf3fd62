"""What a student's page says of the findings: which to fix first, and which stand in one table."""

from __future__ import annotations

from msgspec import Struct

from ...model.verdict import in_order
from ..document import CheckEntry, FindingEntry, SubmissionEntry
from ..feedback import Tone, tone


class FirstFault(Struct, frozen=True):
    """What explains most of the lost points: a check, and its finding, if it has one that is a fault."""

    check: CheckEntry
    finding: FindingEntry | None


class FindingGroup(Struct, frozen=True):
    """The findings of one kind of a check; `hints` and `names` tell whether some have these."""

    kind: str
    tone: Tone
    findings: tuple[FindingEntry, ...]
    names: bool
    hints: bool


def first_fault(entry: SubmissionEntry) -> FirstFault | None:
    """What to fix first; None if no check that was judged lost points."""
    faulty = [check for check in entry.checks if check.outcome in ("failed", "partial")]
    if not faulty:
        return None
    # a breach explains the zeroes before it
    check = next((check for check in faulty if check.id == "integrity"), faulty[0])
    found = in_order(check.findings)
    return FirstFault(check, next((f for f in found if tone(f, found) == "fault"), None))


def grouped(check: CheckEntry) -> list[FindingGroup]:
    """The findings of a check by kind and tone, in the order in which a student should read them."""
    groups: dict[tuple[str, Tone], list[FindingEntry]] = {}
    for finding in in_order(check.findings):
        groups.setdefault((finding.kind, tone(finding, check.findings)), []).append(finding)
    return [
        FindingGroup(
            kind,
            tone,
            tuple(findings),
            any(finding.name is not None for finding in findings),
            any(finding.hint is not None for finding in findings),
        )
        for (kind, tone), findings in groups.items()
    ]

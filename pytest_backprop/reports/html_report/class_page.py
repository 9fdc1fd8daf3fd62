"""The page of a class: totals, distribution of scores, commonest faults, a row a submission."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..document import Document
from ..feedback import is_judged
from .site import CLASS_SCRIPTS, Site

BINS = 10
"""Columns of the distribution of scores."""
EXAMPLES = 3
"""Submissions linked from a fault."""


class SharedFault(Struct, frozen=True):
    """A kind of finding, with the submissions that have it, as positions in the document.

    `check` is None for what is wrong with a submission as a whole.
    """

    key: str
    check: str | None
    kind: str
    submissions: tuple[int, ...]


def page(site: Site, document: Document, files: Sequence[str]) -> bytes:
    """The page; `files` has the file of each submission's."""
    entries = document.submissions
    # None where nothing was judged
    shares = [e.score / e.max_score if is_judged(e) and e.max_score > 0 else None for e in entries]
    faults = _faults(document)
    faults_of: list[list[str]] = [[] for _ in entries]
    for fault in faults:
        for number in fault.submissions:
            faults_of[number].append(fault.key)
    return site.render(
        "class.html.jinja",
        CLASS_SCRIPTS,
        document=document,
        files=files,
        names=[e.student or e.path.rpartition("/")[2] or e.path for e in entries],
        shares=shares,
        checks=list(dict.fromkeys(check.id for entry in entries for check in entry.checks)),
        statuses=list(dict.fromkeys(entry.status for entry in entries)),
        bins=_bins([share for share in shares if share is not None]),
        faults=faults,
        faults_of=faults_of,
        examples=EXAMPLES,
    )


def _bins(shares: Sequence[float]) -> list[int]:
    """How many submissions have up to a tenth of the points, up to two tenths, and so on."""
    counts = [0] * BINS
    for share in shares:
        # full marks stand with the nineties
        counts[min(int(share * BINS + 1e-9), BINS - 1)] += 1
    return counts


def _faults(document: Document) -> list[SharedFault]:
    """Kinds of faults, the commonest first. A submission counts once for each."""
    having: dict[tuple[str | None, str], dict[int, None]] = {}
    for number, entry in enumerate(document.submissions):
        for check in entry.checks:
            for finding in check.findings:
                if finding.level == "fault":
                    # what stopped a submission stands in every check of it
                    where = check.id if entry.status == "graded" else None
                    having.setdefault((where, finding.kind), {})[number] = None
    ordered = sorted(having.items(), key=lambda item: (-len(item[1]), item[0][0] or "", item[0][1]))
    return [
        SharedFault(f"f{position}", check, kind, tuple(numbers))
        for position, ((check, kind), numbers) in enumerate(ordered)
    ]

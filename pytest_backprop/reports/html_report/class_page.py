"""The page of a class: totals, distribution of scores, commonest faults, a row a submission."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..document import Document, SubmissionEntry
from ..feedback import is_judged
from .site import CLASS_SCRIPTS, Site

BINS = 10
"""Columns of the distribution of scores."""
EXAMPLES = 3
"""Submissions linked from a fault."""


class Bin(Struct, frozen=True):
    """A column of the distribution: submissions with `low` to `high` per cent of the points."""

    low: int
    high: int
    count: int
    height: float


class SharedFault(Struct, frozen=True):
    """A kind of finding, with the submissions that have it, as positions in the document.

    `check` is None for what is wrong with a submission as a whole.
    """

    key: str
    check: str | None
    kind: str
    found_in: tuple[int, ...]


class Row(Struct, frozen=True):
    """A submission in the table; `name` is the student's, or the file's where that is not known;
    `lost` and `faults` are what it can be filtered by."""

    entry: SubmissionEntry
    href: str
    name: str
    share: float | None
    lost: str
    faults: str


def page(site: Site, document: Document, names: Sequence[str]) -> bytes:
    """The page; `names` has the file of each submission's."""
    faults = _faults(document)
    keys: dict[int, list[str]] = {}
    for fault in faults:
        for number in fault.found_in:
            keys.setdefault(number, []).append(fault.key)

    def rows() -> Iterator[Row]:
        for number, entry in enumerate(document.submissions):
            lost = " ".join(c.id for c in entry.checks if c.outcome in ("failed", "partial"))
            of_entry = " ".join(keys.get(number, []))
            yield Row(entry, names[number], _name(entry), _share(entry), lost, of_entry)

    checks = list(dict.fromkeys(c.id for entry in document.submissions for c in entry.checks))
    shares = [share for entry in document.submissions if (share := _share(entry)) is not None]
    return site.render(
        "class.html.jinja",
        CLASS_SCRIPTS,
        document=document,
        rows=rows(),
        names=names,
        name_of=lambda number: _name(document.submissions[number]),
        checks=checks,
        statuses=list(dict.fromkeys(entry.status for entry in document.submissions)),
        bins=_bins(shares),
        faults=faults,
        examples=EXAMPLES,
    )


def _name(entry: SubmissionEntry) -> str:
    return entry.student or entry.path.rpartition("/")[2] or entry.path


def _share(entry: SubmissionEntry) -> float | None:
    """The share of the points that it has; None if nothing of it was judged."""
    return entry.score / entry.max_score if is_judged(entry) and entry.max_score > 0 else None


def _bins(shares: Sequence[float]) -> list[Bin]:
    counts = [0] * BINS
    for share in shares:
        # full marks stand with the nineties
        counts[min(int(share * BINS + 1e-9), BINS - 1)] += 1
    most = max([1, *counts])
    width = 100 // BINS
    return [
        Bin(n * width, (n + 1) * width, count, round(100 * count / most, 2))
        for n, count in enumerate(counts)
    ]


def _faults(document: Document) -> list[SharedFault]:
    """Kinds of faults, the commonest first. A submission counts once for each."""
    found: dict[tuple[str | None, str], dict[int, None]] = {}
    for number, entry in enumerate(document.submissions):
        for check in entry.checks:
            for finding in check.findings:
                if finding.level == "fault":
                    # what stopped a submission stands in every check of it
                    where = check.id if entry.status == "graded" else None
                    found.setdefault((where, finding.kind), {})[number] = None
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0][0] or "", item[0][1]))
    return [
        SharedFault(f"f{position}", check, kind, tuple(numbers))
        for position, ((check, kind), numbers) in enumerate(ordered)
    ]

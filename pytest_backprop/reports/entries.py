"""Makes the document of grades.

Raw grades are cleaned, cut and rounded here, once: what leaves this module is finite numbers and
text that any JSON, HTML or terminal consumer can take. The order of grading leaves no trace."""

from __future__ import annotations

import math
import statistics
import sys
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..errors import GraderFault
from ..messages import say_count
from ..model import Finding, Grade, GradedCheck, Place
from ..model.drawing import Drawing
from ..model.verdict import LINES, in_order, part_of
from .document import (
    SCHEMA_VERSION,
    AlikeInfo,
    CheckEntry,
    Document,
    FindingEntry,
    LateEntry,
    LeftOutEntry,
    MemberEntry,
    PartEntry,
    RosterInfo,
    SettingsInfo,
    SubmissionEntry,
    Summary,
    ToolInfo,
)
from .feedback import Hints, hidden_checks, is_judged, shown_entry
from .text import MESSAGE_LIMIT, SOURCE_LIMIT, Room, clean, one_line, plain

EntryT = TypeVar("EntryT", bound=Struct)

ENTRY_LIMIT = 200_000
"""Bytes of the entry of one submission in the JSON report."""
ROOMS = (
    Room(),
    Room(text=2_000, items=200),
    Room(text=500, items=100),
    Room(100, 500, 50),
    Room(50, 400, 50),
    Room(20, 300, 20, 4),
    Room(8, 200, 10, 3),
    Room(2, 100, 5, 2),
)
"""From the largest to one in which every submission's entry fits: texts are cut before findings."""
NOT_COMPARED = AlikeInfo([], 0, 0, [])
HIDDEN = dict.fromkeys(
    ("cell", "execution_count", "line", "row", "column", "source", "name", "hint", "file")
)
"""What a finding is without where hints are not given."""


def document(
    grades: Collection[Grade],
    settings: Mapping[str, Any],
    tool: ToolInfo,
    seconds: float,
    roster: RosterInfo | None = None,
    left_out: Sequence[LeftOutEntry] = (),
    alike: AlikeInfo = NOT_COMPARED,
) -> Document:
    """The report of a run; `seconds` is its wall time, `settings` has `SettingsInfo`'s keys.

    Scores and seconds are rounded to 6 decimals; other numbers are as they are, for a tolerance
    or an error of 1e-7 would vanish. Raises GraderFault for a score that is not a finite number,
    and msgspec.ValidationError for other settings."""
    # two entries may share a path; the rest of the entry then decides
    submissions = sorted(map(entry_of, grades), key=lambda e: (e.path, msgspec.json.encode(e)))
    scores = [entry.score for entry in submissions if is_judged(entry)]
    return Document(
        schema_version=SCHEMA_VERSION,
        tool=cleaned(tool, ToolInfo),
        settings=msgspec.convert(plain(settings, ROOMS[0]), SettingsInfo),
        submissions=submissions,
        summary=Summary(
            submissions=len(submissions),
            graded=len(scores),
            mean=_rounded(math.fsum(scores) / len(scores)) if scores else None,
            median=_rounded(statistics.median(scores)) if scores else None,
            seconds=_rounded(seconds),
        ),
        roster=cleaned(roster, RosterInfo | None),
        left_out=cleaned(left_out, list[LeftOutEntry]),
        alike=alike,
    )


def apply_hints(document: Document, level: Hints) -> Document:
    """The report with as much of its findings as `level` shows.

    `none`: no place in the file, source, name or hint, and no faulty lines; `line`: all. `details`
    stay: they are the instructor's, with every line that may be the faulty one, and nothing made
    for students may show them."""
    entries = [
        msgspec.structs.replace(entry, checks=[hinted(check, level) for check in entry.checks])
        for entry in document.submissions
    ]
    return msgspec.structs.replace(document, submissions=entries)


def for_student(entry: SubmissionEntry, level: Hints) -> tuple[SubmissionEntry, Hints]:
    """The entry as its student may see it, with as much of its findings as `level` shows, and that
    level: nothing of a check that is hidden, and no hints where there is one."""
    level = "none" if hidden_checks(entry) else level
    entry = shown_entry(entry)
    checks = [hinted(check, level) for check in entry.checks]
    return msgspec.structs.replace(entry, checks=checks), level


def hinted(check: CheckEntry, level: Hints) -> CheckEntry:
    """A check with as much of its findings."""
    if level == "line":
        return check
    findings = [
        msgspec.structs.replace(finding, **HIDDEN)
        for finding in check.findings
        if finding.kind not in LINES
    ]
    return msgspec.structs.replace(check, findings=findings)


def drawings_of(grades: Mapping[str, Grade]) -> dict[str, Drawing]:
    """The drawings by the paths of their entries, of grades by their own paths. Where two entries
    share a path there is none: nobody's page may show another's work."""
    times = Counter(map(clean, grades))
    return {
        clean(path): grade.drawing
        for path, grade in grades.items()
        if grade.drawing is not None and times[clean(path)] == 1
    }


def entry_of(grade: Grade) -> SubmissionEntry:
    """The entry in the largest room in which it has at most ENTRY_LIMIT bytes, indented as the JSON
    report has it: by 2, and by 4 as it stands there."""
    for room in ROOMS:
        entry = _entry(grade, room)
        text = msgspec.json.format(msgspec.json.encode(entry), indent=2)
        if len(text) + 4 * (1 + text.count(b"\n")) <= ENTRY_LIMIT:
            break
    return entry


def _entry(grade: Grade, room: Room) -> SubmissionEntry:
    late = grade.late
    return _like(
        SubmissionEntry,
        grade,
        score=_rounded(grade.score),
        max_score=_rounded(grade.max_score),
        seconds=_rounded(grade.seconds),
        checks=[check_entry(check, room) for check in grade.checks],
        message=one_line(grade.message),
        notes=_notes(grade.notes, room),
        adjustment=_rounded(grade.score - math.fsum(check.score for check in grade.checks)),
        members=cleaned(grade.members, list[MemberEntry]),
        parts=[
            _like(PartEntry, part, score=_rounded(part.score), max_score=_rounded(part.max_score))
            for part in grade.parts
        ],
        late=late
        and _like(LateEntry, late, share=_rounded(late.share), deduction=_rounded(late.deduction)),
    )


def _notes(notes: Sequence[str], room: Room) -> list[str]:
    """The first notes and the last: ours are before and after those of the student's process."""
    left_out = len(notes) - room.findings
    if left_out > 0:
        half = room.findings // 2
        notes = [*notes[: room.findings - half], _more(left_out), *notes[len(notes) - half :]]
    return [clean(note, room.text) for note in notes]


def check_entry(check: GradedCheck, room: Room = ROOMS[0]) -> CheckEntry:
    """The entry of one check."""
    result = check.result
    findings = list(result.findings)
    left_out = result.left_out + max(0, len(findings) - room.findings)
    if left_out > 0:
        # Faults cost points, so they are the last to go, and where they come from with them.
        findings = in_order(findings)[: room.findings]
        findings.append(Finding(kind="more-findings", message=_more(left_out), level="note"))
    return _like(
        CheckEntry,
        result,
        score=_rounded(check.score),
        max_score=_rounded(check.max_score),
        message=one_line(result.message, room.text),
        findings=[_finding(finding, room) for finding in findings],
        details=plain(result.details, room),
        visibility=check.visibility,
        part=part_of(result.id),
    )


def _more(count: int) -> str:
    return say_count("{count} more left out", "{count} more left out", count)


def _finding(finding: Finding, room: Room) -> FindingEntry:
    fields = msgspec.structs.asdict(finding) | dict.fromkeys(Place.__struct_fields__)
    fields["message"] = clean(finding.message, MESSAGE_LIMIT)
    if (place := fields.pop("place")) is not None:
        fields |= msgspec.structs.asdict(place) | {"source": clean(place.source, SOURCE_LIMIT)}
    return FindingEntry(**{name: plain(value, room) for name, value in fields.items()})


# -- numbers and structs ---------------------------------------------------------------------------


def _rounded(value: float) -> float:
    if not math.isfinite(value):
        raise GraderFault(f"a score of {value} reached the report")
    return round(float(value), 6) + 0.0  # + 0.0 turns -0.0 into 0.0


def _like(type: type[EntryT], source: Struct, **own: Any) -> EntryT:
    """A struct of the document with the fields of `source`, cleaned, and its `own` ones."""
    names = [name for name in type.__struct_fields__ if name not in own]
    return type(**own, **{name: plain(getattr(source, name), ROOMS[0]) for name in names})


def cleaned(value: Any, type: Any) -> Any:
    """A struct of the document, or several, with every text cleaned."""
    return msgspec.convert(plain(value, Room(items=sys.maxsize)), type)

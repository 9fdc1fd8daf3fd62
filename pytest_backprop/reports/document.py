"""The report as data: schema version 1. Every renderer is `Document` -> text.

Raw grades are cleaned, cut and rounded here, once: what leaves this module is finite numbers and
text that any JSON, HTML or terminal consumer can take. The order of grading leaves no trace.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ..errors import GraderFault
from ..messages import say_count
from ..model import (
    Basis,
    CheckResult,
    Finding,
    Grade,
    GradedCheck,
    Outcome,
    Status,
    VariantSource,
    Visibility,
)
from ..model.verdict import in_order
from .alike import alike
from .alike_entries import AlikeInfo
from .fields import TEXT_LIMIT, Amount, Count, Position, Text, about as _about
from .late_entry import LateEntry, late_entry
from .roster_entries import LeftOutEntry, RosterInfo
from .text import (
    FINDINGS_LIMIT,
    MESSAGE_LIMIT,
    SOURCE_LIMIT,
    Room,
    clean,
    fields_of,
    one_line,
    plain,
)

SCHEMA_VERSION: Literal[1] = 1
ENTRY_LIMIT = 200_000
"""Bytes of the entry of one submission in the JSON report."""
MOST_INDENTED = 40
"""No entry grows more when it is indented: a byte at the deepest takes a line of 30 spaces."""
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


class ToolInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """What made the report."""

    name: Annotated[Text, _about("the grader: pytest-backprop")]
    version: Annotated[Text, _about("its version")]
    torch: Annotated[Text | None, _about("version of torch; null if it was not needed")]
    python: Annotated[Text, _about("version of Python")]


class SettingsInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings that decide a grade; paths as the user typed them."""

    seed: Annotated[int, _about("seed of the points; the same seed gives the same points")]
    points: Annotated[int, _about("number of points that were graded on")]
    rtol: Annotated[Amount, _about("relative tolerance")]
    atol: Annotated[Amount, _about("absolute tolerance")]
    variant: Annotated[Text | None, _about("variant set by option; null if not set")]
    variants: Annotated[
        Text, _about("folder of the variants; built-in for those that come with this tool")
    ]
    roster: Annotated[Text | None, _about("roster file; null if none")]
    rubric: Annotated[Text | None, _about("rubric file; null for the default rubric")]
    class_name: Annotated[Text | None, _about("class set by option; null if not set")]
    timeout: Annotated[Amount, _about("seconds that one submission may take")]
    memory_mb: Annotated[Count, _about("MB of 2**20 bytes that one submission may take")]
    sandbox: Annotated[Literal["auto", "require", "off"], _about("isolation asked for")]
    hints: Annotated[Literal["none", "line"], _about("what findings show")]
    lang: Annotated[Literal["en", "ru"], _about("language of all messages and hints")]
    kind: Annotated[Text, _about("kind of exercise; forward-backward is the course's own")]


class FindingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to tell the student."""

    kind: Annotated[Text, _about("stable id of the kind of finding")]
    message: Annotated[Text, _about("what was found")]
    path: Annotated[Text | None, _about("the submission it is in; null without a place")]
    cell: Annotated[Position | None, _about("notebook cell, all cells counted; null in a file")]
    execution_count: Annotated[
        Position | None,
        _about("the number that Jupyter shows beside the cell, In [n]; null without"),
    ]
    line: Annotated[Position | None, _about("line in the file, or in the cell if there is one")]
    column: Annotated[Position | None, _about("column in the line, in characters")]
    source: Annotated[Text | None, _about("that line, as written")]
    name: Annotated[Text | None, _about("the student's name of the value")]
    hint: Annotated[Text | None, _about("what to do")]
    level: Annotated[Literal["fault", "note"], _about("a fault costs points, a note does not")]


class CheckEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict of one check."""

    id: Annotated[Text, _about("which check")]
    outcome: Annotated[Outcome, _about("not_judged earns nothing and is no fault of the student")]
    score: Annotated[Amount, _about("points earned")]
    max_score: Annotated[Amount, _about("points there were to earn")]
    message: Annotated[Text, _about("the verdict in one line")]
    basis: Annotated[Basis, _about("recomputed by the grader, or reported by the student's side")]
    findings: Annotated[list[FindingEntry], Meta(max_length=FINDINGS_LIMIT + 1)]
    details: Annotated[dict[str, Any], _about("figures of this check; keys depend on the check")]
    visibility: Annotated[Visibility, _about("when the student may see it, by the rubric")]


class MemberEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A student of a group that handed in one submission; each has its grade."""

    student: Annotated[Text, _about("from the roster")]
    student_id: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    email: Annotated[Text | None, _about("from the roster; null if it does not tell")]


class SubmissionEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The grade of one submission. `score` is the sum of its checks' scores, and of `adjustment`."""

    path: Annotated[Text, _about("the submission")]
    student: Annotated[Text | None, _about("from the roster only; null if not listed")]
    variant: Annotated[Text | None, _about("the variant it was graded on; null if unknown")]
    variant_source: Annotated[VariantSource | None, _about("where the variant was read")]
    status: Annotated[
        Status,
        _about(
            "how grading it ended; grader_error, not_judged and not_reached are no fault of the student's"
        ),
    ]
    score: Annotated[Amount, _about("points earned")]
    max_score: Annotated[Amount, _about("points there were to earn")]
    seconds: Annotated[Amount, _about("wall time spent on it")]
    checks: Annotated[list[CheckEntry], _about("every planned check, in a fixed order")]
    message: Annotated[Text, _about("the outcome in one line; may be empty")]
    notes: Annotated[list[Text], _about("what was adapted, guessed or could not be judged")]
    student_id: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    email: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    adjustment: Annotated[
        float, _about("points that lateness or a plugin took off, or added; 0 as a rule")
    ]
    members: Annotated[list[MemberEntry], _about("the students of a group; empty for one student")]
    taken_from: Annotated[
        Literal["journal"] | None,
        _about("what kept the grade, if an earlier run worked it out; null if this one did"),
    ]
    late: Annotated[LateEntry | None, _about("when it was handed in; null unless the rubric asks")]


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """The class in numbers."""

    submissions: Annotated[Count, _about("submissions in the report")]
    graded: Annotated[Count, _about("those of which some points were judged")]
    mean: Annotated[Amount | None, _about("mean score of the graded; null if none")]
    median: Annotated[Amount | None, _about("median score of the graded; null if none")]
    seconds: Annotated[Amount, _about("wall time of the run")]


class Document(Struct, frozen=True, forbid_unknown_fields=True):
    """A report of pytest-backprop."""

    schema_version: Annotated[Literal[1], _about("changes when a consumer would have to")]
    tool: ToolInfo
    settings: SettingsInfo
    submissions: Annotated[Sequence[SubmissionEntry], _about("in the order of their paths")]
    summary: Summary
    roster: Annotated[RosterInfo | None, _about("who is missing, who is extra; null without one")]
    left_out: Annotated[list[LeftOutEntry], _about("what was handed in and belongs to no grade")]
    alike: Annotated[AlikeInfo, _about("pairs more alike than their task; no score has it")]


# -- grades -> document -------------------------------------------------------------------------


def document(
    grades: Collection[Grade],
    settings: Mapping[str, Any],
    tool: ToolInfo,
    seconds: float,
    roster: RosterInfo | None = None,
    left_out: Sequence[LeftOutEntry] = (),
) -> Document:
    """The report of a run; `seconds` is its wall time, `settings` has `SettingsInfo`'s keys.

    Scores and seconds are rounded to 6 decimals; other numbers are as they are, for a tolerance
    or an error of 1e-7 would vanish. Raises GraderFault for a score that is not a finite number,
    and msgspec.ValidationError for other settings.
    """
    submissions = [_submission(grade) for grade in grades]
    scores = [grade.score for grade in grades if is_graded(grade)]
    times = Counter(entry.path for entry in submissions)
    # two entries may share a path; the rest of the entry then decides
    submissions.sort(
        key=lambda entry: (entry.path, msgspec.json.encode(entry) if times[entry.path] > 1 else b"")
    )
    return Document(
        schema_version=SCHEMA_VERSION,
        tool=ToolInfo(**{name: _optional(text) for name, text in fields_of(tool).items()}),
        settings=msgspec.convert(plain(settings, ROOMS[0]), SettingsInfo),
        submissions=submissions,
        summary=Summary(
            submissions=len(grades),
            graded=len(scores),
            mean=_rounded(math.fsum(scores) / len(scores)) if scores else None,
            median=_rounded(statistics.median(scores)) if scores else None,
            seconds=_duration(seconds),
        ),
        roster=_cleaned(roster, RosterInfo | None),
        left_out=_cleaned(left_out, list[LeftOutEntry]),
        alike=alike(grades),
    )


def is_graded(grade: Grade) -> bool:
    """Whether some points of it were judged. A submission that could not be read was: at 0.

    One of which nothing was judged, through no fault of the student's, stays out of mean and median.
    """
    return any(
        check.result.outcome != "not_judged" and check.max_score > 0 for check in grade.checks
    )


def _submission(grade: Grade) -> SubmissionEntry:
    """The entry in the largest room in which it has at most ENTRY_LIMIT bytes."""
    for room in ROOMS:
        entry = _entry(grade, room)
        if _size(entry) <= ENTRY_LIMIT:
            break
    return entry


def _size(entry: SubmissionEntry) -> int:
    """Bytes of an entry as the JSON report has it: indented by 2, and by 4 as it stands there."""
    compact = len(msgspec.json.encode(entry))
    # indenting what is too large anyhow takes seconds; what is small stays small
    if compact > ENTRY_LIMIT or compact * MOST_INDENTED <= ENTRY_LIMIT:
        return compact
    text = json.dumps(msgspec.to_builtins(entry), indent=2, ensure_ascii=False)
    return len(text.encode()) + 4 * (1 + text.count("\n"))


def _entry(grade: Grade, room: Room) -> SubmissionEntry:
    return SubmissionEntry(
        path=clean(grade.path),
        student=_optional(grade.student),
        variant=_optional(grade.variant),
        variant_source=grade.variant_source,
        status=grade.status,
        score=_rounded(grade.score),
        max_score=_rounded(grade.max_score),
        seconds=_duration(grade.seconds),
        checks=[_check(check, room) for check in grade.checks],
        message=one_line(grade.message),
        notes=_notes(grade.notes, room),
        student_id=_optional(grade.student_id),
        email=_optional(grade.email),
        adjustment=_rounded(grade.score - math.fsum(check.score for check in grade.checks)),
        members=_cleaned(grade.members, list[MemberEntry]),
        taken_from=grade.taken_from,
        late=late_entry(grade.late),
    )


def _more(count: int) -> str:
    return say_count("{count} more left out", "{count} more left out", count)


def _notes(notes: Sequence[str], room: Room) -> list[str]:
    """The first notes and the last: ours are before and after those of the student's process."""
    left_out = len(notes) - room.findings
    if left_out > 0:
        half = room.findings // 2
        notes = [*notes[: room.findings - half], _more(left_out), *notes[len(notes) - half :]]
    return [clean(note, room.text) for note in notes]


def _check(check: GradedCheck, room: Room) -> CheckEntry:
    result = check.result
    return CheckEntry(
        id=clean(result.id),
        outcome=result.outcome,
        score=_rounded(check.score),
        max_score=_rounded(check.max_score),
        message=one_line(result.message, room.text),
        basis=result.basis,
        findings=_findings(result, room),
        details=plain(result.details, room),
        visibility=check.visibility,
    )


def _findings(result: CheckResult, room: Room) -> list[FindingEntry]:
    findings = list(result.findings)
    left_out = result.left_out + max(0, len(findings) - room.findings)
    if left_out > 0:
        # Faults cost points, so they are the last to go, and where they come from with them.
        findings = in_order(findings)[: room.findings]
        findings.append(Finding(kind="more-findings", message=_more(left_out), level="note"))
    return [_finding(finding, room.text) for finding in findings]


def _finding(finding: Finding, limit: int) -> FindingEntry:
    place = finding.place
    return FindingEntry(
        kind=clean(finding.kind, limit),
        message=clean(finding.message, min(limit, MESSAGE_LIMIT)),
        path=clean(place.path, limit) if place else None,
        cell=place.cell if place else None,
        execution_count=place.execution_count if place else None,
        line=place.line if place else None,
        column=place.column if place else None,
        source=clean(place.source, min(limit, SOURCE_LIMIT)) if place else None,
        name=_optional(finding.name, limit),
        hint=_optional(finding.hint, limit),
        level=finding.level,
    )


# -- numbers and structs ---------------------------------------------------------------------------


def _rounded(value: float) -> float:
    if not math.isfinite(value):
        raise GraderFault(f"a score of {value} reached the report")
    return round(float(value), 6) + 0.0  # + 0.0 turns -0.0 into 0.0


def _duration(seconds: float) -> float:
    # A clock that misbehaves is no reason to lose a report.
    return _rounded(max(0.0, seconds)) if math.isfinite(seconds) else 0.0


def _cleaned(value: Any, type: Any) -> Any:
    """Structs of texts and lists, with every text cleaned."""

    def texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: texts(item) for key, item in value.items()}
        if isinstance(value, list):
            return [texts(item) for item in value]
        return clean(value) if isinstance(value, str) else value

    return msgspec.convert(texts(msgspec.to_builtins(value)), type)


def _optional(text: str | None, limit: int = TEXT_LIMIT) -> Any:
    return None if text is None else clean(text, limit)

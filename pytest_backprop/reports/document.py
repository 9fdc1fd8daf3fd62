"""The report as data: schema version 1. Every renderer takes a `Document` and gives text.

`entries` makes it of grades. The JSON Schema is made of these types; a description says what a key
means. Here are the JSON report, too, and reading one back: is it ours, whose grades has it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ..errors import UsageProblem
from ..messages import say
from ..model import Basis, Outcome, Status, VariantSource, Visibility
from .text import FINDINGS_LIMIT, TEXT_LIMIT

SCHEMA_VERSION: Literal[1] = 1

Text = Annotated[str, Meta(max_length=TEXT_LIMIT)]
Count = Annotated[int, Meta(ge=0)]
Position = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
TWO = Meta(min_length=2, max_length=2)


def _about(description: str) -> Meta:
    """The description of a field in the JSON Schema."""
    return Meta(description=description)


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
    variants: Annotated[Text, _about("folder of the variants; built-in for this tool's own")]
    roster: Annotated[Text | None, _about("roster file; null if none")]
    rubric: Annotated[Text | None, _about("rubric file; null for the default rubric")]
    assignment: Annotated[Text | None, _about("assignment file; null for one task each")]
    class_name: Annotated[Text | None, _about("class set by option; null if not set")]
    timeout: Annotated[Amount, _about("seconds that one submission may take")]
    memory_mb: Annotated[Count, _about("MB of 2**20 bytes that one submission may take")]
    sandbox: Annotated[Literal["auto", "require", "off"], _about("isolation asked for")]
    hints: Annotated[Literal["none", "line"], _about("what findings show")]
    lang: Annotated[Literal["en", "ru"], _about("language of all messages and hints")]
    kind: Annotated[Text, _about("kinds of exercise; forward-backward is the course's own")]


class FindingEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to tell the student."""

    kind: Annotated[Text, _about("stable id of the kind of finding")]
    message: Annotated[Text, _about("what was found")]
    path: Annotated[Text | None, _about("the file it is in; null without a place")]
    file: Annotated[Text | None, _about("its name, of one that the graded file imports")]
    cell: Annotated[Position | None, _about("notebook cell, all cells counted; null in a file")]
    execution_count: Annotated[Position | None, _about("the cell's In [n]; null without")]
    line: Annotated[Position | None, _about("line in the file, or in the cell if there is one")]
    row: Annotated[Position | None, _about("of a notebook: line in its file, which is JSON")]
    column: Annotated[Position | None, _about("column in the line, in characters")]
    source: Annotated[Text | None, _about("that line, as written")]
    name: Annotated[Text | None, _about("the student's name of the value")]
    hint: Annotated[Text | None, _about("what to do")]
    level: Annotated[Literal["fault", "note"], _about("a fault costs points, a note does not")]


class CheckEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict of one check."""

    id: Annotated[Text, _about("which check; of a part, as linear/gradient")]
    outcome: Annotated[Outcome, _about("not_judged earns nothing and is no fault of the student")]
    score: Annotated[Amount, _about("points earned")]
    max_score: Annotated[Amount, _about("points there were to earn")]
    message: Annotated[Text, _about("the verdict in one line")]
    basis: Annotated[Basis, _about("recomputed by the grader, or reported by the student's side")]
    findings: Annotated[list[FindingEntry], Meta(max_length=FINDINGS_LIMIT + 1)]
    details: Annotated[dict[str, Any], _about("figures of this check; keys depend on the check")]
    visibility: Annotated[Visibility, _about("when the student may see it, by the rubric")]
    part: Annotated[Text, _about("the part that it is of; empty for one of the whole")]


class PartEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of an assignment."""

    name: Annotated[Text, _about("its name in the assignment's file")]
    variant: Annotated[Text | None, _about("the task it was graded on; null if unknown")]
    status: Annotated[Status, _about("how grading it ended")]
    message: Annotated[Text, _about("the outcome in one line; may be empty")]
    score: Annotated[Amount, _about("points earned")]
    max_score: Annotated[Amount, _about("points there were to earn")]


class MemberEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A student of a group that handed in one submission; each has its grade."""

    student: Annotated[Text, _about("from the roster")]
    student_id: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    email: Annotated[Text | None, _about("from the roster; null if it does not tell")]


class LateEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """When a submission was handed in, and what that costs."""

    due: Annotated[Text, _about("the time that was still in time")]
    submitted: Annotated[Text | None, _about("when it was handed in; null if nobody knows")]
    days: Annotated[Count, _about("days begun after that; 0 for one in time")]
    free_days: Annotated[Count, _about("how many of these days cost nothing")]
    share: Annotated[Amount, _about("what is taken off, of the points earned")]
    deduction: Annotated[Amount, _about("that in points; it is in the adjustment")]
    problem: Annotated[Text | None, _about("why nobody knows; null if somebody does")]


class SubmissionEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """One submission's grade. `score` is the sum of its checks' scores, and of `adjustment`."""

    path: Annotated[Text, _about("the submission")]
    student: Annotated[Text | None, _about("from the roster only; null if not listed")]
    variant: Annotated[Text | None, _about("the variant it was graded on; null if unknown")]
    variant_source: Annotated[VariantSource | None, _about("where the variant was read")]
    status: Annotated[
        Status, _about("grader_error, not_judged and not_reached are no fault of the student's")
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
    taken_from: Annotated[Literal["journal"] | None, _about("where an earlier run's grade was")]
    late: Annotated[LateEntry | None, _about("when it was handed in; null unless the rubric asks")]
    parts: Annotated[list[PartEntry], _about("those of an assignment; empty without one")]


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """The class in numbers."""

    submissions: Annotated[Count, _about("submissions in the report")]
    graded: Annotated[Count, _about("those of which some points were judged")]
    mean: Annotated[Amount | None, _about("mean score of the graded; null if none")]
    median: Annotated[Amount | None, _about("median score of the graded; null if none")]
    seconds: Annotated[Amount, _about("wall time of the run")]


class StudentEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A student of the roster, with the submissions that are theirs."""

    student: Annotated[Text, _about("the name in the roster")]
    id: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    email: Annotated[Text | None, _about("from the roster; null if it does not tell")]
    variant: Annotated[Text, _about("from the roster")]
    submission: Annotated[Text | None, _about("what the roster expects; null if it does not tell")]
    paths: Annotated[list[Text], _about("their submissions in the report")]


class ExtraEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A submission that the roster does not list. It is graded all the same."""

    path: Annotated[Text, _about("the submission in the report")]
    names: Annotated[list[Text], _about("whose it is, as the LMS has it; a profile says anything")]
    ids: Annotated[list[Text], _about("their ids in the LMS")]


class RosterInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The roster held against what was handed in."""

    missing: Annotated[list[StudentEntry], _about("students without a submission")]
    extra: Annotated[list[ExtraEntry], _about("submissions that the roster does not list")]
    several: Annotated[list[StudentEntry], _about("students with several graded submissions")]


class LeftOutEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A file or folder that belongs to no graded submission."""

    path: Annotated[Text, _about("the file or folder")]
    reason: Annotated[Text, _about("why it was not graded")]


class AlikeLines(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of either submission in which both calculate the same."""

    first_cell: Annotated[Position | None, _about("notebook cell in the first; null in a file")]
    first_line: Annotated[Position, _about("line in the first")]
    second_cell: Annotated[Position | None, _about("notebook cell in the second; null in a file")]
    second_line: Annotated[Position, _about("line in the second")]
    rare: Annotated[bool, _about("whether at most one in three of the rest shares what is alike")]


class AlikePair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two submissions of one task: a reason to look at both, no verdict; no score has it."""

    paths: Annotated[list[Text], TWO, _about("the submissions")]
    students: Annotated[list[Text | None], TWO, _about("theirs; null if not listed")]
    variant: Annotated[Text, _about("their task")]
    likeness: Annotated[
        Share, _about("how much of what either has both have; what few others have weighs more")
    ]
    graph: Annotated[Share, _about("the same of the values and how each is calculated alone")]
    order: Annotated[Share, _about("the same of the order of the values alone")]
    drops: Annotated[Share, _about("the same of when values are dropped alone")]
    evidence: Annotated[Amount, _about("weight of lines that both have and few others, in nats")]
    only_these: Annotated[Count, _about("traits that both have and nobody else of the task")]
    lines: Annotated[list[AlikeLines], _about("lines that calculate the same")]


class AlikeInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """What comparing the submissions of each task with each other told."""

    pairs: Annotated[list[AlikePair], _about("the most alike first")]
    left_out: Annotated[Count, _about("further pairs, for which there is no room")]
    compared: Annotated[Count, _about("submissions that were compared with others of their task")]
    too_few: Annotated[list[Text], _about("tasks of too few submissions to tell what is rare")]


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


# -- as JSON --------------------------------------------------------------------------------------


def render(document: Document) -> str:
    """The report as JSON: keys in schema order, indented by 2, ending in a line break."""
    return as_json(msgspec.to_builtins(document))


def as_json(value: Any) -> str:
    """JSON without NaN, ending in a line break."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


# -- reading one back -----------------------------------------------------------------------------


def graded_paths(path: Path) -> list[str]:
    """The submissions whose grades are in a report; none where there is no file or an empty one.
    Raises UsageProblem for a file that is no report of ours."""
    try:
        raw = path.read_bytes() if path.exists() else b""
        report = json.loads(raw) if raw else {"submissions": []}
        if raw and (report["tool"]["name"], report["schema_version"]) != ("pytest-backprop", 1):
            raise ValueError
        return [entry["path"] for entry in report["submissions"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        raise UsageProblem(
            say("{path} is there, and is no report of this version of pytest-backprop", path=path),
            say("give --backprop-report another path, or remove that file"),
        ) from None

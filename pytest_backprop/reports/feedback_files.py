"""A file for each student, to be mailed or uploaded: Markdown, with nothing in it but what is
theirs to see.

What a submission can influence stands in code, as in `markdown`. Beside the files lies a table of
whose is which, and, for a class from Moodle, the zip that its "Upload multiple feedback files in a
zip" takes.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping

from ..messages import say
from ..model.drawing import Drawing
from .csv_report import MARK, each_student, score, table
from .document import Document, SubmissionEntry
from .feedback import (
    decimal,
    explained_checks,
    feedback,
    hidden_checks,
    is_judged,
    points,
    remarks,
    shown_checks,
)
from .markdown import block, code
from .text import OUTCOMES, one_line, status_label, variant_label

TABLE, ZIP, NAME = "students.csv", "moodle.zip", "feedback.md"
COLUMNS = ("file", "student", "id", "email", "submission", "score", "max_score")
EACH = 20_000
"""Characters of the text of one check."""
NAME_LIMIT = 160
"""Bytes; file systems take 255."""
MOODLE = re.compile(r"(.+)_([0-9]+)_assignsubmission_file(?:_.*)?", re.DOTALL)
"""A folder or file of Moodle's export: a name, its number of the student."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of what is in the zip: the same report is the same bytes."""


def files(
    document: Document, drawings: Mapping[str, Drawing] | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files of the folder: one a student, `students.csv`, and `moodle.zip` where there is what
    Moodle can tell whose it is."""
    taken = {name.casefold() for name in (TABLE, ZIP)}
    rows: list[tuple[str, ...]] = [COLUMNS]
    for_moodle: dict[str, str] = {}
    for entry in each_student(document):
        text = page(document, entry)
        stem = _stem(entry)
        name, number = f"{stem}.md", 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem}-{number}.md"
        taken.add(name.casefold())
        yield name, text.encode()
        whose = (entry.student, entry.student_id, entry.email, entry.path)
        rows.append((name, *(part or "" for part in whose), score(entry), decimal(entry.max_score)))
        folder = moodle_folder(entry.path)
        if folder is not None:
            for_moodle.setdefault(f"{folder}/{NAME}", text)
    yield TABLE, (MARK + table(rows)).encode()
    if for_moodle:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, text in sorted(for_moodle.items()):
                archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
        yield ZIP, packed.getvalue()


def page(document: Document, entry: SubmissionEntry) -> str:
    """What one student is told, as Markdown."""
    status = status_label(entry.status)
    total = f"{decimal(entry.score)} / {decimal(entry.max_score)}" if is_judged(entry) else status
    variant = variant_label(entry.variant, entry.variant_source)
    head = [
        *([say("student: {student}", student=code(entry.student))] if entry.student else []),
        say("variant: {variant}", variant=code(variant)),
        "**" + say("score: {score}", score=total) + "**",
    ]
    columns = " | ".join([say("check"), say("outcome"), say("points")])
    lines = [
        f"# {code(entry.path.rpartition('/')[2])}",
        "",
        *(f"- {line}" for line in head),
        "",
        f"| {columns} |",
        "|:--|:--|--:|",
    ]
    for check in shown_checks(entry):
        lines.append(f"| {code(check.id)} | {say(OUTCOMES[check.outcome])} | {points(check)} |")
    if hidden_checks(entry):
        lines += ["", say("the score has points of checks that are not shown here")]
    parts = ["\n".join(lines) + "\n"]
    if remark := remarks(entry):
        parts.append(block(remark, EACH))
    for check in explained_checks(entry):
        text = block(feedback(check, document), EACH)
        parts.append(f"## {code(check.id)} {points(check)}\n\n{text}")
    return "\n".join(parts)


def moodle_folder(path: str) -> str | None:
    """The folder in the zip by which Moodle knows a submission of its export, by the number in it;
    None for one that is not from there, or whose number can be read in two ways."""
    for part in path.split("/"):
        match = MOODLE.fullmatch(part)
        if match is not None and part.count("_assignsubmission_") == 1:
            # Moodle takes what is between the first two underscores for the number
            name = match[1].replace("_", " ")
            return f"{name}_{match[2]}_assignsubmission_file_"
    return None


def _stem(entry: SubmissionEntry) -> str:
    """A name that every file system and mail program takes: the student and the id, or else the
    path."""
    whose = [part for part in (entry.student, entry.student_id) if part]
    text = "_".join(whose) or entry.path.rpartition(".")[0] or entry.path
    text = unicodedata.normalize("NFC", one_line(text))
    text = re.sub(r"[^\w@+-]+", "_", text).strip("_+-@")
    return text.encode()[:NAME_LIMIT].decode(errors="ignore") or "student"

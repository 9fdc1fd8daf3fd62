"""Markdown: a summary of a class for a comment, an issue or a job, and a file for each student.

What a submission can influence stands in code, where nothing is a link, a mention, HTML or a
heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from ..messages import say
from ..model.drawing import Drawing
from .csv_report import MARK, each_student, score, table
from .document import Document, SubmissionEntry
from .feedback import (
    explained_checks,
    feedback,
    hidden_checks,
    is_judged,
    more,
    points,
    remarks,
    shown_checks,
    totals,
)
from .text import cut, decimal, in_words, one_line, unused, variant_label
from .writing import zipped


def code(text: str, limit: int = 120) -> str:
    """`text` as code within a line, also in a table."""
    text = cut(" ".join(text.split()), limit).replace("|", "\\|") or " "
    fence = "`" * (_longest_run(text) + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(text: str, limit: int) -> str:
    """`text` as a block of code."""
    text = cut(text, limit)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _lost(document: Document, entry: SubmissionEntry, heading: str, each: int) -> list[str]:
    """The outcome of a submission with the notes, and what each check lost that may be shown, with
    `heading` before the check."""
    remark = remarks(entry)
    return [
        *([block(remark, each)] if remark else []),
        *(
            f"{heading}{code(check.id)} {points(check)}\n\n{block(feedback(check, document), each)}"
            for check in explained_checks(entry)
        ),
    ]


# -- a class --------------------------------------------------------------------------------------

LIMIT = 65_000
"""Bytes: the summary fits a comment on GitHub, the strictest of readers."""
_ROOM = 400
"""Bytes kept for the lines that say what was left out."""


def render(document: Document) -> str:
    """A table of grades, then what went wrong, without the checks that are hidden from students.
    What does not fit is counted."""
    entries = document.submissions
    head = f"## backprop: {totals(document)}\n\n"
    if not entries:
        return head + say("nothing to grade: no .py or .ipynb file was found") + "\n"
    named = any(entry.student for entry in entries)
    titles = [say("submission"), say("variant"), say("score"), say("status")]
    rule = "|:--|:--|--:|:--|"
    if named:
        titles.insert(1, say("student"))
        rule = f"|:--{rule}"
    head += f"| {' | '.join(titles)} |\n{rule}\n"
    details = [
        "\n".join((f"\n### {code(entry.path)}\n", *lost)) + "\n"
        for entry in entries
        if (lost := _lost(document, entry, "", 4_000))
    ]
    rows = [_row(entry, named) for entry in entries]
    text = head
    for parts, what in ((rows, ""), (details, say("what each lost:") + " ")):
        for place, part in enumerate(parts):
            if len((text + part).encode()) > LIMIT - _ROOM:
                text += f"\n{what}{more(len(parts) - place)}\n"
                break
            text += part
    return text


def _row(entry: SubmissionEntry, named: bool) -> str:
    score = decimal(entry.score) if is_judged(entry) else "–"
    variant = variant_label(entry.variant, entry.variant_source)
    cells = [code(entry.path), *([code(entry.student or "-")] if named else []), code(variant)]
    total = f"{score} / {decimal(entry.max_score)}"
    return f"| {' | '.join(cells)} | {total} | {in_words(entry.status)} |\n"


# -- a file for each student ----------------------------------------------------------------------

TABLE, ZIP, NAME = "students.csv", "moodle.zip", "feedback.md"
COLUMNS = ("file", "student", "id", "email", "submission", "score", "max_score")
NAME_LIMIT = 160
"""Bytes; file systems take 255."""
MOODLE = re.compile(r"(.+)_([0-9]+)_assignsubmission_file(?:_.*)?", re.DOTALL)
"""A folder or file of Moodle's export: a name, its number of the student."""


def files(
    document: Document, drawings: Mapping[str, Drawing] | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files of the folder: one for each student with nothing in it but what is theirs to see,
    to be mailed or uploaded; `students.csv`, which tells whose is which; and for a class from
    Moodle the zip that its "Upload multiple feedback files in a zip" takes."""
    taken = {name.casefold() for name in (TABLE, ZIP)}
    rows: list[tuple[str, ...]] = [COLUMNS]
    for_moodle: dict[str, bytes] = {}
    for entry in each_student(document):
        text, name = page(document, entry), unused(_stem(entry), ".md", taken)
        yield name, text.encode()
        whose = (entry.student, entry.student_id, entry.email, entry.path)
        rows.append((name, *(part or "" for part in whose), score(entry), decimal(entry.max_score)))
        folder = moodle_folder(entry.path)
        if folder is not None:
            for_moodle.setdefault(f"{folder}/{NAME}", text.encode())
    yield TABLE, (MARK + table(rows)).encode()
    if for_moodle:
        yield ZIP, zipped(dict(sorted(for_moodle.items())))


def page(document: Document, entry: SubmissionEntry) -> str:
    """What one student is told."""
    total = f"{decimal(entry.score)} / {decimal(entry.max_score)}"
    total = total if is_judged(entry) else in_words(entry.status)
    variant = variant_label(entry.variant, entry.variant_source)
    lines = [
        f"# {code(entry.path.rpartition('/')[2])}",
        "",
        *(["- " + say("student: {student}", student=code(entry.student))] if entry.student else []),
        "- " + say("variant: {variant}", variant=code(variant)),
        "- **" + say("score: {score}", score=total) + "**",
        "",
        "| " + " | ".join([say("check"), say("outcome"), say("points")]) + " |",
        "|:--|:--|--:|",
    ]
    for check in shown_checks(entry):
        lines.append(f"| {code(check.id)} | {in_words(check.outcome)} | {points(check)} |")
    if hidden_checks(entry):
        lines += ["", say("the score has points of checks that are not shown here")]
    return "\n".join(("\n".join(lines) + "\n", *_lost(document, entry, "## ", 20_000)))


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

"""What `run_autograder` does on Gradescope: finds the submission and the student's variant, lets
pytest grade, and leaves `results/results.json`, whatever happens.

The student is whom Gradescope says, never whom the submission says: the roster's row with the
e-mail (or id) of the user who handed in. Gradescope also says when it was handed in, and until when
it may be.
"""

from __future__ import annotations

import configparser
import csv
import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ..classroom.files import in_folder
from ..classroom.names import SUBMISSIONS, suffix_of
from ..classroom.roster import RosterEntry
from ..classroom.roster_file import COLUMNS, LATE_COLUMNS, MORE_COLUMNS, load_roster
from ..errors import UsageProblem
from ..grading.late_days import read_time
from ..messages import LANGUAGES, say, use_language
from ..model import NO_GRADE
from ..reports.graders import refusal
from ..reports.writing import write_atomically

METADATA = "submission_metadata.json"
GRADED, NOT_GRADED = 0, 3
"""Exit codes. What pytest says of failed checks is in the results."""
NEVER = datetime.max.replace(tzinfo=UTC)


class _Dates(Struct):
    due_date: str | None = None


class _User(Struct):
    name: str | None = None
    email: str | None = None
    id: str | int | None = None
    assignment: _Dates | None = None


class _Metadata(Struct):
    """What Gradescope says of a submission."""

    users: list[_User] = []
    created_at: str | None = None
    assignment: _Dates | None = None


def run(root: Path) -> int:
    """Grade what lies under `root`, laid out as Gradescope's `/autograder`; the exit code."""
    lang = _ini(root / "source" / "pytest.ini").get("backprop_lang", "")
    use_language(lang if lang in LANGUAGES else "en")
    try:
        text = _results(root)
    except UsageProblem as problem:
        click.echo(str(problem))
        text = refusal(problem.message, "not_judged")
    except Exception as error:  # of ours: the student hears of it and is told whose fault it is
        click.echo(f"{type(error).__name__}: {error}")
        text = refusal(type(error).__name__, "grader_error")
    write_atomically(root / "results" / "results.json", text)
    return NOT_GRADED if json.loads(text)["extra_data"]["status"] in NO_GRADE else GRADED


def _results(root: Path) -> str:
    folder, source = root / "submission", root / "source"
    files = [
        Path(file.path or "")
        for file in in_folder(folder, folder, lambda _: False)[0]
        if file.gradable and suffix_of(file.name) in SUBMISSIONS
    ]
    if not files:
        return refusal(say("nothing to grade: no .py or .ipynb file was found"))
    if len(files) > 1:
        names = ", ".join(path.relative_to(folder).as_posix() for path in files[:10])
        return refusal(
            say("hand in one .py or .ipynb file; these were found: {names}", names=names)
        )
    with tempfile.TemporaryDirectory(prefix="backprop-") as room:
        report, roster = Path(room, "results.json"), Path(room, "roster.csv")
        command = [
            *(sys.executable, "-P", "-c", "from pytest_backprop.cli import main; main()", "grade"),
            *(str(folder), "-c", str(source / "pytest.ini"), f"--rootdir={root}"),
            *("-p", "no:cacheprovider", f"--backprop-report=gradescope:{report}"),
        ]
        if (entry := _entry(root)) is not None:
            row = replace(entry, submission=files[0].relative_to(root).as_posix())
            with roster.open("w", encoding="utf-8", errors="replace", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS + MORE_COLUMNS + LATE_COLUMNS)
                writer.writeheader()
                writer.writerow({name: getattr(row, name) for name in writer.fieldnames})
            # the option holds also for a file name that no roster can spell
            command += [f"--backprop-roster={roster}", f"--backprop-variant={entry.variant}"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        code = subprocess.run(command, cwd=room, env=environment, check=False).returncode
        if not report.is_file():
            raise UsageProblem(
                say("pytest ended with exit code {code} and wrote no results", code=code)
            )
        return report.read_text(encoding="utf-8")


def _entry(root: Path) -> RosterEntry | None:
    """The roster's row of whoever handed in, with the times that Gradescope tells. Without a roster
    it is a row of the variant that all have; None where none is told."""
    source = root / "source"
    try:
        metadata = msgspec.json.decode((root / METADATA).read_bytes(), type=_Metadata)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        metadata = _Metadata()
    if (source / "roster.csv").is_file():
        rows = _listed(metadata.users, source / "roster.csv")
    else:
        variant = _ini(source / "pytest.ini").get("backprop_variant", "")
        names = [name for user in metadata.users if (name := user.name or user.email)]
        if not variant or not names:
            return None
        rows = [RosterEntry(" & ".join(names), "", variant, 2)]
    dates = [*(user.assignment for user in metadata.users), metadata.assignment]
    dues = [row.due for row in rows] + [each.due_date or "" for each in dates if each is not None]
    # one row for all, with the most free days and the most time that one of them has; when it was
    # handed in Gradescope knows, as a packed roster is older than that. A due date that is not
    # understood counts as the latest: it costs nothing
    return replace(
        rows[0],
        submitted=metadata.created_at or rows[0].submitted,
        free_days=max((row.free_days for row in rows if row.free_days), key=int, default=""),
        due=max(filter(None, dues), key=lambda due: read_time(due, None) or NEVER, default=""),
    )


def _listed(users: list[_User], path: Path) -> list[RosterEntry]:
    """The rows of those who handed in. Of a group, all members must have one variant."""
    if not users:
        raise UsageProblem(say("{file} does not tell who handed this in", file=METADATA))
    emails = {user.email.strip().casefold() for user in users if user.email} - {""}
    ids = {str(user.id).strip() for user in users if user.id is not None} - {""}
    everybody = load_roster(path).entries
    rows = [row for row in everybody if row.email.casefold() in emails]
    rows = rows or [row for row in everybody if row.id in ids]
    if not rows:
        raise UsageProblem(say("the roster does not list the e-mail of whoever handed this in"))
    if len({row.variant for row in rows}) > 1:
        raise UsageProblem(say("the members of this group have different variants in the roster"))
    return rows


def _ini(path: Path) -> dict[str, str]:
    """The settings that were packed."""
    parser = configparser.RawConfigParser()
    parser.read(path, encoding="utf-8")
    return dict(parser["pytest"]) if "pytest" in parser else {}

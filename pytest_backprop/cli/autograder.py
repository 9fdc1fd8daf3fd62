"""What `run_autograder` does on Gradescope: finds the submission and the student's variant, lets
pytest grade, and leaves `results/results.json`, whatever happens.

The student is whom Gradescope says, never whom the submission says: the roster's row with the e-mail
(or id) of the user who handed in. So are the time at which it was handed in, and until when it may be.
"""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from ..classroom.roster import RosterEntry
from ..classroom.roster_file import COLUMNS, LATE_COLUMNS, MORE_COLUMNS, load_roster
from ..errors import UsageProblem
from ..grading.late_days import read_time
from ..messages import LANGUAGES, say, use_language
from ..model import NO_GRADE
from ..reports.gradescope import failed, refusal, unjudged
from ..reports.writing import write_atomically
from ..session.collect import SKIPPED_FILES, SKIPPED_FOLDERS
from ..session.plugins import SUFFIXES

METADATA = "submission_metadata.json"
GRADED, NOT_GRADED = 0, 3
"""Exit codes. What pytest says of failed checks is in the results."""


def run(root: Path) -> int:
    """Grade what lies under `root`, laid out as Gradescope's `/autograder`; the exit code."""
    said = _ini(root / "source" / "pytest.ini").get("backprop_lang", "")
    use_language(said if said in LANGUAGES else "en")
    try:
        text = _results(root)
    except UsageProblem as problem:
        click.echo(str(problem))
        text = refusal(unjudged(problem.message), "not_judged")
    except Exception as error:  # of ours: the student hears of it and is told whose fault it is
        click.echo(f"{type(error).__name__}: {error}")
        text = refusal(failed(type(error).__name__), "grader_error")
    write_atomically(root / "results" / "results.json", text)
    return NOT_GRADED if json.loads(text)["extra_data"]["status"] in NO_GRADE else GRADED


def submissions(folder: Path) -> list[Path]:
    """The files of a folder that pytest would grade."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES
        and path.is_file()
        and path.name not in SKIPPED_FILES
        and not path.name.startswith(".")
        and not SKIPPED_FOLDERS.intersection(path.parts)
    ]


def _results(root: Path) -> str:
    folder = root / "submission"
    found = submissions(folder)
    if not found:
        return refusal(say("nothing to grade: no .py or .ipynb file was found"))
    if len(found) > 1:
        names = ", ".join(path.relative_to(folder).as_posix() for path in found[:10])
        return refusal(
            say("hand in one .py or .ipynb file; these were found: {names}", names=names)
        )
    with tempfile.TemporaryDirectory(prefix="backprop-") as place:
        return _graded(root, found[0], Path(place))


def _graded(root: Path, submission: Path, place: Path) -> str:
    source, report = root / "source", place / "results.json"
    command = [
        *(sys.executable, "-P", "-c", "from pytest_backprop.cli import main; main()", "grade"),
        *(str(root / "submission"), "-c", str(source / "pytest.ini"), f"--rootdir={root}"),
        *("-p", "no:cacheprovider", f"--backprop-report=gradescope:{report}"),
    ]
    entry = _entry(root)
    if entry is not None:
        roster = place / "roster.csv"
        row = _row(entry, submission.relative_to(root).as_posix())
        roster.write_text(row, encoding="utf-8", errors="replace")
        # the option holds also for a file name that no roster can spell
        command += [f"--backprop-roster={roster}", f"--backprop-variant={entry.variant}"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    code = subprocess.run(command, cwd=place, env=environment, check=False).returncode
    if not report.is_file():
        raise UsageProblem(
            say("pytest ended with exit code {code} and wrote no results", code=code)
        )
    return report.read_text(encoding="utf-8")


def _entry(root: Path) -> RosterEntry | None:
    """The roster's row of whoever handed in, with the times that Gradescope tells. Of a group, one variant must
    be all members'. Without a roster it is a row of the variant that all have; None where none is said."""
    source, metadata = root / "source", _metadata(root / METADATA)
    if (source / "roster.csv").is_file():
        return _with_times(_listed(metadata, source / "roster.csv"), metadata)
    variant = _ini(source / "pytest.ini").get("backprop_variant", "")
    names = [_text(user.get("name") or user.get("email")) for user in _users(metadata)]
    if not variant or not any(names):
        return None
    return _with_times([RosterEntry(" & ".join(filter(None, names)), "", variant, 2)], metadata)


def _listed(metadata: dict[str, Any], path: Path) -> list[RosterEntry]:
    users = _users(metadata)
    if not users:
        raise UsageProblem(say("{file} does not tell who handed this in", file=METADATA))
    emails = {_text(user.get("email")).casefold() for user in users} - {""}
    ids = {_text(user.get("id")) for user in users} - {""}
    rows = load_roster(path).entries
    found = [row for row in rows if row.email.casefold() in emails]
    found = found or [row for row in rows if row.id in ids]
    if not found:
        raise UsageProblem(say("the roster does not list the e-mail of whoever handed this in"))
    if len({row.variant for row in found}) > 1:
        raise UsageProblem(say("the members of this group have different variants in the roster"))
    return found


def _with_times(rows: list[RosterEntry], metadata: dict[str, Any]) -> RosterEntry:
    """One row for all, with the most free days and the most time that one of them has. When it was handed in
    Gradescope knows; a packed roster is older than that."""
    given = [user.get("assignment") for user in _users(metadata)] + [metadata.get("assignment")]
    dues = [_text(dates.get("due_date")) for dates in given if isinstance(dates, dict)]
    return replace(
        rows[0],
        submitted=_text(metadata.get("created_at")) or rows[0].submitted,
        free_days=max((row.free_days for row in rows if row.free_days), key=int, default=""),
        due=_latest([row.due for row in rows] + dues),
    )


def _latest(dues: list[str]) -> str:
    """The latest of times as they are written. One that is not understood is handed on: it costs nothing."""
    times = {due: read_time(due, None) for due in dues if due}
    unread = [due for due, time in times.items() if time is None]
    known = {due: time for due, time in times.items() if time is not None}
    return unread[0] if unread else max(known, key=known.__getitem__, default="")


def _metadata(path: Path) -> dict[str, Any]:
    """What Gradescope says of the submission; empty where it says nothing that can be read."""
    try:
        said = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _users(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    users = metadata.get("users")
    return [user for user in users if isinstance(user, dict)] if isinstance(users, list) else []


def _text(value: object) -> str:
    return "" if value is None else str(value).strip()


def _row(entry: RosterEntry, submission: str) -> str:
    names = (*COLUMNS, *MORE_COLUMNS, *LATE_COLUMNS)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(names)
    entry = replace(entry, submission=submission)
    writer.writerow([getattr(entry, name) for name in names])
    return out.getvalue()


def _ini(path: Path) -> dict[str, str]:
    """The settings that were packed."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    parts = [line.partition("=") for line in lines]
    return {name.strip(): value.strip() for name, _, value in parts}

"""What `run_autograder` does on Gradescope: finds the submission and the student's variant, lets
pytest grade, and leaves `results/results.json`, whatever happens.

The student is whom Gradescope says, never whom the submission says: the roster's row with the e-mail
(or id) of the user who handed in.
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

from ..classroom.roster import COLUMNS, MORE_COLUMNS, RosterEntry, load_roster
from ..errors import UsageProblem
from ..messages import say, use_language
from ..reports.gradescope import failed, refusal
from ..reports.json_report import write_atomically
from ..session.collect import SKIPPED_FILES, SKIPPED_FOLDERS
from ..session.plugins import SUFFIXES

GRADED, GRADER_FAILED = 0, 3
"""Exit codes. What pytest says of failed checks is in the results."""


def run(root: Path) -> int:
    """Grade what lies under `root`, laid out as Gradescope's `/autograder`; the exit code."""
    use_language(_language(root / "source" / "pytest.ini"))
    try:
        text = _results(root)
    except UsageProblem as problem:
        click.echo(str(problem))
        text = refusal(failed(problem.message), grader_error=True)
    except Exception as error:  # of ours: the student hears of it and is told whose fault it is
        click.echo(f"{type(error).__name__}: {error}")
        text = refusal(failed(type(error).__name__), grader_error=True)
    write_atomically(root / "results" / "results.json", text)
    ours = json.loads(text).get("extra_data", {}).get("grader_error", False)
    return GRADER_FAILED if ours else GRADED


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
        sys.executable, "-P", "-m", "pytest", "-p", "no:cacheprovider", "-c", str(source / "pytest.ini"),
        f"--rootdir={root}", "--backprop", str(root / "submission"),
        f"--backprop-report=gradescope:{report}",
    ]  # fmt: skip
    if (source / "roster.csv").is_file():
        entry = _entry(root, source / "roster.csv")
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


def _entry(root: Path, path: Path) -> RosterEntry:
    """The roster's row of whoever handed in. Of a group, one variant must be all members'."""
    users = _users(root / "submission_metadata.json")
    emails = {str(user.get("email", "")).strip().casefold() for user in users} - {""}
    ids = {str(user.get("id", "")).strip() for user in users} - {""}
    rows = load_roster(path).entries
    found = [row for row in rows if row.email.casefold() in emails]
    found = found or [row for row in rows if row.id in ids]
    if not found:
        raise UsageProblem(say("the roster does not list the e-mail of whoever handed this in"))
    if len({row.variant for row in found}) > 1:
        raise UsageProblem(say("the members of this group have different variants in the roster"))
    return found[0]


def _users(path: Path) -> list[dict[str, Any]]:
    try:
        users = json.loads(path.read_bytes())["users"]
        return [user for user in users if isinstance(user, dict)]
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageProblem(say("{file} does not tell who handed this in", file=path.name)) from None


def _row(entry: RosterEntry, submission: str) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow([*COLUMNS, *MORE_COLUMNS])
    writer.writerow([entry.student, submission, entry.variant, entry.id, entry.email])
    return out.getvalue()


def _language(ini: Path) -> str:
    """The language that the packed settings have."""
    try:
        lines = ini.read_text(encoding="utf-8").splitlines()
    except OSError:
        return "en"
    said = [line.partition("=")[2].strip() for line in lines if line.startswith("backprop_lang")]
    return said[-1] if said and said[-1] in ("en", "ru") else "en"

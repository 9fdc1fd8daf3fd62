"""What `run_autograder` does on Gradescope: lays the submission out as Gradescope exports a class,
lets pytest grade that, and leaves `results/results.json`, whatever happens.

The student is whom Gradescope says, never whom the submission says. Gradescope also says when it
was handed in, and until when it may be.
"""

from __future__ import annotations

import configparser
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct

from ..classroom import HandIn, Person
from ..classroom.layouts import GRADESCOPES_LIST
from ..classroom.roster_file import load_roster
from ..errors import UsageProblem
from ..messages import LANGUAGES, say, use_language
from ..model import NO_GRADE
from ..reports.graders import refusal
from ..reports.writing import write_atomically

METADATA = "submission_metadata.json"
GRADED, NOT_GRADED = 0, 3
"""Exit codes. What pytest says of failed checks is in the results."""


class _Dates(Struct):
    due_date: str | None = None


class _User(Struct):
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
    ini = configparser.RawConfigParser()
    ini.read(root / "source" / "pytest.ini", encoding="utf-8")
    lang = ini.get("pytest", "backprop_lang", fallback="")
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
    source, entry = root / "source", _entry(root)
    with tempfile.TemporaryDirectory(prefix="backprop-") as room:
        report, handed = Path(room, "results.json"), Path(room, "class")
        shutil.copytree(root / "submission", handed / "submission_1", symlinks=True)
        listed = json.dumps({"submission_1": entry})  # JSON is YAML
        (handed / GRADESCOPES_LIST).write_text(listed, encoding="utf-8")
        command = [
            *(sys.executable, "-P", "-c", "from pytest_backprop.cli import main; main()", "grade"),
            *(str(handed), "-c", str(source / "pytest.ini"), f"--rootdir={handed}"),
            *("-p", "no:cacheprovider", f"--backprop-report=gradescope:{report}"),
        ]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        code = subprocess.run(command, cwd=room, env=environment, check=False).returncode
        if not report.is_file():
            raise UsageProblem(
                say("pytest ended with exit code {code} and wrote no results", code=code)
            )
        return report.read_text(encoding="utf-8")


def _entry(root: Path) -> dict[str, Any]:
    """What Gradescope's export of a class would have on the submission, and until when it may be
    handed in. Raises UsageProblem."""
    try:
        metadata = msgspec.json.decode((root / METADATA).read_bytes(), type=_Metadata)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        metadata = _Metadata()
    dates = [*(user.assignment for user in metadata.users), metadata.assignment]
    return {
        ":submitters": [
            {":email": person.email, ":sid": person.id}
            for person in _people(metadata.users, root / "source" / "roster.csv")
        ],
        ":created_at": metadata.created_at,
        ":due_dates": [date.due_date for date in dates if date is not None and date.due_date],
    }


def _people(users: list[_User], path: Path) -> tuple[Person, ...]:
    """Those who handed in, by what the roster has of them, if there is one: their e-mails or their
    ids. Raises UsageProblem."""
    emails = tuple(Person(email=user.email.strip()) for user in users if user.email)
    ids = tuple(Person(id=str(user.id)) for user in users if user.id is not None)
    if not path.is_file():
        return emails
    if not users:
        raise UsageProblem(say("{file} does not tell who handed this in", file=METADATA))
    for people in (emails, ids):
        handed = HandIn("", "", "", "", people)
        if load_roster(path, handed={"": handed}, variants=False).entries_for(""):
            return people
    raise UsageProblem(say("the roster does not list the e-mail of whoever handed this in"))

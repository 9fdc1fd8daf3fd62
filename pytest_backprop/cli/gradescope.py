"""`backprop gradescope`: the autograder for Gradescope, packed, and run there.

The package may not be on an index, and a course may use a version of its own: so the files that run
here are packed as a wheel, from a checkout as well as from an installation.

What `run_autograder` does: it lays the submission out as Gradescope exports a class, lets pytest
grade that, and leaves `results/results.json`, whatever happens. The student is whom Gradescope
says, never whom the submission says. Gradescope also says when it was handed in, and until when it
may be."""

from __future__ import annotations

import base64
import configparser
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct
from packaging.utils import canonicalize_name

from ..classroom import HandIn, Person
from ..classroom.layouts import GRADESCOPES_LIST
from ..classroom.roster_file import load_roster
from ..errors import UsageProblem
from ..exercises import built_in
from ..exercises.functions.bank.library import whole_bank
from ..grading.assignment import asks_own, check_assignments, read_parts, usual
from ..grading.rubric import default_rubric, planned
from ..messages import LANGUAGES, say, use_language
from ..model import COURSE_KIND, NO_GRADE
from ..options import SHORT, course_bank
from ..reports.graders import refusal
from ..reports.writing import write_atomically, zipped

SCRIPTS = ("setup.sh", "run_autograder")
PACKAGE = Path(__file__).parent.parent
WHEEL = "Wheel-Version: 1.0\nGenerator: pytest-backprop\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
PACKED = {
    "variants": ("folder of variants; default: the built-in", None),
    "roster": ("CSV: student, submission, variant, and email (or id) as in Gradescope", None),
    "variant": ("the variant of all students, such as v8", None),
    "assignment": ("TOML file with the parts, each with its task and points", None),
    "rubric": ("TOML file with the points", None),
    "hints": ("what findings show", "line"),
    "lang": ("language of what students read", "en"),
    "memory": ("memory of a submission; a container has 768 MB unless you give more", "512M"),
    "timeout": ("seconds of a submission; a container has half a CPU", "60"),
}
"""The settings of grading that a course packs, with what help says of each, and its default."""
PLACES = {
    "variants": "variants",
    "roster": "roster.csv",
    "assignment": "assignment.toml",
    "rubric": "rubric.toml",
}
"""Where in the archive lies what a setting names."""


@click.group(context_settings={"show_default": True})
def gradescope() -> None:
    """Grade on Gradescope."""


@gradescope.command(
    params=[
        click.Option([f"--{name}"], metavar=SHORT[name].metavar, help=about, default=default)
        for name, (about, default) in PACKED.items()
    ]
)
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over ARCHIVE if it is there.")
def pack(archive: Path, force: bool, **texts: str | None) -> None:
    """Write the autograder's zip file ARCHIVE, to be uploaded as it is."""
    if archive.exists() and not force:
        raise UsageProblem(
            say("{path} is there already", path=archive),
            say("choose another name, or write over it with --force"),
        )
    values: dict[str, Any] = {
        name: SHORT[name].read(text, Path(), f"--{name}")
        for name, text in texts.items()
        if text is not None
    }
    folder = values.setdefault("variants", course_bank())
    parts = read_parts(
        folder, COURSE_KIND, default_rubric, values.get("assignment"), values.get("rubric")
    )
    students = None
    if "roster" in values:
        students = load_roster(values["roster"], variants=asks_own(parts))
    banks = {part.kind: built_in(part.kind).load_bank(folder) for part in parts}
    bank = whole_bank(banks)
    bank.values()  # one that is bad is told here, and not with every grade
    check_assignments(parts, bank, values.get("variant"), students)
    # Gradescope tells who handed in by e-mail and id
    nameless = [
        row.student for row in (students.entries if students else ()) if not (row.email or row.id)
    ]
    if nameless:
        raise UsageProblem(
            f"roster {values['roster']}: no email and no id of {', '.join(nameless[:3])}",
            "add a column email: Gradescope tells who handed in by that",
        )
    use_language(values["lang"])
    ini = "".join(f"backprop_{k} = {PLACES.get(k, v)}\n" for k, v in values.items())
    name, content = wheel()
    # without the name of a build: which build it is (`+cpu`) is up to the index
    versions = {
        canonicalize_name(each.name): each.version.partition("+")[0]
        for each in metadata.distributions()
    }
    blanks = {
        "@PYTHON_VERSION@": ".".join(map(str, sys.version_info[:2])),
        "@TORCH@": f"torch=={metadata.version('torch').partition('+')[0]}",
        "@EXTRAS@": "[onnx]" if any("onnx" in planned(part.rubric) for part in parts) else "",
    }
    fallback = refusal(say("the autograder did not run to its end"), "grader_error")
    pins = "".join(f"{package}=={version}\n" for package, version in sorted(versions.items()))
    files = {
        "constraints.txt": pins.encode(),
        "pytest.ini": f"[pytest]\n{ini}".encode(),
        "fallback.json": fallback.encode(),
        f"wheels/{name}": content,
        **{f"variants/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.py"))},
    }
    for script in SCRIPTS:
        text = (PACKAGE / "cli" / "scripts" / script).read_text(encoding="utf-8")
        for blank, value in blanks.items():
            text = text.replace(blank, value)
        files[script] = text.encode()
    files |= {PLACES[k]: values[k].read_bytes() for k in PLACES if k != "variants" and k in values}
    try:
        archive.write_bytes(zipped(files, SCRIPTS))
    except OSError as error:
        raise UsageProblem(f"{archive} cannot be written: {error.strerror or error}") from None
    total = math.fsum(part.points for part in usual(parts))
    click.echo(
        say(
            "{archive}: upload it as the autograder; the assignment is worth {points:g} points",
            archive=archive,
            points=total,
        )
    )


@gradescope.command()
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/autograder",
    help="Where submission and results are.",
)
def run(root: Path) -> None:
    """What run_autograder does, on Gradescope."""
    sys.exit(_grade(root.absolute()))


# -- the wheel ------------------------------------------------------------------------------------


def wheel() -> tuple[str, bytes]:
    """Name and content of a wheel of the package that is running."""
    distribution = metadata.distribution("pytest-backprop")
    files = {
        path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes()
        for path in sorted(PACKAGE.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    info = f"pytest_backprop-{distribution.version}.dist-info"
    for name in ("METADATA", "entry_points.txt"):
        files[f"{info}/{name}"] = (distribution.read_text(name) or "").encode()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    rows = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    return f"pytest_backprop-{distribution.version}-py3-none-any.whl", zipped(files)


# -- on Gradescope --------------------------------------------------------------------------------


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


def _grade(root: Path) -> int:
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

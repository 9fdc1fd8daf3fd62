"""`backprop gradescope`: the autograder for Gradescope, packed, and run there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import click

from ..classroom.roster_file import load_roster
from ..errors import UsageProblem
from ..exercises.functions.bank import load_bank
from ..grading.assignment import check_assignments
from ..grading.rubric import default_rubric, planned
from ..grading.rubric_file import load_rubric
from ..messages import LANGUAGES, say, use_language
from ..options import course_bank
from ..reports.gradescope import failed, refusal
from ..session.option_values import Refused, memory_mb
from .files import refuse_existing
from .wheel import pins, torch_pin, wheel, zipped

SCRIPTS = ("setup.sh", "run_autograder")


@click.group()
def gradescope() -> None:
    """Grade on Gradescope."""


def _option(
    flag: str, help: str, default: Any = None, type: Any = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(
        flag, help=help, default=default, type=type, show_default=default is not None
    )


_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_TIMEOUT = click.FloatRange(1, 500)
_HINTS = click.Choice(["none", "line"])
_LANG = click.Choice(LANGUAGES)


def _megabytes(context: click.Context, option: click.Parameter, text: str) -> int:
    try:
        return memory_mb(text, Path())
    except Refused as refused:
        why, way_out = refused.args
        raise UsageProblem(f"--memory: {text!r} {why}", way_out) from None


@gradescope.command()
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over ARCHIVE if it is there.")
@_option(
    "--variants", "Folder of variants; default: the built-in.", type=click.Path(path_type=Path)
)
@_option(
    "--roster", "CSV: student, submission, variant, and email (or id) as in Gradescope.", type=_FILE
)
@_option("--variant", "The variant of all students, such as v8.")
@_option("--rubric", "TOML file with the points.", type=_FILE)
@_option("--hints", "What findings show.", "line", _HINTS)
@_option("--lang", "Language of what students read.", "en", _LANG)
@click.option(
    "--memory",
    default="512M",
    show_default=True,
    callback=_megabytes,
    help="Memory of a submission; a container has 768 MB unless you give more.",
)
@_option("--timeout", "Seconds of a submission; a container has half a CPU.", 60.0, _TIMEOUT)
def pack(
    archive: Path,
    force: bool,
    variants: Path | None,
    roster: Path | None,
    variant: str | None,
    rubric: Path | None,
    hints: str,
    lang: str,
    memory: int,
    timeout: float,
) -> None:
    """Write the autograder's zip file ARCHIVE, to be uploaded as it is."""
    if not force:
        refuse_existing([archive], say("choose another name, or write over it with --force"))
    folder = variants or course_bank()
    students = load_roster(roster) if roster else None
    check_assignments(load_bank(folder), variant, students)
    rules = load_rubric(rubric) if rubric else default_rubric()
    # Gradescope tells who handed in by e-mail and id
    nameless = [
        row.student for row in (students.entries if students else ()) if not (row.email or row.id)
    ]
    if nameless:
        raise UsageProblem(
            f"roster {roster}: no email and no id of {', '.join(nameless[:3])}",
            "add a column email: Gradescope tells who handed in by that",
        )
    use_language(lang)
    settings = {
        "variants": "variants",
        "rubric": "rubric.toml" if rubric else None,
        "variant": variant,
        "hints": hints,
        "lang": lang,
        "memory": str(memory),
        "timeout": f"{timeout:g}",
    }
    ini = "".join(f"backprop_{name} = {value}\n" for name, value in settings.items() if value)
    name, content = wheel()
    extras = ("onnx",) if "onnx" in planned(rules) else ()
    unfinished = failed(say("the autograder did not run to its end"))
    files = {
        **{script: _script(script) for script in SCRIPTS},
        "requirements.txt": "".join(f"{pin}\n" for pin in pins(*extras)).encode(),
        "pytest.ini": f"[pytest]\n{ini}".encode(),
        "fallback.json": refusal(unfinished, "grader_error").encode(),
        f"wheels/{name}": content,
        **{f"variants/{path.name}": path.read_bytes() for path in sorted(folder.glob("*.py"))},
    }
    for label, path in (("roster.csv", roster), ("rubric.toml", rubric)):
        if path is not None:
            files[label] = path.read_bytes()
    try:
        archive.write_bytes(zipped(files, SCRIPTS))
    except OSError as error:
        raise UsageProblem(f"{archive} cannot be written: {error.strerror or error}") from None
    total = sum(rule.points for rule in rules.rules.values())
    click.echo(
        say(
            "{archive}: upload it as the autograder; the assignment is worth {points:g} points",
            archive=archive,
            points=total,
        )
    )


def _script(name: str) -> bytes:
    """A script, with the versions that are installed here."""
    text = resources.files(__package__).joinpath("scripts", name).read_text(encoding="utf-8")
    version = ".".join(map(str, sys.version_info[:2]))
    return text.replace("@PYTHON_VERSION@", version).replace("@TORCH@", torch_pin()).encode()


@gradescope.command()
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/autograder",
    show_default=True,
    help="Where submission and results are.",
)
def run(root: Path) -> None:
    """What run_autograder does, on Gradescope."""
    from .autograder import run as grade  # pytest is needed only here

    sys.exit(grade(root.absolute()))

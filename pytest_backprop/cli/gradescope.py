"""`backprop gradescope`: the autograder for Gradescope, packed, and run there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import click

from ..classroom.roster import Roster
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

TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
SCRIPTS = ("setup.sh", "run_autograder")
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.group()
def gradescope() -> None:
    """Grade on Gradescope."""


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.option("--variants", type=click.Path(path_type=Path), default=None,
                         help="Folder of variants; default: the built-in."),
            click.option("--roster", type=_FILE, default=None,
                         help="CSV: student, submission, variant, and email (or id) as in Gradescope."),
            click.option("--variant", default=None, help="The variant of all students, such as v8."),
            click.option("--rubric", type=_FILE, default=None, help="TOML file with the points."),
            click.option("--wheel", "wheel_file", type=_FILE, default=None,
                         help="A wheel of pytest-backprop; default: what is installed here."),
            click.option("--torch-index", default=TORCH_INDEX, show_default=True,
                         help="Index of packages that torch comes from."),
            click.option("--hints", type=click.Choice(["none", "line"]), default="line",
                         show_default=True, help="What findings show."),
            click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True,
                         help="Language of what students read."),
            click.option("--memory", default="512M", show_default=True,
                         help="Memory of a submission; a container has 768 MB unless you give more."),
            click.option("--timeout", type=click.FloatRange(1, 500), default=60.0, show_default=True,
                         help="Seconds of a submission; a container has half a CPU."),
        ]
    ):  # fmt: skip
        command = option(command)
    return command


@gradescope.command()
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over ARCHIVE if it is there.")
@_options
def pack(
    archive: Path,
    force: bool,
    variants: Path | None,
    roster: Path | None,
    variant: str | None,
    rubric: Path | None,
    wheel_file: Path | None,
    torch_index: str,
    hints: str,
    lang: str,
    memory: str,
    timeout: float,
) -> None:
    """Write the autograder's zip file ARCHIVE, to be uploaded as it is."""
    if not force:
        refuse_existing([archive], say("choose another name, or write over it with --force"))
    folder = variants or course_bank()
    entries = load_roster(roster) if roster else None
    check_assignments(load_bank(folder), variant, entries)
    rules = load_rubric(rubric) if rubric else default_rubric()
    if entries is not None:
        _check_recognised(entries)
    if not re.fullmatch(r"https?://[\w.:/@%+~-]+", torch_index):
        raise UsageProblem(
            f"--torch-index: {torch_index!r} is not an address", f"give one such as {TORCH_INDEX}"
        )
    use_language(lang)
    settings = {"variants": "variants", "rubric": "rubric.toml" if rubric else None,
                "variant": variant, "hints": hints, "lang": lang, "memory": str(_megabytes(memory)),
                "timeout": f"{timeout:g}"}  # fmt: skip
    ini = "".join(f"backprop_{name} = {value}\n" for name, value in settings.items() if value)
    name, content = (wheel_file.name, wheel_file.read_bytes()) if wheel_file else wheel()
    extras = ("onnx",) if "onnx" in planned(rules) else ()
    version = ".".join(map(str, sys.version_info[:2]))
    files = {
        **{script: _script(script, version, torch_index).encode() for script in SCRIPTS},
        "requirements.txt": "".join(f"{pin}\n" for pin in pins(*extras)).encode(),
        "pytest.ini": f"[pytest]\n{ini}".encode(),
        "fallback.json": refusal(
            failed(say("the autograder did not run to its end")), "grader_error"
        ).encode(),
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
    click.echo(say("{archive}: upload it as the autograder; the assignment is worth {points:g} points",
                   archive=archive, points=total))  # fmt: skip


@gradescope.command()
@click.option("--root", type=click.Path(path_type=Path, exists=True, file_okay=False),
              default="/autograder", show_default=True, help="Where submission and results are.")  # fmt: skip
def run(root: Path) -> None:
    """What run_autograder does, on Gradescope."""
    from .autograder import run as grade  # pytest is needed only here

    sys.exit(grade(root.absolute()))


def _check_recognised(roster: Roster) -> None:
    """Raises UsageProblem for a student whom Gradescope could not be asked about."""
    nameless = [entry.student for entry in roster.entries if not (entry.email or entry.id)]
    if nameless:
        shown = ", ".join(nameless[:3])
        raise UsageProblem(
            f"roster {roster.source}: no email and no id of {shown}",
            "add a column email: Gradescope tells who handed in by that",
        )


def _megabytes(text: str) -> int:
    try:
        return memory_mb(text, Path())
    except Refused as refused:
        why, way_out = refused.args
        raise UsageProblem(f"--memory: {text!r} {why}", way_out) from None


def _script(name: str, version: str, torch_index: str) -> str:
    text = resources.files(__package__).joinpath("scripts", name).read_text(encoding="utf-8")
    for place, value in {"PYTHON_VERSION": version, "TORCH_INDEX": torch_index,
                         "TORCH": torch_pin()}.items():  # fmt: skip
        text = text.replace(f"@{place}@", value)
    return text

"""`backprop gradescope`: the autograder for Gradescope, packed, and run there."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path

import click

from ..classroom.roster_file import load_roster
from ..errors import UsageProblem
from ..exercises.functions.bank import load_bank
from ..grading.assignment import check_assignments
from ..grading.rubric import default_rubric, load_rubric, planned
from ..messages import LANGUAGES, say, use_language
from ..options import course_bank
from ..reports.gradescope import failed, refusal
from ..session.option_values import Refused, memory_mb
from . import refuse_existing
from .wheel import installed_versions, wheel, zipped

SCRIPTS = ("setup.sh", "run_autograder")
FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.group(context_settings={"show_default": True})
def gradescope() -> None:
    """Grade on Gradescope."""


@gradescope.command()
@click.argument("archive", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Write over ARCHIVE if it is there.")
@click.option(
    "--variants",
    type=click.Path(path_type=Path),
    help="Folder of variants; default: the built-in.",
)
@click.option(
    "--roster",
    type=FILE,
    help="CSV: student, submission, variant, and email (or id) as in Gradescope.",
)
@click.option("--variant", help="The variant of all students, such as v8.")
@click.option("--rubric", type=FILE, help="TOML file with the points.")
@click.option(
    "--hints", type=click.Choice(["none", "line"]), default="line", help="What findings show."
)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", help="Language of what students read."
)
@click.option(
    "--memory",
    default="512M",
    help="Memory of a submission; a container has 768 MB unless you give more.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(1, 500),
    default=60.0,
    help="Seconds of a submission; a container has half a CPU.",
)
def pack(
    archive: Path,
    force: bool,
    variants: Path | None,
    roster: Path | None,
    variant: str | None,
    rubric: Path | None,
    hints: str,
    lang: str,
    memory: str,
    timeout: float,
) -> None:
    """Write the autograder's zip file ARCHIVE, to be uploaded as it is."""
    if not force:
        refuse_existing([archive], say("choose another name, or write over it with --force"))
    try:
        megabytes = memory_mb(memory, Path())
    except Refused as refused:
        why, way_out = refused.args
        raise UsageProblem(f"--memory: {memory!r} {why}", way_out) from None
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
        "memory": str(megabytes),
        "timeout": f"{timeout:g}",
    }
    ini = "".join(f"backprop_{name} = {value}\n" for name, value in settings.items() if value)
    name, content = wheel()
    versions = installed_versions()
    blanks = {
        "@PYTHON_VERSION@": ".".join(map(str, sys.version_info[:2])),
        "@TORCH@": f"torch=={versions['torch']}",
        "@EXTRAS@": "[onnx]" if "onnx" in planned(rules) else "",
    }
    unfinished = failed(say("the autograder did not run to its end"))
    pins = "".join(f"{package}=={version}\n" for package, version in sorted(versions.items()))
    files = {
        **{script: _script(script, blanks) for script in SCRIPTS},
        "constraints.txt": pins.encode(),
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


def _script(name: str, blanks: dict[str, str]) -> bytes:
    """A script, with the versions that are installed here."""
    text = resources.files(__package__).joinpath("scripts", name).read_text(encoding="utf-8")
    for blank, value in blanks.items():
        text = text.replace(blank, value)
    return text.encode()


@gradescope.command()
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default="/autograder",
    help="Where submission and results are.",
)
def run(root: Path) -> None:
    """What run_autograder does, on Gradescope."""
    from .autograder import run as grade  # pytest is needed only here

    sys.exit(grade(root.absolute()))

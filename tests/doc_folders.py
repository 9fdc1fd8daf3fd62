"""What the commands of a page find in their folder, by the name that the page gives it."""

from __future__ import annotations

import io
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from doc_pages import ROOT
from plugin_samples import environment
from report_documents import of, one

from pytest_backprop.reports import document as published

CLASS = ROOT / "examples" / "class"

COMMANDS = {
    "pytest": "-P -m pytest -p no:cacheprovider",
    "python": "",
    "backprop": "-P -c 'from pytest_backprop.cli import main; main(prog_name=\"backprop\")'",
}


def variables(folder: Path) -> dict[str, str]:
    """The environment, with the commands of an installation first on PATH, in `folder`."""
    write_commands(folder)
    made = environment(folder)
    return made | {"PATH": f"{folder}:{made['PATH']}", "COLUMNS": "80"}


def write_commands(folder: Path) -> None:
    """`pytest`, `python` and `backprop`, as an installation has them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in COMMANDS.items():
        path = folder / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n', encoding="utf-8")
        path.chmod(0o755)


def submissions(folder: Path, *names: str) -> None:
    """Submissions of the example class."""
    (folder / "submissions").mkdir()
    for name in names:
        shutil.copy(CLASS / name, folder / "submissions")


def readme(folder: Path) -> None:
    """A checkout in which `make` finds its environment ready; beside it what a course has."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("authoring", "examples", "variants", "pytest_backprop"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    write_commands(folder / ".venv" / "bin")
    (folder / ".venv" / ".ready").touch()
    submissions(folder, "anna_v8.ipynb")
    (folder / "homework").mkdir()
    shutil.copy(CLASS / "anna_v8.ipynb", folder / "homework" / "my_homework.ipynb")
    roster = "student,submission,variant\nAnna,anna_v8.ipynb,v8\n"
    (folder / "roster.csv").write_text(roster, encoding="utf-8")


def student(folder: Path) -> None:
    """A homework with mistakes."""
    shutil.copy(CLASS / "boris_v10.py", folder / "homework_v10.py")


def instructor(folder: Path) -> None:
    """A small class."""
    submissions(folder, "anna_v8.ipynb", "boris_v10.py", "vera_v1.ipynb")


def moodle(folder: Path) -> None:
    """What Moodle exports, and a roster with Moodle's numbers."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for place, name in (("Ann_11", "anna_v8.ipynb"), ("Vera_12", "vera_v1.ipynb")):
            archive.write(CLASS / name, f"{place}_assignsubmission_file_/{name}")
    (folder / "moodle-download.zip").write_bytes(packed.getvalue())
    roster = "student,submission,variant,id\nAnn,,v8,11\nVera,,v1,12\n"
    (folder / "roster.csv").write_text(roster, encoding="utf-8")


def lms(folder: Path) -> None:
    """Two submissions."""
    submissions(folder, "anna_v8.ipynb", "vera_v1.ipynb")


def rubric(folder: Path) -> None:
    """A submission with late values."""
    shutil.copy(CLASS / "vera_v1.ipynb", folder)


def report(folder: Path) -> None:
    """A report."""
    (folder / "grades.json").write_text(published.render(of(one())), encoding="utf-8")


def onnx(folder: Path) -> None:
    """Nothing."""


def matrices(folder: Path) -> None:
    """Nothing."""


def functions(folder: Path) -> None:
    """Nothing."""


def forms(folder: Path) -> None:
    """Nothing."""


def layers(folder: Path) -> None:
    """Nothing."""


def assignments(folder: Path) -> None:
    """Nothing."""


def tape(folder: Path) -> None:
    """Nothing."""


def accumulation(folder: Path) -> None:
    """Nothing."""


def hooks(folder: Path) -> None:
    """Nothing."""


def intermediate(folder: Path) -> None:
    """Nothing."""


def plugin(folder: Path) -> None:
    """The plugin of examples/, as if it were installed (where Python looks: PYTHONPATH)."""
    submissions(folder, "anna_v8.ipynb")
    shutil.copytree(ROOT / "examples" / "plugin", folder / "examples" / "plugin")
    installed = folder / "installed"
    shutil.copytree(ROOT / "examples/plugin/backprop_naming", installed / "backprop_naming")
    about = installed / "backprop_naming-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: backprop-naming\nVersion: 1.0\n", encoding="utf-8")
    entry = "[pytest11]\nbackprop-naming = backprop_naming.plugin\n"
    (about / "entry_points.txt").write_text(entry, encoding="utf-8")


FOLDERS: dict[str, Callable[[Path], None]] = {
    made.__name__: made
    for made in (
        readme,
        student,
        instructor,
        moodle,
        lms,
        rubric,
        report,
        onnx,
        matrices,
        functions,
        forms,
        layers,
        assignments,
        tape,
        accumulation,
        hooks,
        intermediate,
        plugin,
    )
}

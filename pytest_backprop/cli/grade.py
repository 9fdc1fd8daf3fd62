"""`backprop grade`: starts pytest so that nothing among what is graded sets it up or is imported.

pytest reads an ini file, and imports what it names, before it loads the first plugin. So what it
may read is decided here, and pytest starts in place of this process: its output, signals and exit
code are its own. Neither pytest nor torch is imported for that."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from ..errors import UsageProblem
from ..session.class_paths import graded_folders, lies_in
from ..session.interpreter import become

INI_FILES = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": r"^\[tool\.pytest\b",
    "tox.ini": r"^\[pytest\]",
    "setup.cfg": r"^\[tool:pytest\]",
}
"""Where pytest's settings are, the first first, and the line without which a file has none."""

PATH_OPTIONS = frozenset(
    "-c --config-file --rootdir --confcutdir --basetemp --ignore --ignore-glob --deselect "
    "--junitxml --junit-xml --log-file --backprop-variants --backprop-roster --backprop-rubric "
    "--backprop-gradebook --backprop-assignment --backprop-python".split()
)
"""After these comes a path that is not graded. After any other option a path counts as graded: at
worst an ini file is not used, and that is said."""

USAGE_ERROR = 4
"""pytest's exit code for a command that cannot be run."""


@click.command(
    context_settings={"ignore_unknown_options": True}, options_metavar="PATH... [OPTIONS]"
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="")
def grade(arguments: tuple[str, ...]) -> None:
    """Grade submissions: files, folders, exports as folders or zips.

    Takes the options of pytest, also the --backprop-... ones, and ends with its exit codes;
    `backprop grade -h` lists them all. Settings come from the ini file of the folder it is started
    in, unless submissions are there, or from the one named with -c. Nothing is imported from among
    the submissions."""
    start = Path.cwd()
    try:
        standing = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    except ValueError:
        standing = []  # pytest says what is wrong with it
    words = [*standing, *arguments]
    try:
        for word in arguments:  # a file that a shell's `*` names and pytest takes for an option
            if word.startswith("-") and os.path.lexists(start / word):
                raise UsageProblem(
                    f"{word} is a file here, and an option", "give the folder, not *"
                )
        paths = list(graded(words)) or ["."]
        folders = graded_folders(paths, start, beside_zips=False)
        options = [*_setup(words, start, folders), "--backprop"]
        command = [sys.executable, "-P", "-m", "pytest", *options, *arguments]
        become(command, os.environ | {"PYTHONSAFEPATH": "1"})
    except UsageProblem as problem:
        click.echo(f"ERROR: {problem.wrapped()}", err=True)
        sys.exit(USAGE_ERROR)


def graded(words: Sequence[str]) -> Iterator[str]:
    """The words of a command that may be what it grades."""
    for before, word in zip(["", *words], words, strict=False):
        if not (word.startswith("-") or before in PATH_OPTIONS):
            yield word


def _setup(words: Sequence[str], start: Path, folders: Sequence[Path]) -> list[str]:
    """The options that say where settings come from. The user's own come later, and win."""
    options = ["--noconftest", f"--rootdir={start}"]
    inside = lies_in(start, folders)
    if inside:
        options += ["-p", "no:cacheprovider"]  # what pytest keeps there could have been handed in
    named = any(re.match(r"-c|--config-file(=|$)", word) for word in words)
    ini = None if named else ini_file(start)
    if ini is not None and (inside or lies_in(ini, folders)):
        click.echo(
            f"{ini.name} is not used, as submissions are beside it; if it is yours: -c {ini.name}",
            err=True,
        )
        ini = None
    return [*options, "-c", str(ini or os.devnull)]


def ini_file(folder: Path) -> Path | None:
    """The file in a folder that pytest would take its settings from."""
    for name, section in INI_FILES.items():
        path = folder / name
        if path.is_file():
            try:
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                return path  # pytest says what is wrong with it
            if re.search(section, text, re.MULTILINE):
                return path
    return None

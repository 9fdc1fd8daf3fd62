"""What commands write, in which language, and what they never write over."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import say, use_language
from pytest_backprop.reports.writing import write_atomically


def with_language(lang: str) -> None:
    """Tells all in a language until the command is over."""
    use_language(lang)
    click.get_current_context().call_on_close(lambda: use_language("en"))


def put(path: Path | None, text: str, force: bool) -> None:
    """Writes a text to a file, or to stdout for None and `-`.

    Raises UsageProblem for a file that is there, unless `force`, and one that cannot be written.
    """
    if path is None or str(path) == "-":
        click.echo(text, nl=False)
        return
    if not force:
        refuse_existing([path])
    try:
        write_atomically(path, text)
    except UsageProblem as problem:
        what = problem.message.removeprefix("report ")
        raise UsageProblem(what, say("choose another path for --out")) from None


def refuse_existing(paths: Iterable[Path], way_out: str | None = None) -> None:
    """Raises UsageProblem if one of the paths is there, naming the first and how many. The way
    out is another `--out` unless another is given."""
    there = [path for path in paths if path.exists() or path.is_symlink()]
    if there:
        text = say("{path} is there already", path=there[0])
        if len(there) > 1:
            text = say(
                "{path} and {count} others are there already", path=there[0], count=len(there) - 1
            )
        default = say("choose another path for --out, or write over it with --force")
        raise UsageProblem(text, way_out or default)

"""The command `backprop`: what a course needs besides grading. One module a command.

It knows every other room, and none knows it. Commands that write answers are of another
distribution, `authoring/`. Here are the group of commands, how its errors look, and what commands
share.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import click

from ..errors import UsageProblem
from ..messages import say, use_language
from ..reports.writing import write_atomically

OWN = ("grade", "gradescope")
"""The commands of this distribution, a module each. Only the called one's is imported."""
MORE_COMMANDS = "pytest_backprop.commands"
"""The group of entry points by which a distribution beside this one adds commands."""
AUTHORING = ("graph", "solve", "template", "variants")
"""The commands of pytest-backprop-authoring. What they write can be an answer, so students have
none of them."""


class Commands(click.Group):
    """A group whose commands may raise UsageProblem: it tells what is wrong and the way out, and
    exits with 2. Some of its commands are of distributions beside this one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*OWN, *(entry.name for entry in entry_points(group=MORE_COMMANDS))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in OWN:
            command: click.Command = getattr(import_module(f".{cmd_name}", __name__), cmd_name)
            return command
        for entry in entry_points(group=MORE_COMMANDS, name=cmd_name):
            added: click.Command = entry.load()
            return added
        if cmd_name in AUTHORING:
            raise UsageProblem(
                say(
                    "`backprop {command}` is a command of pytest-backprop-authoring, which is for "
                    "instructors and is not installed here",
                    command=cmd_name,
                ),
                say(
                    "install its wheel, pytest_backprop_authoring-*.whl: `make wheel` in a "
                    "checkout of pytest-backprop builds it in dist/"
                ),
            )
        return None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageProblem as problem:
            raise click.UsageError(str(problem)) from None


@click.group(cls=Commands)
@click.version_option(package_name="pytest-backprop")
def main() -> None:
    """Grades homework on backpropagation, and has what a course needs besides."""


# -- what commands share ------------------------------------------------------------------------


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

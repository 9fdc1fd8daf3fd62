"""The command `backprop`: what a course needs besides grading. One module a command.

It knows every other room, and none knows it. Commands that write answers are of another
distribution, `authoring/`. Here are the group of commands and how its errors look."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

import click

from ..errors import UsageProblem
from ..messages import bear_console, say

OWN = ("form", "grade", "gradescope", "watch")
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
            raise click.UsageError(problem.wrapped("Error: ")) from None


@click.group(cls=Commands)
@click.version_option(package_name="pytest-backprop")
def main() -> None:
    """Grades homework on backpropagation, and has what a course needs besides."""
    bear_console()

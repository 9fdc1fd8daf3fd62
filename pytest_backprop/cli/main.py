"""The command's entry point: the group, and how its errors look."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from ..errors import UsageProblem

MODULES = {
    "explain": "explain",
    "grade": "grade",
    "gradescope": "gradescope",
    "graph": "graph",
    "solve": "answers",
    "template": "answers",
    "variants": "variants",
}
"""The module of each command. Only that of the one that is called is imported."""


class Commands(click.Group):
    """A group whose commands may raise UsageProblem: what is wrong and the way out, and exit 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in MODULES:
            return None
        command = getattr(import_module(f".{MODULES[cmd_name]}", __package__), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageProblem as problem:
            raise click.UsageError(str(problem)) from None


@click.group(cls=Commands)
@click.version_option(package_name="pytest-backprop")
def main() -> None:
    """Grades homework on backpropagation, and has what a course needs besides."""

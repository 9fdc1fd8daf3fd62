"""The command's entry point: the group, and how its errors look."""

from __future__ import annotations

from typing import Any

import click

from ..errors import UsageProblem
from .graph import graph


class Commands(click.Group):
    """A group whose commands may raise UsageProblem: what is wrong and the way out, and exit 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UsageProblem as problem:
            raise click.UsageError(str(problem)) from None


@click.group(cls=Commands)
@click.version_option(package_name="pytest-backprop")
def main() -> None:
    """Tools for a course on backpropagation. To grade, run `pytest --backprop`."""


main.add_command(graph)

"""`backprop form`: which form of a gradient by hand a file has, and a task for it to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from ..exercises import recognised


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="the class or function for which to write the task")
@click.option("--task", default="v1", show_default=True, help="what the task is called")
def form(file: Path, name: str | None, task: str) -> None:
    """Say which form a course's FILE has, and write the skeleton of a task for it.

    The file is read, not run. What is printed is a task's file: comments say what was recognised.
    """
    click.echo(recognised(file, name, task), nl=False)

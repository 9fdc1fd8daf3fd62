"""`backprop form`: which form of a gradient by hand a file has, and a task for it to fill in."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import SubmissionProblem, UsageProblem
from ..exercises import forms_in, skeleton
from ..messages import say
from ..submission import describe_line, read


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--name", help="the class or function for which to write the task")
@click.option("--task", default="v1", show_default=True, help="what the task is called")
def form(file: Path, name: str | None, task: str) -> None:
    """Say which form a course's FILE has, and write the skeleton of a task for it.

    The file is read, not run. What is printed is a task's file: comments say what was recognised.
    Docs: "Which form is my course's?".
    """
    try:
        submission = read(file, file.name)
    except SubmissionProblem as problem:
        raise UsageProblem(f"{file}: {problem.message}", problem.way_out) from None
    sightings = forms_in(submission.units)
    for each in sightings:
        where = describe_line(submission.units[each.unit], each.line)
        shown = " and ".join(each.names) or say("gradients of names at the top level")
        click.echo(f"# {each.form.name}: {shown} ({where})")
    chosen = [each for each in sightings if name is None or name in each.names]
    if not chosen:
        raise UsageProblem(
            say("{file}: no class and no function of a known form", file=file.name)
            if name is None
            else say("{file}: `{name}` has no known form", file=file.name, name=name),
            say("the page on forms says what each looks like; a task may name any places itself"),
        )
    click.echo(skeleton(chosen[0], task), nl=False)

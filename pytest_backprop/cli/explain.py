"""`backprop explain`: one student's result out of a report, as the terminal shows it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from ..messages import LANGUAGES
from ..reports.entries import apply_hints
from ..reports.reading import choose, grade_of, read_report
from ..reports.terminal import Hints, grade_lines
from .language import with_language

COLOURS = ("green", "yellow", "red")


@click.command()
@click.argument("report", type=click.Path(path_type=Path))
@click.option("--student", metavar="NAME", help="By name, id or e-mail, or a part of one.")
@click.option("--submission", metavar="PATH", help="By path or name of the file, or a part.")
@click.option("--hints", type=click.Choice(["none", "line"]), default=None,
              help="What findings show; default: as in the report.")  # fmt: skip
@click.option("--lang", type=click.Choice(LANGUAGES), default=None,
              help="Language of the words around; default: the report's.")  # fmt: skip
def explain(
    report: Path, student: str | None, submission: str | None, hints: str | None, lang: str | None
) -> None:
    """Show one student's result out of a JSON report.

    REPORT is the file that --backprop-report json:FILE wrote. What was found is told in the language in which it was graded.
    """
    if lang is not None:
        with_language(lang)
    document = read_report(report)
    if lang is None:
        with_language(document.settings.lang)
    level = cast(Hints, hints or document.settings.hints)
    entry = choose(apply_hints(document, level), student, submission)
    for text, markup in grade_lines(grade_of(entry), level):
        colour = next((name for name in COLOURS if markup.get(name)), None)
        click.echo(click.style(text, fg=colour, bold=markup.get("bold")))

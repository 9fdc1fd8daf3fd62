"""`backprop explain`: one student's result out of a report, as the terminal shows it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from ..messages import LANGUAGES
from ..reports.entries import Hints, apply_hints
from ..reports.json_report import choose, read_report
from ..reports.terminal import grade_lines
from . import with_language


@click.command()
@click.argument("report", type=click.Path(path_type=Path))
@click.option("--student", metavar="NAME", help="By name, id or e-mail, or a part of one.")
@click.option("--submission", metavar="PATH", help="By path or name of the file, or a part.")
@click.option(
    "--hints",
    type=click.Choice(["none", "line"]),
    help="What findings show; default: as in the report.",
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    help="Language of the words around; default: the report's.",
)
def explain(
    report: Path, student: str | None, submission: str | None, hints: str | None, lang: str | None
) -> None:
    """Show one student's result out of a JSON report.

    REPORT is the file that --backprop-report json:FILE wrote. What was found is told in the
    language in which it was graded.
    """
    if lang is not None:  # of errors, too
        with_language(lang)
    document = read_report(report)
    with_language(lang or document.settings.lang)
    level = cast(Hints, hints or document.settings.hints)
    entry = choose(apply_hints(document, level), student, submission)
    for text, markup in grade_lines(entry, level):
        colour = next((name for name in ("green", "yellow", "red") if markup.get(name)), None)
        click.echo(click.style(text, fg=colour, bold=markup.get("bold")))

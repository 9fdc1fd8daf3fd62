"""`backprop solve` and `backprop template`: the answer key of a variant, and what a student gets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.functions.bank import Bank, Variant, load_bank
from pytest_backprop.exercises.functions.bank.library import kinds_in, usual_first, whole_bank
from pytest_backprop.messages import LANGUAGES, say
from pytest_backprop.options import course_bank

from ..notebooks import Author, answer_notebook, answer_text, author_of, template_notebook
from .output import put, with_language

NOTEBOOK = ".ipynb"


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and options that both commands have."""
    for add in (
        click.option("--force", is_flag=True, help="Write over a file that is there."),
        click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True,
                     help="Language of texts and remarks."),
        click.option("--variants", type=click.Path(path_type=Path), default=None,
                     help="Folder of variants; default: the built-in."),
        click.option("--out", type=click.Path(path_type=Path), default=None,
                     help="File to write; default: stdout."),
        click.argument("variant"),
    ):  # fmt: skip
        command = add(command)
    return command


@click.command()
@_shared
@click.option("--py/--notebook", "python", default=None,
              help="Python or a notebook; default: by the name of the file, else Python.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Show the chain rule at each node.")
def solve(
    variant: str,
    out: Path | None,
    variants: Path | None,
    lang: str,
    force: bool,
    python: bool | None,
    explain: bool,
) -> None:
    """Write the answer key of VARIANT, such as v8.

    It earns every point: a module with a manual pass, or what else the exercise asks for.
    """
    with_language(lang)
    author, chosen = _chosen(variant, variants or course_bank())
    if python is None:
        python = out is None or out.suffix != NOTEBOOK
    make = answer_text if python else answer_notebook
    put(out, make(author, chosen, explain), force)


@click.command()
@_shared
def template(variant: str, out: Path | None, variants: Path | None, lang: str, force: bool) -> None:
    """Write the notebook to start VARIANT from, such as v8.

    It has the task, the function, what to fill in, and a cell that grades the notebook.
    """
    with_language(lang)
    author, chosen = _chosen(variant, variants or course_bank())
    if out is not None and str(out) != "-" and out.suffix != NOTEBOOK:
        raise UsageProblem(
            say("{path} is not the name of a notebook", path=out),
            say("give a name that ends in .ipynb to --out"),
        )
    shipped = load_bank(course_bank())
    file = f"{chosen.name}{NOTEBOOK}" if out is None or str(out) == "-" else out.name
    known = _has(shipped, chosen.name, chosen.source)
    put(out, template_notebook(author, chosen, file, known), force)


def _chosen(name: str, folder: Path) -> tuple[Author, Variant]:
    """A task of a folder, and who writes of its kind of exercise."""
    kinds = usual_first(kinds_in(folder).values())
    authors = {kind: author_of(kind) for kind in kinds}
    banks = {kind: BUILT_IN[kind].load_bank(folder) for kind in kinds}
    bank = whole_bank(banks)
    chosen = bank.get(name)
    return authors[bank.kinds.get(chosen.name, kinds[0])], chosen


def _has(bank: Bank, name: str, source: str) -> bool:
    """Whether the plugin comes with this very variant."""
    return name in bank and bank.get(name).source == source

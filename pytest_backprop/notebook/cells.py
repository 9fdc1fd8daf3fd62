"""The text of cells: as Python, as statements, and which cells may have to do with some names."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from ..submission.closure import names_of
from ..submission.notebook import is_python, python_of_cell
from ..submission.parse import DEFINITIONS, FUNCTIONS, blocks_of, parse_text

WIDE = re.compile(r"\b(?:globals|locals|vars|exec|eval|__future__|set_default_\w+)\b|import \*")
"""Of cells that may matter whatever names they have."""


class CellStatement(NamedTuple):
    """A statement at the top of a cell: the classes and functions that it defines, itself or in its
    blocks; the names that it works with when it runs, none of a definition but a decorated
    function's; all names that it binds and reads; whether it is an import; and its lines."""

    defines: frozenset[str]
    uses: frozenset[str]
    binds: frozenset[str]
    reads: frozenset[str]
    is_import: bool
    lines: slice


@functools.lru_cache(4096)
def python_of(text: str) -> str | None:
    """A cell as Python text; None for one of which nothing can have run."""
    python = python_of_cell(text)
    return python if is_python(python) else None


@functools.lru_cache(4096)
def statements_of(text: str) -> tuple[CellStatement, ...]:
    """Those of a cell, as typed."""
    return tuple(map(_statement, parse_text(python_of(text) or "").body))


def _statement(node: ast.stmt) -> CellStatement:
    decorators = getattr(node, "decorator_list", ())
    first = min((part.lineno for part in decorators), default=node.lineno)
    names = names_of(node)
    runs = not isinstance(node, ast.ClassDef) and (decorators or not isinstance(node, FUNCTIONS))
    return CellStatement(
        frozenset(_defined(node)),
        frozenset(names.at_definition if runs else ()),
        frozenset(name.partition(".")[0] for name in names.binds),
        frozenset(names.reads),
        isinstance(node, ast.Import | ast.ImportFrom),
        slice(first - 1, node.end_lineno),
    )


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, DEFINITIONS):
        yield node.name
    for block in blocks_of(node):
        for inner in block:
            yield from _defined(inner)


def defined_in(text: str) -> set[str]:
    """The classes and functions that a cell defines, also in blocks."""
    return set().union(*(statement.defines for statement in statements_of(text)))


def related(
    cells: Mapping[int, Sequence[CellStatement]], names: Collection[str]
) -> Collection[int]:
    """The cells that may have a part in what some names stand for: those that bind a name which is
    needed, or work with one that is no module's or Python's own."""
    statements = [statement for own in cells.values() for statement in own]
    bound = set().union(*(each.binds for each in statements if not each.is_import))
    needed, found = set(names), set[int]()
    while new := {
        number
        for number, own in cells.items()
        if number not in found
        and any(
            not needed.isdisjoint(each.binds)
            or not (each.is_import or each.reads.isdisjoint(needed & bound))
            for each in own
        )
    }:
        found |= new
        needed.update(*(each.reads | each.binds for number in new for each in cells[number]))
    return found

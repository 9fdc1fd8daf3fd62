"""The top-level statements of a script that some of its names need, given others. Parses; runs
nothing.

It is a backward slice (Weiser, 1981): statements are read from the last to the first, and one is
taken if it gives a needed name its value, or changes that in place; then the names that it reads
are needed, too. What only shows, tests or trains gives no needed name a value and is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ..model import Unit
from .closure import Piece, split_units
from .parse import ParsedUnit, parse_units


def slice_script(
    units: tuple[Unit, ...], wanted: Collection[str], bound: Collection[str]
) -> tuple[list[Piece], list[ParsedUnit]]:
    """The statements that `wanted` names need, in their order, where `bound` names have values
    already: what would bind one of these, as a loop over batches does, is left out. So is `dW =
    None`, which a template has. The second result is the units that do not parse."""
    parsed = parse_units([unit for unit in units if not unit.module])
    needed = set(wanted)
    taken: list[Piece] = []
    for piece in reversed(split_units(parsed)):
        binds = piece.names.binds
        if not binds.isdisjoint(bound) or _is_empty(piece.node):
            continue
        changed = set(_changed(piece.node))
        if needed.isdisjoint(binds | changed):
            continue
        taken.append(piece)
        if isinstance(piece.node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
            needed -= binds - piece.names.reads
        needed |= {name for name in piece.names.reads if "." not in name} | (changed & needed)
    return taken[::-1], [unit for unit in parsed if unit.problem is not None]


def _is_empty(node: ast.stmt) -> bool:
    """Whether it gives names None."""
    is_none = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
    return is_none and node.value.value is None  # type: ignore[attr-defined]


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names whose objects a statement changes: `d[i] -= 1`, `x.g = …`, `d.add_(e)`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name.endswith("_") and not name.endswith("__"):
                yield _root(node.func)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""

"""Where a submission defines a class or a function of a given name."""

from __future__ import annotations

import ast
import functools

from ..model import Span, Submission, Unit
from .parse import node_span, parse_text


def definitions(submission: Submission | None, name: str) -> tuple[Span, ...]:
    """The places of the definitions of that name, in the document's order; none in a unit that does not parse."""
    units = () if submission is None else submission.units
    return tuple(
        span for index, unit in enumerate(units) for span in _all(unit, index).get(name, ())
    )


def defined_names(units: tuple[Unit, ...]) -> frozenset[str]:
    """The names that units define at their top level, or assign to there."""
    found: set[str] = set()
    for unit in units:
        try:
            body = parse_text(unit.text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(node.name)
            elif isinstance(node, ast.Assign):
                found.update(t.id for t in node.targets if isinstance(t, ast.Name))
    return frozenset(found)


@functools.lru_cache(64)
def _all(unit: Unit, index: int) -> dict[str, tuple[Span, ...]]:
    found: dict[str, tuple[Span, ...]] = {}
    try:
        nodes = list(ast.walk(parse_text(unit.text)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    for node in nodes:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = (*found.get(node.name, ()), node_span(index, node))
    return found

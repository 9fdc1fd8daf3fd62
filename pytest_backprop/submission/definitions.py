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

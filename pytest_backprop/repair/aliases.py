"""What Python does where no op runs: second names for values, and arithmetic on plain numbers.

Both are read from the student's text, and become nodes like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeGuard

from ..model import Span
from .field import MAX_EXPONENT
from .scalar_nodes import Code, Node
from .text import Binding, Function, Text, key_of

AST_CODES: dict[type[ast.AST], Code] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
}
DEPTH = 40
MAX_FOLDED = 1e12

Frames = tuple[Span | None, ...]
Expressions = dict[int, tuple[ast.expr | None, ...]]


def is_half(number: object) -> TypeGuard[int | float]:
    """Whether it can be an exponent here: whole, or a half more."""
    return (
        isinstance(number, int | float)
        and not isinstance(number, bool)
        and abs(number) <= MAX_EXPONENT
        and 2 * number == int(2 * number)
    )


def plain(number: object) -> int | float:
    """An exponent: an int if it is whole."""
    assert is_half(number)
    return int(number) if number == int(number) else number


class Aliases:
    """Adds nodes to `nodes` by `add`; `expressions` has the student's for their operands."""

    def __init__(
        self,
        text: Text,
        nodes: list[Node],
        expressions: Expressions,
        add: Callable[[Node], int],
    ) -> None:
        self._text = text
        self._nodes = nodes
        self._expressions = expressions
        self._add = add
        self._aliases: dict[object, int] = {}
        self._numbers: dict[object, tuple[int, float]] = {}

    def through(
        self, node: int, expression: ast.expr | None, frames: Frames, depth: int = DEPTH
    ) -> int:
        """The node as the expression names it: behind every alias on the way, one copy each."""
        if expression is None or depth == 0:
            return node
        key = key_of(expression)
        if key is None:
            return node
        found = self._text.binding(key, expression)
        if found is None:
            outer = self._argument(key, expression, frames)
            return node if outer is None else self.through(node, outer, frames[:-1], depth - 1)
        source = None if found.value is None else key_of(found.value)
        if source is None or (source.startswith("self.") and self._nodes[node].code == "leaf"):
            return node
        inner = self.through(node, found.value, frames, depth - 1)
        return self._alias(found, key, inner, frames)

    def _alias(self, found: Binding, key: str, inner: int, frames: Frames) -> int:
        place = self._text.span(found.statement)
        known = (place, key, inner, frames[:-1])
        if known not in self._aliases:
            self._aliases[known] = self._add(
                Node("copy", (inner,), site=place, place=(place, frames[:-1]), bound=key)
            )
            self._expressions[self._aliases[known]] = (found.value,)
        return self._aliases[known]

    def _argument(self, key: str, expression: ast.expr, frames: Frames) -> ast.expr | None:
        function: Function | None = self._text.function(expression)
        if function is None or len(frames) < 2:
            return None
        return self._text.argument(function, key, frames[-2])

    def folded(self, expression: ast.expr, frames: Frames, depth: int) -> tuple[int, float] | None:
        """A node and the number for arithmetic on plain numbers, names of such included."""
        known = (expression, frames[:-1])
        if known not in self._numbers:
            found = self._fold(expression, frames, depth) if depth else None
            if found is None:
                return None
            self._numbers[known] = found
        return self._numbers[known]

    def _fold(self, expression: ast.expr, frames: Frames, depth: int) -> tuple[int, float] | None:
        if isinstance(expression, ast.Constant) and type(expression.value) in (int, float):
            number = expression.value
            assert isinstance(number, int | float)
            return self._add(self._made(expression)._replace(number=number)), number
        if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
            inner = self.folded(expression.operand, frames, depth - 1)
            if inner is None:
                return None
            made = self._made(expression)._replace(code="neg", operands=(inner[0],))
            return self._add(made), -inner[1]
        if isinstance(expression, ast.BinOp):
            code = AST_CODES.get(type(expression.op))
            a = self.folded(expression.left, frames, depth - 1)
            b = self.folded(expression.right, frames, depth - 1)
            if a is None or b is None:
                return None
            made = self._made(expression)
            if max(abs(a[1]), abs(b[1])) > MAX_FOLDED:
                return None
            if isinstance(expression.op, ast.Pow) and is_half(b[1]) and a[1] > 0:
                made = made._replace(code="pow", operands=(a[0],), number=plain(b[1]))
                return self._add(made), a[1] ** b[1]
            if code is None or (code == "div" and b[1] == 0):
                return None
            value = {"add": a[1] + b[1], "sub": a[1] - b[1], "mul": a[1] * b[1]}.get(code)
            found = self._add(made._replace(code=code, operands=(a[0], b[0])))
            self._expressions[found] = (expression.left, expression.right)
            return found, a[1] / b[1] if value is None else value
        key = key_of(expression)
        if key is None:
            return None
        bound = self._text.binding(key, expression)
        if bound is None:
            outer = self._argument(key, expression, frames)
            return None if outer is None else self.folded(outer, frames[:-1], depth - 1)
        if bound.value is None:
            return None
        inner = self.folded(bound.value, frames, depth - 1)
        if inner is None:
            return None
        if key_of(bound.value) is None:
            node = self._nodes[inner[0]]
            self._nodes[inner[0]] = node._replace(bound=node.bound or key)
            return inner
        return self._alias(bound, key, inner[0], frames), inner[1]

    def _made(self, expression: ast.expr) -> Node:
        site = self._text.span(expression)
        statement = self._text.statement(expression)
        assert isinstance(statement, ast.stmt)
        return Node("number", site=site, place=(self._text.span(statement), "python"))

"""The student's own text: which names stand in an expression, and where each was bound.

An assignment that runs no op (`g2 = g1`, `c = -1.0`) leaves nothing in a recording; here it is
found. Only what runs straight on is followed: a binding in a branch or a loop ends the search.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..model import Span

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
MODULES = ("torch", "th")
AXES = ("dim", "axis")
"""Keywords beside which the operands stand as they would without."""
STRAIGHT = (ast.With, ast.AsyncWith)
METHODS = frozenset(
    "add sub mul div true_divide multiply subtract divide neg negative pow square "
    "reciprocal exp log sqrt sin cos tan tanh sigmoid abs relu clone view reshape "
    "add_ sub_ mul_ div_ neg_ pow_ square_ copy_".split()
)


class Binding(NamedTuple):
    """One target of an assignment. `value` is the expression it is bound to, None where that is not
    one expression (`a, b = f()`)."""

    key: str
    value: ast.expr | None
    statement: ast.stmt | ast.expr
    straight: bool


class TypedIn(NamedTuple):
    """A number in the text of a pass. `key` is the name that it is given, None where it stands in
    an expression: `0.35 * x1`; `site` is the first such place."""

    number: float
    key: str | None
    site: Span


def key_of(node: ast.AST) -> str | None:
    """`t`, `v['t3']`, `t[4]`, `self.t`: what names a value, as text; None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = key_of(node.value)
        return None if inner is None else f"{inner}.{node.attr}"
    if isinstance(node, ast.Subscript):
        inner, index = key_of(node.value), node.slice
        if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
            index = index.operand
        if inner is not None and isinstance(index, ast.Constant):
            return f"{inner}[{ast.unparse(node.slice)}]"
    return None


class Text:
    """The units of a submission, parsed. What does not parse is left out."""

    def __init__(self, units: Sequence[str]) -> None:
        self.units = list(units)
        self._at: dict[Span, ast.AST] = {}
        self._parent: dict[ast.AST, ast.AST] = {}
        self._unit: dict[ast.AST, int] = {}
        self._bindings: dict[Function, dict[str, list[Binding]]] = {}
        for number, unit in enumerate(units):
            try:
                tree = ast.parse(unit)
            except (SyntaxError, ValueError):
                continue
            self._index(tree, number)

    def _index(self, tree: ast.Module, unit: int) -> None:
        todo: list[ast.AST] = [tree]
        while todo:
            node = todo.pop()
            self._unit[node] = unit
            if isinstance(node, ast.expr | ast.stmt) and not isinstance(node, ast.Expr):
                self._at.setdefault(self.span(node), node)
            for child in ast.iter_child_nodes(node):
                self._parent[child] = node
                todo.append(child)

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node stands."""
        return Span(
            self._unit[node],
            node.lineno,
            node.col_offset,
            node.end_lineno or 0,
            node.end_col_offset or 0,
        )

    def at(self, span: Span | None) -> ast.AST | None:
        """The outermost node that covers exactly this span."""
        return None if span is None else self._at.get(span)

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement that a node stands in."""
        while not isinstance(node, ast.stmt) and node in self._parent:
            node = self._parent[node]
        return node

    def function(self, node: ast.AST) -> Function | None:
        """The innermost function that a node stands in."""
        above = self._parent.get(node)
        while above is not None and not isinstance(above, Function):
            above = self._parent.get(above)
        return above

    def called(self, function: Function) -> str | None:
        """The name by which a function is called."""
        if not isinstance(function, ast.Lambda):
            return function.name
        above = self._parent.get(function)
        if isinstance(above, ast.Assign) and len(above.targets) == 1:
            return key_of(above.targets[0])
        return None

    # -- bindings --------------------------------------------------------------------------

    def binding(self, key: str, use: ast.expr) -> Binding | None:
        """What a name that is read at `use` was bound by, in its own function; None if that is
        not sure, or if it is no local name."""
        function = self.function(use)
        if function is None or isinstance(function, ast.Lambda):
            return None
        last: Binding | None = None
        for found in self._table(function).get(key, ()):
            end = (found.statement.end_lineno or 0, found.statement.end_col_offset or 0)
            if not found.straight:
                return None
            if end <= (use.lineno, use.col_offset):
                last = found
        return last

    def _table(self, function: Function) -> dict[str, list[Binding]]:
        """The bindings in a function, by name."""
        table = self._bindings.get(function)
        if table is None:
            table = self._bindings[function] = {}
            for found in self._bound(function):
                table.setdefault(found.key, []).append(found)
        return table

    def _bound(self, function: ast.AST) -> Iterator[Binding]:
        todo = [(child, True) for child in getattr(function, "body", [])]
        while todo:
            node, straight = todo.pop(0)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            for inner in self._named(node):
                yield Binding(inner.target.id, inner.value, inner, straight)
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    yield from _pairs(target, node.value, node, straight)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                yield from _pairs(node.target, node.value, node, straight)
            elif isinstance(node, ast.AugAssign):
                yield from _pairs(node.target, None, node, straight)
            elif isinstance(node, ast.For | ast.AsyncFor):
                yield from _pairs(node.target, None, node, False)
            inside = straight and isinstance(node, STRAIGHT)
            blocks = [getattr(node, field, []) for field in ("body", "orelse", "finalbody")]
            todo[:0] = [(child, inside) for block in blocks for child in block]

    def _named(self, statement: ast.AST) -> list[ast.NamedExpr]:
        if not isinstance(statement, ast.Assign | ast.Expr | ast.Return | ast.AugAssign):
            return []
        return [node for node in ast.walk(statement) if isinstance(node, ast.NamedExpr)]

    # -- operands --------------------------------------------------------------------------

    def operands(self, node: ast.AST | None) -> list[ast.expr] | None:
        """The expressions that an operation works on, in order; None where that is not plain."""
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.UnaryOp):
            return [node.operand]
        if isinstance(node, ast.Compare) and not isinstance(node.left, ast.Constant):
            return [node.left, node.comparators[0]] if len(node.ops) == 1 else None
        if isinstance(node, ast.AugAssign):
            return [node.target, node.value]
        if isinstance(node, ast.Call) and all(word.arg in AXES for word in node.keywords):
            func = node.func
            given = list(node.args)
            if any(isinstance(arg, ast.Starred) for arg in given):
                return None
            if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
                given = list(given[0].elts)
            if isinstance(func, ast.Attribute):
                if key_of(func.value) in MODULES:
                    return given
                return [func.value, *given] if func.attr in METHODS else None
        return None

    def assigned(self, node: ast.AST) -> ast.expr | None:
        """What is assigned, for a target that stands in `target = value`."""
        above = self._parent.get(node)
        if isinstance(above, ast.Assign) and node in above.targets:
            return above.value
        return None

    def typed_in(self, function: Function | None) -> list[TypedIn]:
        """Numbers that may stand for a weight: those that a function gives a name to, and after
        them its other decimal numbers."""
        if function is None or isinstance(function, ast.Lambda):
            return []
        named = [
            TypedIn(number, bound.key, self.span(bound.value))
            for bound in itertools.chain(*self._table(function).values())
            if bound.value is not None and (number := number_of(bound.value)) is not None
        ]
        alone: dict[float, TypedIn] = {}
        sites = {typed.site for typed in named}
        constants = [node for node in ast.walk(function) if isinstance(node, ast.Constant)]
        for node in sorted(constants, key=lambda node: (node.lineno, node.col_offset)):
            site, decimal = self.span(node), node.value
            if isinstance(decimal, float) and not any(_covers(named, site) for named in sites):
                alone.setdefault(decimal, TypedIn(decimal, None, site))
        return named + list(alone.values())

    def argument(self, function: Function, name: str, caller: Span | None) -> ast.expr | None:
        """What a parameter was given, by the one call of the function in the caller's statement."""
        names = [arg.arg for arg in function.args.args]
        called, statement = self.called(function), self.at(caller)
        if name not in names or called is None or statement is None:
            return None
        calls = [
            node
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and (key_of(node.func) or "").rpartition(".")[2] == called
        ]
        if len(calls) != 1:
            return None
        index = names.index(name)
        if isinstance(calls[0].func, ast.Attribute) and names[0] == "self":
            index -= 1
        given = calls[0].args
        return given[index] if 0 <= index < len(given) else None

    def handed_over(self, function: Function | None, weights: int) -> list[ast.expr | None]:
        """The expressions for y and each gradient in `return y, dw0, dw1` and `.grad = dw0`, where
        they stand alone; else None."""
        none: list[ast.expr | None] = [None] * (1 + weights)
        if function is None or isinstance(function, ast.Lambda):
            return none
        nodes = [
            node
            for node in ast.walk(function)
            if isinstance(node, ast.Return | ast.Assign) and self.function(node) is function
        ]
        returns = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
        grads: list[tuple[str, ast.expr]] = []
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                key = key_of(node.targets[0]) or ""
                if key.endswith(".grad"):
                    grads.append((key, node.value))
        if len(returns) != 1:
            return none
        value = returns[0]
        parts: list[ast.expr] = list(value.elts) if isinstance(value, ast.Tuple) else [value]
        if len(parts) == 1 + weights:
            return [*parts]
        found: list[ast.expr | None] = [parts[0]]
        if len(grads) == weights:
            return found + [expression for _, expression in sorted(grads, key=lambda g: g[0])]
        return found + none[1:]


def number_of(expression: ast.expr) -> float | None:
    """The number that `0.95` or `torch.tensor(0.95)` is; None for other expressions."""
    if isinstance(expression, ast.Call) and len(expression.args) == 1:
        expression = expression.args[0]
    number = expression.value if isinstance(expression, ast.Constant) else None
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return float(number)


def _covers(outer: Span, inner: Span) -> bool:
    return (
        outer.unit == inner.unit
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
    )


def _pairs(
    target: ast.expr, value: ast.expr | None, statement: ast.stmt, straight: bool
) -> Iterator[Binding]:
    if isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else None
        same = parts is not None and len(parts) == len(target.elts)
        for index, inner in enumerate(target.elts):
            part = parts[index] if same and parts is not None else None
            yield from _pairs(inner, part, statement, straight)
        return
    key = key_of(target)
    if key is not None:
        yield Binding(key, value, statement, straight)

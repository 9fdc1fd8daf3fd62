"""The student's own text: which names stand in an expression, and where each was bound.

An assignment that runs no op (`g2 = g1`, `c = -1.0`) leaves nothing in a recording; here it is
found. Only what runs straight on is followed: a binding in a branch or a loop ends the search.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..model import Span

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
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
        self._at: dict[Span, ast.AST] = {}
        self._parent: dict[ast.AST, ast.AST] = {}
        self._unit: dict[ast.AST, int] = {}
        self._bindings: dict[ast.AST, list[Binding]] = {}
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

    def _function(self, node: ast.AST) -> ast.AST | None:
        """The innermost function that a node stands in, unless that is a lambda."""
        above = self._parent.get(node)
        while above is not None and not isinstance(above, FUNCTIONS):
            above = self._parent.get(above)
        return None if isinstance(above, ast.Lambda) else above

    # -- bindings --------------------------------------------------------------------------

    def binding(self, use: ast.expr) -> Binding | None:
        """What the name that is read at `use` was bound by, in its own function; None if that is
        not sure, or if it is no local name."""
        key, function = key_of(use), self._function(use)
        if key is None or function is None:
            return None
        if function not in self._bindings:
            self._bindings[function] = list(self._bound(function))
        last: Binding | None = None
        for bound in self._bindings[function]:
            if bound.key != key:
                continue
            end = (bound.statement.end_lineno or 0, bound.statement.end_col_offset or 0)
            if not bound.straight:
                return None
            if end <= (use.lineno, use.col_offset):
                last = bound
        return last

    def _bound(self, function: ast.AST) -> Iterator[Binding]:
        todo = [(child, True) for child in getattr(function, "body", [])]
        while todo:
            node, straight = todo.pop(0)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if isinstance(node, ast.Assign | ast.Expr | ast.Return | ast.AugAssign):
                for inner in ast.walk(node):
                    if isinstance(inner, ast.NamedExpr):
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

    def typed_in(self, site: Span | None) -> Iterator[tuple[str, Span]]:
        """The names that the function around a place gives to numbers, `0.95` or
        `torch.tensor(0.95)`, and where these stand."""
        node = self.at(site)
        function = None if node is None else self._function(node)
        for bound in () if function is None else self._bound(function):
            value = bound.value
            if isinstance(value, ast.Call) and len(value.args) == 1:
                value = value.args[0]
            if isinstance(value, ast.Constant) and type(value.value) in (int, float):
                yield bound.key, self.span(value)

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
            arguments = list(node.args)
            if any(isinstance(arg, ast.Starred) for arg in arguments):
                return None
            if len(arguments) == 1 and isinstance(arguments[0], ast.List | ast.Tuple):
                arguments = list(arguments[0].elts)
            if isinstance(func, ast.Attribute):
                if key_of(func.value) in MODULES:
                    return arguments
                return [func.value, *arguments] if func.attr in METHODS else None
        return None

    def assigned(self, node: ast.AST) -> ast.expr | None:
        """What is assigned, for a target that stands in `target = value`."""
        above = self._parent.get(node)
        if isinstance(above, ast.Assign) and node in above.targets:
            return above.value
        return None


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

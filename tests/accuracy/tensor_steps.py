"""What the lines of a pass bind and read, by its text: where a fault in one of them may be told."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

MODULES = {"self", "torch", "F", "math"}


class Step(NamedTuple):
    """What a statement binds, or changes a part of, and reads."""

    line: int
    binds: frozenset[str]
    reads: frozenset[str]


def steps_of(body: str) -> list[Step]:
    """Of all statements, in order; what is returned is bound as `return`."""
    nodes = [n for n in ast.walk(ast.parse(body)) if isinstance(n, ast.stmt)]
    return [_step(node) for node in sorted(nodes, key=lambda n: n.lineno)]


def _step(node: ast.stmt) -> Step:
    parts: list[ast.expr | None] = [getattr(node, "value", None)]
    binds: list[str] = []
    match node:
        case ast.Assign(targets):
            parts, binds = [*parts, *targets], bound(targets)
        case ast.AugAssign(target):
            parts, binds = [*parts, target], bound([target])
        case ast.For(target, iterated):
            parts, binds = [iterated], bound([target])
        case ast.Expr(ast.Call(ast.Attribute(owner))):
            binds = bound([owner])
        case ast.Return():
            binds = ["return"]
    reads = {name for part in parts for name in loaded(part)}
    return Step(node.lineno, frozenset(binds), frozenset(reads))


def readers(body: str, line: int) -> set[int]:
    """The lines that read what a line binds."""
    steps = steps_of(body)
    names = {name for step in steps if step.line == line for name in step.binds}
    return {step.line for step in steps if names & step.reads}


def serves_the_value(body: str, line: int) -> bool:
    """Whether a line is on the way to what is returned."""
    return line in _serving(ast.parse(body).body, {"return"})


def _serving(statements: Sequence[ast.stmt], wanted: set[str]) -> set[int]:
    """The lines that bind what is wanted behind them; what they read is then wanted, too, and in a
    loop once more."""
    lines: set[int] = set()
    for statement in reversed(statements):
        step = _step(statement)
        if isinstance(statement, ast.For):
            size = -1
            while len(wanted) > size:
                size = len(wanted)
                lines |= _serving(statement.body, wanted)
        if step.binds & wanted:
            lines.add(step.line)
            wanted |= step.reads
    return lines


def loaded(node: ast.AST | None) -> list[str]:
    """The names that are read in it."""
    inner = [] if node is None else ast.walk(node)
    names = [n.id for n in inner if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    return [name for name in names if name not in MODULES]


def bound(targets: Iterable[ast.expr]) -> list[str]:
    """The names that an assignment to these binds, or changes a part of."""
    names = list[str]()
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            names += bound(target.elts)
            continue
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name):
            names.append(target.id)
    return names


def moves(statement: ast.stmt) -> bool:
    """Whether it hands on what is there, and calculates nothing."""
    value = getattr(statement, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(is_name(part) for part in parts)


VIEWS = ("view", "reshape", "transpose", "permute", "t", "unsqueeze", "squeeze", "expand")


def is_name(part: ast.AST | None) -> bool:
    """Whether it calculates nothing: a name, or one in another shape."""
    match part:
        case ast.Call(ast.Attribute(inner, name)) if name in VIEWS:
            return is_name(inner)
        case ast.Subscript(inner, ast.Constant(str())) | ast.Attribute(inner, "T"):
            return is_name(inner)
    return isinstance(part, ast.Name | ast.Attribute)


def handed_on(statement: ast.stmt, changed: ast.stmt) -> frozenset[str]:
    """The names that are bound by, and that are read in, the parts of an assignment that differ
    from those of another and now only hand on what is there."""
    names: set[str] = set()
    for own, other in zip(pairs(statement), pairs(changed), strict=True):
        is_other = ast.dump(own[1]) != ast.dump(other[1])
        if isinstance(changed, ast.Assign) and is_other and is_name(other[1]):
            names |= {*bound([other[0]]), *loaded(other[1])}
    return frozenset(names)


def is_size(value: ast.expr, names: Mapping[str, bool]) -> bool:
    """Whether it is a number, or sizes, and no tensor, by which of the names are."""
    match value:
        case ast.Constant() | ast.Attribute(_, "shape") | ast.Call(ast.Name("len")):
            return True
        case ast.Call(ast.Attribute(_, "size" | "numel")):
            return True
        case ast.Call(ast.Attribute(ast.Name("math"))):
            return True
        case ast.Name(name):
            return names.get(name, False)
        case ast.Subscript(inner) | ast.UnaryOp(_, inner):
            return is_size(inner, names)
        case ast.BinOp(left, _, right):
            return is_size(left, names) and is_size(right, names)
    return False


def pairs(statement: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of an assignment, each with its value; several of one value as one."""
    match statement:
        case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
            return [*zip(targets, values, strict=True)]
        case ast.Assign([target], value) | ast.AugAssign(target, _, value):
            return [(target, value)]
    return []

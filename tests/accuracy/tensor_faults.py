"""One fault in a right pass on tensors: the mistakes of the field, each in one line."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from tensor_programs import TensorProgram

REDUCTIONS = ("sum", "mean", "amax", "max", "softmax", "log_softmax")
FUNCTIONS = ("exp", "log", "sqrt", "tanh", "sigmoid", "relu", "softmax", "log_softmax", "clamp")
IN_PLACE = {"relu": "relu_", "tanh": "tanh_", "sigmoid": "sigmoid_", "exp": "exp_", "sqrt": "sqrt_"}
OPERATORS = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.LtE, ast.LtE: ast.GtE,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip
OTHER_NAMES = 2
"""Values that each is taken for."""


class TensorFault(NamedTuple):
    """A pass with a fault of a kind. `lines`, from 1 in the body, are where it may be told: the line
    that was changed; of a line that now does nothing, also those that make what it hands on and
    read it."""

    program: str
    kind: str
    body: str
    line: int
    lines: frozenset[int]


def faults(program: TensorProgram) -> Iterator[TensorFault]:
    """All faults of a program, in order."""
    lines = program.body.split("\n")
    tree = ast.parse(program.body)
    random = Random(program.name)
    names = [*program.inputs]
    for statement in _statements(tree):
        for kind, changed in _mutations(statement, names, random):
            number = statement.lineno
            indent = lines[number - 1][: len(lines[number - 1]) - len(lines[number - 1].lstrip())]
            text = ast.unparse(changed) if changed is not None else "pass"
            body = "\n".join([*lines[: number - 1], indent + text, *lines[number:]])
            yield TensorFault(
                program.name, kind, body, number, _honest(tree, statement, changed, kind)
            )
        names += [n for n in _bound(statement) if n not in names]


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AugAssign | ast.Expr)]
    yield from sorted(found, key=lambda n: n.lineno)


def _bound(statement: ast.stmt) -> list[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [
        n.id
        for target in targets
        for n in ast.walk(target)
        if isinstance(n, ast.Name) and n.id != "self"
    ]


def _honest(
    tree: ast.AST, statement: ast.stmt, changed: ast.stmt | None, kind: str
) -> frozenset[int]:
    own = {statement.lineno}
    value = getattr(changed, "value", None)
    passes_on = changed is None or (
        isinstance(changed, ast.Assign) and isinstance(value, ast.Name | ast.Attribute)
    )
    if not passes_on and kind != "in place":
        return frozenset(own)
    if kind == "in place":
        mine = {
            ast.unparse(n)
            for n in ast.walk(statement)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
        } - {"torch"}
    else:
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [getattr(statement, "target", statement)]
        )
        mine = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)} - {"self"}
        if isinstance(value, ast.Name):
            mine.add(value.id)
    for other in _statements(tree):
        used = {n.id for n in ast.walk(other) if isinstance(n, ast.Name)}
        if used & mine:
            own.add(other.lineno)
    return frozenset(own)


def readers(fault: TensorFault) -> list[int]:
    """The lines that read what the line that was changed binds, in the pass with the fault."""
    statements = [*_statements(ast.parse(fault.body))]
    bound = {n for s in statements if s.lineno == fault.line for n in _names(s, ast.Store)}
    return [s.lineno for s in statements if bound & _names(s, ast.Load)]


def serves(fault: TensorFault, name: str) -> bool:
    """Whether the line that was changed is on the way to a value of this name, by the text."""
    wanted = {name}
    for statement in reversed([*_statements(ast.parse(fault.body))]):
        if wanted & _names(statement, ast.Store):
            if statement.lineno == fault.line:
                return True
            wanted |= _names(statement, ast.Load)
    return False


def _names(statement: ast.stmt, context: type[ast.expr_context]) -> set[str]:
    names = {
        n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, context)
    }
    return names - {"self", "torch", "F", "math"}


def _mutations(
    statement: ast.stmt, names: list[str], random: Random
) -> Iterator[tuple[str, ast.stmt | None]]:
    """Each mutation of a statement: its kind, and the statement; None where it is left out."""
    if isinstance(statement, ast.AugAssign):
        if isinstance(statement.target, ast.Name):
            yield "overwritten", ast.Assign([statement.target], statement.value, lineno=1)
        yield "left out", None
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.expr)]
    for number, node in enumerate(inner):
        for kind, other in _of_expression(node, names, random):
            changed = copy.deepcopy(statement)
            target = [n for n in ast.walk(changed) if isinstance(n, ast.expr)][number]
            replaced = _Replace(target, other).visit(changed)
            yield kind, ast.fix_missing_locations(replaced)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _of_expression(
    node: ast.expr, names: list[str], random: Random
) -> Iterator[tuple[str, ast.expr]]:
    text = ast.unparse(node)

    def made(source: str) -> ast.expr:
        return ast.parse(source, mode="eval").body

    if isinstance(node, ast.Attribute) and node.attr == "T":
        inner = ast.unparse(node.value)
        yield "transposed", made(inner)
        yield "transposed", made(f"({inner}).reshape(({inner}).T.shape)")
    if isinstance(node, ast.BinOp):
        left, right = ast.unparse(node.left), ast.unparse(node.right)
        if isinstance(node.op, ast.Add | ast.Sub):
            sign = "" if isinstance(node.op, ast.Add) else "-"
            if not _is_number(node.right):
                yield "term lost", made(left)
                operator = "+" if isinstance(node.op, ast.Add) else "-"
                yield "term twice", made(f"({left}) {operator} 2 * ({right})")
            if not _is_number(node.left):
                yield "term lost", made(f"{sign}({right})")
            yield "sign", ast.BinOp(node.left, FLIPPED[type(node.op)](), node.right)  # type: ignore[arg-type]
            if isinstance(node.op, ast.Sub):
                yield "order", made(f"({right}) - ({left})")
        if isinstance(node.op, ast.Div):
            yield "factor lost", made(left)
        if isinstance(node.op, ast.Mult):
            yield "factor lost", made(left)
            yield "factor lost", made(right)
        if type(node.op) in OPERATORS and isinstance(node.left, ast.Name) and node.left.id in names:
            yield "in place", made(f"{left}.{OPERATORS[type(node.op)]}({right})")
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and not _is_number(node.operand)
    ):
        yield "sign", node.operand
    if isinstance(node, ast.Compare):
        flipped = FLIPPED.get(type(node.ops[0]))
        if flipped:
            yield "mask", ast.Compare(node.left, [flipped()], node.comparators)  # type: ignore[list-item]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from _of_call(node, made)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        others = [n for n in names if n != node.id]
        if node.id in names:
            for other in random.sample(others, min(OTHER_NAMES, len(others))):
                yield "other value", ast.Name(other, ast.Load())
    if isinstance(node, ast.Subscript) and text.endswith(", y]"):
        inside = ast.unparse(node.slice).removesuffix(", y)").removeprefix("(")
        yield "label", ast.Subscript(node.value, made(f"({inside}, y - 1)"), node.ctx)


def _of_call(node: ast.Call, made: Callable[[str], ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    assert isinstance(node.func, ast.Attribute)
    name, owner = node.func.attr, ast.unparse(node.func.value)
    is_method = owner not in ("torch", "F", "math")
    operand = f"({owner})" if is_method else ast.unparse(node.args[0]) if node.args else ""
    rest = node.args if is_method else node.args[1:]
    shown = ", ".join(ast.unparse(part) for part in (*rest, *node.keywords))
    text = f"{operand}.{name}({shown})" if is_method else f"{owner}.{name}({operand}, {shown})"
    if name in REDUCTIONS:
        dim = shown.removeprefix("dim=")[:1]
        if dim in ("0", "1") and not shown.startswith("min"):
            other = shown.replace(dim, str(1 - int(dim)), 1)
            yield "axis", made(text.replace(f"{shown})", f"{other})"))
        if ", keepdim=True" in text:
            yield "keepdim", made(text.replace(", keepdim=True", ""))
        elif name in ("sum", "mean") and node.args and is_method:
            yield "keepdim", made(f"{text[:-1]}, keepdim=True)")
        if name in ("sum", "mean") and is_method:
            yield "mean", made(f"{operand}.{'mean' if name == 'sum' else 'sum'}({shown})")
            if node.args:
                yield "not summed", made(operand)
                yield "axis", made(f"{operand}.{name}()")
    if name in FUNCTIONS:
        yield "function lost", made(operand)
        if name in IN_PLACE and operand.strip("()").isidentifier():
            yield "in place", made(f"{operand}.{IN_PLACE[name]}()")
        if name in ("tanh", "sigmoid", "relu"):
            for other in {"tanh", "sigmoid", "relu"} - {name}:
                yield "function", made(f"torch.{other}({operand})")
    if name == "one_hot":
        yield "label", made(f"F.one_hot((y + 1) % {shown}, {shown})")
    if name == "clone":
        yield "in place", made(operand)
    if name == "index_add_":
        where, what = (ast.unparse(arg) for arg in node.args[1:])
        yield "overwritten", made(f"{operand}.index_copy_(0, {where}, {what})")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)

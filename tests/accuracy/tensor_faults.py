"""One fault in a right pass on tensors: the mistakes of the field, each in one line."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from tensor_programs import TensorProgram
from tensor_steps import MODULES, bound, handed_on, is_size, loaded, moves, pairs, steps_of

REDUCTIONS = ("sum", "mean", "amax", "max", "softmax", "log_softmax", "logsumexp")
ACTIVATIONS = ("tanh", "sigmoid", "relu")
FUNCTIONS = ("exp", "log", "sqrt", *ACTIVATIONS, "softmax", "log_softmax", "clamp")
IN_PLACE = ("relu", "tanh", "sigmoid", "exp", "sqrt")
OPERATORS = {ast.Add: "add_", ast.Sub: "sub_", ast.Mult: "mul_", ast.Div: "div_"}
FLIPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Gt: ast.Lt,
    ast.Lt: ast.Gt,
    ast.GtE: ast.LtE,
    ast.LtE: ast.GtE,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
SWAPPING = ("t", "transpose", "permute")
"""What a product may be transposed by."""
BY_LABEL = ("one_hot", "gather", "scatter_", "index_add_", "unsqueeze")
"""What takes labels, as an argument or as its owner, that may not be negative."""
OTHER_AXIS = {0: 1, 1: 0, 2: 1, 3: 2, -1: -2}
OTHER_NAMES = 2
"""Values that each is taken for."""


class TensorFault(NamedTuple):
    """A pass with a fault of a kind. `lines`, from 1 in the body, are where it may be told: the
    line that was changed; of a line that now does nothing, also those that make what it hands on
    and read it."""

    program: str
    kind: str
    body: str
    line: int
    lines: frozenset[int]


class Mutation(NamedTuple):
    """A statement with a fault; None where it is left out. `names` are the values that are other
    ones now though the line runs no op for them: handed on, left as they were, or changed in
    place."""

    kind: str
    changed: ast.stmt | None
    names: frozenset[str] = frozenset()


def faults(program: TensorProgram) -> Iterator[TensorFault]:
    """All faults of a program, in order. A size is not taken for a tensor, nor a tensor for one."""
    lines = program.body.split("\n")
    tree = ast.parse(program.body)
    random = Random(program.name)
    names = dict.fromkeys(program.inputs, False)
    steps = steps_of(program.body)
    for statement in statements(tree):
        number = statement.lineno
        indent = lines[number - 1][: len(lines[number - 1]) - len(lines[number - 1].lstrip())]
        for kind, changed, touched in mutations(program, statement, names, random):
            text = ast.unparse(changed) if changed is not None else "pass"
            if text == ast.unparse(statement):
                continue
            body = "\n".join([*lines[: number - 1], indent + text, *lines[number:]])
            using = {step.line for step in steps if touched & (step.binds | step.reads)}
            yield TensorFault(program.name, kind, body, number, frozenset({number, *using}))
        for target, value in pairs(statement):
            for name in bound([target]):
                names.setdefault(name, is_size(value, names))


def statements(tree: ast.AST) -> list[ast.stmt]:
    every = [n for n in ast.walk(tree) if isinstance(n, ast.Assign | ast.AugAssign | ast.Expr)]
    return sorted(every, key=lambda n: n.lineno)


def mutations(
    program: TensorProgram, statement: ast.stmt, names: dict[str, bool], random: Random
) -> Iterator[Mutation]:
    yield from _of_statement(statement)
    inner = [node for node in ast.walk(statement) if isinstance(node, ast.expr)]
    indices = [n.slice for n in inner if isinstance(n, ast.Subscript)]
    sliced = {id(n) for index in indices for n in ast.walk(index)}
    delivered = {id(n.value) for n in inner if isinstance(n, ast.Attribute) and n.attr == "grad"}
    near = [name for name in loaded(statement) if name in names] + _bound(statement)
    for number, node in enumerate(inner):
        if id(node) in delivered:
            continue
        mutations = [*_of_expression(node, names, random)]
        mutations += _other_masks(node, near)
        mutations += _other_labels(node, program.labels, id(node) in sliced)
        mutations += _other_weights(node, program.weights)
        for kind, other in mutations:
            changed = copy.deepcopy(statement)
            target = [n for n in ast.walk(changed) if isinstance(n, ast.expr)][number]
            replaced = ast.fix_missing_locations(Replacing(target, other).visit(changed))
            assert isinstance(replaced, ast.stmt)
            touched = frozenset(_in_place(other)) if kind == "in place" else frozenset[str]()
            touched |= handed_on(statement, replaced)
            yield Mutation(kind, replaced, touched)


def _of_statement(statement: ast.stmt) -> Iterator[Mutation]:
    match statement:
        case ast.AugAssign(target, operator, value):
            names = frozenset(bound([target]))
            yield Mutation("left out", None, names)
            if isinstance(operator, ast.Add):
                assigned = ast.parse(f"{ast.unparse(target)} = {ast.unparse(value)}").body[0]
                handed = loaded(value) if moves(statement) else []
                yield Mutation("overwritten", assigned, names.union(handed))
            if type(operator) in FLIPPED:
                other = copy.deepcopy(statement)
                other.op = FLIPPED[type(operator)]()  # type: ignore[assignment]
                yield Mutation("sign", other)
        case ast.Assign([ast.Subscript()]) if names := frozenset(_bound(statement)):
            yield Mutation("left out", None, names)
        case ast.Expr(ast.Call(ast.Attribute(owner, name))) if name.endswith("_"):
            yield Mutation("left out", None, frozenset(bound([owner])))


def _bound(statement: ast.stmt) -> list[str]:
    return bound(statement.targets) if isinstance(statement, ast.Assign) else []


def _in_place(changed: ast.expr) -> list[str]:
    """The names of what a fault changes in place: the operand of `sub_`, or what is no clone."""
    match changed:
        case ast.Call(ast.Attribute(owner)):
            return loaded(owner)
    return loaded(changed)


class Replacing(ast.NodeTransformer):
    """Another node in the place of one."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _expression(source: str) -> ast.expr:
    return ast.parse(source, mode="eval").body


def _of_expression(
    node: ast.expr, names: dict[str, bool], random: Random
) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Attribute(inner, "T" | "mT"):
            yield from _not_transposed(node, inner)
        case ast.BinOp():
            yield from _of_operator(node, names)
        case ast.UnaryOp(ast.USub(), operand) if not _is_number(operand):
            yield "sign", operand
        case ast.Compare(left, [op], right) if type(op) in FLIPPED:
            yield "mask", ast.Compare(left, [FLIPPED[type(op)]()], right)  # type: ignore[list-item]
        case ast.Call(ast.Attribute()):
            yield from _of_call(node)
        case ast.Name(name, ast.Load()) if name in names:
            others = [n for n in names if n != name and names[n] == names[name]]
            for other in random.sample(others, min(OTHER_NAMES, len(others))):
                yield "other value", ast.Name(other, ast.Load())
        case ast.Subscript(value, ast.Tuple(parts), ast.Load()):
            if any(isinstance(p, ast.Constant) and p.value is None for p in parts):
                yield "keepdim", value


def _not_transposed(node: ast.expr, inner: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    yield "transposed", inner
    operand = ast.unparse(inner)
    yield "transposed", _expression(f"({operand}).reshape({ast.unparse(node)}.shape)")


def _of_operator(node: ast.BinOp, names: Mapping[str, bool]) -> Iterator[tuple[str, ast.expr]]:
    left, right = ast.unparse(node.left), ast.unparse(node.right)
    if isinstance(node.op, ast.Add | ast.Sub):
        sign, operator = ("", "+") if isinstance(node.op, ast.Add) else ("-", "-")
        if not _is_number(node.right):
            yield "term lost", node.left
            yield "term twice", _expression(f"({left}) {operator} 2 * ({right})")
        if not _is_number(node.left):
            yield "term lost", _expression(f"{sign}({right})")
        yield "sign", ast.BinOp(node.left, FLIPPED[type(node.op)](), node.right)  # type: ignore[arg-type]
        if isinstance(node.op, ast.Sub):
            yield "order", _expression(f"({right}) - ({left})")
    if isinstance(node.op, ast.Div | ast.Pow):
        yield "factor lost", node.left
    if isinstance(node.op, ast.Mult):
        for factor in (node.left, node.right):
            if not is_size(factor, names):  # nobody forgets all but that
                yield "factor lost", factor
    if type(node.op) in OPERATORS and isinstance(node.left, ast.Name) and node.left.id in names:
        yield "in place", _expression(f"{left}.{OPERATORS[type(node.op)]}({right})")


def _of_call(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    assert isinstance(node.func, ast.Attribute)
    name, owner = node.func.attr, ast.unparse(node.func.value)
    is_method = owner not in MODULES
    operand = node.func.value if is_method else node.args[0] if node.args else None
    if operand is None:
        return
    text = f"({ast.unparse(operand)})"
    if name in REDUCTIONS:
        yield from _of_reduction(node, operand, 0 if is_method else 1)
    if name in FUNCTIONS:
        yield "function lost", operand
    if name in IN_PLACE and isinstance(operand, ast.Name):
        yield "in place", _expression(f"{text}.{name}_()")
    if name in ACTIVATIONS:
        for other in ACTIVATIONS:
            if other != name:
                yield "function", _expression(f"torch.{other}({text})")
    if name in SWAPPING:
        yield from _not_transposed(node, operand)
    shown = [ast.unparse(arg) for arg in node.args]
    if name == "unsqueeze" or (name in ("view", "reshape") and shown == ["-1", "1"]):
        yield "keepdim", operand
    if name == "clone":
        yield "in place", operand
    if name == "index_add_":
        yield "overwritten", _expression(f"{text}.index_copy_({', '.join(shown)})")
    if name == "where" and len(shown) == 3:
        yield "mask", _expression(f"torch.where({shown[0]}, {shown[2]}, {shown[1]})")
    if name in ("cat", "stack") and isinstance(operand, ast.Tuple | ast.List):
        changed = copy.deepcopy(node)
        assert isinstance(changed.args[0], ast.Tuple | ast.List)
        changed.args[0].elts[:2] = reversed(changed.args[0].elts[:2])
        yield "order", changed
    if name == "einsum":
        yield from _of_einsum(node)


def _of_einsum(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    operands, _, result = str(ast.literal_eval(node.args[0])).partition("->")
    parts = operands.split(",")
    for at, part in enumerate(parts):
        swapped = [*parts[:at], part[:-2] + part[-2:][::-1], *parts[at + 1 :]]
        changed = copy.deepcopy(node)
        changed.args[0] = ast.Constant(f"{','.join(swapped)}->{result}")
        yield "transposed", changed


def _of_reduction(node: ast.Call, operand: ast.expr, at: int) -> Iterator[tuple[str, ast.expr]]:
    """Faults of one whose dimension is the argument number `at`, or a keyword."""
    assert isinstance(node.func, ast.Attribute)
    name = node.func.attr

    def changed(**keywords: ast.expr | None) -> ast.Call:
        """The call with another dimension, or another `keepdim`; None takes it away."""
        rest = [k for k in node.keywords if k.arg not in keywords]
        more = [ast.keyword(key, value) for key, value in keywords.items() if value is not None]
        own = node.args[:at] if "dim" in keywords else node.args
        return ast.Call(node.func, own, [*rest, *more])

    given = [k.value for k in node.keywords if k.arg == "dim"] or node.args[at : at + 1]
    keeps = any(k.arg == "keepdim" for k in node.keywords)
    sums = name in ("sum", "mean")
    try:
        dims = ast.literal_eval(given[0]) if given else None
    except ValueError:
        return
    if isinstance(dims, tuple):
        yield "axis", changed(dim=_expression(repr(dims[:-1])))
    elif dims is not None:
        yield "axis", changed(dim=_expression(repr(OTHER_AXIS[dims])))
    if keeps:
        yield "keepdim", changed(keepdim=None)
    elif sums and dims is not None:
        yield "keepdim", changed(keepdim=ast.Constant(True))
    if sums:
        func = ast.Attribute(node.func.value, "mean" if name == "sum" else "sum")
        yield "mean", ast.Call(func, node.args, node.keywords)
    if sums and dims is not None:
        yield "not summed", operand
        yield "axis", changed(dim=None, keepdim=None)


def _other_masks(node: ast.expr, near: list[str]) -> Iterator[tuple[str, ast.expr]]:
    """Another tensor of the statement compared: the mask of the gradient, not of the value."""
    if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
        for other in dict.fromkeys(near):
            if other != node.left.id:
                yield "mask", ast.Compare(ast.Name(other, ast.Load()), node.ops, node.comparators)


def _other_weights(node: ast.expr, weights: dict[str, int]) -> Iterator[tuple[str, ast.expr]]:
    """The weight of another gate or layer, of as many dimensions: a line copied from there."""
    match node:
        case ast.Attribute(ast.Name("self"), name, ast.Load()) if name in weights:
            for other, dims in weights.items():
                if other != name and dims == weights[name]:
                    yield "other weight", ast.Attribute(node.value, other, ast.Load())


def _other_labels(
    node: ast.expr, labels: list[str], is_sliced: bool
) -> Iterator[tuple[str, ast.expr]]:
    """Labels off by one; where they may not be negative, from below 1."""
    match node:
        case ast.Name(name) if is_sliced and name in labels:
            yield "label", _expression(f"{name} - 1")
        case ast.Call(ast.Attribute(owner, name)) if name in BY_LABEL:
            for part in (owner, *node.args):
                if isinstance(part, ast.Name) and part.id in labels:
                    lower = _expression(f"({part.id} - 1).clamp(min=0)")
                    args = [lower if arg is part else arg for arg in node.args]
                    func = ast.Attribute(lower if owner is part else owner, name)
                    yield "label", ast.Call(func, args, node.keywords)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)

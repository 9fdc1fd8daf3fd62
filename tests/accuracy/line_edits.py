"""Whether one edit of a line makes a wrong pass right: an oracle of torch and `ast` alone, which
knows nothing of the search.

Of a pass with one fault a second line can be as good to mend as the one that was changed: where
`d = a - b` became `d = b - a`, the sign of whatever reads `d` is one. No grader can tell the two
apart by what the pass does, so a line that one edit mends is no right line."""

from __future__ import annotations

import ast
import copy
import math
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
from tensor_faults import Replacing
from tensor_programs import TensorProgram
from torch import Tensor, nn
from torch.nn import functional

DRAWS = 3
TOLERANCE = 1e-7
"""Of float64 values, relative to the largest of a tensor."""
LONGEST = 48
"""Characters of an expression of the pass that is tried as an operand."""
AXES = ("0", "1", "2", "-1", "(0, 1)", "(0, 2)", "(0, 2, 3)", "(2, 3)")
METHODS = ("sum", "mean", "amax")
FUNCTIONS = ("tanh", "sigmoid", "relu", "exp", "log", "sqrt", "sign", "abs")
OPERATORS: tuple[type[ast.operator], ...] = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult)
COMPARISONS: tuple[type[ast.cmpop], ...] = (ast.Gt, ast.Lt, ast.GtE, ast.LtE, ast.Eq, ast.NotEq)
NUMBERS = ("0", "1", "2", "3", "4", "0.5")


class Draw(NamedTuple):
    """Numbers of a task's inputs and weights, and what the task's function and autograd give."""

    inputs: tuple[Tensor, ...]
    weights: dict[str, Tensor]
    value: Tensor
    grads: dict[str, Tensor]


def mended_by(program: TensorProgram, body: str, line: int) -> str | None:
    """The line, numbered from 1 in the body, with one edit that makes the pass right at every
    draw; None where none of those that are tried does, or the pass without a fault is not right in
    float64 (two of 277 programs, which calculate in float32)."""
    draws = [draw for draw in drawn(program) if is_right(program, program.body, draw)]
    if not draws:
        return None
    return first_edit(
        program, body, line, lambda edited: all(is_right(program, edited, draw) for draw in draws)
    )


def first_edit(
    program: TensorProgram, body: str, line: int, makes_right: Callable[[str], bool]
) -> str | None:
    """The first edit of a line with which a text is right; None where no edit is."""
    lines = body.split("\n")
    indent = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
    for text in edits(program, body, line):
        if makes_right("\n".join([*lines[: line - 1], indent + text, *lines[line:]])):
            return text
    return None


def drawn(program: TensorProgram) -> Iterator[Draw]:
    """Draws of sizes of their own, in float64; those at which the task has no number are none."""
    for seed in range(DRAWS):
        draw = _draw(program, Random(f"{program.name} {seed}"))
        if all(bool(g.isfinite().all()) for g in (draw.value, *draw.grads.values())):
            yield draw


def _draw(program: TensorProgram, random: Random) -> Draw:
    scope: dict[str, Any] = {
        "math": math,
        "torch": torch,
        "F": functional,
        "Float": Typed("float"),
        "Int": Typed("int"),
        "Tensor": 0,
    }
    exec(compile(program.task, "task", "exec", dont_inherit=True), scope)
    (function,) = [f for name, f in scope.items() if re.fullmatch(r"v\d+", name)]
    sizes: dict[str, int] = {}
    free = [*range(2, 7)]
    random.shuffle(free)
    torch.manual_seed(random.getrandbits(32))
    leaves: dict[str, Tensor] = {}
    annotations = function.__annotations__
    for dim in re.findall(r"[A-Za-z]\w*", " ".join(dims for _, dims in annotations.values())):
        lowest, highest = scope.get("SIZES", {}).get(dim, (2, 6))
        able = [n for n in free if lowest <= n <= highest and n not in sizes.values()]
        sizes.setdefault(dim, (able or [random.randint(lowest, highest)])[0])
    for name, (kind, dims) in annotations.items():
        shape = [int(eval(dim, {}, sizes)) for dim in dims.split()]
        if kind == "int":
            below = scope["BELOW"][name]
            leaves[name] = torch.randint(below if isinstance(below, int) else sizes[below], shape)
        else:
            lowest, highest = random.choice(scope.get("RANGES", {}).get(name, ((-1.5, 1.5),)))
            leaves[name] = lowest + (highest - lowest) * torch.rand(shape, dtype=torch.float64)
    weights = {name: leaves.pop(name).requires_grad_() for name in program.weights}
    torch.set_default_dtype(torch.float64)
    try:
        value = function(*leaves.values(), **weights)
    finally:
        torch.set_default_dtype(torch.float32)
    grads = torch.autograd.grad(value, list(weights.values()), allow_unused=True)
    by_name = {
        name: torch.zeros_like(weight) if grad is None else grad
        for (name, weight), grad in zip(weights.items(), grads, strict=True)
    }
    of_weights = {name: weight.detach() for name, weight in weights.items()}
    return Draw(tuple(leaves.values()), of_weights, value.detach(), by_name)


@dataclass(frozen=True)
class Typed:
    """What stands in for jaxtyping's classes in a task."""

    kind: str

    def __getitem__(self, of: Any) -> Any:
        return self.kind, of[1]


def is_right(program: TensorProgram, body: str, draw: Draw) -> bool:
    """Whether a body gives the value and the gradients of autograd at a draw."""
    try:
        with warnings.catch_warnings(action="ignore"):
            code = _compiled(program, body)
    except SyntaxError:
        return False
    net = SimpleNamespace(**{n: nn.Parameter(w.clone()) for n, w in draw.weights.items()})
    torch.set_default_dtype(torch.float64)
    try:
        with torch.no_grad(), warnings.catch_warnings(action="ignore"):
            value = code(net, *[t.clone() for t in draw.inputs])
        got = [(value, draw.value)]
        got += [(getattr(net, name).grad, grad) for name, grad in draw.grads.items()]
        return all(_near(one, right) for one, right in got)
    except Exception:
        return False
    finally:
        torch.set_default_dtype(torch.float32)


def _compiled(program: TensorProgram, body: str) -> Any:
    indented = "\n".join("    " + line for line in body.split("\n"))
    text = f"def run(self, {', '.join(program.inputs)}):\n{indented}\n"
    scope: dict[str, Any] = {"torch": torch, "F": functional, "math": math, "nn": nn}
    exec(compile(text, "pass", "exec"), scope)
    return scope["run"]


def _near(value: object, right: Tensor) -> bool:
    if not isinstance(value, Tensor) or value.shape != right.shape:
        return False
    bound = TOLERANCE * (float(right.abs().max()) if right.numel() else 0) + 1e-12
    return bool(((value - right).abs() <= bound).all())


def edits(program: TensorProgram, body: str, line: int) -> Iterator[str]:
    """The statement at a line with one name, number, operator, function, axis, index, factor or
    term changed, added or taken away."""
    tree = ast.parse(body)
    every = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno == line]
    if not every or not isinstance(every[0], ast.Assign | ast.AugAssign | ast.Expr | ast.Return):
        return
    (statement,) = every
    seen = {ast.unparse(statement)}
    for changed in _of_statement(statement):
        if (text := ast.unparse(changed)) not in seen:
            seen.add(text)
            yield text
    operands = _operands(program, tree, ast.parse(program.body))
    inner = [*ast.walk(statement)]
    for number, node in enumerate(inner):
        if not isinstance(node, ast.expr) or not isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            continue
        for other in _others(node, operands):
            changed = copy.deepcopy(statement)
            at = [*ast.walk(changed)][number]
            try:
                replacement = ast.parse(other, mode="eval").body
            except SyntaxError:
                continue
            text = ast.unparse(ast.fix_missing_locations(Replacing(at, replacement).visit(changed)))
            if text not in seen:
                seen.add(text)
                yield text


def _of_statement(statement: ast.stmt) -> Iterator[ast.stmt]:
    yield ast.Pass()
    match statement:
        case ast.AugAssign(target, _, value):
            for kind in OPERATORS:
                yield ast.AugAssign(target, kind(), value)
            target = copy.deepcopy(target)
            target.ctx = ast.Store()
            yield ast.fix_missing_locations(ast.Assign([target], value))
        case ast.Assign([target], value):
            for kind in OPERATORS:
                yield ast.AugAssign(target, kind(), value)  # type: ignore[arg-type]


def _operands(program: TensorProgram, *trees: ast.AST) -> list[str]:
    """What a factor, a term or another operand may be: expressions of the passes, and leaves."""
    inner = [n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.expr)]
    read = [n for n in inner if isinstance(getattr(n, "ctx", ast.Load()), ast.Load)]
    texts = [ast.unparse(n) for n in read if not isinstance(n, ast.Slice)]
    bound = [n.id for n in inner if isinstance(n, ast.Name)]
    leaves = [*program.inputs, *(f"self.{name}" for name in program.weights)]
    sizes = [f"{leaf}.shape[{at}]" for leaf in leaves for at in range(2)]
    every = dict.fromkeys((*bound, *leaves, *texts, *sizes, *NUMBERS))
    modules = {"self", "torch", "F", "math"}
    return [text for text in every if len(text) <= LONGEST and text not in modules]


def _others(node: ast.expr, operands: list[str]) -> Iterator[str]:
    """What stands in an expression's place after one edit."""
    own = f"({ast.unparse(node)})"
    yield f"-{own}"
    match node:
        case ast.BinOp(left, _, right):
            a, b = f"({ast.unparse(left)})", f"({ast.unparse(right)})"
            yield from (a, b, f"-{b}", f"{b} - {a}", f"{b} / {a}", f"{b} @ {a}", f"{a} ** {b}")
            for kind in OPERATORS:
                yield ast.unparse(ast.BinOp(left, kind(), right))
            yield from (f"{a} - 2 * {b}", f"{a} + 2 * {b}", f"2 * {a} + {b}", f"2 * {a} - {b}")
        case ast.UnaryOp(_, operand):
            yield ast.unparse(operand)
        case ast.Compare(left, [_], [right]):
            for comparison in COMPARISONS:
                yield ast.unparse(ast.Compare(left, [comparison()], [right]))
        case ast.Call():
            yield from _of_call(node)
        case ast.Attribute(inner, "T" | "mT"):
            yield ast.unparse(inner)
        case ast.Subscript(inner, index):
            yield ast.unparse(inner)
            if isinstance(index, ast.Tuple):
                for order in (index.elts[::-1], index.elts[1:] + index.elts[:1]):
                    yield ast.unparse(ast.Subscript(inner, ast.Tuple(order, ast.Load())))
    yield from (f"{own}.T", f"{own}.mT", f"{own} ** 2", f"{own} + 1", f"{own} - 1", f"1 - {own}")
    yield from (f"{own}.clone()", f"{own} > 0", f"1 / {own}", f"1 - {own} ** 2")
    yield from (f"{own}[:, None]", f"{own}[None]", f"{own}[..., None]", f"{own}.unsqueeze(1)")
    for name in FUNCTIONS:
        yield f"torch.{name}({own})"
    for method in METHODS[:2]:
        yield f"{own}.{method}()"
        for axis in AXES:
            yield f"{own}.{method}({axis})"
            yield f"{own}.{method}({axis}, keepdim=True)"
    is_atom = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Subscript)
    for operand in operands:
        if is_atom and re.fullmatch(r"[\w.\[\]]+", operand):
            yield operand
        yield from (f"{own} * ({operand})", f"{own} / ({operand})")
        yield from (f"{own} + ({operand})", f"{own} - ({operand})")
        if operand not in NUMBERS:
            yield f"{own} @ ({operand})"


def _of_call(node: ast.Call) -> Iterator[str]:
    arguments = [ast.unparse(a) for a in node.args]
    yield from arguments
    match node.func:
        case ast.Attribute(ast.Name("torch" | "F" as module), name):
            for other in FUNCTIONS:
                yield f"{module}.{other}({', '.join(arguments)})"
            if len(arguments) == 3:
                yield f"torch.where({arguments[0]}, {arguments[2]}, {arguments[1]})"
            if name in ("cat", "stack") and isinstance(node.args[0], ast.Tuple | ast.List):
                other = copy.deepcopy(node)
                other.args[0].elts = other.args[0].elts[::-1]  # type: ignore[attr-defined]
                yield ast.unparse(other)
        case ast.Attribute(owner, name):
            own = f"({ast.unparse(owner)})"
            yield own
            if name in METHODS:
                for method in METHODS:
                    yield f"{own}.{method}()"
                    for axis in AXES:
                        yield f"{own}.{method}({axis})"
                        yield f"{own}.{method}({axis}, keepdim=True)"
            if name == "index_copy_":
                yield f"{own}.index_add_({', '.join(arguments)})"

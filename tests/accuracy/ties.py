"""Whether another line than the faulty one is as honest a place of the fault: a tie.

Each line is mended by single slips undone, from a fixed list: a sign, an operator, the order of two operands,
another name, another number, a part too many, a factor or a term too few. torch runs the mended text in
float64, at random points, beside autograd. Of the package nothing is used.

It is a tie if a slip of the other line makes all right and leaves no more values in the pass that are
no quantity of the task, sign and all, than the best slip of the faulty line does.
"""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch.overrides import TorchFunctionMode

LEAVES = ("w0", "w1", "x1", "x2", "x3")
POINTS = 3
NEAR = 1e-7
FUNCTIONS = {name: getattr(torch, name) for name in (
    "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid", "relu", "abs", "sign", "maximum", "minimum",
    "where", "rsqrt")} | {"max": torch.maximum, "min": torch.minimum}  # fmt: skip
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


class Point(NamedTuple):
    """The leaves, y and its gradients by the weights, and the quantities of the task there."""

    leaves: tuple[float, ...]
    right: tuple[float, ...]
    quantities: torch.Tensor


def is_tie(variant: str, text: str, accused: int, faulty: Iterable[int]) -> bool:
    """Whether the line `accused` of a program is as good a place for the fault as those that have it.
    False, too, where no slip of the list undoes the fault in its own line."""
    try:
        points = [_point(variant, seed) for seed in range(POINTS)]
    except (RuntimeError, NameError, TypeError):
        return False  # a function that is not known here
    true = [odd for line in faulty for odd in _mended(text, line, points)]
    return bool(true) and any(odd <= min(true) for odd in _mended(text, accused, points))


# -- the task --------------------------------------------------------------------------------------


class _Ops(TorchFunctionMode):
    """Notes every op, with the tensors that it reads."""

    def __init__(self) -> None:
        super().__init__()
        self.ops: list[tuple[torch.Tensor, list[torch.Tensor]]] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        if isinstance(out, torch.Tensor) and out.requires_grad:
            self.ops.append(
                (out, [a for a in args if isinstance(a, torch.Tensor) and a.requires_grad])
            )
        return out


def _point(variant: str, seed: int) -> Point:
    generator = torch.Generator().manual_seed(seed)
    drawn = 0.3 + 1.5 * torch.rand(len(LEAVES), generator=generator, dtype=torch.float64)
    leaves = [value.clone().requires_grad_() for value in drawn]
    space: dict[str, Any] = {"torch": torch, **FUNCTIONS, **dict(zip(LEAVES, leaves, strict=True))}
    exec(variant, space)
    function = next(
        value for name, value in space.items() if name == variant.split("(")[0].split()[1]
    )
    with _Ops() as noted:
        y = function()
    ops = list(noted.ops)
    adjoints = torch.autograd.grad(y, [out for out, _ in ops], retain_graph=True, allow_unused=True)
    found = [1.0, *(float(leaf.detach()) for leaf in leaves)]
    slopes: dict[int, list[float]] = {}
    for (out, operands), adjoint in zip(ops, adjoints, strict=True):
        g = 0.0 if adjoint is None else float(adjoint)
        found += [float(out.detach()), g]
        partials = torch.autograd.grad(out, operands, retain_graph=True, allow_unused=True)
        for operand, partial in zip(operands, partials, strict=True):
            slope = 0.0 if partial is None else float(partial)
            found.append(slope)
            slopes.setdefault(id(operand), []).append(g * slope)
    for parts in slopes.values():
        found += [sum(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)]
    gradients = torch.autograd.grad(y, leaves[:2], allow_unused=True)
    right = (float(y.detach()), *(0.0 if g is None else float(g) for g in gradients))
    return Point(tuple(map(float, drawn)), right, torch.tensor(found, dtype=torch.float64))


# -- the program -----------------------------------------------------------------------------------


def _mended(text: str, line: int, points: Sequence[Point]) -> Iterator[int]:
    """For each slip of a line whose undoing makes all right, how many odd values are left."""
    tree = ast.parse(text)
    function = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
                    and node.name.endswith("_forward_backward"))  # fmt: skip
    space: dict[str, Any] = {"__name__": "submission"}
    exec(compile(text, "<submission>", "exec"), space)
    module = ast.Module([function], [])
    for statement in _statements(function):
        if not statement.lineno <= line <= (statement.end_lineno or line):
            continue
        known = _names(function, statement)
        for parent, field, place in _places(statement):
            for new in _slips(place, known):
                _put(parent, field, place, ast.fix_missing_locations(ast.copy_location(new, place)))
                try:
                    found = _odd(module, function.name, space, points)
                finally:
                    _put(parent, field, new, place)
                if found is not None:
                    yield found


def _statements(function: ast.FunctionDef) -> list[ast.stmt]:
    """Those that hold no others."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and not hasattr(node, "body")
    ]


def _names(function: ast.FunctionDef, statement: ast.stmt) -> list[str]:
    """What an edit may read: what has a name before the statement."""
    before = [s for s in _statements(function) if s.lineno < statement.lineno]
    stored = [n.id for s in before for n in ast.walk(s)
              if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]  # fmt: skip
    return [*dict.fromkeys([*(a.arg for a in function.args.args[1:]), *stored])]


def _places(statement: ast.stmt) -> Iterator[tuple[ast.AST, str, ast.expr]]:
    for parent in list(ast.walk(statement)):
        for field, value in ast.iter_fields(parent):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.BinOp | ast.UnaryOp | ast.Call | ast.Constant) or (
                    isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and field != "func"
                    and not (isinstance(parent, ast.Attribute))
                ):  # fmt: skip
                    yield parent, field, part


def _put(parent: ast.AST, field: str, old: ast.expr, new: ast.expr) -> None:
    value = getattr(parent, field)
    if isinstance(value, list):
        value[:] = [new if part is old else part for part in value]
    else:
        setattr(parent, field, new)


def _slips(p: ast.expr, names: Sequence[str]) -> Iterator[ast.expr]:
    """What may have been meant."""
    old = copy.copy(p)
    if isinstance(p, ast.UnaryOp):
        yield p.operand
    yield ast.UnaryOp(ast.USub(), old)
    if isinstance(p, ast.Constant) and isinstance(p.value, int | float):
        for number in (p.value + 1, p.value - 1, 2 * p.value):
            yield ast.Constant(number)
    if isinstance(p, ast.BinOp):
        yield from (p.left, p.right)
        for operator in OPERATORS:
            yield ast.BinOp(p.left, operator(), p.right)
            yield ast.BinOp(p.right, operator(), p.left)
    for name in names:
        other = ast.Name(name, ast.Load())
        if isinstance(p, ast.Name):
            yield other
        for operator in OPERATORS:
            yield ast.BinOp(old, operator(), other)


def _odd(
    module: ast.Module, method: str, space: dict[str, Any], points: Sequence[Point]
) -> int | None:
    """How many values of a pass are no quantity; None if the pass is not right."""
    network = next(value for value in reversed([*space.values()])
                   if isinstance(value, type) and issubclass(value, torch.nn.Module))  # fmt: skip
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        exec(compile(module, "<tie>", "exec"), space)
        setattr(network, method, space.pop(method))
        if not all(_right(network(), method, point) for point in points):
            return None
        return _left_over(network(), method, points[0])
    except Exception:  # a slip may be undone by what does not run
        return None
    finally:
        torch.set_default_dtype(before)


def _right(model: torch.nn.Module, method: str, point: Point) -> bool:
    weights = list(model.double().parameters())
    with torch.no_grad():
        torch.cat([w.view(-1) for w in weights])  # raises where they are something else
        for w, value in zip(
            weights, torch.split(torch.tensor(point.leaves[:2]), weights[0].numel()), strict=True
        ):
            w.copy_(value.view_as(w))
        inputs = [torch.tensor(x) for x in point.leaves[2:]]
        pass_of = getattr(model, method)
        result = (
            pass_of(*inputs)
            if len(signature(pass_of).parameters) > 1
            else pass_of(torch.stack(inputs))
        )
    y, *returned = result if isinstance(result, tuple) else (result,)
    held = [w.grad for w in weights]
    if any(g is None for g in held):
        held = (
            list(returned[0])
            if len(returned) == 1 and isinstance(returned[0], tuple | list)
            else returned
        )
    got = torch.cat([torch.as_tensor(t).reshape(-1) for t in (y, *held)])
    return bool(torch.isclose(got, torch.tensor(point.right), rtol=NEAR, atol=0).all())


def _left_over(model: torch.nn.Module, method: str, point: Point) -> int:
    values: set[tuple[str, float]] = set()

    def note(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != "<tie>" or frame.f_code.co_name != method:
            return None
        for name, value in frame.f_locals.items():
            for key, part in value.items() if isinstance(value, dict) else [("", value)]:
                if isinstance(part, torch.Tensor) and part.numel() == 1:
                    values.add((f"{name}{key}", float(part)))
        return note

    sys.settrace(note)
    try:
        _right(model, method, point)
    finally:
        sys.settrace(None)
    return sum(not bool(torch.isclose(point.quantities, torch.tensor(value), rtol=NEAR, atol=0).any())
               for _, value in values)  # fmt: skip

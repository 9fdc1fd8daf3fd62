"""A task's text as a graph: its function is read, and each op in it becomes a node."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import torch

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.dimensions import is_simple
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, TypedTask
from pytest_backprop.messages import say

from .graph import SIZES, TensorGraph

GRAD_OUTPUT: Final = "grad_output"
_BINARY: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.Gt: "gt", ast.GtE: "ge", ast.Lt: "lt", ast.LtE: "le", ast.Eq: "eq", ast.BitAnd: "both",
}  # fmt: skip
_UNARY: Final = frozenset(
    {"exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "abs", "relu", "neg"}
)
_PAIRS: Final[Mapping[str, str]] = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "pow": "pow", "matmul": "matmul", "mm": "matmul",
    "mv": "matmul", "multiply": "mul", "subtract": "sub", "gt": "gt", "ge": "ge", "lt": "lt", "le": "le",
    "dot": "matmul",
}  # fmt: skip
_MODULES: Final = frozenset({"torch", "F", "nn.functional", "math"})


def definition(task: TypedTask) -> ast.FunctionDef:
    """The function as its file has it, taken apart anew."""
    functions = [n for n in ast.parse(task.source).body if isinstance(n, ast.FunctionDef)]
    return next(function for function in functions if function.name == task.name)


def check_parameters(task: TypedTask) -> None:
    """Raises UsageProblem for a task with plain values to try, or with dimensions that are no names or numbers."""
    for leaf in task.leaves:
        if leaf.literals or not all(map(is_simple, leaf.dims)):
            raise refusal(task, f"{leaf.name}: {' '.join(map(str, leaf.dims)) or leaf.dtype}")


def refusal(task: TypedTask, text: str) -> UsageProblem:
    """What is told of a part of a task's text that is not known here."""
    return UsageProblem(
        say(
            "no answer key can be made of {name}: `{text}` is not known here",
            name=task.name,
            text=text[:80],
        ),
        say("write the task with other operations, or write the key by hand"),
    )


class Read(NamedTuple):
    """A task as a graph. `names` are those that its text gives to nodes; `dims` says of each dimension with a
    name which parameter has it, and where."""

    graph: TensorGraph
    result: int
    leaves: dict[str, int]
    asked: tuple[str, ...]
    arguments: tuple[str, ...]
    names: dict[int, str]
    dims: dict[str, str]


def read(variant: MatrixVariant) -> Read:
    """The graph of a task. Raises UsageProblem where its text has something that is not known here."""
    return _Reading(variant.task).read()


class _Reading:
    def __init__(self, task: TypedTask) -> None:
        self._task = task
        check_parameters(task)
        named = sorted({dim for leaf in task.leaves for dim in leaf.dims if isinstance(dim, str)})
        if len(named) > len(SIZES):
            raise self._refusal(", ".join(named))
        sizes = dict(zip(named, SIZES, strict=False))
        numbers = {leaf.name: 0.3 for leaf in task.leaves if leaf.plain}
        self._graph = TensorGraph({**sizes, **numbers})
        self._dims: dict[str, str] = {}
        self._known: dict[str, int] = {}
        generator = torch.Generator().manual_seed(5)
        for leaf in task.leaves:
            if leaf.plain:
                self._known[leaf.name] = self._graph.number(f"${leaf.name}")
                continue
            shape = [sizes[dim] if isinstance(dim, str) else dim for dim in leaf.dims]
            for at, dim in enumerate(leaf.dims):
                if isinstance(dim, str):
                    self._dims.setdefault(dim, f"{leaf.name}.shape[{at}]")
            tried = (
                torch.zeros(shape, dtype=torch.long)
                if leaf.integer
                else torch.rand(shape, generator=generator)
            )
            self._known[leaf.name] = self._graph.leaf(leaf.name, tried)
        self._names: dict[int, str] = {}

    def read(self) -> Read:
        leaves = {leaf.name: self._known[leaf.name] for leaf in self._task.leaves if not leaf.plain}
        return Read(
            self._graph,
            self._body(),
            leaves,
            tuple(leaf.name for leaf in self._task.leaves if leaf.kind == "weight"),
            tuple(leaf.name for leaf in self._task.leaves),
            self._names,
            self._dims,
        )

    def _body(self) -> int:
        for statement in definition(self._task).body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue  # a docstring
            if isinstance(statement, ast.Return) and statement.value is not None:
                return self._tensor(statement.value)
            if not isinstance(statement, ast.Assign | ast.AugAssign):
                raise self._refusal(statement)
            target = (
                statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
            )
            if not isinstance(target, ast.Name):
                raise self._refusal(statement)
            value = statement.value
            if isinstance(statement, ast.AugAssign):
                value = ast.BinOp(ast.Name(target.id, ast.Load()), statement.op, value)
            node = self._node(value)
            self._known[target.id] = node
            if self._graph.nodes[node].operands:
                self._names.setdefault(node, target.id)
        raise self._refusal(definition(self._task))

    def _refusal(self, what: ast.AST | str) -> UsageProblem:
        return refusal(self._task, what if isinstance(what, str) else ast.unparse(what))

    # -- expressions -----------------------------------------------------------------------

    def _tensor(self, node: ast.expr) -> int:
        made = self._node(node)
        if self._graph.is_number(made):
            raise self._refusal(node)
        return made

    def _node(self, node: ast.expr) -> int:
        number = self._number(node)
        if number is not None:
            return self._graph.number(number)
        if isinstance(node, ast.Name) and node.id in self._known:
            return self._known[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return self._add(_BINARY[type(node.op)], [node.left, node.right], node)
        if (
            isinstance(node, ast.Compare)
            and len(node.ops) == 1
            and type(node.ops[0]) in _BINARY
        ):  # fmt: skip
            return self._add(_BINARY[type(node.ops[0])], [node.left, node.comparators[0]], node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Invert):
            kind = "neg" if isinstance(node.op, ast.USub) else "not"
            return self._add(kind, [node.operand], node)
        if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            return self._add("T", [node.value], node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.Call):
            return self._call(node)
        raise self._refusal(node)

    def _number(self, node: ast.expr) -> str | None:
        """A number as text, with `$` before the names of dimensions and plain numbers; None for others."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return repr(node.value)
        if isinstance(node, ast.Name):
            known = self._known.get(node.id)
            return (
                self._graph.nodes[known].parameters[0]
                if known is not None and self._graph.nodes[known].kind == "number"
                else None
            )
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._number(node.operand)
            return None if inner is None else f"-{inner}"
        if isinstance(node, ast.BinOp):
            left, right = self._number(node.left), self._number(node.right)
            signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
            if left is None or right is None or type(node.op) not in signs:
                return None
            return f"({left} {signs[type(node.op)]} {right})"
        size = self._size(node)
        if size is not None:
            return size
        if ast.unparse(node).startswith("math.") and isinstance(node, ast.Attribute):
            return ast.unparse(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("math."):
            inside = [self._number(argument) for argument in node.args]
            return (
                None
                if None in inside
                else f"{ast.unparse(node.func)}({', '.join(map(str, inside))})"
            )
        return None

    def _size(self, node: ast.expr) -> str | None:
        """`x.shape[0]` and `x.size(0)` as a dimension."""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute):
            owner, name, at = node.value.value, node.value.attr, node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            owner, name, at = node.func.value, node.func.attr, node.args[0]
        else:
            return None
        if name not in ("shape", "size") or not isinstance(place := _literal(at), int):
            return None
        return self._graph.size_text(self._graph.shape(self._tensor(owner))[place])

    def _add(self, kind: str, operands: Sequence[ast.expr], node: ast.AST, *parameters: str) -> int:
        return self._put(kind, [self._node(operand) for operand in operands], node, *parameters)

    def _put(self, kind: str, operands: Sequence[int], node: ast.AST, *parameters: str) -> int:
        try:
            return self._graph.add(kind, *operands, parameters=parameters)
        except (RuntimeError, TypeError, ValueError, IndexError, NameError):
            raise self._refusal(node) from None

    def _subscript(self, node: ast.Subscript) -> int:
        table = self._tensor(node.value)
        if isinstance(node.slice, ast.Name) and node.slice.id in self._known:
            return self._put("index", [table, self._known[node.slice.id]], node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for at, part in enumerate(parts):
            if isinstance(part, ast.Constant) and part.value is None:
                table = self._put("unsqueeze", [table], node, str(at))
            elif not isinstance(part, ast.Slice) or ast.unparse(part) != ":":
                raise self._refusal(node)
        return table

    def _call(self, node: ast.Call) -> int:
        assert isinstance(node.func, ast.Attribute | ast.Name)
        if not isinstance(node.func, ast.Attribute):
            raise self._refusal(node)
        name, given = node.func.attr, list(node.args)
        if ast.unparse(node.func.value) not in _MODULES:
            given.insert(0, node.func.value)
        named = {str(keyword.arg): keyword.value for keyword in node.keywords}
        alone = len(given) == 1 and not named
        if name in _UNARY and alone:
            return self._add(name, given, node)
        if name == "square" and alone:
            return self._put("mul", [self._tensor(given[0])] * 2, node)
        if name == "reciprocal" and alone:
            return self._put("div", [self._graph.number("1"), self._tensor(given[0])], node)
        if name == "silu" and alone:
            x = self._tensor(given[0])
            return self._put("mul", [x, self._put("sigmoid", [x], node)], node)
        if name in _PAIRS and len(given) == 2 and not named:
            return self._add(_PAIRS[name], given, node)
        if name in ("where", "linear", "layer_norm", "leaky_relu", "clamp", "sum", "mean", "softmax",
                    "log_softmax", "t", "transpose", "unsqueeze", "index_add", "index_select",
                    "clamp_min", "clamp_max", "reshape", "view"):  # fmt: skip
            made: int = getattr(self, f"_{name}")(node, given, named)
            return made
        raise self._refusal(node)

    def _where(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        if len(given) != 3:
            raise self._refusal(node)
        if node.args != given:  # x.where(condition, other)
            given = [given[1], given[0], given[2]]
        return self._add("where", given, node)

    def _linear(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        x, weight = map(self._tensor, given[:2])
        made = self._put("matmul", [x, self._put("T", [weight], node)], node)
        bias = given[2] if len(given) > 2 else named.get("bias")
        return made if bias is None else self._put("add", [made, self._node(bias)], node)

    def _layer_norm(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        """Of the last dimension, in plain steps."""
        x = self._tensor(given[0])
        names = ("input", "normalized_shape", "weight", "bias", "eps")
        parts = {**dict(zip(names, given, strict=False)), **named}
        shape = ast.unparse(parts["normalized_shape"])
        if not shape.replace("(", "").startswith(f"{ast.unparse(given[0])}.shape[-1"):
            raise self._refusal(node)
        eps = _literal(parts["eps"]) if "eps" in parts else 1e-5
        mean = self._put("mean", [x], node, "-1", "keepdim=True")
        centred = self._put("sub", [x, mean], node)
        squares = self._put("mul", [centred, centred], node)
        variance = self._put("mean", [squares], node, "-1", "keepdim=True")
        deviation = self._put("add", [variance, self._graph.number(repr(eps))], node)
        made = self._put("div", [centred, self._put("sqrt", [deviation], node)], node)
        for name, kind in (("weight", "mul"), ("bias", "add")):
            if name in parts and _literal(parts[name]) is not None:
                raise self._refusal(node)
            if name in parts and not _is_none(parts[name]):
                made = self._put(kind, [made, self._tensor(parts[name])], node)
        return made

    def _leaky_relu(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        slope = given[1] if len(given) > 1 else named.get("negative_slope", ast.Constant(0.01))
        return self._add("leaky_relu", [given[0], slope], node)

    def _clamp(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        bounds = {**dict(zip(("min", "max"), given[1:], strict=False)), **named}
        texts = {side: self._number(bound) for side, bound in bounds.items() if not _is_none(bound)}
        if None in texts.values() or not texts or set(texts) - {"min", "max"}:
            raise self._refusal(node)
        ordered = tuple(f"{side}={texts[side]}" for side in ("min", "max") if side in texts)
        return self._put("clamp", [self._tensor(given[0])], node, *ordered)

    def _clamp_min(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._clamp(node, given[:1], {"min": given[1]})

    def _clamp_max(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._clamp(node, given[:1], {"max": given[1]})

    def _sum(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._reduced("sum", node, given, named)

    def _mean(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._reduced("mean", node, given, named)

    def _reduced(
        self, kind: str, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]
    ) -> int:
        x = self._tensor(given[0])
        parts = {**dict(zip(("dim", "keepdim"), given[1:], strict=False)), **named}
        if set(parts) - {"dim", "keepdim"}:
            raise self._refusal(node)
        if "dim" not in parts:
            return self._put(kind, [x], node)
        dim = _literal(parts["dim"])
        if dim is None:
            raise self._refusal(node)
        keep = "keepdim" in parts and _literal(parts["keepdim"])
        return self._put(kind, [x], node, str(dim), *(["keepdim=True"] if keep else []))

    def _softmax(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._along("softmax", node, given, named)

    def _log_softmax(
        self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]
    ) -> int:
        return self._along("log_softmax", node, given, named)

    def _along(
        self, kind: str, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]
    ) -> int:
        dim = _literal([*given[1:], *named.values()][0]) if len(given) + len(named) == 2 else None
        if dim is None:
            raise self._refusal(node)
        return self._put(kind, [self._tensor(given[0])], node, str(dim))

    def _t(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._add("T", given[:1], node)

    def _transpose(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        return self._add("transpose", given[:1], node, *(ast.unparse(dim) for dim in given[1:]))

    def _unsqueeze(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        dim = [*given[1:], *named.values()][0]
        return self._add("unsqueeze", given[:1], node, ast.unparse(dim))

    def _reshape(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        sizes = given[1].elts if isinstance(given[1], ast.Tuple | ast.List) else given[1:]
        texts = [self._number(size) for size in sizes]
        if None in texts:
            raise self._refusal(node)
        return self._add("reshape", given[:1], node, *map(str, texts))

    _view = _reshape

    def _index_select(
        self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]
    ) -> int:
        if len(given) != 3 or _literal(given[1]) != 0:
            raise self._refusal(node)
        return self._add("index", [given[0], given[2]], node)

    def _index_add(self, node: ast.Call, given: list[ast.expr], named: dict[str, ast.expr]) -> int:
        if len(given) != 4 or _literal(given[1]) != 0:
            raise self._refusal(node)
        return self._add("index_add", [given[0], given[2], given[3]], node, "0")


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None

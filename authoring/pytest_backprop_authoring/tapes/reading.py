"""What a task needs of Variables: the operators of its expression, and those of their gradients."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final, NamedTuple

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.typed_task import MatrixVariant
from pytest_backprop.messages import say

from ..functions.reading import definition, read
from .operators import OPERATORS, SIMPLE, SUM_TO, TURNED, TapeOperator

METHODS: Final = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.MatMult: "matmul",
    ast.Pow: "pow",
    ast.USub: "neg",
}
"""How a class defines the operators that an expression may have."""
_MODULES: Final = ("torch", "F", "nn.functional", "torch.nn.functional")
_SIGNS: Final = {
    "add": ast.Add, "sub": ast.Sub, "mul": ast.Mult, "div": ast.Div, "matmul": ast.MatMult, "mm": ast.MatMult,
    "mv": ast.MatMult, "dot": ast.MatMult, "pow": ast.Pow,
}  # fmt: skip
"""Functions of torch that Variables have as signs."""


class TapeProgram(NamedTuple):
    """`function` is the task's with methods in the place of torch's functions; `operators` are by their methods, in
    order, `with_number` those that are called with a plain number, too. `vectors`: whether `@` has some;
    `transposed`: whether the task asks for `.T`; `broadcast`: whether operands may have fewer numbers than the
    result, which has `rank` dimensions."""

    function: ast.FunctionDef
    operators: dict[str, TapeOperator]
    with_number: frozenset[str]
    turned: tuple[str, ...]
    vectors: bool
    transposed: bool
    broadcast: bool
    rank: int


class _Methods(ast.NodeTransformer):
    """Writes `x.exp()` for `torch.exp(x)`, `a @ b` for `torch.matmul(a, b)`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute):
            name, first, rest = node.func.attr, node.func.value, node.args
            if ast.unparse(first) in _MODULES and rest:
                first, rest = rest[0], rest[1:]
            if name in _SIGNS and len(rest) == 1:
                return ast.BinOp(first, _SIGNS[name](), rest[0])
            if ast.unparse(first) != "math":
                return ast.Call(ast.Attribute(first, name, ast.Load()), rest, node.keywords)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return (
            ast.Call(ast.Attribute(node.value, "t", ast.Load()), [], [])
            if node.attr == "T"
            else node
        )


def program_of(variant: MatrixVariant) -> TapeProgram:
    """What has to be written for a task. Raises UsageProblem where an operator is not known here."""
    graph_of_task = read(variant)
    graph = graph_of_task.graph
    shapes = [
        [graph.shape(o) for o in node.operands if not graph.is_number(o)]
        for node in graph.nodes
        if node.kind in ("add", "sub", "mul", "div")
    ]
    matrices = [node for node in graph.nodes if node.kind == "matmul"]
    function = definition(variant.task)
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    function.returns = None
    function = ast.fix_missing_locations(_Methods().visit(function))
    broadcast = any(len(set(each)) > 1 for each in shapes)
    along = any(n.kind in ("sum", "mean") and n.parameters for n in graph.nodes)
    vectors = any(len(graph.shape(o)) == 1 for node in matrices for o in node.operands)
    known = OPERATORS if broadcast or along else {**OPERATORS, **SIMPLE}
    text = ast.unparse(function)
    numbers = {leaf.name for leaf in variant.task.leaves if leaf.plain}
    called = [
        *methods_of(text, numbers),
        *_with_number(function, numbers),
        "__mul__",
        "__add__",
        "sum",
    ]
    called += [SUM_TO] if broadcast else []
    called += ["reshape"] if vectors else []
    found: set[str] = set()
    while called:
        name = called.pop()
        plain = TURNED.get(name, name).removeprefix("#")
        if name in found:
            continue
        if plain not in known:
            raise UsageProblem(
                say(
                    "{path}: there is no operator {name} of Variables here",
                    path=variant.path,
                    name=name,
                ),
                say("write the task with other operations, or write the key by hand"),
            )
        found |= {name, plain}
        called += known[plain].uses
    return TapeProgram(
        function,
        {name: known[name] for name in OPERATORS if name in found},
        frozenset(name.removeprefix("#") for name in found if name.startswith("#")),
        tuple(name for name in TURNED if name in found),
        vectors,
        ".T" in variant.task.source,
        broadcast,
        len(graph.shape(graph_of_task.result)),
    )


def _with_number(function: ast.FunctionDef, numbers: set[str]) -> list[str]:
    """The methods that an expression calls with a plain number."""
    found = []
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.Add | ast.Sub | ast.Mult | ast.Div
        ):
            left, right = (is_number(side, numbers) for side in (node.left, node.right))
            # a number on the left of a sign that turns round is on its right there
            if left != right and (right or isinstance(node.op, ast.Add | ast.Mult)):
                found.append(f"#__{METHODS[type(node.op)]}__")
    return found


def methods_of(expression: str, numbers: Collection[str] = ()) -> dict[str, str]:
    """Their names, each with the first place that calls it, as it is written. `numbers` are the
    names that are plain numbers there."""
    methods: dict[str, str] = {}
    for node in ast.walk(ast.parse(expression)):
        name = ""
        if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in METHODS:
            operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
            plain = [is_number(operand, numbers) for operand in operands]
            turned = "r" if plain[0] else ""
            name = "" if all(plain) else f"__{turned}{METHODS[type(node.op)]}__"
        elif isinstance(node, ast.Subscript):
            name = "__getitem__"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = "" if is_number(node.func, numbers) else node.func.attr
        if name:
            methods.setdefault(name, ast.unparse(node))
    return methods


def is_number(node: ast.expr, numbers: Collection[str]) -> bool:
    """Whether a part of an expression is a plain number: of such names and `math` alone."""
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return names <= {"math", *numbers}

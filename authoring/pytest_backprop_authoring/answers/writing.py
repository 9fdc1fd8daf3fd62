"""An answer key as Python: the module, its `forward`, and the manual pass with its releases."""

from __future__ import annotations

import ast
import textwrap

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.messages import say

from .derivation import Derived, Line, derive, last_uses

START = (0.95, 0.288)
"""The assignment's own weights, for the first two."""
_IN_TORCH = {
    "max": "maximum", "min": "minimum", "maximum": "maximum", "minimum": "minimum", "pow": "pow",
}  # fmt: skip
_MODULES = ("torch", "math", "np", "numpy", "F", "nn", "functional")


IMPORTS = "import torch\nfrom torch import nn"


def class_text(variant: Variant, explain: bool = False) -> str:
    """The class alone."""
    derived = derive(variant)
    return "\n".join(
        [
            *class_head(variant),
            *(f"        {line}" for line in forward_body(variant)),
            "",
            f"    def my_forward_backward(self, {', '.join(variant.inputs)}):",
            *weight_lines(variant),
            "",
            *pass_lines(derived, explain),
            "        return y",
        ]
    )


def class_head(variant: Variant) -> list[str]:
    """The class up to the first line of `forward` that is the student's."""
    start = ", ".join(str(number) for number in starting_weights(len(variant.weights)))
    return [
        "class Graph(nn.Module):",
        "    def __init__(self):",
        "        super().__init__()",
        f"        self.w = nn.Parameter(torch.tensor([{start}]))",
        "",
        f"    def forward(self, {', '.join(variant.inputs)}):",
        *weight_lines(variant),
    ]


def starting_weights(count: int) -> list[float]:
    """Values for as many weights."""
    more = (round(0.4 + 0.07 * number, 2) for number in range(count))
    return [*START, *more][:count]


def weight_lines(variant: Variant) -> list[str]:
    """`w0 = self.w[0]` and so on."""
    return [f"        {weight} = self.w[{i}]" for i, weight in enumerate(variant.weights)]


def pass_lines(derived: Derived, explain: bool) -> list[str]:
    """The statements of the pass, each with what is let go of after it."""
    ends = iter(last_uses(derived.statements))
    parts = ((say("forward pass"), derived.forward), (say("backward pass"), derived.backward))
    lines: list[str] = []
    for title, part in parts:
        lines += [*([""] if lines else []), f"# {title}"]
        for line in part:
            lines += _told(line, explain) if line.text is None else [_stated(line)]
            released = next(ends) if line.text is not None else ()
            if released:
                lines.append(" = ".join([*released, "None"]))
    return [f"        {line}" if line else "" for line in lines]


def _told(line: Line, explain: bool) -> list[str]:
    return [f"# {line.remark}"] if explain or not line.lesson else []


def _stated(line: Line) -> str:
    remark = f"  # {line.remark}" if line.remark else ""
    return f"{line.target} = {line.text}{remark}"


def forward_body(variant: Variant) -> list[str]:
    """The variant's own statements; functions in torch's spelling, and nothing changed in place."""
    function = ast.parse(variant.source).body[0]
    assert isinstance(function, ast.FunctionDef)
    body = function.body
    if isinstance(body[0], ast.Expr):  # a docstring
        body = body[1:]
    if any(isinstance(node, ast.Call | ast.AugAssign) for node in ast.walk(function)):
        spelling = _InTorch(function)
        return [line for s in body for line in ast.unparse(spelling.visit(s)).split("\n")]
    lines = variant.source.split("\n")[body[0].lineno - 1 :]
    if body[0].lineno == function.lineno:  # all on one line
        return [ast.unparse(statement) for statement in body]
    return textwrap.dedent("\n".join(lines)).rstrip().split("\n")


class _InTorch(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef) -> None:
        self._numbers = {
            target.id
            for statement in function.body
            if isinstance(statement, ast.Assign) and _number(statement.value) is not None
            for target in statement.targets
            if isinstance(target, ast.Name)
        }

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        arguments = list(node.args)
        if isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if not _is_module(node.func.value):
                arguments.insert(0, node.func.value)
        else:
            assert isinstance(node.func, ast.Name)
            name = node.func.id
        torch = ast.Attribute(ast.Name("torch", ast.Load()), _IN_TORCH.get(name, name), ast.Load())
        if name != "pow":  # torch's other functions take no numbers
            arguments = [self._tensor(argument) for argument in arguments]
        made = ast.Call(torch, arguments, [])
        return ast.copy_location(made, node)

    def _tensor(self, node: ast.expr) -> ast.expr:
        number = _number(node)
        text = None if number is None else repr(number)
        if isinstance(node, ast.Name) and node.id in self._numbers:
            text = f"float({node.id})"
        return node if text is None else ast.parse(f"torch.tensor({text})", mode="eval").body

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.Assign:
        self.generic_visit(node)
        assert isinstance(node.target, ast.Name)
        # `a += b` would change what other names hold too
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)


def _number(node: ast.expr) -> float | None:
    try:
        return float(ast.literal_eval(node))
    except (ValueError, TypeError):
        return None


def _is_module(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in _MODULES

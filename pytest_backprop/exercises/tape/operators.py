"""Which methods of Variables an expression calls. No torch."""

from __future__ import annotations

import ast
from collections.abc import Collection

METHODS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.MatMult: "matmul",
    ast.Pow: "pow",
    ast.USub: "neg",
}


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

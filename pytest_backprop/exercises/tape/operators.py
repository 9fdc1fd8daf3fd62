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
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(expression)):
        if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in METHODS:
            last = node.right if isinstance(node, ast.BinOp) else node.operand
            turned = isinstance(node, ast.BinOp) and is_number(node.left, numbers)
            if not (is_number(last, numbers) and (turned or isinstance(node, ast.UnaryOp))):
                name = f"__{'r' if turned else ''}{METHODS[type(node.op)]}__"
                found.setdefault(name, ast.unparse(node))
        elif isinstance(node, ast.Subscript):
            found.setdefault("__getitem__", ast.unparse(node))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func.value) != "math"
        ):
            found.setdefault(node.func.attr, ast.unparse(node))
    return found


def is_number(node: ast.expr, numbers: Collection[str]) -> bool:
    """Whether a part of an expression is a plain number."""
    if isinstance(node, ast.BinOp):
        return is_number(node.left, numbers) and is_number(node.right, numbers)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand, numbers)
    text = ast.unparse(node)
    return isinstance(node, ast.Constant) or text in numbers or text.startswith("math.")

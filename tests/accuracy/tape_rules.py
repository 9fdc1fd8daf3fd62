"""Operators of a tape: what each calculates of tensors, and the ways to write what flows back.

In the texts {a} and {b} are the operands, {r} the result, {g} its adjoint, {k} a plain number, {shape} and
{count} the shape of the first operand and how many numbers it has. What flows back is written with methods that
tensors and Variables both have.
"""

from __future__ import annotations

import ast
from typing import NamedTuple


class Rule(NamedTuple):
    """`method` is its name in the class; `ways` are gradients, one for each operand."""

    method: str
    forward: str
    ways: tuple[tuple[str, ...], ...]
    number: bool = False

    @property
    def operands(self) -> int:
        """How many Variables it takes."""
        return len(self.ways[0])


RULES = {
    "mul": Rule("__mul__", "{a} * {b}", (("{g} * {b}", "{g} * {a}"), ("{b} * {g}", "{a} * {g}"))),
    "add": Rule("__add__", "{a} + {b}", (("{g}", "{g}"),)),
    "sub": Rule("__sub__", "{a} - {b}", (("{g}", "-{g}"), ("{g}", "{g} * -1.0"))),
    "neg": Rule("__neg__", "-{a}", (("-{g}",),)),
    "div": Rule("__truediv__", "{a} / {b}", (
        ("{g} / {b}", "-({g} * {r} / {b})"), ("{g} / {b}", "-({g} * {a} / ({b} * {b}))"),
        ("{g} / {b}", "{g} * -{a} / {b} ** 2"),
    )),
    "exp": Rule("exp", "{a}.exp()", (("{g} * {r}",), ("{g} * {a}.exp()",))),
    "log": Rule("log", "{a}.log()", (("{g} / {a}",),)),
    "sqrt": Rule("sqrt", "{a}.sqrt()", (("{g} / ({r} * 2)",), ("{g} * 0.5 / {r}",))),
    "tanh": Rule("tanh", "{a}.tanh()", (
        ("{g} - {g} * {r} * {r}",), ("{g} * (1 - {r} * {r})",), ("{g} * (1 - {r} ** 2)",),
    )),
    "sigmoid": Rule("sigmoid", "{a}.sigmoid()", (("{g} * {r} * (1 - {r})",), ("{g} * ({r} - {r} * {r})",))),
    "sin": Rule("sin", "{a}.sin()", (("{g} * {a}.cos()",),)),
    "cos": Rule("cos", "{a}.cos()", (("-({g} * {a}.sin())",), ("-{g} * {a}.sin()",))),
    "relu": Rule("relu", "{a}.relu()", (("{g} * {positive}",),)),
    "square": Rule("square", "{a}.square()", (("{g} * {a} * 2",), ("{g} * ({a} + {a})",))),
    "sum": Rule("sum", "{a}.sum()", (("{g}.expand({shape})",),)),
    "mean": Rule("mean", "{a}.mean()", (
        ("({g} * (1 / {count})).expand({shape})",), ("{g}.expand({shape}) * (1 / {count})",),
    )),
    "t": Rule("t", "{a}.t()", (("{g}.t()",),)),
    "outer": Rule("outer", "{a}.outer({b})", (("{g} @ {b}", "{g}.t() @ {a}"),)),
    "matvec": Rule("__matmul__", "{a} @ {b}", (("{g}.outer({b})", "{a}.t() @ {g}"),)),
    "matmul": Rule("__matmul__", "{a} @ {b}", (("{g} @ {b}.t()", "{a}.t() @ {g}"),)),
    "scale": Rule("scale", "{a} * {k}", (("{g} * {k}",),), True),
    "shift": Rule("shift", "{a} + {k}", (("{g}",),), True),
    "minus_from": Rule("__rsub__", "{k} - {a}", (("-{g}",),), True),
    "pow": Rule("__pow__", "{a} ** {k}", (("{g} * ({a} ** ({k} - 1) * {k})",), ("{g} * {k} * {a} ** ({k} - 1)",)),
                True),
    "expand": Rule("expand", "{a}.expand({k})", (("{g}.sum()",),), True),
}  # fmt: skip
NUMBERS = ("k", "count")
"""Names in the texts that are plain numbers."""
BINARY = {ast.Mult: "mul", ast.Add: "add", ast.Sub: "sub", ast.Div: "div"}
OF_NUMBERS = {ast.Mult: "scale", ast.Add: "shift", ast.Sub: "shift", ast.Div: "scale"}


def rules_of(text: str, matrix: str) -> set[str]:
    """The rules that an expression of Variables needs; `matrix` is the rule of its products."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.BinOp):
            left, right = _is_number(node.left), _is_number(node.right)
            if left and right:
                continue
            if isinstance(node.op, ast.MatMult):
                found.add(matrix)
            elif isinstance(node.op, ast.Pow):
                found.add("pow")
            elif isinstance(node.op, ast.Sub) and left:
                found.add("minus_from")
            else:
                found.add((OF_NUMBERS if left or right else BINARY)[type(node.op)])
        elif isinstance(node, ast.UnaryOp) and not _is_number(node.operand):
            found.add("neg")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.add(node.func.attr)
    return found & RULES.keys()


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_number(node.left) and _is_number(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in NUMBERS)


def plain(text: str) -> str:
    """A text of the table as Python, for `rules_of`."""
    names = ("a", "b", "r", "g", "k", "shape", "count", "positive", "t", "gt")
    return text.format(**{name: name for name in names})

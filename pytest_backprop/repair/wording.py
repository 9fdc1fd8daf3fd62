"""Tells a repair in words, and the fix in the student's own names."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import NamedTuple

from ..messages import phrase, say, say_count
from ..model import Span
from .edits import Edit, Tree
from .scalars import Scalars
from .score import Repair
from .search import Repairs
from .text import Text

OPERATORS: dict[str, ast.operator] = {"add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(),
                                      "div": ast.Div()}  # fmt: skip
COMPARED: dict[str, ast.cmpop] = {"gt": ast.Gt(), "lt": ast.Lt(), "ge": ast.GtE(),
                                  "le": ast.LtE()}  # fmt: skip
MAX_TOLD = 4
MARGIN = 3
"""How much more than against the first may speak against another line that is told."""


OF_A_NAME = phrase("`{name}` goes wrong here: with another value, everything is right")
NAMED = {
    "sign": phrase("`{name}` has the wrong sign here"),
    "operator": phrase("`{name}` is made with a wrong operator here"),
    "order": phrase("`{name}` has its operands the wrong way round here"),
    "operand": phrase("`{name}` is made of a wrong value here"),
    "function": phrase("`{name}` is made by a wrong function or comparison here"),
    "exponent": phrase("`{name}` has a wrong exponent here"),
    "constant": phrase("`{name}` has a wrong factor here"),
    "factor": phrase("`{name}` has a wrong factor here"),
    "term": phrase("`{name}` lacks a term here"),
    "extra": phrase("`{name}` has a term or factor too many here"),
}
"""What is said of a value that has a name, by the kind of the edit."""
OF_NO_NAME = phrase("this goes wrong here: with another value, everything is right")
UNNAMED = {
    "sign": phrase("the sign is wrong here"),
    "operator": phrase("the operator is wrong here"),
    "order": phrase("the operands are the wrong way round here"),
    "function": phrase("the function or comparison is wrong here"),
    "exponent": phrase("the exponent is wrong here"),
    "constant": phrase("a factor is wrong here"),
    "factor": phrase("a factor is wrong here"),
    "term": phrase("a term is missing here"),
    "extra": phrase("there is a term or factor too many here"),
}


class FaultyLine(NamedTuple):
    """One line to look at. `fix` says what to write, None if that is not known. `sure`: `alone`,
    no other line does; `one of several`; `together` with the others; or `by role`, no edit was
    found, but this value is the one that is not what it should be."""

    kind: str
    site: Span | None
    name: str | None
    message: str
    fix: str | None
    sure: str
    hint: str | None = None


def tell(found: Repairs, scalars: Scalars, text: Text) -> list[FaultyLine]:
    """The lines to tell a student, the likeliest first."""
    if found.together:
        lines = [found.repairs[0], *found.together]
        told_together = [_line(repair, scalars, text, "together") for repair in lines]
        if len(lines) > 1:
            hint = say_count("{count} line has to change", "{count} lines have to change, this one among "
                             "them", len(lines))  # fmt: skip
            told_together[0] = told_together[0]._replace(hint=hint)
        return told_together
    told = found.repairs[:1]
    if not told:
        return []
    best = told[0].best.edit
    certain = best is not None and best.kind == "typed-in"
    others = [] if certain else [r for r in found.repairs[1:] if r.total <= told[0].total + MARGIN]
    sure = "alone" if not others else "one of several"
    if told[0].best.edit is None:
        sure = "by role"
    first = _line(told[0], scalars, text, sure)
    return [first, *(_other(r, scalars, text, first) for r in others[: MAX_TOLD - 1])]


def everything(found: Repairs, scalars: Scalars, text: Text) -> list[FaultyLine]:
    """All candidates, for the instructor."""
    sure = "together" if found.together else "possible"
    return [_line(repair, scalars, text, sure) for repair in (*found.repairs, *found.together)]


def _line(repair: Repair, scalars: Scalars, text: Text, sure: str) -> FaultyLine:
    best = repair.best
    node = scalars.nodes[best.node]
    name = node.bound or next(
        (b for c in repair.candidates if (b := scalars.nodes[c.node].bound)), None
    )
    kind = "role" if best.edit is None else best.edit.kind
    message = _message(kind, name, best.plays, best.negative)
    fix = None if best.edit is None else _fix(best.node, best.edit, scalars, text)
    return FaultyLine(kind, node.site, name, message, fix, sure)


def _other(repair: Repair, scalars: Scalars, text: Text, first: FaultyLine) -> FaultyLine:
    line = _line(repair, scalars, text, first.sure)
    if line.name is None:
        message = say("it could be this line instead: a change here makes everything right, too")
    else:
        message = say("it could be this line instead: a change of `{name}` makes everything right, "
                      "too", name=line.name)  # fmt: skip
    return line._replace(message=message)


def _message(kind: str, name: str | None, plays: str | None, negative: bool) -> str:
    if kind == "slot":
        return say("a gradient stands in the place of another one here")
    if kind == "typed-in":
        return say("a number is typed in here, where a weight or an input should be read")
    if name is None:
        return say(UNNAMED.get(kind, OF_NO_NAME))
    if kind == "role" and plays is not None:
        return say("`{name}` goes wrong here: it should be {role}; no single change was found that "
                   "makes everything right", name=name, role=plays)  # fmt: skip
    if plays is not None and negative:
        return say("`{name}` has the wrong sign here: it should be {role}, and is its negative",
                   name=name, role=plays)  # fmt: skip
    if plays is not None:
        return say("`{name}` goes wrong here: it should be {role}", name=name, role=plays)
    return say(NAMED.get(kind, OF_A_NAME), name=name)


def _fix(n: int, edit: Edit, scalars: Scalars, text: Text) -> str | None:
    """`write -t7 * t9 instead of t7 * t9`; None where a value has no name."""
    site = scalars.nodes[n].site
    node = text.at(site)
    if edit.kind == "slot":
        name = _name(edit.tree[1], n, scalars)
        return None if name is None else say("it should be `{name}`", name=ast.unparse(name))
    if edit.kind == "typed-in":
        leaf = scalars.nodes[edit.tree[1]].name
        return say("read `{leaf}` instead of typing a number in", leaf=leaf)
    if scalars.nodes[n].code == "copy" and isinstance(node, ast.stmt):
        given = scalars.expressions.get(n, (None,))[0]
        old = None if given is None else ast.unparse(given)
    elif isinstance(node, ast.AugAssign):
        old = None
    else:
        old = None if site is None else text.source(site)
        if old is None and isinstance(node, ast.expr):
            old = ast.unparse(node)
    new = _render(edit.tree, n, scalars, text)
    if new is None:
        return None
    written = ast.unparse(ast.fix_missing_locations(new))
    if old is None:
        return say("it should become `{new}`", new=written)
    return say("write `{new}` instead of `{old}`", new=written, old=old)


def _render(tree: Tree, n: int, scalars: Scalars, text: Text) -> ast.expr | None:
    code = tree[0]
    if code == "node":
        return _name(tree[1], n, scalars, text)
    if code == "number":
        return _number(tree[1])
    if code == "call":
        return _call(tree[1], [_render(part, n, scalars, text) for part in tree[2:]])
    left = _render(tree[1], n, scalars, text)
    if left is None:
        return None
    if code == "neg":
        return ast.UnaryOp(ast.USub(), left)
    if code == "pow":
        return ast.BinOp(left, ast.Pow(), ast.Constant(tree[2]))
    right = _render(tree[2], n, scalars, text)
    return None if right is None else ast.BinOp(left, OPERATORS[code], right)


def _call(name: str, given: list[ast.expr | None]) -> ast.expr | None:
    """`torch.exp(t4)`, `t4 > 0`; None where an argument has no name."""
    told = [part for part in given if part is not None]
    if len(told) < len(given):
        return None
    if name in COMPARED:
        return ast.Compare(told[0], [COMPARED[name]], told[1:])
    return ast.Call(ast.Attribute(ast.Name("torch"), name), told, [])


def _name(m: int, n: int, scalars: Scalars, text: Text | None = None) -> ast.expr | None:
    """The student's expression for node `m`, as seen from node `n`."""
    nodes = scalars.nodes
    if m == n and text is not None:
        written = text.at(nodes[n].site)
        if isinstance(written, ast.expr):
            return written
        given = scalars.expressions.get(n, (None,))
        return given[0] if nodes[n].code == "copy" else None
    if m in nodes[n].operands:
        given = scalars.expressions.get(n, ())
        index = nodes[n].operands.index(m)
        if index < len(given) and given[index] is not None:
            return given[index]
    node = nodes[m]
    if node.code == "leaf":
        return ast.Name(node.name)
    if node.code == "number" and node.number is not None:
        return ast.Constant(node.number)
    if node.bound is None:
        return None
    try:
        parsed = ast.parse(node.bound, mode="eval")
    except SyntaxError:
        return None
    assert isinstance(parsed, ast.Expression)
    return parsed.body


def _number(number: Fraction | int) -> ast.expr:
    value = Fraction(number)
    shown = int(value) if value.denominator == 1 else float(value)
    return ast.Constant(shown) if shown >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-shown))

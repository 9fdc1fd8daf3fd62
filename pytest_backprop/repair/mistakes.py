"""Says what a student did when an edit is what mends it: a lost factor, a missing path, a wrong operand."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..messages import say
from .edits import Edit, Tree
from .fixes import OPERATORS, Fixes


def mistake(n: int, edit: Edit, path: Sequence[str], fixes: Fixes) -> str | None:
    """The mistake at node `n` in its own words; None where there is nothing to say but what to write, as of a
    sign, which is told with the line. `path` has the names along which a term is missing."""
    node, tree = fixes.scalars.nodes[n], edit.tree
    if edit.kind == "exponent":
        right = tree[2] if tree[0] == "pow" else 1
        if right == 2:
            return say("a square belongs here, not the power {old}", old=node.number)
        return say("the exponent should be {new}, not {old}", new=right, old=node.number)
    if edit.kind == "factor":
        return _factor(n, tree, fixes)
    if edit.kind == "term":
        return _term(n, tree, path, fixes)
    if edit.kind == "order":
        if tree[0] == "div" and tree[1][0] == "number":
            return say("the fraction is upside down")
        return say("the operands are the wrong way round")
    if edit.kind == "operator" and tree[0] in OPERATORS and node.code in OPERATORS:
        return say("the operator should be `{new}`, not `{old}`", new=_symbol(tree[0]),
                   old=_symbol(node.code))  # fmt: skip
    if edit.kind == "function" and tree[0] == "call":
        if tree[1] == node.name:
            return say("the operands are the wrong way round")
        return say("the function should be `{new}`, not `{old}`", new=tree[1], old=node.name)
    if edit.kind == "extra":
        return _extra(n, tree, fixes)
    if edit.kind == "operand":
        return _operand(n, tree, fixes)
    return None


def _symbol(code: str) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), OPERATORS[code], ast.Name("b")))[2:-2]


def _factor(n: int, tree: Tree, fixes: Fixes) -> str | None:
    """`node * f`, `node / f`, `c * node`, or minus that; or the same of one of its operands."""
    if tree[0] == "neg":
        tree = tree[1]
    code, factor = _around(tree, n)
    if factor is None:
        return _operand(n, tree, fixes)
    if _is_operand(n, code, factor, fixes):
        return say("a square is missing: `{name}` counts twice", name=_text(factor, n, fixes))
    return _lost(code, _text(factor, n, fixes))


def _around(tree: Tree, n: int) -> tuple[str, Tree | None]:
    """Whether a tree multiplies or divides node `n`, and by what; by None if it does neither."""
    if tree[0] in ("mul", "div") and tree[1] == ("node", n):
        return tree[0], tree[2]
    if tree[0] == "mul" and tree[2] == ("node", n):
        return "mul", tree[1]
    return tree[0], None


def _lost(code: str, text: str | None) -> str | None:
    if text is None:
        return None
    if code == "div":
        return say("`{value}` is missing as a divisor", value=text)
    return say("`{value}` is missing as a factor", value=text)


def _is_operand(n: int, code: str, factor: Tree, fixes: Fixes) -> bool:
    """Whether the node has the factor once already, so that a square of it is what is missing."""
    node = fixes.scalars.nodes[n]
    if factor[0] != "node" or factor[1] not in node.operands:
        return False
    at = node.operands.index(factor[1])
    return node.code == code and (code == "mul" or at == 1)


def _term(n: int, tree: Tree, path: Sequence[str], fixes: Fixes) -> str | None:
    if len(path) == 3:
        return say("the path from `{start}` through `{through}` to `{end}` is missing",
                   start=path[0], through=path[1], end=path[2])  # fmt: skip
    if len(path) == 2:
        return say(
            "the path from `{start}` straight to `{end}` is missing", start=path[0], end=path[1]
        )
    if tree[0] not in ("add", "sub") or tree[1] != ("node", n):
        return None
    text = _text(tree[2], n, fixes)
    return None if text is None else say("the term `{term}` is missing", term=text)


def _extra(n: int, tree: Tree, fixes: Fixes) -> str | None:
    """One operand of two is left, of the node or of one that it is made of."""
    node = fixes.scalars.nodes[n]
    kept = tree[1] if tree[0] == "neg" else tree
    for old, new in zip(node.operands, kept[1:] if len(kept) == 3 else (), strict=False):
        if new != ("node", old):
            node, kept = fixes.scalars.nodes[old], new
    lost = [o for o in node.operands if ("node", o) != kept]
    text = _text(("node", lost[0]), n, fixes) if len(lost) == 1 else None
    if text is None:
        return None
    if node.code in ("add", "sub"):
        return say("the term `{term}` does not belong here", term=text)
    return say("the factor `{factor}` does not belong here", factor=text)


def _operand(n: int, tree: Tree, fixes: Fixes) -> str | None:
    """Another value in the place of one operand."""
    node = fixes.scalars.nodes[n]
    if node.code in ("copy", "neg"):
        parts = [tree[1] if node.code == "neg" and tree[0] == "neg" else tree]
    elif node.code == "pow":
        parts = [tree[1]]
    else:
        parts = [part for part in tree[1:] if isinstance(part, tuple)]
    changed = [(old, part) for old, part in zip(node.operands, parts, strict=False)
               if part != ("node", old)]  # fmt: skip
    if len(changed) != 1:
        return None
    old, new = changed[0]
    was, told = _text(("node", old), n, fixes), _text(new, n, fixes)
    if was is None or told is None:
        return None
    if new == ("pow", ("node", old), 2):
        return say("a square is missing: `{name}` counts twice", name=was)
    if new == ("pow", ("node", old), -1):
        return say("the fraction is upside down")
    if new == ("neg", ("node", old)):
        return say("`{name}` has the wrong sign", name=was)
    code, factor = _around(new, old)
    if factor is not None:
        return _lost(code, _text(factor, n, fixes))
    return say("`{new}` belongs in the place of `{old}`", new=told, old=was)


def _text(tree: Tree, n: int, fixes: Fixes) -> str | None:
    rendered = fixes.rendered(tree, n)
    return None if rendered is None else ast.unparse(ast.fix_missing_locations(rendered))

"""What to write in the place of a faulty expression: in words, and as replacements in the text that can
be run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..messages import say
from ..model import Span, Unit
from ..submission.drops import NameHistory
from .edits import Edit, Tree
from .scalars import Scalars
from .score import RepairCandidate
from .text import Text, dropped_names, key_of, number_of

OPERATORS: dict[str, ast.operator] = {"add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(),
                                      "div": ast.Div()}  # fmt: skip
COMPARED: dict[str, ast.cmpop] = {"gt": ast.Gt(), "lt": ast.Lt(), "ge": ast.GtE(),
                                  "le": ast.LtE()}  # fmt: skip


class Replacement(NamedTuple):
    """Other text for a stretch of a submission; an empty stretch is where text is put in."""

    span: Span
    text: str


class Fix(NamedTuple):
    """`message` says what to write, `replacements` write it. `mistake` says what the slip was, where there is
    more to say than what to write."""

    message: str
    replacements: tuple[Replacement, ...]
    mistake: str | None = None


def replaced(units: Sequence[str], replacements: Sequence[Replacement]) -> list[str]:
    """The text of each unit with the replacements in it, which do not overlap."""
    raw = [unit.encode("utf-8", "replace") for unit in units]
    for span, text in sorted(replacements, key=_start_of, reverse=True):
        lines = raw[span.unit].splitlines(keepends=True)
        start, end = (
            sum(map(len, lines[: line - 1])) + column
            for line, column in ((span.line, span.column), (span.end_line, span.end_column))
        )
        raw[span.unit] = raw[span.unit][:start] + text.encode() + raw[span.unit][end:]
    return [unit.decode("utf-8", "replace") for unit in raw]


def _start_of(replacement: Replacement) -> tuple[int, int, int]:
    return replacement.span.unit, replacement.span.line, replacement.span.column


class Fixes:
    """Of one recorded pass, in the student's own names."""

    def __init__(self, scalars: Scalars, text: Text) -> None:
        self.scalars = scalars
        self._nodes = scalars.nodes
        self.text = text

    def of(self, n: int, edit: Edit) -> list[Fix]:
        """The ways to write an edit of node `n`, the plainest first; none where a value has no name."""
        if edit.kind == "typed-in":
            return list(self._read_instead(n, edit.tree[1]))
        target = self.target(n)
        new = self.rendered(edit.tree, n)
        if target is None or new is None:
            return []
        if isinstance(target, ast.AugAssign):
            old, written = ast.unparse(target), _augmented(target, new)
        else:
            old = self.text.segment(target)
            written = self._spliced(target, new)
        fix = self._written(target, old, written)
        moved = self._drops_moved(target, new, fix)
        return [fix] if moved is None else [moved]

    def target(self, n: int) -> ast.expr | ast.AugAssign | None:
        """The student's text for node `n`: what an edit of it replaces."""
        node = self._nodes[n]
        given = self.scalars.expressions.get(n, (None,))[0] if node.code == "copy" else None
        if node.code == "copy" and given is None and self._is_one_of_several(n):
            return None
        written = given or self.text.at(node.site)
        return written if isinstance(written, ast.expr | ast.AugAssign) else None

    def _is_one_of_several(self, n: int) -> bool:
        """Whether the op that makes a node puts others together with it."""
        return any(
            m != n and node.op == self._nodes[n].op >= 0 for m, node in enumerate(self._nodes)
        )

    def swapped(self, one: RepairCandidate, other: RepairCandidate) -> Iterator[Fix]:
        """The ways to put each of two values where the other is."""
        parts = [self.target(candidate.node) for candidate in (one, other)]
        sides = [self._right_side(candidate.node) for candidate in (one, other)]
        if one.edit is not None and one.edit.kind == "slot":
            sides = [part if isinstance(part, ast.expr) else None for part in parts]
        texts = [None if side is None else self.text.segment(side) for side in sides]
        if sides[0] is not None and sides[1] is not None and texts[0] and texts[1]:
            message = say("swap `{first}` and `{second}`", first=texts[0], second=texts[1])
            yield Fix(message, (Replacement(self.text.span(sides[0]), texts[1]),
                                Replacement(self.text.span(sides[1]), texts[0])))  # fmt: skip
        ways = [[] if c.edit is None else self.of(c.node, c.edit) for c in (one, other)]
        if ways[0] and ways[1]:
            message = say(
                "{first}, and {second}", first=ways[0][0].message, second=ways[1][0].message
            )
            yield Fix(message, (*ways[0][0].replacements, *ways[1][0].replacements))

    def rightful(self, candidate: RepairCandidate) -> str | None:
        """The name of the value that belongs where a candidate is."""
        tree = None if candidate.edit is None else candidate.edit.tree
        return self.called(tree[1]) if tree is not None and tree[0] == "node" else None

    def _right_side(self, n: int) -> ast.expr | None:
        """What is assigned in the statement of node `n`, if it is one name that it is assigned to."""
        written = self.text.at(self._nodes[n].site)
        statement = None if written is None else self.text.statement(written)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return statement.value
        return None

    def _written(self, target: ast.expr | ast.stmt, old: str, new: str) -> Fix:
        message = say("write `{new}` instead of `{old}`", new=new, old=old)
        return Fix(message, (Replacement(self.text.span(target), new),))

    def _spliced(self, target: ast.expr, new: ast.expr) -> str:
        """The text of an expression, in parentheses where it would be read otherwise there."""
        written = ast.unparse(ast.fix_missing_locations(new))
        span = self.text.span(target)
        plain, closed = (
            _structure(replaced(self.text.units, [Replacement(span, text)])[span.unit])
            for text in (written, f"({written})")
        )
        return written if plain is not None and plain == closed else f"({written})"

    # -- numbers in the place of a weight or an input --------------------------------------------

    def _read_instead(self, n: int, leaf: int) -> Iterator[Fix]:
        """The ways to read a weight or an input where a number stands: there, or wherever it stands in the
        pass."""
        node = self._nodes[n]
        number = self.text.at(node.site)
        if not isinstance(number, ast.expr) or number_of(number) != node.number:
            return
        function, old = self.text.function(number), ast.unparse(number)
        others = [] if function is None else self.text.numbers(function)
        everywhere = [part for part in others if number_of(part) == node.number]
        named = isinstance(self.text.above(number), ast.Assign | ast.Tuple)
        for way in self._ways_to_read(leaf):
            if named or len(everywhere) < 2:
                yield self._written(number, old, way)
            if len(everywhere) > 1:
                message = say("write `{new}` instead of `{old}` wherever it stands in the pass",
                              new=way, old=old)  # fmt: skip
                yield Fix(
                    message, tuple(Replacement(self.text.span(part), way) for part in everywhere)
                )

    def _ways_to_read(self, leaf: int) -> list[str]:
        """`w0`, where the student has that name for it; `self.w[0]`, `self.w0`."""
        name, read = self._nodes[leaf].name, self._read_as(leaf)
        ways = [name]
        if name in self.scalars.weights:
            ways = [f"self.w[{self.scalars.weights.index(name)}]", f"self.{name}"]
            if any(ways[1] in unit for unit in self.text.units):
                ways.reverse()
        return list(dict.fromkeys(ways if read is None else [ast.unparse(read), *ways]))

    # -- names that are dropped by then ------------------------------------------------------------

    def _drops_moved(self, target: ast.expr | ast.AugAssign, new: ast.expr, fix: Fix) -> Fix | None:
        """The fix with the drops of the names that it reads moved behind it; None where none is dropped."""
        statement = self.text.statement(target)
        if not isinstance(statement, ast.stmt):
            return None
        span = self.text.span(statement)
        history = NameHistory(Unit(self.text.units[span.unit]), span)
        for key in dict.fromkeys(key_of(part) for part in ast.walk(new)):
            event = None if key is None else history.last_before(key)
            if key is None or event is None or event.kind != "drop":
                continue
            dropping = self.text.dropping(key, span.unit, event.at)
            if dropping is None:
                continue
            message = say("{fix}, and drop `{name}` only after that", fix=fix.message, name=key)
            fix = Fix(message, (*fix.replacements, *self._moved(dropping, key, span)))
        return fix if len(fix.replacements) > 1 else None

    def _moved(self, dropping: ast.stmt, key: str, behind: Span) -> Iterator[Replacement]:
        """Without one of the names in a statement that drops, and with its drop behind another statement."""
        span = self.text.span(dropping)
        word = "del {}" if isinstance(dropping, ast.Delete) else "{} = None"
        others = [name for name in dropped_names(dropping) if name != key]
        joined = (", " if isinstance(dropping, ast.Delete) else " = ").join(others)
        if others:
            yield Replacement(span, word.format(joined))
        elif self.text.line(span).strip() == ast.unparse(dropping):
            yield Replacement(Span(span.unit, span.line, 0, span.end_line + 1, 0), "")
        else:
            yield Replacement(span, "pass")
        line = self.text.line(Span(behind.unit, behind.end_line, 0, 0, 0))
        first = self.text.line(behind)
        indent = first[: len(first) - len(first.lstrip())]
        end = len(line.encode("utf-8", "replace"))
        at = Span(behind.unit, behind.end_line, end, behind.end_line, end)
        yield Replacement(at, f"\n{indent}{word.format(key)}")

    # -- expressions ---------------------------------------------------------------------------------

    def rendered(self, tree: Tree, n: int) -> ast.expr | None:
        """What an edit of node `n` writes; None where a value has no name."""
        code = tree[0]
        if code == "node":
            return self._name(tree[1], n)
        if code == "number":
            return _number(tree[1])
        if code == "call":
            return _call(tree[1], [self.rendered(part, n) for part in tree[2:]])
        left = self.rendered(tree[1], n)
        if left is None:
            return None
        if code == "neg":
            if isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub):
                return left.operand
            return ast.UnaryOp(ast.USub(), left)
        if code == "pow" and tree[2] == -1:
            return ast.BinOp(ast.Constant(1), ast.Div(), left)
        if code == "pow":
            return ast.BinOp(left, ast.Pow(), ast.Constant(tree[2]))
        right = self.rendered(tree[2], n)
        return None if right is None else ast.BinOp(left, OPERATORS[code], right)

    def _name(self, m: int, n: int) -> ast.expr | None:
        """The student's expression for node `m`, as seen from node `n`."""
        nodes = self._nodes
        if m == n:
            written = self.target(n)
            if isinstance(written, ast.AugAssign):
                return ast.BinOp(written.target, written.op, written.value)
            return written
        if m in nodes[n].operands:
            given = self.scalars.expressions.get(n, ())
            index = nodes[n].operands.index(m)
            if index < len(given) and given[index] is not None:
                return given[index]
        node = nodes[m]
        if node.code == "leaf":
            return self._read_as(m) or ast.Name(node.name)
        if node.code == "number" and node.number is not None:
            return ast.Constant(node.number)
        return _parsed(self.called(m))

    def called(self, m: int) -> str | None:
        """The student's name of node `m`: its own, or one that it was given later."""
        node = self._nodes[m]
        later = (other.bound for other in self._nodes[m + 1 :]
                 if other.code == "copy" and other.operands == (m,) and other.bound)  # fmt: skip
        return node.bound or next(later, None)

    def _read_as(self, leaf: int) -> ast.expr | None:
        """How the student reads a weight or an input: `self.w[0]`."""
        for n, expressions in self.scalars.expressions.items():
            for operand, given in zip(self._nodes[n].operands, expressions, strict=False):
                if operand == leaf and given is not None and key_of(given) is not None:
                    return given
        return None


def _structure(text: str) -> str | None:
    """What a text means to Python, wherever it stands."""
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


def _parsed(name: str | None) -> ast.expr | None:
    try:
        return None if name is None else ast.parse(name, mode="eval").body
    except SyntaxError:
        return None


def _augmented(statement: ast.AugAssign, new: ast.expr) -> str:
    """`t += a * b`, or `t = a - t` where it is no more than that."""
    target = ast.unparse(statement.target)
    plain = isinstance(new, ast.BinOp) and ast.unparse(new.left) == target
    if plain and isinstance(new, ast.BinOp):
        symbol = ast.unparse(ast.BinOp(ast.Name("a"), new.op, ast.Name("b")))[2:-2]
        return f"{target} {symbol}= {ast.unparse(ast.fix_missing_locations(new.right))}"
    return f"{target} = {ast.unparse(ast.fix_missing_locations(new))}"


def _call(name: str, given: list[ast.expr | None]) -> ast.expr | None:
    """`torch.exp(t4)`, `t4 > 0`; None where an argument has no name."""
    told = [part for part in given if part is not None]
    if len(told) < len(given):
        return None
    if name in COMPARED:
        return ast.Compare(told[0], [COMPARED[name]], told[1:])
    return ast.Call(ast.Attribute(ast.Name("torch"), name), told, [])


def _number(number: Fraction | int) -> ast.expr:
    value = Fraction(number)
    shown = int(value) if value.denominator == 1 else float(value)
    return ast.Constant(shown) if shown >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-shown))

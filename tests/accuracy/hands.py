"""The text of a right program in a style: a hand writes names, ops, assignments, drops, the end of
the pass and what stands around it, each in a way that a style may change.

Every way computes the same function with the same needs, so where a value is used for the last time
does not depend on the style; `torch_oracle` holds each text against that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from expressions import LEAVES, Expr, Writer, children, is_constant, walk
from made_variants import MadeVariant
from programs import Program, Stmt, Style
from releases import release
from rewriting import rewrite

Spell = Callable[[str, list[str]], str]
"""An op of tensors, given its sign and its operands' texts."""
INFIX = {"+", "-", "*", "/"}


def infix(sign: str, operands: list[str]) -> str:
    """`(a * b)`, `(-a)`, `(a ** 2)`."""
    if sign == "neg":
        return f"(-{operands[0]})"
    return f"({operands[0]} {'**' if sign == 'pow' else sign} {operands[1]})"


def plain_style(random: Random) -> Style:
    """What the hand leaves to the program: the mode, what is fused, how sums are taken."""
    r = random.random
    mode = random.choice(("reverse", "reverse", "forward"))
    fuse = random.choice((0.0, 0.0, 0.3, 0.7))
    return Style(mode, fuse, 0, r() < 0.3, True, r() < 0.4, r() < 0.3, 0, 0, 0, 0)


class Hand:
    """How one student writes one program. A style sets what it changes."""

    def __init__(self, variant: MadeVariant, random: Random) -> None:
        self.variant = variant
        self.random = random
        self.imports = ["import torch", "from torch import nn"]
        self.top: list[str] = []
        self.members: list[str] = []
        """Methods and attributes of the class, above the pass."""
        self.decorators: list[str] = []
        self.init: list[str] = []
        self.weights = ["self.w = nn.Parameter(torch.tensor([0.95, 0.288]))"]
        self.leaves = ["w0, w1 = self.w"]
        self.start: list[str] = []
        self.spell: Spell = infix
        self.place: Callable[[str], str] = lambda bare: bare
        self.assign: Callable[[str, str], list[str]] = lambda t, e: [f"{t} = {e}"]
        self.tail: Callable[[str], list[str]] = lambda target: []
        """Lines after the assignment, and after the drops that belong to it."""
        self.functions: dict[str, str] = {}
        """Functions by templates, where the first operand is a name."""
        self.drop: Callable[[list[str]], list[str]] = lambda names: [f"{n} = None" for n in names]
        self.ending: Callable[[str, str], list[str]] = lambda a, b: [
            f"self.w.grad = torch.stack([{a}, {b}])"
        ]
        self.result = "return {y}"
        self.wrap: Callable[[list[str]], list[str]] = lambda lines: lines
        self.number: Callable[[str], str] | None = None
        """Takes a number out of a tensor; then some of the values are numbers."""
        self.after: Callable[[str], list[str]] = lambda name: []
        """Lines after the assignment of a tensor."""
        self.program_text: Callable[[Hand], list[str]] | None = None
        """Writes the whole pass, where the style is no matter of single lines."""
        self.tags: set[str] = set()
        self._names: dict[str, str] = {}

    # -- text --------------------------------------------------------------------------------

    def text(self) -> str:
        """The whole submission."""
        body = self.program_text(self) if self.program_text else self._pass()
        writer = Writer(self.random, 0.0, False, True)
        ahead = [f"{slot} = {writer.text(e, {})}" for slot, e in self.variant.parts[:-1]]
        ahead.append(f"return {writer.text(self.variant.parts[-1][1], {})}")
        members = [*indented(self.members), ""] if self.members else []
        lines = [
            *self.imports,
            "",
            *self.top,
            "",
            "class Graph(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            *indented([*self.weights, *self.init], 2),
            "",
            "    def forward(self, x1, x2, x3):",
            *indented(self.leaves, 2),
            *indented(ahead, 2),
            "",
            *members,
            *indented(self.decorators),
            "    def your_forward_backward(self, x1, x2, x3):",
            *indented(body, 2),
        ]
        return "\n".join(lines) + "\n"

    def name(self, slot: str) -> str:
        """The slot's text, always the same."""
        if slot in LEAVES:
            return slot
        if slot not in self._names:
            self._names[slot] = self.place(slot)
        return self._names[slot]

    # -- the pass ----------------------------------------------------------------------------

    def _pass(self) -> list[str]:
        program = Program(self.variant, self.random, plain_style(self.random))
        a, b = program.gradients
        self._y = program.y
        ending = [Stmt("raw", text=t) for t in self.ending(f"@{a}@", f"@{b}@")]
        ending.append(Stmt("raw", text=self.result.format(y=f"@{program.y}@", a=a, b=b)))
        body = rewrite(program, ending)
        body, _ = release(body, program.constants, {program.y})
        self._constants = program.constants
        self._numbers = self._choose_numbers(body, program) if self.number else set()
        lines: list[str] = []
        tail: list[str] = []
        for s in body:
            if s.kind != "drop":
                lines += tail
                tail = self._tail(s)
            lines += self._statement(s)
        lines += tail
        return self.wrap([*self.leaves, *self.start, *lines])

    def _statement(self, s: Stmt) -> list[str]:
        if s.kind == "drop":
            return self.drop([self.name(slot) for slot in s.defs])
        if s.kind == "raw":
            text = re.sub("@([^@]+)@", lambda m: self.name(m[1]), s.text)
            return (text.replace("%def%", self.name(s.defs[0])) if s.defs else text).split("\n")
        if s.kind not in ("assign", "alias"):
            raise ValueError(s.kind)
        target, e = s.defs[0], s.exprs[0]
        value = self.emit(e)
        if value[0] == "(" and _closes(value) == len(value) - 1:
            value = value[1:-1]
        if target in self._numbers:
            assert self.number is not None
            return [f"{self.name(target)} = {self.number(value)}"]
        if target in self._constants:
            return [f"{self.name(target)} = {value}"]
        return self.assign(self.name(target), value)

    def _tail(self, s: Stmt) -> list[str]:
        if s.kind != "assign" or s.defs[0] in self._numbers | self._constants:
            return []
        name = self.name(s.defs[0])
        return [*self.tail(name), *self.after(name)]

    def emit(self, e: Expr) -> str:
        """An expression, its parts by the style's own spelling where they are tensors."""
        kind = e[0]
        if kind == "v":
            return self.name(e[1])
        if kind == "c":
            return repr(e[1]) if e[1] >= 0 else f"({e[1]!r})"
        if kind == "ones":
            return str(e[1])
        parts = [self.emit(part) for part in children(e)]
        if kind == "float":
            return f"{parts[0]}.float()"
        if kind == "cmp":
            return f"({parts[0]} {e[1]} {parts[1]})"
        if kind == "where":
            return f"torch.where({', '.join(parts)})"
        if kind == "call" and e[1] in self.functions and e[2][0] == "v":
            return f"({self.functions[e[1]].format(*parts)})"
        if kind == "call":
            return f"torch.{e[1]}({', '.join(parts)})"
        sign = e[1] if kind == "bin" else kind
        operands = [*parts, repr(e[2])] if kind == "pow" else parts
        tensors = all(self.is_tensor(part) for part in children(e))
        return self.spell(sign, operands) if tensors else infix(sign, operands)

    def is_tensor(self, e: Expr) -> bool:
        """Whether it is no plain number and no mask."""
        return not is_constant(e, self._constants | self._numbers) and e[0] != "cmp"

    def _choose_numbers(self, body: list[Stmt], program: Program) -> set[str]:
        """Slots that may be numbers: each op that reads one reads a tensor beside it."""
        barred = {program.y, *program.gradients}
        born = {s.defs[0]: s for s in body if s.kind == "assign"}
        beside: dict[str, set[str]] = {slot: set() for slot in born}
        for s in body:
            if s.kind in ("raw", "alias"):
                barred |= set(s.uses())
            for part in (p for e in s.exprs for p in walk(e)):
                kids = children(part)
                direct = [kid[1] for kid in kids if kid[0] == "v"]
                if part[0] != "bin" or any(is_constant(kid, program.constants) for kid in kids):
                    barred |= set(direct)  # beside a number it would be Python's work
                elif len(direct) == 2:
                    beside.setdefault(direct[0], set()).add(direct[1])
                    beside.setdefault(direct[1], set()).add(direct[0])
            barred |= {e[1] for e in s.exprs if e[0] == "v"}
        chosen: set[str] = set()
        for slot in born:
            tensors = not is_constant(born[slot].exprs[0], program.constants)
            mine = beside.get(slot, set())
            if (
                slot not in barred | program.constants
                and tensors
                and slot not in mine
                and not mine & (chosen | program.constants)
                and self.random.random() < 0.7
            ):
                chosen.add(slot)
        return chosen


def indented(lines: list[str], depth: int = 1) -> list[str]:
    """The lines, deeper."""
    return ["    " * depth + line if line else "" for line in lines]


def _closes(text: str) -> int:
    """Where the parenthesis that opens at 0 closes."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i
    return -1

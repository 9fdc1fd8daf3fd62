"""The steps of a variant as they are read, with what is known of their values."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from typing import Final

from ....errors import UsageProblem
from .program import FLOAT_FUNCTIONS, OPERATORS, Code, Number, Step

MAX_STEPS: Final = 1_000
# `r = r * r` forty times over is a short text and an endless Fraction; the degree tells.
MAX_DEGREE: Final = 2_000


def quoted(text: str) -> str:
    """Untrusted text for a message: printable, and cut."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:80])
    return repr(shown + ("..." if len(text) > 80 else ""))


class Steps:
    """Per position: the leaves that a step depends on, its degree, its value if it is constant.

    `where` and `lines` are quoted in messages.
    """

    def __init__(self, where: str, lines: list[str]) -> None:
        self.where = where
        self.lines = lines
        self.steps: list[Step] = []
        self.leaves: list[frozenset[str]] = []
        self.degrees: list[int] = []
        self.known: list[float | None] = []

    def problem(self, node: ast.AST, what: str, way_out: str) -> UsageProblem:
        """What to raise for a node, which is quoted with its line."""
        return self.problem_at(getattr(node, "lineno", 1), what, way_out)

    def problem_at(self, line: int, what: str, way_out: str) -> UsageProblem:
        """The same for a line."""
        text = self.lines[line - 1].strip() if line <= len(self.lines) else ""
        return UsageProblem(f"{self.where}:{line}: {what}: {quoted(text)}", way_out)

    def emit(
        self,
        node: ast.AST,
        code: Code,
        operands: tuple[int, ...] = (),
        name: str = "",
        value: Number | None = None,
    ) -> int:
        """Append a step with what is known of its value; its position."""
        if len(self.steps) == MAX_STEPS:
            raise self.problem(
                node, f"more than {MAX_STEPS} operations", "Write a smaller function."
            )
        known = self.constant_value(node, code, operands, name, value)
        leaves = frozenset[str]().union(*(self.leaves[operand] for operand in operands))
        degree = sum(self.degrees[operand] for operand in operands) or 1
        if code == "load":
            leaves = frozenset((name,))
        elif code == "exponent":
            degree = 0  # counts steps of `pow`; not a factor itself
        elif code == "pow":
            power = self.steps[operands[1]].value
            degree *= math.ceil(abs(power)) or 1 if power is not None else 1
            leaves = frozenset() if power == 0 else leaves
        elif (code == "mul" and 0 in (self.known[operand] for operand in operands)) or (
            code == "div" and self.known[operands[0]] == 0
        ):
            leaves = frozenset()
        if degree > MAX_DEGREE:
            raise self.problem(
                node, f"the degree grows past {MAX_DEGREE}", "Multiply fewer things together."
            )
        self.steps.append(Step(code, operands, name, value, (), getattr(node, "lineno", 0)))
        self.leaves.append(leaves)
        self.degrees.append(degree)
        self.known.append(known)
        return len(self.steps) - 1

    def constant_value(
        self, node: ast.AST, code: Code, operands: tuple[int, ...], name: str, value: Number | None
    ) -> float | None:
        """The value of a step made of numbers alone, None if it depends on a leaf."""
        if value is not None:
            return float(value)
        values = [known for operand in operands if (known := self.known[operand]) is not None]
        if code == "load" or len(values) != len(operands):
            return None
        run: Callable[..., object] = FLOAT_FUNCTIONS[name] if code == "call" else OPERATORS[code]
        try:
            result = run(*values)
        except (ArithmeticError, ValueError) as error:
            raise self.problem(
                node, f"cannot be computed ({error})", "Use numbers that have a value."
            ) from None
        if not isinstance(result, float) or not math.isfinite(result):
            raise self.problem(
                node, "is not a finite real number", "Use numbers that have a value."
            )
        return result

    def program(self, result: int) -> tuple[Step, ...]:
        """The steps that `result` needs, renumbered, each with the operands it uses last."""
        needed = {result}
        last: dict[int, int] = {}
        for position in range(result, -1, -1):
            if position in needed:
                for operand in self.steps[position].operands:
                    needed.add(operand)
                    last.setdefault(operand, position)
        order = sorted(needed)
        place = {position: number for number, position in enumerate(order)}
        program = []
        for position in order:
            step = self.steps[position]
            drops = (place[o] for o in dict.fromkeys(step.operands) if last[o] == position)
            operands = tuple(place[operand] for operand in step.operands)
            program.append(
                Step(step.code, operands, step.name, step.value, tuple(drops), step.line)
            )
        return tuple(program)

"""Expressions of variants and of students' statements, as nested tuples; numbers that are float64
and exact at once. Shares nothing with the package.

`("v", slot)` a variable; `("c", number)`; `("bin", op, a, b)`; `("neg", a)`; `("pow", a, n)`;
`("def", slot, a)` a walrus; `("ones", text)` a tensor of one, written as `text`; `("call", name, *a)`
a function; `("cmp", sign, a, b)` a mask, `("float", mask)` as numbers, `("where", mask, a, b)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, ClassVar

import numpy as np

Expr = tuple[Any, ...]
PRIME = 2**61 - 1
WEIGHTS = ("w0", "w1")
INPUTS = ("x1", "x2", "x3")
LEAVES = (*WEIGHTS, *INPUTS)


class Num:
    """A number at many points at once: float64 at each of P points, and exactly, as a residue
    modulo a prime, at one more; None where it comes from a function that is not rational."""

    __slots__ = ("f", "r")
    shaken_by: ClassVar[np.random.Generator | None] = None
    """While it is set, every number is off by a rounding of float32."""

    def __init__(self, f: Any, r: int | None) -> None:
        if Num.shaken_by is not None:
            f = f * (1 + 2.0**-24 * Num.shaken_by.uniform(-1, 1, np.shape(f)))
        self.f = f
        self.r = None if r is None else r % PRIME

    @staticmethod
    def of(number: Any) -> Num:
        if isinstance(number, Num):
            return number
        exact = Fraction(number)
        return Num(float(number), exact.numerator * pow(exact.denominator, -1, PRIME))

    def __add__(self, other: Any) -> Num:
        b = Num.of(other)
        return Num(self.f + b.f, _exactly(lambda p, q: p + q, self.r, b.r))

    def __sub__(self, other: Any) -> Num:
        b = Num.of(other)
        return Num(self.f - b.f, _exactly(lambda p, q: p - q, self.r, b.r))

    def __mul__(self, other: Any) -> Num:
        b = Num.of(other)
        return Num(self.f * b.f, _exactly(lambda p, q: p * q, self.r, b.r))

    def __truediv__(self, other: Any) -> Num:
        b = Num.of(other)
        quotient = _exactly(lambda p, q: p * pow(q, -1, PRIME), self.r, b.r)
        return Num(np.divide(self.f, b.f), quotient)

    def __neg__(self) -> Num:
        return Num(-self.f, _exactly(lambda p: -p, self.r))

    def power(self, n: float) -> Num:
        exact = None if n != int(n) else _exactly(lambda p: pow(p, int(n), PRIME), self.r)
        return Num(np.power(self.f, float(n)), exact)


def _exactly(rule: Callable[..., int], *residues: int | None) -> int | None:
    return None if None in residues else rule(*residues)


def binary(op: str, a: Any, b: Any) -> Any:
    """a op b, for whatever overloads operators."""
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    return a * b if op == "*" else a / b


def children(e: Expr) -> tuple[Expr, ...]:
    """The operands of an expression."""
    kind = e[0]
    if kind == "bin":
        return (e[2], e[3])
    if kind in ("neg", "pow", "float"):
        return (e[1],)
    if kind == "where":
        return e[1:]
    return e[2:] if kind in ("def", "call", "cmp") else ()


def with_children(e: Expr, parts: list[Expr]) -> Expr:
    """The same operation on other operands."""
    kind = e[0]
    if kind == "bin":
        return ("bin", e[1], parts[0], parts[1])
    if kind == "neg":
        return ("neg", parts[0])
    if kind == "pow":
        return ("pow", parts[0], e[2])
    if kind in ("float", "where"):
        return (kind, *parts)
    return (kind, e[1], *parts) if kind in ("def", "call", "cmp") else e


def walk(e: Expr) -> Iterator[Expr]:
    """Every subexpression, outermost first, left to right."""
    yield e
    for part in children(e):
        yield from walk(part)


def slots(e: Expr) -> list[str]:
    """The variables it reads, in order, with repetitions."""
    return [part[1] for part in walk(e) if part[0] == "v"]


def replaced(e: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with each subexpression for which `change` gives one replaced by that."""
    new = change(e)
    if new is not None:
        return new
    parts = children(e)
    return with_children(e, [replaced(part, change) for part in parts]) if parts else e


def is_constant(e: Expr, constants: set[str]) -> bool:
    """Whether it is a plain Python number, given the slots that are."""
    if e[0] == "v":
        return e[1] in constants
    if e[0] == "ones":
        return False
    return e[0] == "c" or all(is_constant(part, constants) for part in children(e))


# -- building, with the obvious simplifications -----------------------------------------------


def mul(a: Expr, b: Expr) -> Expr:
    """a * b; 1 * b is b."""
    if a == ("c", 1.0):
        return b
    return a if b == ("c", 1.0) else ("bin", "*", a, b)


def neg(a: Expr) -> Expr:
    """-a, of a number a number."""
    return ("c", -a[1]) if a[0] == "c" else ("neg", a)


def power(a: Expr, n: float) -> Expr:
    """a ** n; a ** 1 is a."""
    if n == 1:
        return a
    return ("c", 1.0) if n == 0 else ("pow", a, n)


# -- text ------------------------------------------------------------------------------------

LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2}
FUNCTIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


class Writer:
    """Writes expressions the way one student would. `names` gives each slot's text."""

    def __init__(self, random: Random, functional: float, floats: bool, spaces: bool) -> None:
        self._random = random
        self._functional = functional
        self._floats = floats
        self._spaces = spaces
        self.constants: set[str] = set()

    def number(self, n: float) -> str:
        """A number, whole ones as `2` or `2.0`."""
        if n == int(n):
            return f"{int(n)}.0" if self._floats else str(int(n))
        return repr(n)

    def text(self, e: Expr, names: Mapping[str, str], level: int = 0) -> str:
        """The expression's text; in parentheses if it binds less than `level`."""
        written, own = self._written(e, names)
        return f"({written})" if own < level else written

    def _written(self, e: Expr, names: Mapping[str, str]) -> tuple[str, int]:
        kind = e[0]
        if kind == "v":
            return names.get(e[1], e[1]), 5
        if kind == "c":
            return self.number(e[1]), 3 if e[1] < 0 else 5
        if kind == "ones":
            return e[1], 5
        if kind == "def":
            return f"{names.get(e[1], e[1])} := {self.text(e[2], names)}", 0
        if kind == "cmp":
            return f"{self.text(e[2], names, 1)} {e[1]} {self.text(e[3], names, 1)}", 0
        if kind == "float":
            return f"{self.text(e[1], names, 5)}.float()", 5
        if kind == "where":
            return f"torch.where({', '.join(self.text(part, names) for part in e[1:])})", 5
        if kind == "call":
            return self._call(e[1], list(e[2:]), names), 5
        first = children(e)[0]
        functional = self._random.random() < self._functional and not is_constant(
            first, self.constants
        )
        if kind == "neg":
            if functional:
                return self._call("neg", [first], names), 5
            return "-" + self.text(e[1], names, 4), 3
        if kind == "pow":
            n = self.number(e[2])
            if functional:
                if e[2] == 2 and self._random.random() < 0.5:
                    return self._call("square", [first], names), 5
                return self._call("pow", [first], names, n), 5
            space = " " if self._spaces else ""
            return f"{self.text(e[1], names, 5)}{space}**{space}{n}", 4
        op = e[1]
        if functional:
            return self._call(FUNCTIONS[op], [e[2], e[3]], names), 5
        level = LEVEL[op]
        right = level + (op in "-/" or self._random.random() < 0.7)
        if e[3][0] == "bin" and e[3][1] != op and LEVEL[e[3][1]] == level:
            right = level + 1
        space = " " if self._spaces or op in "+-" else ""
        left = self.text(e[2], names, level)
        return f"{left}{space}{op}{space}{self.text(e[3], names, right)}", level

    def _call(self, name: str, args: list[Expr], names: Mapping[str, str], more: str = "") -> str:
        rest = [self.text(a, names) for a in args[1:]] + ([more] if more else [])
        if any(a[0] == "def" for a in args):
            return f"torch.{name}({', '.join([self.text(a, names, 1) for a in args] + ([more] if more else []))})"
        if self._random.random() < 0.5:
            return f"torch.{name}({', '.join([self.text(args[0], names), *rest])})"
        return f"{self.text(args[0], names, 5)}.{name}({', '.join(rest)})"

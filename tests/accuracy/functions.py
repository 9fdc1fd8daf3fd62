"""Functions that are not rational: their values in float64, slopes, and the ways students write them.

Shares nothing with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import numpy as np
from expressions import Expr, Num, binary, is_constant, mul, neg

VALUES: Mapping[str, Callable[..., Any]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "sigmoid": lambda u: 0.5 + 0.5 * np.tanh(0.5 * u),
    "abs": np.abs,
    "sign": np.sign,
    "relu": lambda u: np.where(u > 0, u, 0 * u),
    "maximum": np.maximum,
    "minimum": np.minimum,
}
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    ">": np.greater,
    "<": np.less,
    ">=": np.greater_equal,
    "<=": np.less_equal,
}
POSITIVE_ONLY = ("log", "sqrt")
ANYWHERE = ("exp", "sin", "cos", "tanh", "sigmoid", "abs", "relu")
TWO = ("maximum", "minimum")

OTHER = {
    "exp": "sin", "sin": "cos", "cos": "sin", "tanh": "sigmoid", "sigmoid": "tanh", "log": "sqrt",
    "sqrt": "log", "abs": "relu", "relu": "abs", "sign": "abs", "maximum": "minimum",
    "minimum": "maximum",
}  # fmt: skip
"""What a student may take a function for."""
FLIPPED = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}


def applied(name: str, *numbers: Num) -> Num:
    """A function's value. It has no residue."""
    return Num(VALUES[name](*(n.f for n in numbers)), None)


def compared(sign: str, a: Num, b: Num) -> Num:
    """1 where it holds, else 0."""
    return Num(np.where(COMPARE[sign](a.f, b.f), 1.0, 0.0), None)


def slopes(name: str, value: Num, *at: Num) -> tuple[Num, ...]:
    """The derivative by each operand, by the rules of calculus; between kinks."""
    u = at[0]
    if name in TWO:
        first = compared(">" if name == "maximum" else "<", *at)
        return first, Num.of(1) - first
    if name == "tanh":
        return (Num.of(1) - value * value,)
    if name == "sigmoid":
        return (value * (Num.of(1) - value),)
    if name == "log":
        return (Num.of(1) / u,)
    if name == "sqrt":
        return (Num.of(0.5) / value,)
    if name == "cos":
        return (-applied("sin", u),)
    if name == "relu":
        return (compared(">", u, Num.of(0)),)
    return (applied({"exp": "exp", "sin": "cos", "abs": "sign"}[name], u),)


def dual(e: Expr, env: Mapping[str, tuple[Num, ...]]) -> tuple[Num, ...]:
    """(value, d/dw0, d/dw1) by the rules of calculus."""
    kind = e[0]
    if kind == "v":
        return env[e[1]]
    if kind == "c":
        return (Num.of(e[1]), Num.of(0), Num.of(0))
    if kind == "neg":
        return tuple(-n for n in dual(e[1], env))
    if kind == "call":
        parts = [dual(part, env) for part in e[2:]]
        value = applied(e[1], *(part[0] for part in parts))
        by = slopes(e[1], value, *(part[0] for part in parts))
        moved = [[slope * d for d in part[1:]] for slope, part in zip(by, parts, strict=True)]
        return (value, *(sum(column[1:], column[0]) for column in zip(*moved, strict=True)))
    a = dual(e[1] if kind == "pow" else e[2], env)
    if kind == "pow":
        slope = a[0].power(e[2] - 1) * e[2]
        return (a[0].power(e[2]), *(slope * d for d in a[1:]))
    b = dual(e[3], env)
    if e[1] in "+-":
        return tuple(binary(e[1], x, y) for x, y in zip(a, b, strict=True))
    pairs = list(zip(a[1:], b[1:], strict=True))
    if e[1] == "*":
        return (a[0] * b[0], *(da * b[0] + a[0] * db for da, db in pairs))
    value = a[0] / b[0]
    return (value, *((da - value * db) / b[0] for da, db in pairs))


# -- derivatives as students write them --------------------------------------------------------

ZERO: Expr = ("c", 0.0)
UNIT: Expr = ("c", 1.0)


def backward(name: str, g: Expr, out: Expr, at: tuple[Expr, ...], operand: int, random: Random,
             constants: set[str]) -> Expr:  # fmt: skip
    """g * d name(at) / d at[operand], in one of several ways to write it. `out` is the forward
    value, which many use again."""
    if name in ("relu", *TWO):
        plain = is_constant(g, constants)
        return _masked(g, _conditions(name, out, at, operand), random, plain)
    return random.choice(_ways(name, g, out, at[0]))


def _ways(name: str, g: Expr, out: Expr, u: Expr) -> tuple[Expr, ...]:
    two: Expr = ("c", 2.0)
    if name == "exp":
        return mul(g, out), mul(out, g), mul(g, ("call", "exp", u))
    if name == "log":
        return ("bin", "/", g, u), mul(g, ("bin", "/", UNIT, u))
    if name == "sqrt":
        return (
            ("bin", "/", g, mul(two, out)),
            ("bin", "/", mul(g, ("c", 0.5)), out),
            mul(g, mul(("c", 0.5), ("pow", u, -0.5))),
        )
    if name == "sin":
        return mul(g, ("call", "cos", u)), mul(("call", "cos", u), g)
    if name == "cos":
        return neg(mul(g, ("call", "sin", u))), mul(neg(g), ("call", "sin", u))
    if name == "tanh":
        again: Expr = ("call", "tanh", u)
        return (
            mul(g, ("bin", "-", UNIT, ("pow", out, 2))),
            mul(("bin", "-", UNIT, mul(out, out)), g),
            mul(g, ("bin", "-", UNIT, ("pow", again, 2))),
        )
    if name == "sigmoid":
        again = ("call", "sigmoid", u)
        return (
            mul(mul(g, out), ("bin", "-", UNIT, out)),
            mul(g, mul(out, ("bin", "-", UNIT, out))),
            mul(g, mul(again, ("bin", "-", UNIT, again))),
        )
    return mul(g, ("call", "sign", u)), mul(g, ("bin", "/", u, out))


def _conditions(name: str, out: Expr, at: tuple[Expr, ...], operand: int) -> tuple[Expr, ...]:
    """Where an operand passes through; never at a kink."""
    if name == "relu":
        return ("cmp", ">", at[0], ZERO), ("cmp", ">", out, ZERO)
    sign = ">" if (name == "maximum") == (operand == 0) else "<="
    return (("cmp", sign, *at),)


def _masked(g: Expr, conditions: tuple[Expr, ...], random: Random, plain: bool) -> Expr:
    condition = random.choice(conditions)
    number: Expr = ("float", condition)
    if plain:  # a mask alone is no number yet
        return mul(g, number)
    return random.choice(
        (
            ("bin", "*", g, condition),
            ("bin", "*", condition, g),
            ("bin", "*", g, number),
            ("where", condition, g, ZERO),
        )
    )

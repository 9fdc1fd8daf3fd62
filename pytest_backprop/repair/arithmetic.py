"""What one scalar node computes over the prime field, and its slopes.

A function that is not rational (`exp`, `tanh`) gives an arbitrary residue that depends on nothing
but its name and its argument: equal calls are equal, and no more is claimed. A number is "positive"
if it is a square in the field: that sign multiplies as true signs do (`sign(a * b)`, `sign(-a)`),
so that `abs`, `relu`, `maximum` and comparisons keep to the laws their derivatives need.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from .field import ARITHMETIC, PRIME, Pole, inverse, power, residue
from .scalar_nodes import Node


def symbol(name: str, operands: Sequence[int]) -> int:
    """The residue that stands for a function's value."""
    text = f"{name}|{'|'.join(map(str, operands))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest()) % PRIME


@functools.lru_cache(maxsize=4096)
def sign(number: int) -> int:
    """1, 0 or -1: the quadratic character. -1 is no square, as PRIME is 3 modulo 4."""
    character = pow(number, (PRIME - 1) // 2, PRIME)
    return -1 if character == PRIME - 1 else character


@functools.lru_cache(maxsize=4096)
def root(number: int) -> int:
    """A square root, chosen so that roots of products are products of roots. Raises Pole where the
    field has none: take another point."""
    square_root = pow(number, (PRIME + 1) // 4, PRIME)
    if square_root * square_root % PRIME != number % PRIME:
        raise Pole
    return square_root


def raised(base: int, exponent: int | float) -> int:
    """A whole or half power. Raises Pole."""
    if isinstance(exponent, int):
        return power(base, exponent)
    return power(root(base), int(2 * exponent))


HOLDS: Mapping[str, Callable[[int], bool]] = MappingProxyType(
    {
        "gt": lambda sign: sign > 0,
        "lt": lambda sign: sign < 0,
        "ge": lambda sign: sign >= 0,
        "le": lambda sign: sign <= 0,
    }
)
"""Comparisons, by the sign of the difference."""
PIECEWISE = frozenset(
    {"abs", "ge", "gt", "le", "lt", "maximum", "minimum", "relu", "sign", "where"}
)
"""Functions that look at the sign of something."""
SMOOTH = ("exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "sigmoid")
SWAPPED = ("abs", "relu", "sign")


def others(name: str) -> tuple[str, ...]:
    """The functions that one may be taken for."""
    for group in (SMOOTH, SWAPPED, ("maximum", "minimum"), tuple(HOLDS)):
        if name in group:
            return tuple(other for other in group if other != name)
    return ()


def piece(name: str, operands: Sequence[int]) -> int:
    """The value of a function of PIECEWISE."""
    a, b = operands[0], operands[1] if len(operands) > 1 else 0
    if name in HOLDS:
        return int(HOLDS[name](sign((a - b) % PRIME)))
    if name == "where":
        return operands[1] if a else operands[2]
    if name == "maximum":
        return a if sign((a - b) % PRIME) > 0 else b
    if name == "minimum":
        return a if sign((a - b) % PRIME) < 0 else b
    if name == "relu":
        return a if sign(a) > 0 else 0
    return sign(a) % PRIME * (a if name == "abs" else 1) % PRIME


def compute(node: Node, *operands: int) -> int:
    """The value of a node from those of its operands. Raises Pole."""
    if node.code in ARITHMETIC:
        return ARITHMETIC[node.code](*operands) % PRIME
    if node.code == "copy":
        return operands[0]
    if node.code == "pow":
        return raised(operands[0], node.number)
    return called(node.name, operands)


def called(name: str, operands: Sequence[int]) -> int:
    """The value of a function. Raises Pole."""
    if name == "sqrt":
        return root(operands[0])
    if name == "rsqrt":
        return inverse(root(operands[0]))
    return piece(name, operands) if name in PIECEWISE else symbol(name, operands)


Slope = Callable[[int, int], int]
CALL_SLOPES: Mapping[str, Slope] = MappingProxyType(
    {
        "exp": lambda a, out: out,
        "log": lambda a, out: inverse(a),
        "sqrt": lambda a, out: inverse(2 * out),
        "sin": lambda a, out: symbol("cos", (a,)),
        "cos": lambda a, out: -symbol("sin", (a,)),
        "tan": lambda a, out: 1 + out * out,
        "tanh": lambda a, out: 1 - out * out,
        "sigmoid": lambda a, out: out * (1 - out),
        "rsqrt": lambda a, out: -out * inverse(2 * a),
        "abs": lambda a, out: sign(a),
        "relu": lambda a, out: int(sign(a) > 0),
    }
)


def slopes(node: Node, operands: Sequence[int], out: int) -> tuple[int, ...] | None:
    """d node / d operand for each operand; None for a function that has none here. Raises Pole."""
    code = node.code
    if code in ("add", "copy"):
        return (1,) * len(operands)
    if code == "sub":
        return (1, PRIME - 1)
    if code == "mul":
        return (operands[1], operands[0])
    if code == "div":
        under = inverse(operands[1])
        return (under, -out * under % PRIME)
    if code == "neg":
        return (PRIME - 1,)
    if code == "pow":
        n = node.number
        return (residue(n) * raised(operands[0], n - 1) % PRIME if n else 0,)
    if node.name in ("maximum", "minimum") and len(operands) == 2:
        first = int(out == operands[0])
        return (first, 1 - first)
    rule = CALL_SLOPES.get(node.name)
    if rule is None or len(operands) != 1:
        return None
    return (rule(operands[0], out) % PRIME,)


def has_minus(node: Node, at: int) -> bool:
    """Whether the rule for the slope by operand `at` begins with a minus before a product."""
    if node.code == "pow":
        return node.number < 0
    return (node.code == "div" and at == 1) or node.name in ("cos", "rsqrt")

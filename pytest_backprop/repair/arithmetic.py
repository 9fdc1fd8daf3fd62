"""What one scalar node computes over the prime field, and its slopes.

A function that is not rational (`exp`, `tanh`) gives an arbitrary residue that depends on nothing
but its name and its argument: equal calls are equal, and no more is claimed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from ..model import Span
from ..trace.field import PRIME, Pole, inverse, power

Code = Literal["leaf", "number", "copy", "add", "sub", "mul", "div", "neg", "pow", "call"]

MAX_EXPONENT = 64


class Node(NamedTuple):
    """One scalar of a pass. `operands` are earlier nodes.

    `number` is a constant or an exponent; `name` a leaf (`w0`), or the function of a `call`.
    `op` is the recorded op that made it, -1 for what Python made. `site` is the expression, and
    `place` groups what stands in one statement. `bound` is the name it was assigned to, if any.
    """

    code: Code
    operands: tuple[int, ...] = ()
    number: int | float | None = None
    name: str = ""
    op: int = -1
    site: Span | None = None
    place: tuple[object, ...] = ()
    bound: str | None = None


def symbol(name: str, operands: Sequence[int]) -> int:
    """The residue that stands for a function's value."""
    text = f"{name}|{'|'.join(map(str, operands))}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest()) % PRIME


def root(number: int) -> int:
    """A square root, chosen so that roots of products are products of roots. Raises Pole where the
    field has none: take another point."""
    found = pow(number, (PRIME + 1) // 4, PRIME)
    if found * found % PRIME != number % PRIME:
        raise Pole
    return found


def compute(node: Node, a: int, b: int = 0, more: Sequence[int] = ()) -> int:
    """The value of a node from those of its operands. Raises Pole."""
    code = node.code
    if code == "mul":
        return a * b % PRIME
    if code == "add":
        return (a + b) % PRIME
    if code == "sub":
        return (a - b) % PRIME
    if code == "copy":
        return a
    if code == "div":
        return a * inverse(b) % PRIME
    if code == "neg":
        return -a % PRIME
    if code == "pow":
        assert isinstance(node.number, int)
        return power(a, node.number)
    operands = (a, b, *more)[: len(node.operands)]
    if node.name == "sqrt":
        return root(a)
    if node.name == "rsqrt":
        return inverse(root(a))
    return symbol(node.name, operands)


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
        "abs": lambda a, out: symbol("sgn", (a,)),
        "relu": lambda a, out: symbol("gt|0", (a,)),
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
        assert isinstance(n, int)
        return ((n * power(operands[0], n - 1)) % PRIME if n else 0,)
    rule = CALL_SLOPES.get(node.name)
    if rule is None or len(operands) != 1:
        return None
    return (rule(operands[0], out) % PRIME,)

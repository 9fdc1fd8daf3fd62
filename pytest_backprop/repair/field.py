"""Exact arithmetic over a prime field, where two rational functions that agree at a random point
are, almost surely, the same function (Schwartz 1980, Zippel 1979)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import TypeGuard

PRIME = 2**61 - 1
"""The Mersenne prime M61."""

MAX_EXPONENT = 64
"""Of a power that is worked out."""


class Pole(ArithmeticError):
    """A division by zero in the field: take another point."""


def residue(number: int | float | Fraction) -> int:
    """A number of the program as a residue. Floats are dyadic rationals, so this is exact.

    Raises OverflowError or ValueError for inf and NaN, Pole if the denominator is 0 in the field.
    """
    exact = Fraction(number)
    return exact.numerator * inverse(exact.denominator % PRIME) % PRIME


def inverse(number: int) -> int:
    """1 / number. Raises Pole for 0."""
    if number % PRIME == 0:
        raise Pole
    return pow(number, -1, PRIME)


def power(base: int, exponent: int) -> int:
    """base ** exponent for any integer exponent. Raises Pole for a negative power of 0."""
    if exponent < 0:
        return pow(inverse(base), -exponent, PRIME)
    return pow(base, exponent, PRIME)


def is_half(number: object) -> TypeGuard[int | float]:
    """Whether it can be an exponent here: whole, or a half more."""
    return (
        isinstance(number, int | float)
        and not isinstance(number, bool)
        and abs(number) <= MAX_EXPONENT
        and 2 * number == int(2 * number)
    )


ARITHMETIC: dict[str, Callable[..., int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda a, b: a * inverse(b),
    "neg": operator.neg,
}
"""What an op gives of its operands, but for a multiple of PRIME. Raises Pole."""

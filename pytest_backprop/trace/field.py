"""Exact arithmetic over a prime field, where two rational functions that agree at a random point
are, almost surely, the same function (Schwartz 1980, Zippel 1979)."""

from __future__ import annotations

from fractions import Fraction

PRIME = 2**61 - 1
"""The Mersenne prime M61."""

MAX_EXPONENT = 64
"""Of a power that is worked out, in a variant as in a pass."""


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


class Dual:
    """A residue with its derivatives by each weight: forward-mode differentiation, exactly.

    Mixes with Python numbers. Raises Pole where it divides by zero.
    """

    __slots__ = ("slopes", "value")

    def __init__(self, value: int, slopes: tuple[int, ...]) -> None:
        self.value = value
        self.slopes = slopes

    def _lift(self, other: Dual | int | float) -> Dual:
        if isinstance(other, Dual):
            return other
        return Dual(residue(other), (0,) * len(self.slopes))

    def __add__(self, other: Dual | int | float) -> Dual:
        b = self._lift(other)
        return Dual(
            (self.value + b.value) % PRIME,
            tuple([(p + q) % PRIME for p, q in zip(self.slopes, b.slopes, strict=True)]),
        )

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value % PRIME, tuple([-p % PRIME for p in self.slopes]))

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, other: Dual | int | float) -> Dual:
        return self + -self._lift(other)

    def __rsub__(self, other: int | float) -> Dual:
        return self._lift(other) + -self

    def __mul__(self, other: Dual | int | float) -> Dual:
        b = self._lift(other)
        return Dual(
            self.value * b.value % PRIME,
            tuple(
                [
                    (p * b.value + self.value * q) % PRIME
                    for p, q in zip(self.slopes, b.slopes, strict=True)
                ]
            ),
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Dual | int | float) -> Dual:
        return self * self._lift(other) ** -1

    def __rtruediv__(self, other: int | float) -> Dual:
        return self._lift(other) * self**-1

    def __pow__(self, exponent: int) -> Dual:
        slope = exponent * power(self.value, exponent - 1) if exponent else 0
        return Dual(power(self.value, exponent), tuple([slope * p % PRIME for p in self.slopes]))

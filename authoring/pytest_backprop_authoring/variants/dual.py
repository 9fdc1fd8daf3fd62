"""Dual numbers over the prime field: whether a rational variant depends on each of its leaves,
exactly."""

from __future__ import annotations

from pytest_backprop.repair.field import PRIME, power, residue


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

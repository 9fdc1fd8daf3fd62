"""Products such as `-3 * dt4 * x3 / w0`: what adjoints are made of, and their text."""

from __future__ import annotations

from typing import NamedTuple

from pytest_backprop.exercises.functions.bank.program import Number

Operand = Number | str
"""A number, or the name of a value."""


class Factor(NamedTuple):
    """A text that binds at least as tightly as `*`, and the names in it. A `mask` is true or false."""

    text: str
    reads: tuple[str, ...]
    mask: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is a value by its name, so that no op is needed to have it."""
        return self.reads == (self.text,)


class Term(NamedTuple):
    """coefficient * factors / divisor."""

    coefficient: Number
    factors: tuple[Factor, ...] = ()
    divisor: Factor | None = None

    @property
    def is_free(self) -> bool:
        """Whether it is a number, or a number times a value that is there already."""
        if self.divisor is not None or len(self.factors) > 1:
            return False
        return not self.factors or self.factors[0].is_name

    @property
    def name(self) -> str | None:
        """The value of which a free term is a multiple; None if it is a number."""
        return self.factors[0].text if self.factors else None

    @property
    def reads(self) -> tuple[str, ...]:
        """The names in it."""
        factors = (*self.factors, *([self.divisor] if self.divisor else []))
        return tuple(dict.fromkeys(name for factor in factors for name in factor.reads))

    def times(self, other: Term) -> Term:
        """The product. At most one of the two has a divisor."""
        return Term(
            whole(self.coefficient * other.coefficient),
            self.factors + other.factors,
            self.divisor or other.divisor,
        )

    def text(self) -> str:
        """It as Python, its sign first."""
        return ("-" if self.coefficient < 0 else "") + self.magnitude()

    def magnitude(self) -> str:
        """It as Python, without its sign."""
        size = whole(abs(self.coefficient))
        parts = [factor.text for factor in self.factors]
        if parts and all(factor.mask for factor in self.factors):
            parts.insert(0, repr(float(size)))  # bool tensors cannot be added or subtracted
        elif size != 1 or not parts:
            parts.insert(0, literal(size))
        product = " * ".join(parts)
        return product if self.divisor is None else f"{product} / {self.divisor.text}"

    def added_to(self, text: str) -> str:
        """`text + it`, or `text - it`."""
        return f"{text} {'-' if self.coefficient < 0 else '+'} {self.magnitude()}"


def named(name: str, coefficient: Number = 1) -> Term:
    """A value times a number."""
    return Term(coefficient, (Factor(name, (name,)),))


def over(factor: Factor | str, coefficient: Number = 1) -> Term:
    """A number divided by a value."""
    divisor = Factor(factor, (factor,)) if isinstance(factor, str) else factor
    return Term(coefficient, (), divisor)


def power(base: str, exponent: Number) -> Factor | None:
    """`base ** exponent`; the base itself for 1, None for 0."""
    exponent = whole(exponent)
    if exponent == 0:
        return None
    text = base if exponent == 1 else f"{base} ** {exponent!r}"
    return Factor(text, (base,))


def whole(number: Number) -> Number:
    """The number as an int, if it is one."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def literal(operand: Operand) -> str:
    """A name as it is, a number as Python; in parentheses if it is negative."""
    if isinstance(operand, str):
        return operand
    text = repr(whole(operand))
    return f"({text})" if text.startswith("-") else text

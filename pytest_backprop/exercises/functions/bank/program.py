"""A variant as a straight-line program, and what can be computed from one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct

from ....model import Leaf

T = TypeVar("T")
Number = int | float

Code = Literal[
    "load", "constant", "exponent", "add", "sub", "mul", "div", "pow", "neg", "pos", "call"
]

OPERATORS: Final[Mapping[str, Callable[..., Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "pow": operator.pow,
    "neg": operator.neg,
    "pos": operator.pos,
}


def _sigmoid(x: float) -> float:
    # exp of a large positive number overflows, so each sign has its own form.
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))


FLOAT_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "abs": abs,
    "cos": math.cos,
    "exp": math.exp,
    "log": math.log,
    "max": max,
    "min": min,
    "relu": lambda x: max(x, 0.0),
    "sigmoid": _sigmoid,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
}
"""Every function a variant may call, on Python floats. `max` and `min` take two arguments."""

FUNCTION_NAMES: Final = frozenset(FLOAT_FUNCTIONS)
"""The canonical names that `Variant.functions` holds and `Variant.evaluate` asks for."""


class Step(Struct, frozen=True):
    """One instruction. The step at position i makes value i; the last one makes the result.

    `operands` are positions of earlier steps. `name` is the weight or input of a `load`, the
    canonical function of a `call`. `value` is the number of a `constant` or `exponent`; an
    `exponent` is the literal right side of a `pow`, apart because it is a count and not a value
    of the variant's number type (integral floats such as 2.0 are already ints).
    `drops` are the operands nobody reads after this step. `line` counts from 1 in the text.
    """

    code: Code
    operands: tuple[int, ...] = ()
    name: str = ""
    value: Number | None = None
    drops: tuple[int, ...] = ()
    line: int = 0


class Variant(Struct, frozen=True):
    """A function of scalar weights and inputs. Made by `parse_variant`; source: the course's bank.

    `name` is canonical (`v8`, no leading zeros). `weights` and `inputs` are sorted by number and
    each reaches the result. `source` is the text of the function, `path` its file if it has one.
    """

    name: str
    weights: tuple[str, ...]
    inputs: tuple[str, ...]
    source: str
    path: str | None
    program: tuple[Step, ...]
    leaves: tuple[Leaf, ...] = ()
    """The tensors that the weights and inputs are numbers of; none if each stands for itself."""

    sizes: str = ""
    """Those of the dimensions of `leaves`: `n=3, d=2`."""

    @property
    def may_leave_out(self) -> bool:
        """Whether the value may not depend on some of the weights."""
        return False

    @property
    def expression(self) -> str:
        """What a child calls itself, where an exercise has one do so: the text of a function, or
        the name of one of the student's."""
        return ""

    @property
    def draws(self) -> Iterator[Variant]:
        """The variants that a submission is judged on: this one, or of tensors one a draw of
        sizes."""
        yield self

    @property
    def draw_count(self) -> int:
        """How many of these it is judged on."""
        return 1

    @property
    def functions(self) -> frozenset[str]:
        """The canonical names of the functions it calls; empty for most variants."""
        return frozenset(step.name for step in self.program if step.code == "call")

    @property
    def constants(self) -> tuple[Number, ...]:
        """The numbers in the text that reach the result, exponents included, each once."""
        return tuple(dict.fromkeys(step.value for step in self.program if step.value is not None))

    @property
    def is_rational(self) -> bool:
        """Whether it is built of + - * / and literal integer powers only."""
        return all(
            step.code != "call"
            and (step.code != "pow" or isinstance(self.program[step.operands[1]].value, int))
            for step in self.program
        )

    def evaluate(
        self,
        environment: Mapping[str, T],
        functions: Mapping[str, Callable[..., T]] | None = None,
        *,
        constant: Callable[[Number], T] | None = None,
        each: Callable[..., T] | None = None,
    ) -> T:
        """Interpret the program with Python's operators on whatever the environment holds.

        Shapes: those of the values given; a batched tensor for each name gives a batched result.
        `functions` maps each of `self.functions` to an implementation. `constant` lifts a number
        into the number type; without it Python numbers are used as written, which suits tensors and
        floats. With Fractions or field elements give it, or `1 / 2` becomes a float. Exponents are
        never lifted. With `each`, ops run as `each(function, *operands)`. A value is let go after
        its last use, so that live tensors can be measured around this call. Errors: KeyError for a
        missing name or function; the number type's own otherwise (floats and Fractions raise
        ZeroDivisionError on a pole).
        """
        values: list[Any] = [None] * len(self.program)
        given: Mapping[str, Callable[..., Any]] = functions or {}
        for position, step in enumerate(self.program):
            code = step.code
            if code == "load":
                values[position] = environment[step.name]
            elif code == "constant" and constant is not None and step.value is not None:
                values[position] = constant(step.value)
            elif code == "constant" or code == "exponent":
                values[position] = step.value
            else:
                run = given[step.name] if code == "call" else OPERATORS[code]
                operands = [values[operand] for operand in step.operands]
                values[position] = run(*operands) if each is None else each(run, *operands)
                for operand in step.drops:
                    values[operand] = None
        result: T = values[-1]
        return result


def same_function(a: Variant, b: Variant, seed: int = 0) -> bool:
    """Whether two variants compute the same function of the same names, however written.

    Two rational ones are compared exactly, over Fractions, at 8 random rational points (a
    difference survives a random point with small probability only: Schwartz and Zippel); others
    in floats to 1e-9 at up to 24 points. Points where either has a pole, or leaves its domain, are
    skipped. If none is left, only equal programs count as the same. Raises nothing.
    """
    if (a.weights, a.inputs) != (b.weights, b.inputs):
        return False
    if _unplaced(a) == _unplaced(b):
        return True
    names = a.weights + a.inputs
    exact = a.is_rational and b.is_rational
    random, wanted, met = Random(f"same:{seed}"), 8 if exact else 24, 0
    for _ in range(wanted * 8):
        # A prime denominator and a wide numerator: chance zeros of a difference stay rare.
        point = {name: Fraction(random.randint(-199, 199) or 1, 97) for name in names}
        try:
            if exact:
                same = a.evaluate(point, constant=Fraction) == b.evaluate(point, constant=Fraction)
            else:
                floats = {name: float(value) for name, value in point.items()}
                ours = a.evaluate(floats, FLOAT_FUNCTIONS)
                theirs = b.evaluate(floats, FLOAT_FUNCTIONS)
                # Python answers a fractional power of a negative number with a complex one.
                if isinstance(ours, complex) or isinstance(theirs, complex):
                    continue
                if not (math.isfinite(ours) and math.isfinite(theirs)):
                    continue
                same = math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12)
        except (ArithmeticError, ValueError, TypeError):
            continue
        if not same:
            return False
        met += 1
        if met == wanted:
            break
    return met > 0


def _unplaced(variant: Variant) -> list[tuple[object, ...]]:
    """The program without line numbers, to compare texts that differ in layout only."""
    return [(step.code, step.operands, step.name, step.value) for step in variant.program]

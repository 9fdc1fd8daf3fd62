"""A variant as a straight-line program, and what can be computed from one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
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
FLOAT_FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "abs": abs,
    "cos": math.cos,
    "exp": math.exp,
    "log": math.log,
    "max": max,
    "min": min,
    "relu": lambda x: max(x, 0.0),
    "sigmoid": lambda x: 0.5 + 0.5 * math.tanh(0.5 * x),  # exp of a large number overflows
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
}
"""Every function a variant may call, on Python floats. `max` and `min` take two arguments."""


class Step(Struct, frozen=True):
    """One instruction. The step at position i makes value i; the last one makes the result.

    `operands` are positions of earlier steps. `name` is the weight or input of a `load`, the
    canonical function of a `call`. `value` is the number of a `constant` or `exponent`; an
    `exponent` is the literal right side of a `pow`, apart because it is a count and not a value
    of the variant's number type (integral floats such as 2.0 are already ints).
    `line` counts from 1 in the text."""

    code: Code
    operands: tuple[int, ...] = ()
    name: str = ""
    value: Number | None = None
    line: int = 0


class Variant(Struct, frozen=True):
    """A function of scalar weights and inputs. Made by `parse_variant`; source: the course's bank.

    `name` is canonical (`v8`, no leading zeros). `source` is the text of the function, `path` its
    file if it has one. `leaves` are its tensors; of scalars they are sorted by number, weights
    first, and each reaches the result."""

    name: str
    source: str
    path: str | None
    program: tuple[Step, ...]
    leaves: tuple[Leaf, ...]

    sizes: str = ""
    """Those of the dimensions of `leaves`: `n=3, d=2`."""

    may_leave_out: bool = False
    """Whether the value may not depend on some of the weights."""

    expression: str = ""
    """What a child calls itself, where an exercise has one do so: the text of a function, or the
    name of one of the student's."""

    draw_count: int = 1
    """At how many sizes of its leaves a submission is judged."""

    @property
    def weights(self) -> tuple[str, ...]:
        """What the numbers are called whose gradients are asked for: `w0`, `w[0, 1]`."""
        return tuple(
            name for leaf in self.leaves if leaf.kind == "weight" for name in leaf.elements
        )

    @property
    def inputs(self) -> tuple[str, ...]:
        """What the other numbers of a point are called."""
        return tuple(name for leaf in self.leaves if leaf.kind == "input" for name in leaf.elements)

    @property
    def of_scalars(self) -> bool:
        """Whether its weights and inputs are numbers, as in the course's homework."""
        return bool(self.program)

    @property
    def needs_all(self) -> bool:
        """Whether gradients are asked for of every tensor of which the task asks for one."""
        return True

    def evaluate(
        self,
        environment: Mapping[str, T],
        functions: Mapping[str, Callable[..., T]] | None = None,
        *,
        constant: Callable[[Number], T] | None = None,
    ) -> T:
        """Interpret the program with Python's operators on whatever the environment holds.

        Shapes: those of the values; a batched tensor for each name gives a batched result.
        `functions` maps the canonical names of functions to implementations. `constant` lifts a
        number into the number type; without it Python numbers are used as written, which suits
        tensors and floats. Exponents are never lifted. A value is let go after its last use, so
        that live tensors can be measured around this call. Errors: KeyError for a missing name or
        function; the number type's own otherwise (floats and Fractions raise ZeroDivisionError on
        a pole)."""
        last = {o: position for position, step in enumerate(self.program) for o in step.operands}
        values: list[Any] = []
        for position, step in enumerate(self.program):
            if step.code == "load":
                values.append(environment[step.name])
            elif step.code == "constant" and constant is not None and step.value is not None:
                values.append(constant(step.value))
            elif step.value is not None:
                values.append(step.value)
            else:
                run = (functions or {})[step.name] if step.code == "call" else OPERATORS[step.code]
                values.append(run(*(values[operand] for operand in step.operands)))
            for operand in step.operands:
                if last[operand] == position:
                    values[operand] = None
        result: T = values[-1]
        return result

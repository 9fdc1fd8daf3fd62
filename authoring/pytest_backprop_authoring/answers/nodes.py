"""The nodes of a variant that a pass computes: numbers folded, aliases and dead nodes left out."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, NamedTuple

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import FLOAT_FUNCTIONS, Variant
from pytest_backprop.exercises.functions.bank.program import OPERATORS, Number
from pytest_backprop.messages import say

from .terms import Operand, literal, whole


class AnswerNode(NamedTuple):
    """A value that is computed. `code` is a step's, or `power` where the exponent is a number; a
    call's function is `function`. `local` is the variant's own name for the value, if it has one."""

    name: str
    code: str
    function: str
    operands: tuple[Operand, ...]
    local: str | None
    depends: bool
    """Whether a weight reaches it."""

    @property
    def text(self) -> str:
        """Its right side as Python."""
        operands = [literal(operand) for operand in self.operands]
        match self.code:
            case "call":
                return _call(self.function, self.operands)
            case "neg":
                return f"-{operands[0]}"
            case code:
                return f" {_SIGNS[code]} ".join(operands)

    @property
    def reads(self) -> tuple[str, ...]:
        """The names of the values it is made of."""
        return tuple(dict.fromkeys(o for o in self.operands if isinstance(o, str)))


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "power": "**"}
_TORCH = {"max": "maximum", "min": "minimum"}
_CLAMP = {"max": "min", "min": "max"}
"""A function of a value and a number -> torch.clamp's argument for the number."""


def nodes_of(variant: Variant) -> list[AnswerNode]:
    """The nodes in order of execution: t1, t2, ..., and y for the result.

    Raises UsageProblem for a function that has no answer: a result without an op, or a power of
    a number that is not positive.
    """
    reader = _Reader(variant)
    result = reader.values[-1]
    if not isinstance(result, int) or reader.made[result].code == "load":
        raise UsageProblem(
            say("variant {variant} computes nothing", variant=variant.name),
            say("write a function of weights and inputs with at least one operation"),
        )
    return reader.nodes(result)


class _Made(NamedTuple):
    code: str
    function: str
    operands: tuple[int | float | None, ...]
    """Keys into `made`, or None where `numbers` has the operand."""
    numbers: tuple[Number | None, ...]
    line: int


class _Reader:
    """Interprets the program once, with numbers where there are numbers."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.made: list[_Made] = []
        self.values: list[int | _Number] = []
        self._loads: dict[str, int] = {}
        for step in variant.program:
            operands = [self.values[o] for o in step.operands]
            if step.code == "load":
                if step.name not in self._loads:
                    self._loads[step.name] = self._make("load", step.name, [], step.line)
                self.values.append(self._loads[step.name])
            elif step.value is not None:
                self.values.append(_Number(step.value))
            else:
                self.values.append(self._value(step.code, step.name, operands, step.line))

    def _value(
        self, code: str, function: str, operands: list[int | _Number], line: int
    ) -> int | _Number:
        numbers = [o.value for o in operands if isinstance(o, _Number)]
        if len(numbers) == len(operands):
            run: Callable[..., Any] = (
                FLOAT_FUNCTIONS[function] if code == "call" else OPERATORS[code]
            )
            return _Number(run(*numbers))
        first = operands[0]
        if code == "pos":
            return first
        if code == "pow" and isinstance(operands[1], _Number):
            return _Number(1) if numbers[0] == 0 else self._make("power", "", operands, line)
        if code == "pow" and isinstance(first, _Number) and first.value <= 0:
            raise UsageProblem(
                say(
                    "variant {variant}, line {line}: {number} to the power of a variable",
                    variant=self.variant.name,
                    line=line,
                    number=f"{first.value:g}",
                ),
                say("take a positive number to the power of a variable"),
            )
        if (code == "mul" and 0 in numbers) or (
            code == "div" and isinstance(first, _Number) and first.value == 0
        ):
            return _Number(0)
        return self._make(code, function, operands, line)

    def _make(self, code: str, function: str, operands: list[int | _Number], line: int) -> int:
        self.made.append(
            _Made(
                code,
                function,
                tuple(None if isinstance(o, _Number) else o for o in operands),
                tuple(o.value if isinstance(o, _Number) else None for o in operands),
                line,
            )
        )
        return len(self.made) - 1

    def nodes(self, result: int) -> list[AnswerNode]:
        """The nodes that the result needs."""
        needed = {result}
        for key in range(result, -1, -1):
            if key in needed:
                needed.update(o for o in self.made[key].operands if isinstance(o, int))
        locals_ = _locals(self.variant)
        names: dict[int, str] = {}
        depends: dict[int, bool] = {}
        nodes: list[AnswerNode] = []
        last_of_line = {
            self.made[key].line: key for key in sorted(needed) if self.made[key].code != "load"
        }
        for key in sorted(needed):
            made = self.made[key]
            if made.code == "load":
                names[key] = made.function
                depends[key] = made.function in self.variant.weights
                continue
            names[key] = "y" if key == result else f"t{len(nodes) + 1}"
            depends[key] = any(depends[o] for o in made.operands if isinstance(o, int))
            operands = tuple(
                names[o] if isinstance(o, int) else _given(number)
                for o, number in zip(made.operands, made.numbers, strict=True)
            )
            local = locals_.get(made.line) if last_of_line[made.line] == key else None
            nodes.append(
                AnswerNode(names[key], made.code, made.function, operands, local, depends[key])
            )
        return nodes


class _Number(NamedTuple):
    value: Number


def _given(number: Number | None) -> Number:
    assert number is not None
    return whole(number)


def _locals(variant: Variant) -> dict[int, str]:
    """Line -> the local name that an assignment of one line, alone on it, gives its value."""
    function = ast.parse(variant.source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assigned = [s for s in function.body if isinstance(s, ast.Assign)]
    end = function.body[-1]
    value = end.value if isinstance(end, ast.Return) else None
    if isinstance(value, ast.Name):  # what it stands for was computed further up
        bound = [s.value for s in assigned if _target(s) == value.id]
        value = bound[-1] if bound else None
    if value is None:
        return {}
    # steps count lines in the file, `source` starts with the function
    shift = variant.program[-1].line - value.lineno
    lines = [s.lineno for s in function.body]
    return {
        s.lineno + shift: name
        for s in assigned
        if s.lineno == s.end_lineno and lines.count(s.lineno) == 1 and (name := _target(s))
    }


def _target(statement: ast.Assign) -> str | None:
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) else None


def _call(function: str, operands: tuple[Operand, ...]) -> str:
    names = [o for o in operands if isinstance(o, str)]
    numbers = [o for o in operands if not isinstance(o, str)]
    if numbers:
        return f"torch.clamp({names[0]}, {_CLAMP[function]}={whole(numbers[0])!r})"
    return f"torch.{_TORCH.get(function, function)}({', '.join(names)})"

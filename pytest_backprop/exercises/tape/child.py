"""The child's half: the expression of a task, built of the student's Variables, and their
`grad`. Student code runs here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from msgspec.structs import replace

from ...messages import say
from ...model import LOSS, VALUE, Scenario, gradient_of
from ...submission import slice_names
from ..adjoint import GRAD_OUTPUT, WARM_SCENARIO
from ..adjoint.child import AdjointCall, AdjointTarget
from ..base import Source
from ..loading import load_slice, task_functions
from . import AGAIN, BACKWARD, PASS_NAMES as PASS_NAMES, RESET, SECOND, UNRELATED

VARIABLE, GRAD, RESET_TAPE, TAPE = "Variable", "grad", "reset_tape", "gradient_tape"
"""The names of the course's note."""

WARM_UP = (
    """
class Variable:
    def __init__(self, value):
        self.value = value
    def __mul__(self, rhs):
        return Variable(self.value * rhs.value)
    def sum(self):
        return Variable(self.value.sum())
def reset_tape():
    pass
def grad(L, desired):
    return [each * each for each in desired]
""",
    replace(WARM_SCENARIO, expression="def v1(x):\n    return x * x"),
)
"""A small tape, which a process runs before any submission's."""
ANOTHER = 16
"""Products of the other computation: more than most tasks have operators."""


def find(source: Source, scenario: Scenario) -> AdjointTarget:
    """The Variables and the `grad` of a submission. Raises SubmissionProblem."""
    expression = scenario.expression
    variable = source.class_name or VARIABLE
    operator = expression if expression.isidentifier() else ""
    wanted = (GRAD, RESET_TAPE, operator or variable)
    chosen = slice_names(source.units, variable, wanted, (TAPE,))

    def build(cls: type, names: dict[str, Any], _: list[str]) -> StudentsTape:
        (function,) = [names[operator]] if operator else task_functions(expression).values()
        return StudentsTape(cls, names, function)

    loaded = load_slice(chosen, source.recorded, build)
    return AdjointTarget(loaded, scenario, loaded.built.make)


class StudentsTape(NamedTuple):
    """The student's class of Variables, all their names, and the function of Variables."""

    variable: type[Any]
    names: dict[str, Any]
    function: Callable[..., Any]

    def make(self, call: AdjointCall) -> None:
        """Builds the function's value on a tape that was reset, asks for the gradients if the pass
        is, and resets the tape. Raises what the student's code raises, and TypeError for results
        of another type."""
        self.names[RESET_TAPE]()
        if call.is_pass and call.scenario.variation == AGAIN:
            self._run_another(call.grad_output)
        call.phase("forward")
        arguments = [
            self.variable(each) if isinstance(each, torch.Tensor) else each
            for each in call.arguments
        ]
        result = self.function(*arguments)
        value = call.outputs[VALUE] = _tensor_of(result, say("the value"))
        if value.shape != call.grad_output.shape:
            return
        adjoint = self.variable(call.grad_output)
        loss = _summed(adjoint * result)
        number = call.recorded[LOSS] = _tensor_of(loss, "(g * y).sum()")
        if number.shape != ():
            raise TypeError(
                say(
                    "`(g * y).sum()` has the shape {shape}: the sum of a Variable is one number",
                    shape=list(number.shape),
                )
            )
        if call.is_pass:
            variables = [each for each in arguments if isinstance(each, self.variable)]
            self._make_backward(call, loss, [*variables, adjoint])
        call.phase(RESET)
        self.names[RESET_TAPE]()

    def _run_another(self, like: torch.Tensor) -> None:
        """Another computation, its gradients, and a reset; of tensors of other sizes, where there
        are any. Raises what the student's code raises."""
        tensor = torch.full([size + 1 for size in like.shape], 0.75, dtype=like.dtype)
        first, factor = self.variable(tensor), self.variable(tensor)
        total = result = first
        for _ in range(ANOTHER):
            result = result * factor
            total = _summed(result)
        self._grad(total, [first, factor])
        self.names[RESET_TAPE]()

    def _make_backward(self, call: AdjointCall, loss: Any, variables: list[Any]) -> None:
        variation = call.scenario.variation
        wanted = list(variables)
        if variation == UNRELATED:
            wanted.append(self.variable(torch.full_like(next(iter(call.asked.values())), 0.5)))
            product = variables[0] * wanted[-1]
            if call.grad_output.dim():  # else the course asks for no `sum`
                _summed(product)
        call.phase(BACKWARD)
        gradients = self._grad(loss, wanted)
        if variation == AGAIN:
            gradients = self._grad(loss, wanted)
        if variation == UNRELATED:
            call.facts["unrelated"] = gradients.pop() is not None
        *of_inputs, of_adjoint = [_gradient_of(each, call.problems) for each in gradients]
        call.give(of_inputs)
        if of_adjoint is not None:
            call.recorded[gradient_of(GRAD_OUTPUT)] = of_adjoint
        if call.twice:
            call.phase(SECOND)
            call.give_second(lambda: [self._second(each, variables) for each in gradients[:-1]])

    def _grad(self, loss: Any, wanted: list[Any]) -> list[Any]:
        """What the student's `grad` returns. Raises TypeError for what is not one result for
        each."""
        results = self.names[GRAD](loss, wanted)
        if isinstance(results, list | tuple) and len(results) == len(wanted):
            return list(results)
        text = type(results).__name__
        if isinstance(results, list | tuple):
            text = say("{count} results", count=len(results))
        raise TypeError(
            say(
                "`grad(L, desired_results)` returns {told} for {count} desired results: "
                "a list with one for each is wanted",
                told=text,
                count=len(wanted),
            )
        )

    def _second(self, gradient: Any, variables: list[Any]) -> torch.Tensor:
        """The gradients of a gradient, weighted by a ramp and summed, on the same tape."""
        parts: list[Any] = [None] * len(variables)
        if gradient is not None:
            value = _tensor_of(gradient, say("a gradient"))
            ramp = torch.linspace(0.5, 1.5, value.numel(), dtype=value.dtype)
            weighted = gradient * self.variable(ramp.reshape(value.shape))
            parts = self._grad(_summed(weighted), variables)
        numbers = [
            torch.zeros_like(like.value) if part is None else _tensor_of(part, say("a gradient"))
            for part, like in zip(parts, variables, strict=True)
        ]
        return torch.cat([each.detach().reshape(-1) for each in numbers])


def _gradient_of(result: Any, problems: list[tuple[str, str]]) -> torch.Tensor | None:
    if result is None:
        return None
    try:
        return _tensor_of(result, say("a gradient"))
    except TypeError as error:
        problems.append(("", str(error)))
        return None


def _summed(variable: Any) -> Any:
    """Its sum, by the student's own operator; itself where it is one number."""
    return variable.sum() if _tensor_of(variable, "g * y").dim() else variable


def _tensor_of(variable: Any, what: str) -> torch.Tensor:
    """The value of a Variable. Raises TypeError for what is none."""
    if not issubclass(type(variable), torch.Tensor):
        value: Any = getattr(variable, "value", None)
        if issubclass(type(value), torch.Tensor):
            return value  # type: ignore[no-any-return]
    raise TypeError(
        say(
            "{what} is a {type}, not a Variable with a tensor as its value",
            what=what,
            type=type(variable).__name__,
        )
    )

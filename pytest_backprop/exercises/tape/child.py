"""The child's half: the expression of a task, built of the student's Variables, and their
`grad`. Student code runs here."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import SubmissionProblem
from ...messages import say
from ...model import LOSS, Leaf, MethodName, Scenario, Span, Unit, gradient_of
from ...submission import slice_names
from ...trace.record import Recorder
from ..adjoint.child import AdjointCall, AdjointTarget
from ..adjoint.facts import GRAD_OUTPUT
from ..loading import Loaded, load_slice
from ..observation import fault_of
from . import PASS_NAMES as PASS_NAMES
from .entries import hidden_captures
from .facts import AGAIN, BACKWARD, RESET, SECOND, UNRELATED, Captured, TapeFacts
from .operators import methods_of

VARIABLE, GRAD, RESET_TAPE, TAPE = "Variable", "grad", "reset_tape", "gradient_tape"
"""The names of the course's note."""
MAX_CAPTURED = 20

WARM_UP = (
    """
import torch
tape = []
class Variable:
    def __init__(self, value, name=None):
        self.value = value
        self.name = name or id(self)
    def __mul__(self, rhs):
        r = Variable(self.value * rhs.value)
        tape.append(([self.name, rhs.name], [r.name], lambda d: [d * rhs, d * self]))
        return r
    def exp(self):
        r = Variable(torch.exp(self.value))
        tape.append(([self.name], [r.name], lambda d: [d * r]))
        return r
    def sum(self):
        r = Variable(self.value.sum())
        tape.append(([self.name], [r.name], lambda d: [Variable(d.value.expand(self.value.shape))]))
        return r
def reset_tape():
    tape.clear()
def grad(L, desired):
    found = {L.name: Variable(torch.ones(()))}
    for inputs, outputs, propagate in reversed(list(tape)):
        if outputs[0] in found:
            for name, made in zip(inputs, propagate(found[outputs[0]])):
                found[name] = Variable(found[name].value + made.value) if name in found else made
    return [found.get(each.name) for each in desired]
""",
    Scenario(
        ("x[0]", "x[1]"),
        ("g[0]", "g[1]"),
        ((0.3, 0.7),),
        ((0.2, 0.4),),
        (Leaf("x", "weight", (2,)), Leaf(GRAD_OUTPUT, "input", (2,), order=2)),
        "def v1(x):\n    return x * x.exp()",
    ),
)
"""A small tape, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> TapeTarget:
    """The Variables and the `grad` of a submission. Raises SubmissionProblem."""
    expression = scenario.expression
    variable = class_name or VARIABLE
    operator = expression if expression.isidentifier() else ""
    chosen = slice_names(units, variable, (GRAD, RESET_TAPE, operator or variable), (TAPE,))
    asked = {"__mul__": "g * y", "sum": "y.sum()"}
    if not operator:
        asked |= methods_of(
            expression, [leaf.name for leaf in scenario.leaves if leaf.number is not None]
        )

    def build(cls: type, names: dict[str, Any], notes: list[str]) -> dict[str, Any]:
        for name, written in asked.items():
            if not hasattr(cls, name) and not hasattr(cls, "__getattr__"):
                raise _no_operator(variable, name, written, chosen.forward)
        return names

    return TapeTarget(load_slice(chosen, loops, build), scenario)


def _no_operator(variable: str, name: str, written: str, place: Span) -> SubmissionProblem:
    return SubmissionProblem(
        "no-operator",
        say(
            "`{cls}` has no method `{name}`, which `{written}` calls",
            cls=variable,
            name=name,
            written=written,
        ),
        say(
            "write it in the class as the other operators are: `def {name}(self…)`, which makes "
            "the new "
            "`{cls}` and appends an entry to the tape",
            name=name,
            cls=variable,
        ),
        place,
    )


class TapeTarget(AdjointTarget):
    """The student's Variables and `grad` at the leaves of a scenario."""

    def __init__(self, loaded: Loaded[dict[str, Any]], scenario: Scenario) -> None:
        super().__init__(loaded, scenario)
        self.names = loaded.built
        self.variation = scenario.variation
        expression = scenario.expression
        if expression.isidentifier():
            self.function = self.names[expression]
        else:
            own: dict[str, Any] = {"math": math}
            exec(compile(expression, "<task>", "exec"), own)
            self.function = own[ast.parse(expression).body[0].name]  # type: ignore[attr-defined]

    def call(
        self, method: MethodName, given: list[torch.Tensor], recorder: Recorder | None
    ) -> _Call:
        """The expression with these tensors, on a tape that was reset."""
        self.reset()
        return _Call(self, method, given, recorder, TapeFacts())

    def variable(self, tensor: torch.Tensor) -> Any:
        """A Variable of the student's."""
        return self.loaded.cls(tensor)

    def grad(self, loss: Any, wanted: list[Any]) -> list[Any]:
        """What the student's `grad` returns. Raises TypeError for what is not one result for
        each."""
        found = self.names[GRAD](loss, wanted)
        if not isinstance(found, list | tuple) or len(found) != len(wanted):
            told = (
                say("{count} results", count=len(found))
                if isinstance(found, list | tuple)
                else type(found).__name__
            )
            raise TypeError(
                say(
                    "`grad(L, desired_results)` returns {told} for {count} desired results: "
                    "a list with one for each is wanted",
                    told=told,
                    count=len(wanted),
                )
            )
        return list(found)

    def reset(self) -> None:
        """Has the student's tape be empty."""
        self.names[RESET_TAPE]()


class _Call(AdjointCall):
    """One expression, and its gradients if the pass is asked for."""

    _target: TapeTarget
    facts: TapeFacts
    _loss: torch.Tensor | None = None

    @property
    def outputs(self) -> dict[str, Any]:
        """The value, the gradients, and what they are the gradients of."""
        return super().outputs | {LOSS: self._loss}

    def run(self) -> None:
        """Runs it; raises what the student's code raises."""
        target = self._target
        self._phase("forward")
        arguments = [
            target.variable(each) if isinstance(each, torch.Tensor) else each
            for each in self._arguments
        ]
        result = target.function(*arguments)
        self.value = _tensor_of(result, say("the value"))
        if self.value.shape != self._grad_output.shape:
            return
        adjoint = target.variable(self._grad_output)
        loss = _summed(adjoint * result)
        self._loss = _tensor_of(loss, "(g * y).sum()")
        if self._loss.shape != ():
            raise TypeError(
                say(
                    "`(g * y).sum()` has the shape {shape}: the sum of a Variable is one number",
                    shape=list(self._loss.shape),
                )
            )
        if self._back:
            variables = [each for each in arguments if not isinstance(each, float)]
            self._run_back(loss, [*variables, adjoint])
        self._phase(RESET)
        target.reset()

    def _run_back(self, loss: Any, wanted: list[Any]) -> None:
        target = self._target
        asked = list(wanted)
        if target.variation == UNRELATED:
            asked.append(target.variable(torch.full_like(self._asked[0], 0.5)))
            _summed(wanted[0] * asked[-1])
        if self._recorder is not None:
            self._look_at_tape(asked)
        self._phase(BACKWARD)
        found = target.grad(loss, asked)
        if target.variation == AGAIN:
            found = target.grad(loss, asked)
        told = [self._gradient(each) for each in found]
        if target.variation == UNRELATED:
            self.facts = replace(self.facts, unrelated="none" if found[-1] is None else "given")
        self.gradients = tuple(told[: len(wanted) - 1])
        of_adjoint = told[len(wanted) - 1]
        if of_adjoint is not None:
            self.unasked = {gradient_of(GRAD_OUTPUT): of_adjoint}
        if self._twice:
            self._run_twice(found[: len(wanted) - 1], wanted)

    def _gradient(self, found: Any) -> torch.Tensor | None:
        if found is None:
            return None
        try:
            return _tensor_of(found, say("a gradient"))
        except TypeError as error:
            self._target.note_problem(str(error))
            return None

    def _run_twice(self, gradients: list[Any], wanted: list[Any]) -> None:
        """The gradients of each gradient, weighted by a ramp and summed, on the same tape."""
        self._phase(SECOND)
        try:
            self._second = tuple(self._second_of(gradient, wanted) for gradient in gradients)
        except BaseException as error:
            fault = fault_of(error)
            problem = f"{fault.kind}: {fault.message}"
            self.facts = replace(self.facts, second_problem=problem, second_site=fault.site)

    def _second_of(self, gradient: Any, wanted: list[Any]) -> torch.Tensor:
        target = self._target
        parts: list[Any] = [None] * len(wanted)
        if gradient is not None:
            value = _tensor_of(gradient, say("a gradient"))
            ramp = torch.linspace(0.5, 1.5, value.numel(), dtype=value.dtype)
            weighted = gradient * target.variable(ramp.reshape(value.shape))
            parts = target.grad(_summed(weighted), wanted)
        pairs = zip(parts, wanted, strict=True)
        return torch.cat([_numbers_of(part, like).detach().reshape(-1) for part, like in pairs])

    def _look_at_tape(self, known: Sequence[Any]) -> None:
        names = self._target.names
        code = getattr(names[RESET_TAPE], "__code__", None)
        hidden: dict[str, Any] = {}
        for name in dict.fromkeys(
            (TAPE, *getattr(code, "co_names", ()))
        ):  # what reset_tape speaks of
            try:
                hidden |= hidden_captures(names.get(name), self._target.loaded.cls, known)
            except Exception:  # a tape of theirs that answers with an error tells nothing
                continue
        captured = [
            Captured(name, self._storage_of(held.value))
            for name, held in hidden.items()
            if isinstance(held.value, torch.Tensor)
        ]
        self.facts = replace(self.facts, captured=tuple(captured[:MAX_CAPTURED]))


def _summed(variable: Any) -> Any:
    """Its sum, by the student's own operator; itself where it is one number."""
    return variable.sum() if _tensor_of(variable, "g * y").dim() else variable


def _numbers_of(part: Any, variable: Any) -> torch.Tensor:
    """Those of a gradient; zeros for None, nothing for one of another shape than the variable's."""
    value = _tensor_of(variable, say("a Variable"))
    if part is None:
        return torch.zeros_like(value)
    found = _tensor_of(part, say("a gradient"))
    return found if found.shape == value.shape else torch.empty(0)


def _tensor_of(variable: Any, what: str) -> torch.Tensor:
    """The value of a Variable. Raises TypeError for what is none."""
    value: Any = None
    if not issubclass(type(variable), torch.Tensor):
        value = getattr(variable, "value", None)
    if not issubclass(type(value), torch.Tensor):
        raise TypeError(
            say(
                "{what} is a {type}, not a Variable with a tensor as its value",
                what=what,
                type=type(variable).__name__,
            )
        )
    found: torch.Tensor = value
    return found

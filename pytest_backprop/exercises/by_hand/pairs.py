"""The child's half of forms in which a function of the student's gives the value, and another
the gradients. Student code runs here."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch

from ...errors import SubmissionProblem
from ...messages import say
from ...model import VALUE, Scenario, Unit
from ...submission import slice_names
from ...trace.torch_private import EnableTorchFunction
from ..adjoint.child import AdjointCall, AdjointTarget
from ..loading import check_signature, load_class, load_slice
from ..observation import fault_of
from .calls import Pair, PairCalls

FORWARD = "forward"


def find_pair(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
    calls: PairCalls,
) -> AdjointTarget:
    """The pair that a task names: the methods of a class, or two functions. The last class that has
    both methods where it names none.

    Raises SubmissionProblem."""
    names = scenario.expression.split()
    if len(names) == 2:
        forward, backward = names
        chosen = slice_names(units, None, (backward, forward))
        loaded = load_slice(
            chosen, loops, lambda _, defined, notes: Pair(defined[forward], defined[backward])
        )
    else:
        loaded = load_class(
            units, class_name or (names[0] if names else None), pass_names, loops, _methods
        )
    wanted = [leaf.name for leaf in scenario.leaves[:-1]]
    check_signature(loaded.built.forward, FORWARD, wanted, loaded.chosen.forward)
    check_signature(
        loaded.built.backward,
        loaded.chosen.pass_name,
        calls.backward_arguments,
        loaded.chosen.manual_pass,
    )
    return AdjointTarget(loaded, scenario, lambda call: _make(call, loaded.built, calls))


def _methods(cls: type, notes: list[str]) -> Pair:
    """The two methods of a class: its own, or those of an instance where they take `self`."""
    plain = inspect.getattr_static(cls, FORWARD, None)
    takes_self = inspect.isfunction(plain) and plain.__code__.co_varnames[:1] == ("self",)
    owner: Any = cls
    if takes_self:
        try:
            owner = cls()
        except Exception as error:
            fault = fault_of(error)
            raise SubmissionProblem(
                "constructor",
                say(
                    "`{name}()` fails: {error}",
                    name=cls.__name__,
                    error=f"{fault.kind}: {fault.message}",
                ),
                say("write above `forward` and `backward`: @staticmethod, and leave out `self`"),
                fault.site,
            ) from error
    return Pair(owner.forward, owner.backward)


def _make(call: AdjointCall, pair: Pair, calls: PairCalls) -> None:
    """Calls the pair. Raises what the student's code raises, and WrongForm for what the form does
    not take."""
    call.phase("forward")
    with EnableTorchFunction():
        call.outputs[VALUE], carried = calls.value(pair, call.arguments)
    if not call.is_pass:
        return
    call.phase("backward")
    with EnableTorchFunction():
        gradients = calls.gradients(pair, call.grad_output, carried, list(call.asked))
    call.give(each if issubclass(type(each), torch.Tensor) else None for each in gradients)
    call.problems += [
        say("that of {name} is of type {type}", name=name, type=type(each).__name__)
        for name, each in zip(call.asked, gradients, strict=True)
        if each is not None and not issubclass(type(each), torch.Tensor)
    ]

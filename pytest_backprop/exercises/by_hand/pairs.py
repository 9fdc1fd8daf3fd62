"""The child's half of `layer`, in which one function of the student's gives the value, and another
the gradients. Student code runs here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...errors import SubmissionProblem, WrongForm
from ...messages import listed, say
from ...model import VALUE, Scenario
from ...submission import fault_of, slice_names
from ...trace.torch_private import EnableTorchFunction
from ..adjoint import WARM_SCENARIO
from ..adjoint.child import AdjointCall, AdjointTarget
from ..base import Source
from ..loading import check_signature, load_class, load_slice

PASS_NAMES = ("backward",)
FORWARD = "forward"

WARM_UP = (
    """
import torch
class Warm(object):
    @staticmethod
    def forward(x):
        out = torch.exp(x).clamp(min=0)
        cache = x, out
        return out, cache
    @staticmethod
    def backward(dout, cache):
        x, out = cache
        dx = dout.clone()
        dx[x < 0] = 0
        return dx * out
""",
    WARM_SCENARIO,
)
"""A small layer, which a process runs before any submission's."""


class Pair(NamedTuple):
    """The two functions of a submission: one gives the value, the other the gradients."""

    forward: Callable[..., Any]
    backward: Callable[..., Any]


def find(source: Source, scenario: Scenario) -> AdjointTarget:
    """The pair that a task names: the methods of a class, or two functions. The last class that has
    both methods where it names none.

    Raises SubmissionProblem."""
    names = scenario.expression.split()
    if len(names) == 2:
        forward, backward = names
        chosen = slice_names(source.units, None, (backward, forward))
        loaded = load_slice(
            chosen, source.recorded, lambda _, own, notes: Pair(own[forward], own[backward])
        )
    else:
        name = source.class_name or (names[0] if names else None)
        loaded = load_class(source._replace(class_name=name), _methods)
    pair, chosen = loaded.built, loaded.chosen
    arguments = [leaf.name for leaf in scenario.leaves[:-1]]
    check_signature(pair.forward, FORWARD, arguments, chosen.forward)
    check_signature(pair.backward, chosen.pass_name, ("dout", "cache"), chosen.manual_pass)
    return AdjointTarget(loaded, scenario, lambda call: _make(call, pair))


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
                say("`{name}()` fails: {error}", name=cls.__name__, error=fault.text),
                say("write above `forward` and `backward`: @staticmethod, and leave out `self`"),
                fault.site,
            ) from error
    return Pair(owner.forward, owner.backward)


def _make(call: AdjointCall, pair: Pair) -> None:
    """Calls the pair. Raises what the student's code raises, and WrongForm for what does not come
    back as `return out, cache`, and as a gradient for each tensor."""
    call.phase("forward")
    with EnableTorchFunction():
        call.outputs[VALUE], cache = _two(pair.forward(*call.arguments))
    if not call.is_pass:
        return
    call.phase("backward")
    names = list(call.asked)
    with EnableTorchFunction():
        returned = pair.backward(call.grad_output, cache)
        gradients = returned if isinstance(returned, tuple | list) else (returned,)
        count = len(gradients)
    if count != len(names):
        raise WrongForm(
            say(
                "results of backward: {count}; wanted are the gradients of {names}, in this order",
                count=count,
                names=listed(names),
            )
        )
    call.give(call.tensor(*pair) for pair in zip(names, gradients, strict=True))


def _two(returned: Any) -> Sequence[Any]:
    """The value and what backward needs."""
    if isinstance(returned, tuple | list) and len(returned) == 2:
        return returned
    is_one = not isinstance(returned, tuple | list)
    told = type(returned).__name__ if is_one else say("{count} results", count=len(returned))
    raise WrongForm(say("forward returns {told}; `return out, cache` is wanted", told=told))

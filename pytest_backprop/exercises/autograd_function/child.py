"""The child's half: a Function of the student's, called through `apply` and torch's engine.
Student code runs here."""

from __future__ import annotations

import contextlib
import inspect
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...errors import SubmissionProblem
from ...messages import say
from ...model import VALUE, Scenario, gradient_of
from ...trace.record import Recorder
from ...trace.torch_private import DisableTorchFunction, EnableTorchFunction
from ...trace.watch import run_engine
from ..adjoint import WARM_SCENARIO
from ..adjoint.child import AdjointCall, AdjointTarget
from ..adjoint.tensors import second_order, tensors_of
from ..base import Source
from ..loading import check_signature, load_class, method_of
from . import PASS_NAMES as PASS_NAMES, TWICE

Function = torch.autograd.Function
# taken here, before the student's code can replace it in torch
_apply = inspect.getattr_static(Function, "apply")
FEW_NUMBERS = 8
"""Numbers that an attribute may hold where forward looked at numbers of a tensor."""

WARM_UP = (
    """
import torch
class Warm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x).clamp(min=0)
        ctx.save_for_backward(x, y)
        return y
    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        grad = grad_output.clone()
        grad[x < 0] = 0
        return grad * y if ctx.needs_input_grad[0] else None
""",
    WARM_SCENARIO,
)
"""A small Function, which a process runs before any submission's."""


def find(source: Source, scenario: Scenario) -> AdjointTarget:
    """The Function of a submission, of the name that its task has. Raises SubmissionProblem."""
    name = source.class_name or scenario.expression or None
    loaded = load_class(source._replace(class_name=name), _check, base="Function")
    cls, chosen = loaded.cls, loaded.chosen
    method_of(cls, chosen.pass_name, chosen.manual_pass)
    forward = method_of(cls, "forward", chosen.forward)
    is_split = cls.setup_context is not Function.setup_context
    names = [leaf.name for leaf in scenario.leaves[:-1]]
    check_signature(forward, "forward", names if is_split else ["ctx", *names], chosen.forward)
    return AdjointTarget(
        loaded, scenario, lambda call: _make(call, cls), differentiates=True, lets_go=False
    )


def _check(cls: type, notes: list[str]) -> None:
    if not issubclass(cls, Function):
        raise SubmissionProblem(
            "not-a-function",
            say("{name} is not a `torch.autograd.Function`", name=cls.__name__),
            say("derive it: class {name}(torch.autograd.Function):", name=cls.__name__),
        )


def _make(call: AdjointCall, cls: type) -> None:
    """Calls `apply`, and the engine if the pass is asked for. Raises what the student's code
    raises."""
    call.phase("forward")
    named = (leaf.name for leaf in call.scenario.leaves if leaf.written)
    call.facts |= {"written": [call.storage_of(call.tensors[name]) for name in named]}
    with EnableTorchFunction():
        value = call.outputs[VALUE] = _apply.__get__(None, cls)(*call.arguments)
    is_tensor = issubclass(type(value), torch.Tensor)
    if not call.is_pass or not is_tensor or value.shape != call.grad_output.shape:
        return
    _use(call, cls)
    with DisableTorchFunction():
        ctx = value.grad_fn
    returned: list[Any] = []
    if isinstance(ctx, torch.autograd.function.BackwardCFunction):
        if call.recorder is not None:
            _look_at(ctx, call, call.recorder)
        _listen(ctx, returned)
    call.phase("backward")
    try:
        with EnableTorchFunction():
            call.give(run_engine(value, call.grad_output, [*call.asked.values()], call.recorder))
    except RuntimeError as error:
        if "an invalid gradient" not in str(error):
            raise
        # torch refuses all of them for one of a wrong shape; the others are judged
        gradients = _tensors_of(call, returned)
        call.give(
            _summed(gradients[name], tensor) if name in gradients else None
            for name, tensor in call.asked.items()
        )
    gradients = _tensors_of(call, returned)
    call.recorded = {gradient_of(n): g for n, g in gradients.items() if n not in call.asked}
    if call.twice:
        call.phase(TWICE)
        call.give_second(lambda: _second(call, cls))


def _use(call: AdjointCall, cls: type) -> None:
    """Calls `apply` with other arguments, of which none needs a gradient, and then some do. What is
    wrong with these is seen in other runs."""
    for scenario, needs in itertools.product(call.scenario.before, (False, True)):
        others = tensors_of(scenario)
        for name in call.asked:
            others[name].requires_grad_(needs)
        arguments = AdjointCall(scenario, "forward", others, None).arguments
        refused, rng = contextlib.suppress(Exception), torch.random.fork_rng(devices=())
        with EnableTorchFunction(), rng, refused:
            _apply.__get__(None, cls)(*arguments)


def _look_at(ctx: Any, call: AdjointCall, recorder: Recorder) -> None:
    """Has told what the student's forward saved, and which attributes it set."""
    saved: Sequence[torch.Tensor | None] = ()
    # torch refuses what was changed since
    with DisableTorchFunction(), contextlib.suppress(RuntimeError):
        saved = ctx.saved_tensors
    storages = [-1 if tensor is None else call.storage_of(tensor) for tensor in saved]
    few = FEW_NUMBERS if recorder.has_looked else math.inf
    names = [name for name, held in vars(ctx).items() if _holds_numbers(held, few)]
    call.facts |= {"saved": storages, "on_ctx": names}


def _listen(node: Any, returned: list[Any]) -> None:
    """Has the engine's call of the student's backward tell what that returns: hooks come after
    torch has looked at the shapes."""

    def apply(*grads: torch.Tensor) -> Any:
        del node.apply
        results = type(node).apply(node, *grads)
        returned.extend(results if isinstance(results, tuple) else (results,))
        return results

    node.apply = apply


def _tensors_of(call: AdjointCall, returned: Sequence[Any]) -> dict[str, torch.Tensor]:
    """The gradients among what backward returned, by the names of forward's arguments."""
    pairs = zip(call.scenario.leaves, returned, strict=False)
    return {
        leaf.name: gradient
        for leaf, gradient in pairs
        if not leaf.literal and isinstance(gradient, torch.Tensor)
    }


def _second(call: AdjointCall, cls: type) -> tuple[torch.Tensor, ...]:
    """The derivatives of the gradients, by the engine through the student's backward. Only that by
    which these are differentiated again needs a gradient."""
    twice = call.twice
    for name, tensor in call.tensors.items():
        tensor.requires_grad_(name in twice)
    asked = [tensor for name, tensor in twice.items() if name in call.asked]
    with EnableTorchFunction():
        value = _apply.__get__(None, cls)(*call.arguments)
        gradients = run_engine(value, call.grad_output, asked, call.recorder, create_graph=True)
        return second_order(gradients, [*twice.values()], call.recorder)


def _summed(gradient: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """What is larger than its input by broadcasting, summed as the engine does; any other as it
    is."""
    try:
        return torch.Tensor.sum_to_size(gradient, tensor.shape)
    except RuntimeError:
        return gradient


def _holds_numbers(held: Any, few: float) -> bool:
    """Whether an attribute of ctx holds a tensor, or numbers that were copied out of one: an array,
    bytes, or more numbers than a few."""
    items = list(_items(held, 3))
    return sum(isinstance(item, int | float) for item in items) > few or any(
        isinstance(item, torch.Tensor | bytes | bytearray | memoryview)
        or type(item).__module__ == "numpy"
        for item in items
    )


def _items(held: Any, depth: int) -> Iterator[Any]:
    if depth and isinstance(held, dict | list | tuple | set | frozenset):
        for item in held.values() if isinstance(held, dict) else held:
            yield from _items(item, depth - 1)
    else:
        yield held

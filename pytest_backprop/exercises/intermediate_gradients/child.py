"""The child's half: the student's function, which calls torch's engine itself. Student code runs
here."""

from __future__ import annotations

import functools
import gc
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from ...messages import listed, say
from ...model import VALUE, Leaf, Scenario, Unit, gradient_of
from ...submission import slice_names
from ...submission.parse import defined_names
from ...trace.torch_private import EnableTorchFunction, expired, has_hooks, weak_ref
from ..adjoint.child import AdjointCall, AdjointTarget
from ..loading import check_signature, load_slice
from . import AFTER_ANOTHER, PASS_NAMES as PASS_NAMES

Function = Callable[[dict[str, torch.Tensor]], Any]
"""A function of the student's, of tensors by name."""

WARM_UP = (
    """
import torch
def gradients(x, w):
    hidden = torch.tanh(x @ w)
    hidden.retain_grad()
    grads = {}
    hidden.register_hook(lambda grad: grads.update(hidden=grad))
    loss = hidden.sum()
    loss.backward()
    return grads
""",
    Scenario(
        (
            Leaf("x", "input", (1,)),
            Leaf("w", "input", (1, 1), requires_grad=True),
            Leaf("hidden", "weight", (1,), probe=True),
        ),
        ((0.0, 0.3, 0.7),),
    ),
)
"""A small function, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> AdjointTarget:
    """The function of a submission. Raises SubmissionProblem."""
    names = (class_name,) if class_name else tuple(pass_names)
    defined = defined_names(units)
    name = next((name for name in names if name in defined), names[0])
    chosen = slice_names(units, None, (name,))
    inputs = [leaf.name for leaf in scenario.leaves if not leaf.probe]

    def build(function: Any, _: object, notes: list[str]) -> Function:
        """The function, called by name if it can be, else by position."""
        try:
            inspect.signature(function).bind(**dict.fromkeys(inputs))
        except (TypeError, ValueError):
            check_signature(function, name, inputs, chosen.manual_pass)
            notes.append(
                say(
                    "`{function}` is given {inputs}, by position",
                    function=name,
                    inputs=listed(inputs),
                )
            )
            return lambda arguments: function(*arguments.values())
        return lambda arguments: function(**arguments)

    loaded = load_slice(chosen, loops, build)
    make = functools.partial(_make, loaded.built)
    # behind the tensors come the probes, of which the function gets none
    return AdjointTarget(loaded, scenario, make, differentiates=True, lets_engine=True)


def _make(function: Function, call: AdjointCall) -> None:
    """Calls the function; in a run that says so, before that with other tensors."""
    leaves = {leaf.name: leaf for leaf in call.scenario.leaves if not leaf.probe}
    arguments = {name: call.tensors[name] for name in leaves}
    call.phase("call")
    earlier: list[Any] = []
    if call.scenario.variation == AFTER_ANOTHER:
        others = {
            name: (tensor.detach() * 0.5).requires_grad_(leaves[name].requires_grad)
            if leaves[name].is_drawn
            else tensor
            for name, tensor in arguments.items()
        }
        earlier = [
            weak_ref(gradient.untyped_storage())
            for gradient in _taken(call, function, others).values()
            if issubclass(type(gradient), torch.Tensor)
        ]
        del others
    results = _taken(call, function, arguments)
    if not all(map(expired, earlier)):
        gc.collect()
        call.facts["grown"] = not all(map(expired, earlier))
    gradients = {
        name: gradient
        for name, gradient in results.items()
        if issubclass(type(gradient), torch.Tensor)
    }
    call.outputs = {VALUE: None} | {gradient_of(name): g for name, g in gradients.items()}
    call.observed = {gradient_of(name): g for name, g in results.items() if name not in gradients}
    free = {name: arguments[name] for name, leaf in leaves.items() if leaf.requires_grad}
    call.recorded = {
        gradient_of(name): leaf.grad for name, leaf in free.items() if leaf.grad is not None
    }
    call.facts["hooked"] = [name for name, leaf in free.items() if has_hooks(leaf)]
    call.facts["graphs"] = [name for name, g in gradients.items() if g.grad_fn is not None]


def _taken(
    call: AdjointCall, function: Function, arguments: dict[str, torch.Tensor]
) -> dict[str, Any]:
    """What comes back from a call, by the names of the intermediates: a dict, or a list or tuple
    in their order; beside a dict there may be a value."""
    with EnableTorchFunction():
        results = function(arguments)
    names = list(call.asked)
    if isinstance(results, tuple | list):
        dicts = [part for part in results if isinstance(part, Mapping)]
        results = dicts[0] if len(dicts) == 1 else results
    if isinstance(results, Mapping):
        return {name: results[name] for name in names if name in results}
    if issubclass(type(results), torch.Tensor) and len(names) == 1:
        return {names[0]: results}
    if isinstance(results, tuple | list) and len(results) == len(names):
        return dict(zip(names, results, strict=True))
    call.facts["answer"] = (
        say("{count} results", count=len(results))
        if isinstance(results, tuple | list)
        else type(results).__name__
    )
    return {}

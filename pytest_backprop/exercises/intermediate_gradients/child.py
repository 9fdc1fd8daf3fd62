"""The child's half: the student's function, which calls torch's engine itself. Student code runs
here."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Mapping
from typing import Any

import torch

from ...errors import WrongForm
from ...messages import say
from ...model import Leaf, Scenario, gradient_of
from ...submission import bound_names, slice_names
from ...trace.torch_private import EnableTorchFunction, expired, has_hooks, weak_ref
from ..adjoint.child import AdjointCall, AdjointTarget
from ..base import Source
from ..loading import by_name, load_slice
from . import AFTER_ANOTHER, PASS_NAMES as PASS_NAMES

Function = Callable[..., Any]
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


def find(source: Source, scenario: Scenario) -> AdjointTarget:
    """The function of a submission. Raises SubmissionProblem."""
    names = (source.class_name,) if source.class_name else source.pass_names
    defined = bound_names(source.units)
    name = next((name for name in names if name in defined), names[0])
    chosen = slice_names(source.units, None, (name,))
    inputs = [leaf.name for leaf in scenario.leaves if not leaf.probe]

    def build(function: Any, _: object, notes: list[str]) -> Function:
        return by_name(function, name, inputs, chosen.manual_pass, notes)

    loaded = load_slice(chosen, source.recorded, build)
    make = functools.partial(_make, loaded.built)
    # behind the tensors come the probes, of which the function gets none
    return AdjointTarget(loaded, scenario, make, differentiates=True, lets_engine=True)


def _make(function: Function, call: AdjointCall) -> None:
    """Calls the function; in a run that says so, before that with other tensors, and with other
    inputs and the same leaves, as a training does."""
    leaves = {leaf.name: leaf for leaf in call.scenario.leaves if not leaf.probe}
    plain = {name: leaf for name, leaf in leaves.items() if leaf.literal}
    tensors = {name: call.tensors[name] for name in leaves if name not in plain}
    call.phase("call")
    earlier: list[Any] = []
    if call.scenario.variation == AFTER_ANOTHER:
        others = {
            name: (tensor.detach() * 0.5).requires_grad_(leaves[name].requires_grad)
            if leaves[name].is_drawn
            else tensor
            for name, tensor in tensors.items()
        }
        taken = _taken(call, function, plain, others).values()
        earlier = [weak_ref(each.untyped_storage()) for each in taken if each is not None]
        del taken
        same = {name: tensors[name] for name in others if leaves[name].requires_grad}
        _taken(call, function, plain, others | same)
        del others, same
    gradients = _taken(call, function, plain, tensors)
    if not all(map(expired, earlier)):
        gc.collect()
        call.facts["grown"] = not all(map(expired, earlier))
    call.give(gradients.values())
    free = {name: tensors[name] for name, leaf in leaves.items() if leaf.requires_grad}
    call.recorded = {
        gradient_of(name): leaf.grad for name, leaf in free.items() if leaf.grad is not None
    }
    call.facts["hooked"] = [name for name, leaf in free.items() if has_hooks(leaf)]
    call.facts["frozen"] = [name for name, leaf in free.items() if not leaf.requires_grad]
    call.facts["graphs"] = [
        name for name, each in gradients.items() if each is not None and each.grad_fn is not None
    ]


def _taken(
    call: AdjointCall,
    function: Function,
    plain: Mapping[str, Leaf],
    tensors: Mapping[str, torch.Tensor],
) -> dict[str, torch.Tensor | None]:
    """What comes back from a call for each intermediate: out of a dict, beside which there may be
    a value, or a list or tuple in their order. Raises WrongForm."""
    with EnableTorchFunction():
        results = function(**tensors, **{name: leaf.plain for name, leaf in plain.items()})
    names = list(call.asked)
    parts = results if isinstance(results, tuple | list) else [results]
    dicts = [part for part in parts if isinstance(part, Mapping)]
    if len(dicts) == 1:
        pairs = {name: dicts[0][name] for name in names if name in dicts[0]}
    elif len(parts) == len(names):
        pairs = dict(zip(names, parts, strict=True))
    else:
        raise WrongForm(
            say(
                "what is returned is of type {type}: a dict is wanted, with the names as keys, or "
                "a tuple with the gradients in this order: {names}",
                type=type(results).__name__,
                names=", ".join(names),
            )
        )
    call.problems += [
        (name, say("the dict has no key {name!r}", name=name))
        for name in names
        if name not in pairs
    ]
    return {name: call.tensor(name, pairs.get(name)) for name in names}

"""The child's half of `script`: the submission's own statements run in a line, with the leaves
given by the grader, and names of the script have the gradients. Student code runs here."""

from __future__ import annotations

import functools
import re
from typing import Any

import msgspec
import torch

from ...errors import SubmissionProblem
from ...messages import say
from ...model import VALUE, Leaf, Scenario, Unit
from ...submission import Slice, bound_names, describe_line, fault_of, node_span, slice_script
from ...submission.load import put_in_place
from ...submission.modules import slice_modules
from ...trace.torch_private import EnableTorchFunction
from ...trace.validate import TooLarge
from ..adjoint.child import AdjointCall, AdjointTarget
from ..base import Source
from ..loading import Loaded, codes_of
from .form import HandCalls
from .holders import delivered, holder_of

PASS_NAMES = ("the script",)
WARM_UP = (
    """
import torch
h = torch.exp(x)
loss = h.sum()
dh = torch.ones_like(h)
dx = dh.clone()
dx[x < 0] = 0
dx *= h
""",
    Scenario(
        (Leaf("x", "weight", (2,)), Leaf("grad_output", "input", literal="1.0")),
        ((0.3, 0.7),),
        msgspec.json.encode(HandCalls("script", (), value="loss", delivers={"x": "dx"})).decode(),
    ),
)
"""A small script, which a process runs before any submission's."""


def find(source: Source, scenario: Scenario) -> ScriptTarget:
    """The statements that the gradients of a task need. Raises SubmissionProblem."""
    calls = msgspec.json.decode(scenario.expression, type=HandCalls)
    bound = [*calls.made_of({})[1], *(leaf.name for leaf in scenario.leaves if not leaf.probe)]
    roots = sorted({holder_of(text).root for text in calls.delivers.values()})
    chosen = _chosen(source.units, tuple(bound), tuple(roots), calls.value)
    compiled, codes = codes_of(chosen)
    put_in_place(chosen, compiled)
    own = compiled[: len(chosen.statements)]
    return ScriptTarget(Loaded(chosen, None, calls, [], codes, ()), scenario, own)


@functools.lru_cache(1)
def _chosen(
    units: tuple[Unit, ...], bound: tuple[str, ...], roots: tuple[str, ...], value: str
) -> Slice:
    """The slice of a script, in which `roots` have gradients. Its `manual_pass` is the first
    statement that gives a gradient, its `forward` the last that gives the value. Raises
    SubmissionProblem."""
    pieces, broken = slice_script(units, roots, value, bound)
    binding = [piece for piece in pieces if not piece.names.binds.isdisjoint(roots)]
    for unit in () if binding else broken:
        assert unit.problem is not None
        raise unit.problem
    if not binding:
        text = say("no statement gives a gradient: {names}", names=", ".join(roots))
        names = sorted(bound_names(units))
        others = {
            n: root for root in roots for n in names if _is_named_after(root.removeprefix("d"), n)
        }
        way_out = say("assign each under its name: `{name} = …`", name=roots[0])
        if others:
            pairs = "; ".join(f"`{other}` → `{root}`" for other, root in others.items())
            way_out = say("name them as the task does: {names}", names=pairs)
        raise SubmissionProblem("no-pass", text, way_out)
    values = [piece for piece in pieces if value in piece.names.binds] or binding
    forward, backward = (node_span(p.unit, p.node) for p in (values[-1], binding[0]))
    modules = slice_modules(units, pieces, set())
    return Slice(units, "", PASS_NAMES[0], tuple(pieces), 0, forward, backward, modules=modules)


def _is_named_after(leaf: str, name: str) -> bool:
    """Whether a script may call the gradient of a leaf so: `grad_W`, `W_grad`, `gW`."""
    pattern = rf"(?i:g|grad|grads|gradient|delta)_?{leaf}|{leaf}_?(?i:g|grad|gradient)"
    return re.fullmatch(pattern, name) is not None


class ScriptTarget(AdjointTarget):
    """A script, at the leaves of a scenario. All of it runs in each call."""

    def __init__(self, loaded: Loaded[HandCalls], scenario: Scenario, codes: list[Any]) -> None:
        super().__init__(loaded, scenario, functools.partial(_make, loaded, codes))


def _make(loaded: Loaded[HandCalls], codes: list[Any], call: AdjointCall) -> None:
    """Runs the statements. One that raises ends its cell, or the file, and what is there by then
    counts. Raises what it raised where the value is not there."""
    calls, leaves = loaded.built, call.scenario.leaves[:-1]
    pairs = zip(leaves, call.arguments, strict=True)
    names: dict[str, Any] = {"__name__": "submission", **calls.made_of({})[1]}
    names |= {leaf.name: value for leaf, value in pairs if not leaf.probe}
    call.phase("script")
    ended: dict[int, Exception] = {}
    with EnableTorchFunction():
        for piece, code in zip(loaded.chosen.statements, codes, strict=True):
            if piece.unit not in ended:
                try:
                    exec(code, names)
                except (TooLarge, MemoryError):
                    raise
                except Exception as error:
                    ended[piece.unit] = error
    value = names.get(calls.value)
    if type(value) is float:  # as `.item()` gives
        value = torch.tensor(value, dtype=next(iter(call.asked.values())).dtype)
    call.outputs[VALUE] = value
    for raised in ended.values():
        if call.outputs[VALUE] is None:
            raise raised
        call.problems.append(("", _told(raised, loaded.chosen)))
    if not call.is_pass:
        return
    gradients = []
    for name, tensor in call.asked.items():
        gradient = delivered(call, name, holder_of(calls.delivers[name]), names)
        if gradient is not None and gradient.shape != tensor.shape:
            gradient = _broadcast(name, gradient, tensor, loaded.notes)
        gradients.append(gradient)
    call.give(gradients)


def _told(error: Exception, chosen: Slice) -> str:
    """Where a statement raised, and what."""
    fault = fault_of(error)
    span = fault.site or chosen.manual_pass
    place = describe_line(chosen.units[span.unit], span.line)
    return say("{place} raises {error}", place=place, error=fault.text)


def _broadcast(
    name: str, gradient: torch.Tensor, tensor: torch.Tensor, notes: list[str]
) -> torch.Tensor:
    """A gradient whose shape differs from its tensor's by dimensions of one element alone, in that
    shape: the course compares them by broadcasting. Any other as it is."""
    own, wanted = ([n for n in each.shape if n != 1] for each in (gradient, tensor))
    if own != wanted:
        return gradient
    text = say(
        "the gradient of {name} has shape {shape}, not {wanted}",
        name=name,
        shape=list(gradient.shape),
        wanted=list(tensor.shape),
    )
    if text not in notes:
        notes.append(text)
    return gradient.reshape(tensor.shape)

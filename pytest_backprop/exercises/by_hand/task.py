"""Tasks of all forms but the homework's: a typed function, and plain data that says where a
submission has what.

`def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d m"])`: positional tensors are arguments,
keyword-only ones are held by the object in forms that have one. `CALLS` names a class or functions,
`MAKES` what the class is made with, `HOLDS` and `DELIVERS` say where leaves and gradients are, and
`GRADIENTS` which are asked for. A form has defaults for all of them."""

from __future__ import annotations

import ast
import contextlib
import inspect
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import torch
from msgspec.structs import replace

from ...errors import UsageProblem
from ...messages import phrase
from ...model import Leaf
from ..adjoint import GRAD_OUTPUT, Reference
from ..adjoint.tensors import sample
from ..functions.adjoint_task import (
    AdjointTask,
    another,
    at_kinks,
    at_values,
    read_adjoint_task,
    reference,
    unrecorded,
)
from ..functions.bank.library import exercise_of
from ..functions.dimensions import Sizes, names_of
from ..functions.probes import add_probes, assigned_once
from ..functions.typed_task import MatrixVariant, compiled, read_constant
from .form import AGAIN, Callee, HandCalls, HandForm, is_class
from .forms import HAND_FORMS
from .holders import OBJECT, holder_of

CALLED = re.compile(r"(\w+)(?:\.(\w+))?(?:\(([\w., +-]*)\))?")
"""A name in CALLS: `Linear`, `Linear.forward`, `loss(params, X, y)`, `step(dout, 0.1)`."""


ADDED = phrase("gradients of parameters are added to, not overwritten: write `+=` for `=`")
STALE = phrase(
    "other calls came before and after, of this object and of another one: what backward needs and "
    "gives belongs in `self` or in `cache`, not in the class or a global name, and is calculated "
    "anew in each call"
)
KINK = phrase(
    "look for what divides by 0 or leaves out what is 0; where a function has a kink, as relu at "
    "0, any number is right but NaN and inf"
)


class HandTask(AdjointTask, frozen=True):
    """A task as its file has it. A loss has the number 1 for the adjoint of its value. Those
    `probed` are in the order of backpropagation."""

    calls: HandCalls = HandCalls("", ())
    is_loss: bool = False

    @property
    def kept(self) -> list[str]:
        """The dimensions whose sizes are the same in all calls of an object: all but the first of
        the first argument, how many samples there are, if the object holds and is made with no such
        size."""
        calls = self.calls
        held = [dim for leaf in self.leaves if leaf.name in calls.holds for dim in leaf.dims]
        arguments = [leaf.dims for leaf in self.leaves if leaf.name not in calls.holds]
        samples = next((dims[:1] for dims in arguments if dims), ())
        free = {*names_of(samples)} - {*names_of(held)} - calls.made_with
        return [dim for dim in self.dimensions if dim not in free]

    def leaves_at(self, sizes: Sizes, draw: int, random: Random) -> tuple[Leaf, ...]:
        """The tensors of a draw, in the order of the parameters, behind probes, and the adjoint of
        the value."""
        *leaves, adjoint = super().leaves_at(sizes, draw, random)
        if self.is_loss:
            adjoint = Leaf(GRAD_OUTPUT, "input", literal="1.0")
        return (*self.probes_at(leaves), *leaves, adjoint)

    def _numbers_at(self, sizes: Sizes) -> int:
        """As of any task; of a task with probes those of its own leaves alone, as to have the
        others it would run at all sizes that are tried."""
        if not self.probed:
            return super()._numbers_at(sizes)
        return sum(math.prod(leaf.shape(sizes)) for leaf in self.leaves if not leaf.integer)

    def call(self, leaves: Sequence[Leaf], values: Sequence[Any]) -> torch.Tensor:
        """The value, with the probes added to the intermediates: several outputs one after the
        other in one vector, whose adjoint has that of each."""
        outputs: Any = super().call(leaves, values)
        is_several = isinstance(outputs, tuple)
        return torch.cat([each.reshape(-1) for each in outputs]) if is_several else outputs

    def shapes(self, leaves: Sequence[Leaf]) -> tuple[tuple[int, ...], ...]:
        """Those of the outputs where there are several."""
        plain = [leaf for leaf in leaves if not leaf.probe]
        outputs: Any = super().call(plain, sample(plain))
        return tuple(tuple(each.shape) for each in outputs) if isinstance(outputs, tuple) else ()

    def differentiated(
        self, leaves: Sequence[Leaf], values: Sequence[Any]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """The value and its adjoint, 1 for a loss."""
        value, adjoint = super().differentiated(leaves, values)
        return value, torch.ones_like(value) if self.is_loss else adjoint

    def expression_at(self, sizes: Sizes, leaves: Sequence[Leaf]) -> str:
        """The calls, in which the class is made with the sizes of a draw."""
        positional, named = self.calls.made_of(sizes)
        shapes = self.shapes(leaves[:-1])
        calls = replace(self.calls, makes=repr(named or positional), shapes=shapes)
        return msgspec.json.encode(calls).decode()


def read_task(path: Path) -> MatrixVariant:
    """The task of a file. Raises UsageProblem."""
    form = HAND_FORMS[exercise_of(path)]
    task = read_adjoint_task(path, HandTask, lambda module: {"calls": _calls(module, path, form)})
    hand: Any = task.task
    parameters = inspect.signature(hand.function).parameters.values()
    kept = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    module = ast.parse(hand.source)
    plain = hand.at(0).leaves[:-1]
    if form.probed:
        hand = _probed(hand, path)
    asked = _asked(module, path, form, hand, kept)
    leaves = tuple(
        leaf if leaf.name in asked else replace(leaf, kind="input") for leaf in hand.leaves
    )
    kinds = {leaf.name: leaf.kind for leaf in leaves}
    reached = hand.intermediates([replace(leaf, kind=kinds[leaf.name]) for leaf in plain])
    probed = tuple(name for name in hand.probed if name in asked and name in reached)
    hand = replace(hand, leaves=leaves, probed=probed)
    calls = _placed(module, path, form, hand, kept)
    _check_names(calls, path, hand, len(hand.shapes(plain)))
    with torch.no_grad():
        dimensions = hand.call(plain, sample(plain)).dim()
    if form.is_loss and dimensions:
        raise UsageProblem(
            f"{path}: {hand.name} returns a tensor of {dimensions} dimensions, no loss",
            "Return a number, as a mean or a sum.",
        )
    is_loss = form.is_loss or (not form.always_adjoint and not dimensions)
    same = {"leaves": leaves, "calls": calls, "is_loss": is_loss, "probed": probed}
    others = [_probed(each, path) if form.probed else each for each in hand.alternatives]
    accepted = tuple(replace(each, **same) for each in others)
    complete: HandTask = replace(hand, **same, alternatives=accepted)
    return complete.at(0)


def _probed(hand: HandTask, path: Path) -> HandTask:
    """The task with probes at all its intermediates but the value, the last first; and the name of
    the value."""
    definitions = [n for n in ast.parse(hand.source).body if isinstance(n, ast.FunctionDef)]
    function = next(node for node in definitions if node.name == hand.shown)
    returned = function.body[-1]
    value = ast.unparse(returned.value or returned) if isinstance(returned, ast.Return) else ""
    names = [name for name in assigned_once(function) if name != value]
    add_probes(function, names, path)
    calls = replace(hand.calls, value=value if value.isidentifier() else "loss")
    probed = tuple(reversed(names))
    complete: HandTask = replace(
        hand, function=compiled(function, str(path)), probed=probed, calls=calls, may_leave_out=True
    )
    return complete


def _check_names(calls: HandCalls, path: Path, hand: HandTask, outputs: int) -> None:
    """Raises UsageProblem for a place in an object where functions are called, and for what CALLS
    has that the task has not: the second function gets an adjoint for each of the `outputs`."""
    holders = {text: holder_of(text) for text in (*calls.holds.values(), *calls.delivers.values())}
    by_class = is_class(calls.calls, HAND_FORMS[calls.form])
    for text, holder in holders.items():
        if holder.root == OBJECT and not by_class:
            raise UsageProblem(
                f"{path}: `{text}` is in an object, but CALLS names functions",
                'Name a class: CALLS = "Linear"; or a place of a function: '
                'DELIVERS = {"w": "w.g"}.',
            )
    names = {leaf.name for leaf in hand.leaves} | {
        holder_of(text).root for text in calls.holds.values()
    }
    for callee, others in zip(calls.calls, (0, max(1, outputs)), strict=False):
        unknown = [n for n in callee.takes or () if isinstance(n, str) and n not in names]
        names |= {"cache"}  # to the second
        for name in unknown[others:]:
            raise UsageProblem(
                f"{path}: {callee.name} in CALLS takes {name!r}, which {hand.name} has not",
                f"Name parameters of {hand.name}, or what HOLDS has: "
                f"{', '.join(sorted(names - {OBJECT}))}; or write a number, 0.1.",
            )


def references(variant: MatrixVariant) -> tuple[Reference, ...]:
    """What is right beside the draws: at further sizes for plain values; after a second call of
    backward, where gradients add up; in a third step, as of a training loop; and at kinks."""
    task = variant.task
    assert isinstance(task, HandTask)
    form = HAND_FORMS[task.calls.form]
    runs = [*at_values(variant)]
    adds_up = form.adds_up and task.calls.holds and len(task.calls.calls) != 2
    small = variant.small
    if adds_up:
        again = reference(phrase("after a second call"), small.leaves, small, AGAIN)
        runs += [] if again is None else [unrecorded(replace(again, hint=ADDED))]
    if not form.probed:
        others = tuple(filter(None, (another(small, task.kept), another(small))))
        if len(others) > 1 and (used := reference(phrase("in a third step"), small.leaves, small)):
            used = replace(used, hint=STALE, scenario=replace(used.scenario, before=others))
            runs.append(unrecorded(used))
        kinks = at_kinks(small, KINK)
        runs += [] if kinks is None else [unrecorded(kinks)]
    return tuple(runs)


def _calls(module: ast.Module, path: Path, form: HandForm) -> HandCalls:
    """What of a submission is called. Raises UsageProblem."""
    named = read_constant(module, "CALLS", ())
    names = (named,) if isinstance(named, str) else named
    is_plain = isinstance(names, tuple | list) and all(isinstance(n, str) for n in names)
    matches = [CALLED.fullmatch(name) for name in names] if is_plain else [None]
    callees = tuple(
        Callee(m[1], m[2] or "", None if m[3] is None else _taken(m[3]))
        for m in matches
        if m is not None
    )
    is_usual = form.probed or (not named and bool(form.methods) and form.methods[0][0] == "forward")
    classes = {callee.name for callee in callees if is_class(callees, form)}
    if None in matches or len(classes) > 1 or not (callees or is_usual):
        raise UsageProblem(
            f"{path}: CALLS = {named!r} does not say what of a submission is called",
            'Write CALLS = "Linear" for a class, or CALLS = ("linear", "linear_backward") for '
            'functions; "loss(params, X, y)" says the order of arguments.',
        )
    return HandCalls(form.name, callees)


def _taken(text: str) -> tuple[Any, ...]:
    """What stands between brackets in CALLS: names, and plain numbers."""
    taken: list[Any] = re.findall(r"[^, ]+", text)
    for place, each in enumerate(taken):
        with contextlib.suppress(ValueError, SyntaxError):
            taken[place] = ast.literal_eval(each)
    return tuple(taken)


def _asked(
    module: ast.Module, path: Path, form: HandForm, hand: HandTask, kept: Sequence[str]
) -> set[str]:
    """The leaves whose gradients are asked for. Raises UsageProblem."""
    floats = [leaf.name for leaf in hand.leaves if leaf.kind == "weight"]
    usual = floats if form.asks_arguments or not kept else [n for n in floats if n in kept]
    floats, usual = [*hand.probed, *floats], [*hand.probed, *usual]
    asked = read_constant(module, "GRADIENTS", tuple(usual))
    if not isinstance(asked, tuple | list) or not asked or not set(asked) <= set(floats):
        raise UsageProblem(
            f"{path}: GRADIENTS = {asked!r} does not name float tensors of {hand.name}",
            f"Name some of {', '.join(floats)}, as in GRADIENTS = ({floats[0]!r},).",
        )
    return set(asked)


def _placed(
    module: ast.Module, path: Path, form: HandForm, hand: HandTask, kept: Sequence[str]
) -> HandCalls:
    """The calls of a task, with what a class is made with and where its leaves and gradients are.
    Raises UsageProblem."""
    names = [leaf.name for leaf in hand.leaves]
    makes = read_constant(module, "MAKES", ())
    if not isinstance(makes, tuple | list | dict):
        raise UsageProblem(
            f"{path}: MAKES = {makes!r} is no tuple and no dict",
            'Write what the class is made with: MAKES = ("d", "m", "relu"), dimensions and values.',
        )
    by_class = is_class(hand.calls.calls, form)

    def places(constant: str, usual: Mapping[str, str]) -> dict[str, str]:
        said = read_constant(module, constant, {})
        places = {**usual, **(said if isinstance(said, dict) else {"": said})}
        for name, text in places.items():
            try:
                holder_of(str(text))
            except ValueError:
                name = ""
            if name not in names:
                raise UsageProblem(
                    f"{path}: {constant} has {name!r}: {text!r}",
                    f"Write a tensor of {hand.name} and its place in Python: "
                    f'{constant} = {{"{names[0]}": "self.weight"}}.',
                )
        return {name: places[name] for name in names if name in places}

    numbers = {name: number for number, name in enumerate(kept)}

    def usual(template: str, name: str) -> str:
        title = name[:1].upper() + name[1:] if name[1:] else name  # gradWeight, gradb
        return template.format(name=name, Name=title, number=numbers.get(name, 0))

    held = kept if form.holds and by_class else ()
    calls = replace(hand.calls, makes=repr(makes))
    holds = places("HOLDS", {n: usual(form.holds, n) for n in held if n not in calls.made_with})
    asked = [*hand.probed, *(leaf.name for leaf in hand.leaves if leaf.kind == "weight")]
    names = [*hand.probed, *names]
    templates = {n: form.delivers if n in kept else form.argument_delivers for n in asked}
    delivers = places("DELIVERS", {n: usual(text, n) for n, text in templates.items()})
    return replace(calls, holds=holds, delivers=delivers)

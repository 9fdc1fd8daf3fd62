"""The child's half of every form whose task is a function of tensors: makes what the task says,
places leaves, has the form make its calls, and takes the gradients. Student code runs here."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec
import torch

from ...errors import SubmissionProblem, WrongForm
from ...messages import listed, say
from ...model import VALUE, Scenario
from ...submission import Slice, bound_names, slice_methods, slice_model, slice_names
from ...trace.torch_private import EnableTorchFunction, tree_map
from ..adjoint.child import AdjointCall, AdjointTarget
from ..adjoint.tensors import tensors_of
from ..base import Source
from ..loading import Loaded, load_slice
from .form import AGAIN, HandCalls, HandForm, is_class, of_functions
from .forms import HAND_FORMS
from .holders import OBJECT, RETURNED, clear, delivered, held, holder_of, not_zero, results_of
from .player import HandPlayer, values_of
from .warm_up import WARM_UP as WARM_UP

PASS_NAMES = ("backward",)
CLEARS = (
    "zeroGradParameters",
    "zero_grad",
    "zero_grads",
    "zero_gradients",
    "clear_grads",
    "clear_grad_and_cache",
)
"""Methods that a training loop calls before each step, where there are such."""
Function = Callable[..., Any]


def find(source: Source, scenario: Scenario) -> HandTarget:
    """What a task names of a submission: a class, or functions. Raises SubmissionProblem."""
    calls = msgspec.json.decode(scenario.expression, type=HandCalls)
    form = HAND_FORMS[calls.form]
    chosen, methods = _chosen(source, calls, form)

    def build(defined: Any, names: dict[str, Any], notes: list[str]) -> HandPlayer:
        player = HandPlayer(form, calls, defined, methods, names, scenario.leaves)
        player.check(scenario, chosen)
        return player

    return HandTarget(load_slice(chosen, source.recorded, build), scenario)


def _chosen(source: Source, calls: HandCalls, form: HandForm) -> tuple[Slice, Sequence[str]]:
    """The slice of a submission with what is called of it, and the names of the methods, none
    where functions are called."""
    names = tuple(callee.name for callee in calls.calls)
    if names and not is_class(calls.calls, form):
        holders = map(holder_of, calls.holds.values())
        placed = tuple(sorted(holder.root for holder in holders if not holder.steps))
        return slice_names(source.units, None, names[::-1], placed=placed), ()
    methods = tuple(callee.method for callee in calls.calls if callee.method)
    alternatives = (methods,) if methods else form.methods
    class_name = source.class_name or (names[0] if names else None)
    if alternatives[0][0] == "forward":
        try:
            chosen = slice_model(source.units, class_name, (alternatives[0][1],))
        except SubmissionProblem as problem:
            raise of_functions(problem, form, bound_names(source.units)) from None
        return chosen, alternatives[0]
    assert class_name is not None  # a task of such a form names it
    return slice_methods(source.units, class_name, alternatives, form.optional)


def _parts(whole: torch.Tensor, shapes: Sequence[Sequence[int]]) -> tuple[torch.Tensor, ...]:
    """The adjoint of each output, of those of all in one vector; that itself of a value that is
    one tensor."""
    ends = list(accumulate(map(math.prod, shapes)))
    spans = zip([0, *ends], ends, shapes, strict=False)
    return tuple(whole[start:end].view(shape) for start, end, shape in spans) or (whole,)


def _shape(output: Any) -> str:
    return str([*output.shape]) if isinstance(output, torch.Tensor) else type(output).__name__


class HandCall:
    """One call in a form (`form.Calling`); another may come between forward and backward."""

    def __init__(self, call: AdjointCall, player: HandPlayer, roots: dict[str, Any]) -> None:
        self._call, self._player, self._roots = call, player, roots
        self.functions = player.functions(roots.get(OBJECT))
        self.arguments = player.arguments(call, roots)
        is_loss = not call.scenario.leaves[-1].is_drawn
        shapes = msgspec.json.decode(call.scenario.expression, type=HandCalls).shapes
        self.adjoint = () if is_loss else _parts(call.grad_output, shapes)
        self.sent_back: Sequence[Any] = self.adjoint or self.arguments
        if player.takes_back is not None:
            self.functions[1] = functools.partial(self._sent, self.functions[1])
        self.is_pass = call.is_pass
        self.returns_gradients = any(h.root == RETURNED for h in player.delivers.values())
        steps = [h.steps[-1] for name, h in player.delivers.items() if h.root == name and h.steps]
        self.attribute = next((step for kind, step in steps if kind == "attribute"), "g")
        self.is_object = player.of_class
        self.value: Any = None
        self.returned: Any = None
        self.results: Any = None
        self.backwards = 2 if call.scenario.variation == AGAIN else 1

    def phase(self, name: str) -> None:
        """Says what begins. Beside the draws the value is as it is before backward: what backward
        writes there is seen at draws."""
        self._call.phase(name)
        self._kept = self.value  # the student may have a weak reference
        if not self._call.scenario.is_recorded:
            self.value = tree_map(
                lambda x: x.clone() if isinstance(x, torch.Tensor) else x, self.value
            )

    def interlude(self) -> None:
        """Calls all of another object, with other leaves. What is wrong with these is seen in other
        runs."""
        if not (self._call.scenario.before and self.adjoint):  # a net has one loss
            return
        player, scenario = self._player, self._call.scenario.before[-1]
        others = tensors_of(scenario)
        with (
            torch.random.fork_rng(devices=()),
            EnableTorchFunction(),
            contextlib.suppress(Exception),
        ):
            # a global name is that of all layers
            roots = player.place(others, [n for n, h in player.holds.items() if h.steps])
            player.play(HandCall(AdjointCall(scenario, "pass", others, None), player, roots))

    def _sent(self, function: Function, *usual: Any) -> Any:
        """Calls the second function with what the task's CALLS says of all that there is: what the
        form gives it, leaves, numbers. Any other names are those of the adjoints."""
        call, takes = self._call, self._player.takes_back or ()
        own = self._player.parameters(call.scenario.leaves)[1:2]
        values = values_of(call, self._roots)
        values |= zip(*own, usual, strict=False) if own else ()
        others = [each for each in takes if isinstance(each, str) and each not in values]
        values |= zip(others, self.adjoint, strict=False)
        return function(*(values.get(each, each) for each in takes))

    def gradients(self) -> list[torch.Tensor | None]:
        """What is delivered as the gradient of each leaf. Raises WrongForm for results that are not
        one for each."""
        call, places = self._call, self._player.delivers
        by_result = [name for name in call.asked if places[name].text == RETURNED]
        results = self.returned if self.results is None else self.results
        taken = results_of(results, by_result) if by_result else {}
        roots = {**self._roots, RETURNED: self.returned}
        dtypes = {leaf.name: getattr(torch, leaf.dtype) for leaf in call.scenario.leaves}
        gradients = []
        for name in call.asked:
            if name in taken:
                gradient = call.tensor(name, taken[name])
            else:
                gradient = delivered(call, name, places[name], roots)
            if self.backwards > 1 and gradient is not None:
                adds_up = self._player.form.adds_up and name in self._player.holds
                times = self.backwards if adds_up else 1
                gradient = (gradient / times).to(dtypes[name])
            gradients.append(gradient)
        return gradients

    def lasting_gradients(self) -> list[torch.Tensor | None]:
        """The gradients: those of weights as they are after another object was called, as a step is
        made when all layers have run; that of an input was read by then. Raises WrongForm."""
        gradients = self.gradients()
        if not self._call.scenario.before:
            return gradients
        if gradients[:1] and gradients[0] is not None:  # the input comes first
            gradients[0] = gradients[0].clone()
        self.interlude()
        return gradients

    def written(self) -> list[int]:
        """The storages of tensors that a dict among the arguments holds now: running statistics,
        of which neither the value nor a gradient is made."""
        dicts = [each for each in self.arguments if type(each) is dict]
        held = [each for of in dicts for each in of.values() if isinstance(each, torch.Tensor)]
        return [self._call.storage_of(each) for each in held]


class HandTarget(AdjointTarget):
    """A submission in a form, at the leaves of a scenario."""

    def __init__(self, loaded: Loaded[HandPlayer], scenario: Scenario) -> None:
        super().__init__(loaded, scenario, self._play)
        self._player = loaded.built
        self._roots: dict[str, Any] = {}

    def prepared(self, leaf_tensors: list[torch.Tensor]) -> list[torch.Tensor]:
        """Makes the object and puts the leaves where they are held. A tensor of the leaf's shape
        that is there already gets its numbers, and is the leaf from then on: other names of the
        student's may be bound to it. Raises what the student's code raises, and WrongForm."""
        player, names = self._player, [leaf.name for leaf in self._scenario.leaves]
        by_name = dict(zip(names, leaf_tensors, strict=True))
        with EnableTorchFunction():
            roots = self._roots = player.place(by_name, player.holds)
            clear(player.delivers, roots, by_name)
            if any(not holder.steps for holder in player.holds.values()):
                player.names.update({n: roots[n] for n in player.holds if n in roots})
            if self._scenario.before:
                self._use(by_name)
        return [by_name[name] for name in names]

    def _value(self, value: Any) -> Any:
        """The value: of several outputs all in one vector; a loss that is a number, as after
        `.item()`, as a tensor. Raises WrongForm for outputs of other shapes than the task's."""
        if shapes := self._player.calls.shapes:
            outputs = value if isinstance(value, tuple | list) else (value,)
            own, wanted = [*map(_shape, outputs)], [str([*shape]) for shape in shapes]
            if own != wanted:
                words = {"own": listed(own), "wanted": listed(wanted)}
                text = say("forward gives outputs of shapes {own}; wanted are {wanted}", **words)
                raise WrongForm(text)
            return torch.cat([output.reshape(-1) for output in outputs])
        *leaves, adjoint = self._scenario.leaves
        if adjoint.is_drawn or type(value) not in (float, int):
            return value
        dtype = next(leaf.dtype for leaf in leaves if leaf.is_drawn)
        return torch.tensor(value, dtype=getattr(torch, dtype))

    def _play(self, call: AdjointCall) -> None:
        """Makes the calls of the form. Raises what the student's code raises, and WrongForm."""
        try:
            call.phase("forward")
            played = HandCall(call, self._player, self._roots)
            self._player.play(played)
            call.outputs[VALUE] = self._value(played.value)
            call.facts |= {"written": played.written()}
            if call.is_pass:
                call.give(played.lasting_gradients())
        finally:
            self._roots = {}

    def _use(self, leaves: Mapping[str, Any]) -> None:
        """Makes the calls with other arguments first, and clears the gradients, as a training loop
        does; the weights are others meanwhile. What is wrong with these is seen in other runs."""
        player, roots = self._player, self._roots
        weights = {name: leaves[name].clone() for name in player.holds}
        with torch.random.fork_rng(devices=()), torch.no_grad():
            for scenario in self._scenario.before:
                others = tensors_of(scenario)
                for name in weights:
                    others[name] = leaves[name].copy_(others[name])
                with contextlib.suppress(Exception):
                    call = AdjointCall(scenario, "pass", others, None)
                    player.play(HandCall(call, player, {**roots, **others}))
                self._clear(leaves)
            for name, weight in weights.items():  # a step may put others there
                leaves[name].copy_(weight)
                held(player.holds[name], roots, leaves[name])

    def _clear(self, leaves: Mapping[str, Any]) -> None:
        """Clears the gradients by the methods that the student has for it, else by itself."""
        delivers, roots = self._player.delivers, self._roots
        before = not_zero(delivers, roots)
        for name in CLEARS:
            with contextlib.suppress(Exception):  # it is missing, of the class alone, or abstract
                getattr(roots[OBJECT], name)()
        if not before - not_zero(delivers, roots):
            clear(delivers, roots, leaves)

"""A module of the student's with `forward` and a manual pass, for the child's half of an
exercise: how it is loaded, what of it is called, and where it leaves its gradients. Student code
runs here."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import CodeType
from typing import Any

import torch

from ..errors import SubmissionProblem
from ..messages import ON_ITS_OWN, say
from ..model import (
    VALUE,
    Breach,
    Evidence,
    MethodName,
    Observation,
    Scenario,
    gradient_of,
    gradient_places,
)
from ..submission import fault_of
from ..trace.record import Recorder
from ..trace.torch_private import EnableTorchFunction
from ..trace.watch import watched
from .adapt import Caller, Slot, Weights, find_tensors, gradients_left
from .adjoint.tensors import element_of, tensor_or_type
from .base import Source
from .loading import Loaded, load_class, method_of

SET_GRAD = torch.Tensor.grad.__set__  # type: ignore[union-attr]


def find_model(
    source: Source, scenario: Scenario, kind: type[ModuleTarget] | None = None
) -> ModuleTarget:
    """The model of a submission with its two methods. `kind` is a target that looks elsewhere for
    gradients.

    Raises SubmissionProblem."""
    loaded = load_model(source)
    model, leaves = loaded.built, scenario.leaves
    # what a model answers about its weights is the student's code, too
    weights, breaches = watched(lambda: find_tensors(model, leaves), loaded.codes)
    return (kind or ModuleTarget)(loaded, weights, scenario, breaches)


def load_model(source: Source) -> Loaded[Any]:
    """The class of a submission, and an instance of it. Raises SubmissionProblem."""

    def build(cls: type, _: list[str]) -> Any:
        try:
            needed = [
                p.name
                for p in inspect.signature(cls).parameters.values()
                if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            ]
            if not needed:
                return cls()
        except BaseException as error:
            fault = fault_of(error)
            raise SubmissionProblem(
                "constructor",
                say("`{name}()` fails: {error}", name=cls.__name__, error=fault.text),
                say(ON_ITS_OWN)
                if isinstance(error, ImportError)
                else say(
                    "make sure that the class can be built without arguments, as the assignment "
                    "does"
                ),
                fault.site,
            ) from error
        raise SubmissionProblem(
            "constructor",
            say(
                "`{name}()` needs {arguments}, and the assignment gives it none",
                name=cls.__name__,
                arguments=", ".join(needed),
            ),
            say(
                "give each argument of `__init__` a default, or make the weights there: "
                "`self.w = nn.Parameter(torch.tensor([...]))`"
            ),
        )

    return load_class(source, build)


def _codes_of_forward(loaded: Loaded[Any]) -> tuple[CodeType, ...]:
    """What stands below `def forward`, in the class and in those it is derived from: what a
    decorator calls, and not the decorator, which the pass may have, too. Of a `forward` that is
    an assigned function, that."""
    names = {f"{each.__qualname__}.forward" for each in loaded.cls.__mro__}
    assigned = getattr(getattr(loaded.cls, "forward", None), "__code__", None)
    return loaded.codes.named(names) or (() if assigned is None else (assigned,))


class ModuleTarget:
    """A module whose weights are in `slots`, and its two methods."""

    def __init__(
        self,
        loaded: Loaded[Any],
        weights: Weights,
        scenario: Scenario,
        breaches: tuple[Breach, ...],
    ) -> None:
        self.model = loaded.built
        self.slots = weights.slots
        self._places = gradient_places(scenario.leaves)
        self.weight_names = tuple(self._places)
        self._shapes = {leaf.name: leaf.shape for leaf in scenario.leaves}
        self.codes = loaded.codes
        self.breaches = loaded.breaches + breaches
        self.forward_codes: tuple[CodeType, ...] = _codes_of_forward(loaded)
        self._loaded, self._weights = loaded, weights
        self._mutations: dict[str, None] = {}
        self._gradient_problems: dict[tuple[str, str], None] = {}
        self._returned_gradients = False
        chosen = loaded.chosen
        self._callers = {
            method: Caller(method_of(self.model, name, place), name, scenario.leaves)
            for method, name, place in (
                ("forward", "forward", chosen.forward),
                ("pass", chosen.pass_name, chosen.manual_pass),
            )
        }
        if callable(self.model):
            # through __call__, as the assignment does
            self._callers["forward"].method = self.model
        notes = (note for caller in self._callers.values() for note in caller.notes)
        loaded.notes.extend([*weights.notes, *notes])

    def run(
        self, method: MethodName, point: Sequence[float], recorder: Recorder | None
    ) -> Observation:
        """One run. The manual pass runs without grad mode, as in the assignment's own test, and its
        gradients are collected."""
        caller, manual = self._callers[method], method == "pass"
        self._set_weights(point)
        arguments = caller.arguments(point)
        watched = [(each, "an input") for each in arguments if isinstance(each, torch.Tensor)]
        watched += [(parameter, "a weight") for parameter, _ in self.slots]
        before = [tensor.detach().clone() for tensor, _ in watched]

        def call() -> Any:
            with EnableTorchFunction():
                return caller.call(arguments, self.slots)

        with torch.set_grad_enabled(not manual):
            if recorder is None:
                returned = call()
            else:
                self._declare_leaves(recorder, caller, arguments)
                returned = recorder.run(call)
        for (tensor, what), then in zip(watched, before, strict=True):
            if tensor.shape != then.shape or not torch.equal(tensor.detach(), then):
                self._mutations[what] = None
        result, extra = returned, []
        if manual and isinstance(returned, list | tuple) and returned:
            result, extra = returned[0], list(returned[1:])
            self._loaded.notes.append(say("the pass returns more than y"))
        if type(result) in (float, int) and not (recorder and recorder.links(result)):
            if recorder is not None:
                text = say("a number is returned where a tensor is asked for: its value is judged")
                self._loaded.notes.append(text)
            result = torch.tensor(result, dtype=self.slots[0][0].dtype)
        gradients: list[Slot | None] = []
        if manual:
            gradients, problems, notes = self.gradients(extra)
            self._loaded.notes.extend(notes)
            self._gradient_problems.update(dict.fromkeys(("", each) for each in problems))
            left = any(parameter.grad is not None for parameter, _ in self.slots)
            self._returned_gradients |= bool(extra) and not left and any(gradients)
        outputs: dict[str, Any] = {VALUE: result}
        answers = {VALUE: tensor_or_type(result)}
        for name, own in self._places.items() if manual else ():
            slots = gradients[own.start : own.stop]
            output = _whole(slots) if self._shapes[name] else slots[0]
            outputs[gradient_of(name)] = output
            number = element_of(*output) if isinstance(output, tuple) else output
            answers[gradient_of(name)] = tensor_or_type(number)
        if recorder is not None:
            recorder.finish(outputs)
        return Observation(answers)

    def gradients(self, extra: Sequence[Any]) -> tuple[list[Slot | None], list[str], list[str]]:
        """Where the pass left the gradient of each weight, with problems and notes; `extra` is
        what it returned after y. Another exercise may look elsewhere."""
        return gradients_left(self.slots, extra, self.weight_names)

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs."""
        return self._loaded.evidence(
            str(self.slots[0][0].dtype).removeprefix("torch."),
            mutations=tuple(self._mutations),
            gradient_problems=tuple(self._gradient_problems),
            piece_shape=self._weights.piece_shape,
            weight_labels=tuple(self._weights.labels),
            pass_way=self._callers["pass"].way,
            forward_way=self._callers["forward"].way,
            returned_gradients=self._returned_gradients,
        )

    def _declare_leaves(self, recorder: Recorder, caller: Caller, arguments: Sequence[Any]) -> None:
        for place, (parameter, element) in enumerate(self.slots):
            if element == 0:
                recorder.leaf(parameter, "weight", place)
        for tensor, place in caller.leaves(arguments):
            recorder.leaf(tensor, "input", place)

    def _set_weights(self, point: Sequence[float]) -> None:
        for (parameter, element), weight in zip(self.slots, point, strict=False):
            parameter.data.view(-1)[element] = weight
        # not by `zero_grad` or an attribute, which may be the student's: they would run unwatched
        for parameter, _ in self.slots:
            SET_GRAD(parameter, None)


def _whole(slots: Sequence[Slot | None]) -> torch.Tensor | None:
    """The tensor of which these are all elements; None where there is none."""
    if not slots or slots[0] is None:
        return None
    tensor = slots[0][0]
    is_all = tensor.numel() == len(slots) and all(s is not None and s[0] is tensor for s in slots)
    return tensor if is_all else None

"""The child's half of an exercise whose student gives vector-Jacobian products: one call at a
point, and what is told of it. How the call is made is each exercise's own. Student code runs
here."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import CodeType
from typing import Any

import torch

from ...messages import say
from ...model import (
    VALUE,
    Breach,
    Evidence,
    MethodName,
    Observation,
    Scenario,
    gradient_of,
    second_of,
)
from ...submission import fault_of
from ...trace.record import Recorder
from ...trace.torch_private import DisableTorchFunction, expired, weak_ref
from ...trace.watch import watched
from ..loading import Loaded
from . import SEED
from .tensors import declare, tensor_or_type, tensors

# taken here, before the student's code can replace it in torch
_set_seed = torch.default_generator.manual_seed


class AdjointCall:
    """One call at the leaves of a scenario: what an exercise makes it with, and what came of it.

    `tensors` has a tensor for each leaf that is one, `asked` those whose gradients are asked for,
    `twice` those by which the gradients are differentiated again.
    `outputs` are observed and recorded; `observed` and `recorded` have what is only the one.
    `facts` are fields of the exercise's `facts`, and `problems` say what is wrong
    with a gradient, behind the name of its leaf, "" for one of all."""

    def __init__(
        self,
        scenario: Scenario,
        method: MethodName,
        tensors: Mapping[str, torch.Tensor],
        recorder: Recorder | None,
    ) -> None:
        leaves = scenario.leaves
        self.scenario, self.recorder = scenario, recorder
        self.is_pass = method == "pass"
        self.tensors = tensors
        self.asked = {
            leaf.name: self.tensors[leaf.name] for leaf in leaves if leaf.kind == "weight"
        }
        self.twice = {leaf.name: self.tensors[leaf.name] for leaf in leaves if leaf.order == 2}
        self.grad_output: Any = self.tensors.get(leaves[-1].name)  # none where a loss has 1
        self.outputs: dict[str, Any] = {VALUE: None}
        if self.is_pass:
            self.outputs |= dict.fromkeys(map(gradient_of, self.asked))
        self.observed: dict[str, Any] = {}
        self.recorded: dict[str, Any] = {}
        self.facts: dict[str, Any] = {}
        self.problems: list[tuple[str, str]] = []

    @property
    def arguments(self) -> list[Any]:
        """What a function of the leaves is called with, but for the adjoint. Plain values are made
        anew each time, as a student may write into a dict."""
        return [
            leaf.plain if leaf.literal else self.tensors[leaf.name]
            for leaf in self.scenario.leaves[:-1]
        ]

    def phase(self, name: str) -> None:
        """Says what begins."""
        if self.recorder is not None:
            self.recorder.phase(name)

    def tensor(self, name: str, gradient: Any) -> torch.Tensor | None:
        """What came back as the gradient of a leaf; None, and a problem, for what is none."""
        if issubclass(type(gradient), torch.Tensor):
            return gradient  # type: ignore[no-any-return]
        if gradient is not None:
            type_ = type(gradient).__name__
            text = say("that of {name} is of type {type}", name=name, type=type_)
            self.problems.append((name, text))
        return None

    def give(self, gradients: Iterable[torch.Tensor | None]) -> None:
        """Takes the gradients of all that is asked."""
        self.outputs |= zip(map(gradient_of, self.asked), gradients, strict=True)

    def give_second(self, derivatives: Callable[[], Iterable[torch.Tensor]]) -> None:
        """Takes the derivatives of the gradients, one vector for each. What is raised meanwhile is
        told as a fact."""
        try:
            names = [second_of(name) for name in self.asked if name in self.twice]
            self.observed |= zip(names, derivatives(), strict=True)
        except BaseException as error:
            fault = fault_of(error)
            self.facts["second_problem"] = fault.text
            self.facts["second_site"] = fault.site

    def storage_of(self, tensor: torch.Tensor) -> int:
        """The recording's number of a tensor's storage, -1 if it has none."""
        with DisableTorchFunction():
            number = None if self.recorder is None else self.recorder.storages.find(tensor)
        return -1 if number is None else number


class AdjointTarget:
    """What of a submission is called at the leaves of a scenario, the last of which is the
    adjoint of the value. `make` makes a call. `differentiates`: torch's engine takes part;
    `lets_engine`: the student calls it, for gradients alone; `lets_go`: all that a call made goes
    with what it returned."""

    forward_codes: tuple[CodeType, ...] = ()

    def __init__(
        self,
        loaded: Loaded[Any],
        scenario: Scenario,
        make: Callable[[AdjointCall], None],
        differentiates: bool = False,
        lets_engine: bool = False,
        lets_go: bool = True,
    ) -> None:
        self._loaded, self._scenario, self._make = loaded, scenario, make
        self._differentiates = differentiates
        self._lets_engine, self._lets_go = lets_engine, lets_go
        self.codes = loaded.codes
        # an engine that ran where the function was made is no fault then
        self.breaches = tuple(
            breach for breach in loaded.breaches if not lets_engine or breach.kind != "autograd"
        )
        self._seen: dict[Breach, None] = {}
        self._mutations: dict[str, None] = {}
        self._problems: dict[tuple[str, str], None] = {}
        self._facts: dict[str, Any] = {}

    def run(
        self, method: MethodName, point: Sequence[float], recorder: Recorder | None
    ) -> Observation:
        """One call; for the pass, with the backward after it."""
        if self._lets_engine and method == "forward":
            return Observation()
        if self._lets_engine and recorder is not None:
            recorder.breaches.lets_engine = True
        scenario = self._scenario
        every = scenario.leaves
        values = self.prepared(tensors(every, point))
        own = {
            leaf.name: value for leaf, value in zip(every, values, strict=True) if not leaf.literal
        }
        leaves, leaf_tensors = [leaf for leaf in every if not leaf.literal], [*own.values()]
        for leaf, tensor in zip(leaves, leaf_tensors, strict=True):
            asked = self._differentiates and leaf.kind == "weight" and not leaf.probe
            if leaf.requires_grad or asked:
                tensor.requires_grad_()
        before = [tensor.detach().clone() for tensor in leaf_tensors]
        call = AdjointCall(scenario, method, own, recorder)
        _set_seed(SEED)
        with torch.set_grad_enabled(self._differentiates):
            make = functools.partial(self._make, call)
            if recorder is not None:
                declare(recorder, leaves, leaf_tensors)
                recorder.run(make)
            elif method == "pass" and not (scenario.is_recorded or self._differentiates):
                self._seen |= dict.fromkeys(watched(make, self.codes)[1])
            else:
                make()
        for leaf, tensor, then in zip(leaves, leaf_tensors, before, strict=True):
            is_same = torch.equal(tensor, then)  # but for NaN
            if not (is_same or torch.equal(tensor.detach().nan_to_num(), then.nan_to_num())):
                self._mutations[leaf.name] = None
        self._problems |= dict.fromkeys(call.problems)
        observed = {
            name: tensor_or_type(each) for name, each in (call.outputs | call.observed).items()
        }
        call.observed.clear()
        if recorder is not None:
            recorded = recorder.outputs(call.outputs | call.recorded)
            # what is held elsewhere, as by the engine's graph, counts when what came back is gone
            call.outputs.clear()
            call.recorded.clear()
            if self._lets_go and recorder.storages.outlived():
                gc.collect()  # what is in a circle is gone, too, once it is asked for
                recorder.storages.outlived()
            recorder.finish(recorded)
        facts = call.facts
        weak = [weak_ref(tensor.untyped_storage()) for tensor in leaf_tensors]
        del values, own, leaf_tensors, call, make, tensor, then, before
        if not all(map(expired, weak)):
            gc.collect()  # torch's own hooks may be in a circle
        kept = [leaf.name for leaf, ref in zip(leaves, weak, strict=True) if not expired(ref)]
        if method == "pass" and (not self._facts or kept):
            self._facts = (self._facts or facts) | {"kept": kept}
        return Observation(observed)

    def prepared(self, leaf_tensors: list[torch.Tensor]) -> list[torch.Tensor]:
        """The leaves, as the student's code holds them. Another exercise may put them elsewhere."""
        return leaf_tensors

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs."""
        return self._loaded.evidence(
            next(leaf.dtype for leaf in self._scenario.leaves if leaf.kind == "weight"),
            self._facts,
            mutations=tuple(self._mutations),
            gradient_problems=tuple(self._problems),
            breaches=tuple(self._seen),
        )

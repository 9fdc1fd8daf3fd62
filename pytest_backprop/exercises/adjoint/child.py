"""The child's half of an exercise whose student gives vector-Jacobian products: one call at a
point, and what is told of it. How the call is made is each exercise's own. Student code runs
here."""

from __future__ import annotations

import gc
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

import msgspec
import torch
from msgspec.structs import replace

from ...model import (
    VALUE,
    Evidence,
    Leaf,
    MethodName,
    Observation,
    Scenario,
    gradient_of,
    second_of,
    stretches,
)
from ...trace.record import Recorder
from ...trace.torch_private import DisableTorchFunction, expired, weak_ref
from ..loading import Loaded
from ..observation import tensor_or_type
from .facts import AdjointFacts
from .tensors import tensors


class AdjointTarget:
    """What of a submission is called at the leaves of a scenario, the last of which is the
    adjoint of the value."""

    forward_codes: tuple[CodeType, ...] = ()
    differentiates = False
    """Whether torch's engine takes part."""
    lets_go = True
    """Whether all that a call made goes with what it returned."""

    def __init__(self, loaded: Loaded[Any], scenario: Scenario) -> None:
        self.loaded = loaded
        self.leaves = scenario.leaves
        self._weight_names = scenario.weight_names
        self.codes = loaded.codes
        self.breaches = loaded.breaches
        self._notes = dict.fromkeys(loaded.notes)
        self._mutations: dict[str, None] = {}
        self._problems: dict[str, None] = {}
        self._facts: AdjointFacts | None = None

    @abstractmethod
    def call(
        self, method: MethodName, given: list[torch.Tensor], recorder: Recorder | None
    ) -> AdjointCall:
        """A call with these tensors, which is ready to be made."""

    def run(
        self,
        method: MethodName,
        weights: Sequence[float],
        inputs: Sequence[float],
        recorder: Recorder | None,
    ) -> Observation:
        """One call; for the pass, with the backward after it."""
        given = tensors(self.leaves, weights, inputs)
        call = self.call(method, given, recorder)
        before = [tensor.detach().clone() for tensor in given]
        with torch.set_grad_enabled(self.differentiates):
            if recorder is None:
                call.run()
            else:
                for (leaf, places), tensor in zip(stretches(self.leaves), given, strict=True):
                    if leaf.is_drawn:
                        recorder.leaf(tensor, leaf.kind, _elements(leaf, places))
                recorder.run(call.run)
        for leaf, tensor, then in zip(self.leaves, given, before, strict=True):
            if tensor.shape != then.shape or not _is_same(tensor, then):
                self._mutations[leaf.name] = None
        told = call.observation()
        outputs = {} if recorder is None else recorder.outputs(call.outputs)
        call.value = None
        if recorder is not None:
            # what the engine's graph holds counts, though it goes with the value
            if self.lets_go and recorder.storages.outlived() > 1 + len(call.gradients):
                gc.collect()  # what is in a circle is gone, too, once it is asked for
                recorder.storages.outlived()
            recorder.finish(outputs)
        facts = call.facts
        weak = [weak_ref(tensor.untyped_storage()) for tensor in given]
        del given, call, tensor, then, before
        if not all(map(expired, weak)):
            gc.collect()  # torch's own hooks may be in a circle
        kept = [leaf.name for leaf, ref in zip(self.leaves, weak, strict=True) if not expired(ref)]
        if method == "pass" and (not self._facts or kept):
            self._facts = replace(self._facts or facts, kept=tuple(kept))
        return told

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs."""
        chosen = self.loaded.chosen
        dtype = next(leaf.dtype for leaf in self.leaves if leaf.kind == "weight")
        return Evidence(
            chosen.class_name,
            chosen.pass_name,
            dtype,
            notes=tuple(self._notes),
            mutations=tuple(self._mutations),
            gradient_problems=tuple(self._problems),
            forward_site=chosen.forward,
            pass_site=chosen.manual_pass,
            weight_labels=tuple((name, 0) for name in self._weight_names),
            facts=msgspec.msgpack.encode(self._facts or AdjointFacts()),
        )

    def note_problem(self, problem: str) -> None:
        """Something is wrong with a gradient."""
        self._problems[problem] = None


class AdjointCall:
    """One call, and the backward if the pass is asked for; `gradients` has one for each leaf
    that is asked for."""

    def __init__(
        self,
        target: AdjointTarget,
        method: MethodName,
        given: list[torch.Tensor],
        recorder: Recorder | None,
        facts: AdjointFacts,
    ) -> None:
        self._target, self._recorder = target, recorder
        self._back = method == "pass"
        self._leaves = target.leaves
        self._grad_output = given[-1]
        self._arguments = [
            tensor if leaf.number is None else leaf.number
            for leaf, tensor in zip(self._leaves[:-1], given[:-1], strict=True)
        ]
        self._asked = [
            tensor
            for leaf, tensor in zip(self._leaves, given, strict=True)
            if leaf.kind == "weight"
        ]
        self._twice = self._back and self._leaves[-1].order == 2
        self.facts = facts
        self.value: Any = None
        self.gradients: tuple[torch.Tensor | None, ...] = ()
        self.unasked: dict[str, torch.Tensor] = {}
        """Gradients of leaves that need none, by the names of the outputs."""
        self._second: tuple[torch.Tensor, ...] = ()

    @abstractmethod
    def run(self) -> None:
        """Makes it; raises what the student's code raises."""

    def observation(self) -> Observation:
        """What is told of it: value and gradients."""
        names = [second_of(leaf.name) for leaf in self._leaves if leaf.kind == "weight"]
        second = dict(zip(names, self._second, strict=False))
        gradients = {name: gradient for name, gradient, _ in self._delivered()}
        outputs: dict[str, Any] = {VALUE: self.value, **gradients, **second}
        return Observation({name: tensor_or_type(output) for name, output in outputs.items()})

    @property
    def outputs(self) -> dict[str, Any]:
        """The value, and all gradients."""
        asked = {name: gradient for name, gradient, _ in self._delivered()}
        return {VALUE: self.value} | self.unasked | asked

    def _delivered(self) -> Iterator[tuple[str, torch.Tensor | None, torch.Tensor]]:
        """Each gradient, by the name of the output, with the tensor that it is asked of."""
        names = [gradient_of(leaf.name) for leaf in self._leaves if leaf.kind == "weight"]
        gradients = self.gradients or (None,) * len(self._asked)
        yield from zip(names, gradients, self._asked, strict=True) if self._back else ()

    def _storage_of(self, tensor: torch.Tensor) -> int:
        """The recording's number of a tensor's storage, -1 if it has none."""
        with DisableTorchFunction():
            known = None if self._recorder is None else self._recorder.storages.find(tensor)
        return -1 if known is None else known

    def _phase(self, name: str) -> None:
        if self._recorder is not None:
            self._recorder.phase(name)


def _elements(leaf: Leaf, places: range) -> Sequence[int]:
    if leaf.layout == "expanded" and places:
        return [places[0]] * len(places)
    return places


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.equal(one.detach().nan_to_num(), other.nan_to_num())

"""The child's half: the student's function, which calls torch's engine itself. Student code runs
here."""

from __future__ import annotations

import gc
import inspect
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import torch
from msgspec.structs import replace

from ...errors import SubmissionProblem
from ...messages import listed, say
from ...model import (
    VALUE,
    Evidence,
    Leaf,
    MethodName,
    Observation,
    Scenario,
    Tensor,
    Unit,
    gradient_of,
)
from ...submission import slice_names
from ...submission.parse import defined_names
from ...trace.record import Recorder
from ...trace.torch_private import (
    DisableTorchFunctionSubclass,
    EnableTorchFunction,
    expired,
    has_hooks,
    weak_ref,
)
from ..adjoint.child import AdjointCall, AdjointTarget
from ..loading import Loaded, load_slice
from ..observation import tensor_or_type
from . import PASS_NAMES as PASS_NAMES
from .facts import AGAIN, IntermediateFacts

RTOL = 1e-5
"""How closely a second call must give the numbers of the first."""

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
        ("hidden[0]",),
        ("x[0]", "w[0, 0]"),
        ((0.0,),),
        ((0.3, 0.7),),
        (
            Leaf("x", "input", (1,)),
            Leaf("w", "input", (1, 1), requires_grad=True),
            Leaf("hidden", "weight", (1,), probe=True),
        ),
    ),
)
"""A small function, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> IntermediateTarget:
    """The function of a submission. Raises SubmissionProblem."""
    names = (class_name,) if class_name else tuple(pass_names)
    known = defined_names(units)
    name = next((name for name in names if name in known), names[0])
    chosen = slice_names(units, None, (name,))
    inputs = [leaf.name for leaf in scenario.leaves if not leaf.probe]
    loaded = load_slice(
        chosen,
        loops,
        lambda function, _, notes: _way_to_call(function, inputs, name, chosen.manual_pass, notes),
    )
    return IntermediateTarget(loaded, scenario)


def _way_to_call(function: Any, inputs: list[str], name: str, place: Any, notes: list[str]) -> bool:
    """Whether the tensors are given by name. Raises SubmissionProblem for a function that does
    not take them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return False  # no signature to be had: its call tells
    try:
        signature.bind(**dict.fromkeys(inputs))
        return True
    except TypeError:
        pass
    try:
        signature.bind(*inputs)
    except TypeError:
        raise SubmissionProblem(
            "signature",
            say(
                "`{function}` does not take {inputs}",
                function=f"{name}{signature}",
                inputs=listed(inputs),
            ),
            say("declare it as {wanted}", wanted=f"{name}({', '.join(inputs)})"),
            place,
        ) from None
    told = say(
        "`{function}` is given {inputs}, by position",
        function=f"{name}{signature}",
        inputs=listed(inputs),
    )
    notes.append(told)
    return False


class IntermediateTarget(AdjointTarget):
    """The student's function at the leaves of a scenario. Behind its tensors come the probes, of
    which it gets none."""

    differentiates = True
    lets_go = True

    def __init__(self, loaded: Loaded[bool], scenario: Scenario) -> None:
        super().__init__(loaded, scenario)
        self.variation = scenario.variation
        # an engine that ran where the function was made is no fault here
        self.breaches = tuple(b for b in loaded.breaches if b.kind != "autograd")
        self.latest: list[Any] = []
        self.first: tuple[Sequence[float], Sequence[float], Observation] | None = None

    def call(
        self, method: MethodName, given: list[torch.Tensor], recorder: Recorder | None
    ) -> _Call:
        """A call of the function."""
        return _Call(self, method, given, recorder, IntermediateFacts())

    def run(
        self,
        method: MethodName,
        weights: Sequence[float],
        inputs: Sequence[float],
        recorder: Recorder | None,
    ) -> Observation:
        """One call, if gradients are asked for; and a look at what is left of the one before."""
        if method == "forward":
            return Observation()
        before, self.latest = self.latest, []
        if recorder is not None:
            recorder.breaches.lets_engine = True
        told = super().run(method, weights, inputs, recorder)
        if not all(map(expired, before)):
            gc.collect()
            if not all(map(expired, before)) and self._facts:
                assert isinstance(self._facts, IntermediateFacts)
                self._facts = replace(self._facts, grown=True)
        self.first = self.first or (weights, inputs, told)
        return told

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs."""
        stale = self._stale()
        facts = replace(self._facts or IntermediateFacts(), stale=stale)
        return replace(super().evidence(), facts=msgspec.msgpack.encode(facts))

    def _stale(self) -> tuple[str, ...]:
        """The intermediates for which one more call, with the numbers of the first, gives
        others."""
        if self.first is None:
            return ()
        weights, inputs, told = self.first
        try:
            with DisableTorchFunctionSubclass():
                again = self.run("pass", weights, inputs, None)
        except BaseException:  # theirs, and told where it is judged
            return ()
        return tuple(
            leaf.name
            for leaf in self.leaves
            if leaf.probe
            and not _is_near(*(run.tensor(gradient_of(leaf.name)) for run in (told, again)))
        )

    def called(self, arguments: Mapping[str, Any]) -> Any:
        """What the student's function returns."""
        if self.loaded.built:
            return self.loaded.cls(**arguments)
        return self.loaded.cls(*arguments.values())


def _is_near(one: Tensor | None, other: Tensor | None) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and all(
        math.isclose(a, b, rel_tol=RTOL) or (math.isnan(a) and math.isnan(b))
        for a, b in zip(one.data, other.data, strict=True)
    )


class _Call(AdjointCall):
    """One call of the function."""

    _target: IntermediateTarget
    facts: IntermediateFacts

    def __init__(
        self,
        target: IntermediateTarget,
        method: MethodName,
        given: list[torch.Tensor],
        recorder: Recorder | None,
        facts: IntermediateFacts,
    ) -> None:
        super().__init__(target, method, given, recorder, facts)
        self._given = {
            leaf.name: tensor
            for leaf, tensor in zip(self._leaves, given, strict=True)
            if not leaf.probe
        }
        self._free = {
            leaf.name: self._given[leaf.name].requires_grad_()
            for leaf in self._leaves
            if leaf.requires_grad
        }
        self._names = [leaf.name for leaf in self._leaves if leaf.probe]
        self._twice = False

    def run(self) -> None:
        """Runs it; raises what the student's code raises."""
        self._phase("call")
        with EnableTorchFunction():
            if self._target.variation == AGAIN:
                self._target.called(self._given)
            self.value = self._target.called(self._given)

    def observation(self) -> Observation:
        """What is told of it: the gradients that came back."""
        answer, self.value = self._taken(self.value), None
        tensors = tuple(
            found if issubclass(type(found := answer.get(name)), torch.Tensor) else None
            for name in self._names
        )
        self.gradients = tensors
        kept = [t for t in tensors if t is not None]
        self.unasked = {
            gradient_of(name): leaf.grad
            for name, leaf in self._free.items()
            if leaf.grad is not None
        }
        self.facts = replace(
            self.facts,
            hooked=tuple(name for name, leaf in self._free.items() if has_hooks(leaf)),
            graphs=tuple(
                name
                for name, tensor in zip(self._names, tensors, strict=True)
                if tensor is not None and tensor.grad_fn is not None
            ),
        )
        self._target.latest = [weak_ref(tensor.untyped_storage()) for tensor in kept]
        told = super().observation().outputs
        came = {gradient_of(name): tensor_or_type(answer[name]) for name in answer}
        return Observation({VALUE: told[VALUE]} | came)

    def _taken(self, found: Any) -> Mapping[str, Any]:
        """What came back, by the names of the intermediates: a dict, or a list or tuple in their
        order; beside a dict there may be a value."""
        if isinstance(found, tuple | list) and not isinstance(found, Mapping):
            dicts = [part for part in found if isinstance(part, Mapping)]
            if len(dicts) == 1:
                found = dicts[0]
        if isinstance(found, Mapping):
            return {name: found[name] for name in self._names if name in found}
        if issubclass(type(found), torch.Tensor) and len(self._names) == 1:
            return {self._names[0]: found}
        if isinstance(found, tuple | list) and len(found) == len(self._names):
            return dict(zip(self._names, found, strict=True))
        told = (
            say("{count} results", count=len(found))
            if isinstance(found, tuple | list)
            else type(found).__name__
        )
        self.facts = replace(self.facts, answer=told)
        return {}

"""The child's half: a Function of the student's, called through `apply` and torch's engine. Student code
runs here."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Sequence
from types import CodeType
from typing import Any

import msgspec
import torch
from msgspec.structs import replace

from ...errors import SubmissionProblem
from ...messages import listed, say
from ...model import Evidence, Leaf, MethodName, Observation, Scenario, Tensor, Unit, stretches
from ...trace.engine import run_engine
from ...trace.record import Recorder
from ..functions.adjoint import GRAD_OUTPUT
from ..functions.tensors import second_order, tensors
from ..loading import Loaded, load_class
from ..observation import fault_of, number_in, tensor_or_type
from .contents import holds_numbers
from .facts import FunctionFacts

Function = torch.autograd.Function
# taken here, before the student's code can replace it in torch
_apply = Function.apply.__func__  # type: ignore[attr-defined]
_expired = torch.UntypedStorage._expired
MAX_FOUND = 20
"""Attributes and inputs that are told."""

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
    Scenario(
        ("x[0]", "x[1]"), ("g[0]", "g[1]"), ((0.3, 0.7),), ((0.2, 0.4),),
        (Leaf("x", "weight", (2,)), Leaf(GRAD_OUTPUT, "input", (2,), order=2)),
    ),
)  # fmt: skip
"""A small Function, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> FunctionTarget:
    """The Function of a submission. Raises SubmissionProblem."""
    loaded = load_class(units, class_name, pass_names, loops, _check, base="Function")
    return FunctionTarget(loaded, scenario)


def _check(cls: type, notes: list[str]) -> None:
    if not issubclass(cls, Function):
        raise SubmissionProblem(
            "not-a-function",
            say("{name} is not a torch.autograd.Function", name=cls.__name__),
            say("derive it: class {name}(torch.autograd.Function):", name=cls.__name__),
        )


class FunctionTarget:
    """A Function at the leaves of a scenario."""

    forward_code: CodeType | None = None

    def __init__(self, loaded: Loaded[None], scenario: Scenario) -> None:
        self._cls = loaded.cls
        self._chosen = loaded.chosen
        self._leaves = scenario.leaves
        self._weight_names = scenario.weight_names
        self.codes = loaded.codes
        self.breaches = loaded.breaches
        self._notes = dict.fromkeys(loaded.notes)
        self._mutations: dict[str, None] = {}
        self._problems: dict[str, None] = {}
        self._facts: FunctionFacts | None = None
        self._check_signature()

    def run(
        self,
        method: MethodName,
        weights: Sequence[float],
        inputs: Sequence[float],
        recorder: Recorder | None,
    ) -> Observation:
        """One call of `apply`; for the pass, the engine's call of backward after it."""
        given = tensors(self._leaves, weights, inputs)
        call = _Call(self, method, given, recorder)
        before = [tensor.detach().clone() for tensor in given]
        with torch.enable_grad():
            if recorder is None:
                call.run()
            else:
                for (leaf, places), tensor in zip(stretches(self._leaves), given, strict=True):
                    if leaf.is_drawn:
                        recorder.leaf(tensor, leaf.kind, _elements(leaf, places))
                recorder.run(call.run)
        for leaf, tensor, then in zip(self._leaves, given, before, strict=True):
            if tensor.shape != then.shape or not _is_same(tensor, then):
                self._mutations[leaf.name] = None
        told = call.observation()
        if recorder is not None:
            recorder.finish(call.total, call.slots)
        facts = call.facts
        weak = [tensor.untyped_storage()._weak_ref() for tensor in given]
        del given, call, tensor, then, before
        if not all(map(_expired, weak)):
            gc.collect()  # torch's own hooks may be in a circle
        kept = [
            leaf.name for leaf, ref in zip(self._leaves, weak, strict=True) if not _expired(ref)
        ]
        if method == "pass" and (self._facts is None or kept):
            self._facts = replace(self._facts or facts, kept=tuple(kept))
        return told

    def evidence(self) -> Evidence:
        """What there is to tell beside the runs."""
        facts = self._facts or FunctionFacts()
        dtype = next(leaf.dtype for leaf in self._leaves if leaf.kind == "weight")
        return Evidence(
            self._chosen.class_name,
            self._chosen.pass_name,
            dtype,
            notes=tuple(self._notes),
            mutations=tuple(self._mutations),
            gradient_problems=tuple(self._problems),
            forward_site=self._chosen.forward,
            pass_site=self._chosen.manual_pass,
            weight_labels=tuple((name, 0) for name in self._weight_names),
            facts=msgspec.msgpack.encode(facts),
        )

    def note_problem(self, problem: str) -> None:
        """Something is wrong with a gradient."""
        self._problems[problem] = None

    def _check_signature(self) -> None:
        names = [leaf.name for leaf in self._leaves[:-1]]
        forward = self._cls.forward  # type: ignore[attr-defined]
        split = self._cls.setup_context is not Function.setup_context  # type: ignore[attr-defined]
        wanted = names if split else ["ctx", *names]
        try:
            inspect.signature(forward).bind(*wanted)
        except TypeError:
            raise SubmissionProblem(
                "signature",
                say(
                    "{method} does not take {inputs}",
                    method=f"forward{inspect.signature(forward)}",
                    inputs=listed(wanted),
                ),
                say("declare it as {wanted}", wanted=f"forward({', '.join(wanted)})"),
                self._chosen.forward,
            ) from None
        except ValueError:
            return  # no signature to be had: its call tells


class _Call:
    """One call of `apply`, and of the engine if the pass is asked for."""

    def __init__(
        self,
        target: FunctionTarget,
        method: MethodName,
        given: list[torch.Tensor],
        recorder: Recorder | None,
    ) -> None:
        self._target, self._recorder = target, recorder
        self._back = method == "pass"
        self._leaves = target._leaves
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
        for tensor in self._asked:
            tensor.requires_grad_()
        self._twice = self._back and self._leaves[-1].order == 2
        self.value: Any = None
        self.total: torch.Tensor | None = None
        self.gradients: tuple[torch.Tensor | None, ...] = ()
        self.facts = FunctionFacts()
        self._second: tuple[torch.Tensor, ...] = ()

    def run(self) -> None:
        """Runs it; raises what the student's code raises."""
        self._phase("forward")
        with torch._C._EnableTorchFunction():
            self.value = _apply(self._target._cls, *self._arguments)
        if not issubclass(type(self.value), torch.Tensor):
            return
        if self.value.shape != self._grad_output.shape:
            return
        self.total = (self.value.detach() * self._grad_output).sum()
        if self._back:
            self._look_at_context()
            self._run_back()

    def observation(self) -> Observation:
        """What is told of it: the sum of grad_output * value, and the numbers of the gradients."""
        value = tensor_or_type(self.value)
        if isinstance(value, Tensor):
            self.facts = replace(
                self.facts, value=value,
                gradients=tuple(None if g is None else _tensor(g) for g in self.gradients),
                second=tuple(_tensor(g) for g in self._second),
            )  # fmt: skip
        names = [leaf.name for leaf in self._leaves if leaf.kind == "weight"]
        for name, tensor, gradient in zip(names, self._asked, self.gradients, strict=False):
            if gradient is not None and gradient.shape != tensor.shape:
                self._target.note_problem(
                    say("its shape is {shape}, not {wanted}", shape=list(gradient.shape),
                        wanted=list(tensor.shape)),
                )  # fmt: skip
                self.facts = replace(self.facts, misshapen=(*self.facts.misshapen, name))
        numbers = tuple(None if slot is None else number_in(*slot) for slot in self.slots)
        told = tensor_or_type(self.value if self.total is None else self.total)
        return Observation(told, numbers if self._back else ())

    @property
    def slots(self) -> list[tuple[torch.Tensor, int] | None]:
        """Where the gradient of each number is."""
        if not self._back:
            return []
        found: list[tuple[torch.Tensor, int] | None] = []
        gradients = self.gradients or (None,) * len(self._asked)
        for tensor, gradient in zip(self._asked, gradients, strict=True):
            fits = gradient is not None and gradient.shape == tensor.shape
            for at in range(tensor.numel()):
                found.append((gradient, at) if fits and gradient is not None else None)
        return found

    def _run_back(self) -> None:
        self._phase("backward")
        node = _node_of(self.value)
        returned: list[Any] = []
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            self._listen(node, returned)
        try:
            with torch._C._EnableTorchFunction():
                self.gradients = run_engine(
                    self.value, self._grad_output, self._asked, self._recorder
                )
        except RuntimeError as error:
            if "an invalid gradient" not in str(error):
                raise
            # torch refuses all of them for one of a wrong shape; the others are judged
            self.gradients = tuple(
                gradient if isinstance(gradient, torch.Tensor) else None
                for leaf, gradient in zip(self._leaves, returned, strict=False)
                if leaf.kind == "weight"
            )
        finally:
            if node is not None:
                vars(node).pop("apply", None)
        storages = tuple(
            self._storage_of(gradient) if isinstance(gradient, torch.Tensor) else None
            for leaf, gradient in zip(self._leaves, returned, strict=False)
            if leaf.number is None
        )
        self.facts = replace(self.facts, returned=storages)
        if self._twice:
            self._run_twice()

    def _listen(self, node: Any, returned: list[Any]) -> None:
        """Has the engine's call of the student's backward tell what that returns: hooks come after torch has
        looked at the shapes."""

        def apply(*grads: torch.Tensor) -> Any:
            made = type(node).apply(node, *grads)
            returned.extend(made if isinstance(made, tuple) else (made,))
            return made

        node.apply = apply

    def _storage_of(self, tensor: torch.Tensor) -> int:
        """The recording's number of a tensor's storage, -1 if it has none."""
        with torch._C.DisableTorchFunction():
            known = None if self._recorder is None else self._recorder.storages.find(tensor)
        return -1 if known is None else known

    def _run_twice(self) -> None:
        """The derivatives of the gradients, by the engine through the student's backward."""
        try:
            self._grad_output.requires_grad_()
            inputs = [*self._asked, self._grad_output]
            with torch._C._EnableTorchFunction():
                value = _apply(self._target._cls, *self._arguments)
                gradients = run_engine(
                    value, self._grad_output, self._asked, self._recorder, create_graph=True
                )
                self._second = second_order(gradients, inputs, self._recorder)
        except BaseException as error:
            fault = fault_of(error)
            problem = f"{fault.kind}: {fault.message}"
            self.facts = replace(self.facts, second_problem=problem)

    def _look_at_context(self) -> None:
        node = _node_of(self.value)
        if node is None or self._recorder is None:
            return
        saved = [-1 if tensor is None else self._storage_of(tensor) for tensor in _saved_of(node)]
        names = [name for name, held in vars(node).items() if holds_numbers(held)]
        self.facts = replace(
            self.facts, saved=tuple(saved[:MAX_FOUND]), on_ctx=tuple(names[:MAX_FOUND])
        )

    def _phase(self, name: str) -> None:
        if self._recorder is not None:
            self._recorder.phase(name)


def _node_of(value: torch.Tensor) -> Any:
    """The node of the student's Function, which is their ctx; None where the value has none."""
    with torch._C.DisableTorchFunction():
        return value.grad_fn


def _saved_of(node: Any) -> Sequence[torch.Tensor | None]:
    with torch._C.DisableTorchFunction():
        try:
            saved: Sequence[torch.Tensor | None] = node.saved_tensors
        except (RuntimeError, AttributeError):  # none, or no Python Function's
            return ()
    return saved


def _elements(leaf: Leaf, places: range) -> Sequence[int]:
    if leaf.layout == "expanded" and places:
        return [places[0]] * len(places)
    return places


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.equal(one.detach().nan_to_num(), other.nan_to_num())


def _tensor(tensor: torch.Tensor) -> Tensor:
    told = tensor_or_type(tensor)
    assert isinstance(told, Tensor)
    return told

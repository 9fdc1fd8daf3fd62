"""The child's half: a Function of the student's, called through `apply` and torch's engine.
Student code runs here."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import torch
from msgspec.structs import replace

from ...errors import SubmissionProblem
from ...messages import say
from ...model import Leaf, MethodName, Scenario, Unit, gradient_of
from ...trace.record import Recorder
from ...trace.torch_private import DisableTorchFunction, EnableTorchFunction
from ...trace.validate import MAX_OPS
from ...trace.watch import run_engine
from ..adjoint.child import AdjointCall, AdjointTarget
from ..adjoint.facts import GRAD_OUTPUT
from ..adjoint.tensors import second_order
from ..loading import Loaded, check_signature, load_class, method_of
from ..observation import fault_of
from . import PASS_NAMES as PASS_NAMES
from .contents import holds_numbers
from .facts import TWICE, FunctionFacts

Function = torch.autograd.Function
# taken here, before the student's code can replace it in torch
_apply = inspect.getattr_static(Function, "apply")
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
        ("x[0]", "x[1]"),
        ("g[0]", "g[1]"),
        ((0.3, 0.7),),
        ((0.2, 0.4),),
        (Leaf("x", "weight", (2,)), Leaf(GRAD_OUTPUT, "input", (2,), order=2)),
    ),
)
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
            say("{name} is not a `torch.autograd.Function`", name=cls.__name__),
            say("derive it: class {name}(torch.autograd.Function):", name=cls.__name__),
        )


class FunctionTarget(AdjointTarget):
    """A Function at the leaves of a scenario, called by `apply`, and by the engine after it."""

    differentiates = True
    lets_go = False

    def __init__(self, loaded: Loaded[None], scenario: Scenario) -> None:
        super().__init__(loaded, scenario)
        self._check_signature()

    def call(
        self, method: MethodName, given: list[torch.Tensor], recorder: Recorder | None
    ) -> _Call:
        """A call of `apply`."""
        return _Call(self, method, given, recorder, FunctionFacts())

    def _check_signature(self) -> None:
        names = [leaf.name for leaf in self.leaves[:-1]]
        chosen = self.loaded.chosen
        method_of(self.loaded.cls, chosen.pass_name, chosen.manual_pass)
        forward = method_of(self.loaded.cls, "forward", chosen.forward)
        split = self.loaded.cls.setup_context is not Function.setup_context
        wanted = names if split else ["ctx", *names]
        check_signature(forward, "forward", wanted, chosen.forward)


class _Call(AdjointCall):
    """One call of `apply`, and of the engine if the pass is asked for."""

    facts: FunctionFacts

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        for tensor in self._asked:
            tensor.requires_grad_()

    def run(self) -> None:
        """Runs it; raises what the student's code raises."""
        self._phase("forward")
        with EnableTorchFunction():
            self.value = _apply.__get__(None, self._target.loaded.cls)(*self._arguments)
        if not issubclass(type(self.value), torch.Tensor):
            return
        if self.value.shape != self._grad_output.shape:
            return
        if self._back:
            self._look_at_context()
            self._run_back()

    def _run_back(self) -> None:
        self._phase("backward")
        node = _node_of(self.value)
        returned: list[Any] = []
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            self._listen(node, returned)
        try:
            with EnableTorchFunction():
                self.gradients = run_engine(
                    self.value, self._grad_output, self._asked, self._recorder
                )
        except RuntimeError as error:
            if "an invalid gradient" not in str(error):
                raise
            # torch refuses all of them for one of a wrong shape; the others are judged
            asked = [
                gradient
                for leaf, gradient in zip(self._leaves, returned, strict=False)
                if leaf.kind == "weight"
            ]
            self.gradients = tuple(
                _summed(gradient, tensor) if isinstance(gradient, torch.Tensor) else None
                for tensor, gradient in zip(self._asked, asked, strict=False)
            )
        finally:
            if node is not None:
                vars(node).pop("apply", None)
        self.unasked = {
            gradient_of(leaf.name): gradient
            for leaf, gradient in zip(self._leaves, returned, strict=False)
            if leaf.kind == "input" and leaf.number is None and isinstance(gradient, torch.Tensor)
        }
        if self._twice:
            self._run_twice()

    def _listen(self, node: Any, returned: list[Any]) -> None:
        """Has the engine's call of the student's backward tell what that returns: hooks come
        after torch has looked at the shapes."""

        def apply(*grads: torch.Tensor) -> Any:
            made = type(node).apply(node, *grads)
            returned.extend(made if isinstance(made, tuple) else (made,))
            return made

        node.apply = apply

    def _run_twice(self) -> None:
        """The derivatives of the gradients, by the engine through the student's backward."""
        self._phase(TWICE)
        try:
            self._grad_output.requires_grad_()
            inputs = [*self._asked, self._grad_output]
            with EnableTorchFunction():
                value = _apply.__get__(None, self._target.loaded.cls)(*self._arguments)
                gradients = run_engine(
                    value, self._grad_output, self._asked, self._recorder, create_graph=True
                )
                self._second = second_order(gradients, inputs, self._recorder)
        except BaseException as error:
            fault = fault_of(error)
            problem = f"{fault.kind}: {fault.message}"
            self.facts = replace(self.facts, second_problem=problem, second_site=fault.site)

    def _look_at_context(self) -> None:
        node = _node_of(self.value)
        if node is None or self._recorder is None:
            return
        saved = [-1 if tensor is None else self._storage_of(tensor) for tensor in _saved_of(node)]
        names = [name for name, held in vars(node).items() if holds_numbers(held)]
        self.facts = replace(
            self.facts, saved=tuple(saved[:MAX_OPS]), on_ctx=tuple(names[:MAX_FOUND])
        )


def _node_of(value: torch.Tensor) -> Any:
    """The node of the student's Function, which is their ctx; None where the value has none."""
    with DisableTorchFunction():
        return value.grad_fn


def _saved_of(node: Any) -> Sequence[torch.Tensor | None]:
    with DisableTorchFunction():
        try:
            saved: Sequence[torch.Tensor | None] = node.saved_tensors
        except (RuntimeError, AttributeError):  # none, or no Python Function's
            return ()
    return saved


def _summed(gradient: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """What is larger than its input by broadcasting, summed as the engine does; any other as it
    is."""
    shape, wanted = gradient.shape, tensor.shape
    aligned = zip(shape[len(shape) - len(wanted) :], wanted, strict=False)
    if shape == wanted or len(shape) < len(wanted) or any(w not in (1, s) for s, w in aligned):
        return gradient
    return torch.Tensor.sum_to_size(gradient, wanted)

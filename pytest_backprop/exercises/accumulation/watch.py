"""What a student's function trains: a model, a loss and an optimizer that tell what happens to
them. In the child."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import _getframe
from types import FrameType
from typing import Any, Final
from weakref import ref

import torch

from ...model import Scenario, Span
from ...trace.torch_private import expired, weak_ref, without_compiler
from ..adjoint.tensors import sample
from . import Numbers, OptimizerName, Row, Setting, TrainingEvent, TrainingFacts

MAX_EVENTS: Final = 400
"""Of a run; a right one has six for each of at most eight batches. Later ones are not told."""
MAX_NUMBERS: Final = 4096
"""Of one tensor that is sent."""


class TrainingWatch:
    """A `model`, a `loss_fn` and an `optimizer`, and what happens while they are trained on
    batches. `function` and `loss` are the task's. `line` gives the student's expression that led to
    a frame."""

    def __init__(
        self,
        setting: Setting,
        function: Callable[..., torch.Tensor],
        loss: Callable[..., torch.Tensor],
        weights: Mapping[str, torch.nn.Parameter],
        batches: Sequence[tuple[torch.Tensor, torch.Tensor]],
        line: Callable[[FrameType | None], Span | None],
    ) -> None:
        self._line = line
        self._weights = tuple(weights.values())
        self._left = self._parameters()
        """The parameters as the last step left them."""
        self._places = {
            _key(row): (batch, at)
            for batch, (x, _) in enumerate(batches)
            for at, row in enumerate(x.detach().unbind(0))
        }
        self._events: list[TrainingEvent] = []
        self._saved: list[Any] = []
        """Of each call of the model a weak count of what its graph has saved."""
        self._graphs: list[ref[_Node]] = []
        self.model = self._watched_model(function, weights)
        self._loss = loss
        self.optimizer = make_optimizer(setting.optimizer, self.model.parameters(), setting.rate)
        self.optimizer.register_step_post_hook(self._on_step)
        clear = self.optimizer.zero_grad

        def zero_grad(set_to_none: bool = True) -> None:
            self._note("clear")
            clear(set_to_none)

        self.optimizer.zero_grad = zero_grad  # type: ignore[method-assign]

    def _watched_model(
        self, function: Callable[..., torch.Tensor], weights: Mapping[str, torch.nn.Parameter]
    ) -> torch.nn.Module:
        """A module that is the task's function of its parameters. Its copies are not watched."""
        watch, names = self, tuple(weights)

        class Model(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                for name, weight in weights.items():
                    self.register_parameter(name, weight)

            def forward(self, x: Any) -> Any:
                own = {name: getattr(self, name) for name in names}
                is_watched = torch.is_grad_enabled() and self is watch.model
                if is_watched:
                    watch._before_forward(x, own.values())
                prediction = function(x, **own)
                if is_watched and prediction.requires_grad:
                    return watch._marked(prediction)
                return prediction

            def zero_grad(self, set_to_none: bool = True) -> None:
                watch._note("clear")
                super().zero_grad(set_to_none)

        return Model()

    def loss_fn(self, prediction: Any, target: Any) -> Any:
        """The task's loss, which tells when it gets a gradient."""
        loss = self._loss(prediction, target)
        if loss.requires_grad:
            loss.register_hook(lambda _: self._note("loss"))  # type: ignore[no-untyped-call]
        return loss

    def facts(self) -> TrainingFacts:
        """All that was seen."""
        return TrainingFacts(tuple(self._events), self._parameters())

    def _note(self, kind: Any, **values: Any) -> None:
        if len(self._events) < MAX_EVENTS:
            self._events.append(TrainingEvent(kind, self._line(_getframe(1)), **values))

    def _before_forward(self, x: Any, weights: Iterable[torch.Tensor]) -> None:
        """The model is called on a tensor, and a graph will be made of it."""
        self._note(
            "forward",
            number=len(self._graphs),
            rows=self._rows(x),
            alive=tuple(at for at, saved in enumerate(self._saved) if not expired(saved)),
            history=tuple(at for at, graph in enumerate(self._graphs) if graph() is not None),
            moved=tuple(map(_numbers, weights)) != self._left,
        )

    def _marked(self, prediction: torch.Tensor) -> torch.Tensor:
        """The prediction times one, which is saved and freed with all else that its graph has
        saved. It tells when a gradient reaches it, and whether its graph exists."""
        one, node, number = torch.ones(()), _Node(), len(self._graphs)
        self._saved.append(weak_ref(one.untyped_storage()))
        self._graphs.append(ref(node))

        def on_gradient(gradient: torch.Tensor) -> None:
            numbers = _numbers(gradient)
            self._note("backward", number=number, numbers=numbers, gradients=self._gradients())

        marked = prediction * one
        marked.register_hook(on_gradient)  # type: ignore[no-untyped-call]
        marked.grad_fn.metadata["call"] = node  # type: ignore[union-attr, index]
        return marked

    def _on_step(self, *_: object) -> None:
        self._left = self._parameters()
        self._note("step", gradients=self._gradients(), parameters=self._left)

    def _rows(self, x: Any) -> tuple[Row, ...]:
        if not isinstance(x, torch.Tensor) or not x.dim() or x.shape[0] > len(self._places):
            return ()
        places = [self._places.get(_key(row)) for row in x.detach().unbind(0)]
        return () if None in places else tuple(place for place in places if place is not None)

    def _gradients(self) -> tuple[Numbers | None, ...]:
        gradients = [weight.grad for weight in self._weights]
        return tuple(None if each is None else _numbers(each) for each in gradients)

    def _parameters(self) -> tuple[Numbers, ...]:
        return tuple(map(_numbers, self._weights))


class _Node:
    """Lives as long as the last node of a call's graph does."""


def drawn(
    scenario: Scenario, dtype: torch.dtype = torch.float32
) -> tuple[dict[str, torch.Tensor], list[tuple[torch.Tensor, torch.Tensor]]]:
    """The weights of a run by name, and its batches, drawn from the scenario's seed; made alike in
    both halves. They are numbers of float32 in (-0.9, 0.9), whatever the dtype."""
    values = [
        (2 * tensor - 1.1).float().to(dtype) if tensor.is_floating_point() else tensor
        for tensor in sample(scenario.leaves, int(scenario.points[0][0]))
    ]
    names = [leaf.name for leaf in scenario.leaves if leaf.kind == "weight"]
    rest = values[len(names) :]
    weights = dict(zip(names, values, strict=False))
    return weights, list(zip(rest[::2], rest[1::2], strict=True))


def _key(row: torch.Tensor) -> Numbers:
    return tuple(row.flatten()[:MAX_NUMBERS].tolist())


def _numbers(tensor: torch.Tensor) -> Numbers:
    flat = tensor.detach().flatten()[:MAX_NUMBERS]
    if flat.is_sparse or not flat.is_floating_point():
        return (math.nan,)
    return tuple(flat.tolist())


# -- torch's optimizers, made alike in both halves. Each of their methods imports torch's compiler,
# -- which takes seconds, only to say that it is not used: here it does not


def _plain(kind: type[torch.optim.Optimizer]) -> type[Any]:
    """The class with the step that torch wraps for the compiler."""
    inner: Callable[..., Any] = inspect.unwrap(kind.step)

    def step(self: Any, closure: Callable[[], Any] | None = None) -> Any:
        with torch.no_grad():
            return inner(self, closure)

    plain = type(kind.__name__, (kind,), {"step": step, "__doc__": kind.__doc__})
    plain([torch.zeros(1)])  # the first of a class wraps its step: later that is tampering
    return plain


for _name in ("add_param_group", "zero_grad", "state_dict", "load_state_dict"):
    without_compiler(inspect.unwrap(getattr(torch.optim.Optimizer, _name)))

_SGD, _ADAM = _plain(torch.optim.SGD), _plain(torch.optim.Adam)


def make_optimizer(
    name: OptimizerName, parameters: Iterable[torch.Tensor], rate: float
) -> torch.optim.Optimizer:
    """A new optimizer of these parameters."""
    optimizer: torch.optim.Optimizer
    if name == "adam":
        optimizer = _ADAM(list(parameters), rate, betas=(0.8, 0.9))
    else:
        optimizer = _SGD(list(parameters), rate)
    return optimizer

"""What happens while a student's function trains: the grader's model, loss and optimizer tell it.
In the child."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from sys import _getframe
from types import CodeType, FrameType
from typing import Any, Final, Literal
from weakref import ref

import torch

from ...model import Span
from ...trace.lifetimes import StorageWatch
from ...trace.torch_private import (
    DisableTorchDispatch,
    DispatchMode,
    current_graph_task_id,
    without_compiler,
)
from .facts import Numbers, OptimizerName, Row, TrainingEvent, TrainingFacts

NAMES: Final[tuple[Literal["x", "y"], ...]] = ("x", "y")
MAX_EVENTS: Final = 400
"""Of a run; a right one has five for each of at most eight batches."""
MAX_NUMBERS: Final = 4096
"""Of one tensor that is sent."""
MAX_BYPASSES: Final = 4
"""Backwards past the model that are sent."""


class TrainingWatch(DispatchMode):  # type: ignore[no-untyped-call]
    """Notes what happens to a model while it is trained on batches. As a mode it sees the storages
    that are made, and the runs of torch's engine. `line` gives the student's expression that led to
    a frame."""

    def __init__(
        self,
        weights: Mapping[str, torch.nn.Parameter],
        batches: Sequence[tuple[torch.Tensor, torch.Tensor]],
        line: Callable[[FrameType | None], Span | None],
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._weights = dict(weights)
        self._line = line
        self._batches = batches
        self._before = [(x.detach().clone(), y.detach().clone()) for x, y in batches]
        self._places = {
            _key(row): (batch, at)
            for batch, (x, _) in enumerate(batches)
            for at, row in enumerate(x.detach().unbind(0))
        }
        self._events: list[TrainingEvent] = []
        self._losses = 0
        self._overflow = self._forged = False
        self._step: CodeType | None = None
        self._left = self._parameters()
        """The parameters as the last step left them."""
        self._marks = StorageWatch()
        self._calls: list[ref[_Call]] = []
        self._storages = StorageWatch()
        self._sizes: dict[int, int] = {}
        for tensor in (*self._weights.values(), *(t for pair in batches for t in pair)):
            self._storages.number(tensor)  # so that its views do not count as new
        self._tasks: dict[int, Span | None] = {}
        """The runs of the engine, each with the expression that started it."""
        self._running: set[int] = set()
        self._through_model: set[int] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        task = current_graph_task_id()
        if task < 0:
            self._running.clear()
        elif task not in self._running:
            self._running.add(task)
            self._tasks.setdefault(task, self._line(_getframe(1)))
        result = func(*args, **(kwargs or {}))
        for tensor in result if isinstance(result, list | tuple) else (result,):
            if isinstance(tensor, torch.Tensor):
                number, is_new = self._storages.number(tensor)
                if is_new:
                    self._storages.born(number, 0)
                    self._sizes[number] = tensor.numel()
        return result

    def listen(self, optimizer: torch.optim.Optimizer) -> None:
        """Has an optimizer tell when it steps and when it clears the gradients."""
        self._step = type(optimizer).step.__code__
        optimizer.register_step_post_hook(self.on_step)
        clear = optimizer.zero_grad

        def zero_grad(set_to_none: bool = True) -> None:
            self.on_clear()
            clear(set_to_none)

        optimizer.zero_grad = zero_grad  # type: ignore[method-assign]

    def before_forward(self, x: Any) -> None:
        """The model is called on a tensor, and a graph will be made of it."""
        with DisableTorchDispatch():
            self._marks.poll(1)
            event = TrainingEvent(
                "forward",
                self._line(_getframe(1)),
                len(self._calls),
                self._rows(x),
                alive=tuple(mark.storage for mark in self._marks.lives() if mark.dead_by is None),
                history=tuple(at for at, call in enumerate(self._calls) if call() is not None),
                live=self._live(),
                moved=self._parameters() != self._left,
            )
        self._note(event)

    def marked(self, prediction: torch.Tensor) -> torch.Tensor:
        """The prediction, which tells when a gradient reaches it, and whether its graph is
        there."""
        with DisableTorchDispatch():
            mark = torch.zeros(1)
        self._marks.born(self._marks.number(mark)[0], 0)
        call = _Call(self._on_gradient, len(self._calls))
        self._calls.append(ref(call))
        marked: torch.Tensor = _Mark.apply(prediction, mark, call)  # type: ignore[no-untyped-call]
        return marked

    def on_loss(self, _: torch.Tensor) -> None:
        """A gradient is at what `loss_fn` returned."""
        self._losses += 1

    def on_clear(self) -> None:
        """`zero_grad` is called, of the model or of the optimizer."""
        self._note(TrainingEvent("clear", self._line(_getframe(1))))

    def on_step(self, *_: object) -> None:
        """The optimizer has stepped."""
        self._forged |= _getframe(1).f_code is not self._step
        site = self._line(_getframe(1))
        with DisableTorchDispatch():
            self._left = self._parameters()
            gradients = self._gradients()
        self._note(TrainingEvent("step", site, gradients=gradients, parameters=self._left))

    def _on_gradient(self, number: int, gradient: torch.Tensor) -> None:
        task = current_graph_task_id()
        self._forged |= task < 0
        # an engine may run in the midst of another's run, as where a checkpoint is calculated again
        self._through_model |= {*self._running, task}
        site = self._line(_getframe(1))
        with DisableTorchDispatch():
            numbers, gradients = _numbers(gradient), self._gradients()
        self._note(TrainingEvent("backward", site, number, numbers=numbers, gradients=gradients))

    def facts(self, now: Mapping[str, Any]) -> TrainingFacts:
        """All that was seen; `now` are the model's weights."""
        self._marks.close()
        self._storages.close()
        bypasses = [at for task, at in self._tasks.items() if task not in self._through_model]
        return TrainingFacts(
            tuple(self._events),
            self._losses,
            self._parameters(),
            tuple(
                (name, at)
                for at, batch in enumerate(self._batches)
                for name, tensor, before in zip(NAMES, batch, self._before[at], strict=True)
                if tensor.shape != before.shape or not torch.equal(tensor, before)
            ),
            tuple(name for name, weight in self._weights.items() if now.get(name) is not weight),
            self._overflow,
            self._forged,
            tuple(bypasses[:MAX_BYPASSES]),
        )

    def _note(self, event: TrainingEvent) -> None:
        if len(self._events) >= MAX_EVENTS:
            self._overflow = True
        else:
            self._events.append(event)

    def _rows(self, x: Any) -> tuple[Row, ...]:
        if not isinstance(x, torch.Tensor) or not x.dim() or x.shape[0] > len(self._places):
            return ()
        places = [self._places.get(_key(row)) for row in x.detach().unbind(0)]
        return () if None in places else tuple(place for place in places if place is not None)

    def _live(self) -> int:
        """How many numbers made since the start are alive, beside those of parameters'
        gradients."""
        self._storages.poll(1)
        gradients = [weight.grad for weight in self._weights.values()]
        apart = {self._storages.find(each) for each in gradients if each is not None}
        lives = (life for life in self._storages.lives() if life.dead_by is None)
        return sum(self._sizes[life.storage] for life in lives if life.storage not in apart)

    def _gradients(self) -> tuple[Numbers | None, ...]:
        gradients = [weight.grad for weight in self._weights.values()]
        return tuple(None if each is None else _numbers(each) for each in gradients)

    def _parameters(self) -> tuple[Numbers, ...]:
        return tuple(_numbers(weight) for weight in self._weights.values())


class _Call:
    """One call of the model. It lives as long as a node of its graph does."""

    def __init__(self, tell: Callable[[int, torch.Tensor], None], number: int) -> None:
        self.tell, self.number = tell, number


class _Mark(torch.autograd.Function):
    """The last node of the model. What it saves is freed with all else that its graph has saved."""

    @staticmethod
    def forward(ctx: Any, prediction: torch.Tensor, mark: torch.Tensor, call: _Call) -> Any:
        ctx.save_for_backward(mark)
        ctx.call = call
        return prediction.view_as(prediction)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        _ = ctx.saved_tensors
        ctx.call.tell(ctx.call.number, gradients[0])
        return gradients[0], None, None


def _key(row: torch.Tensor) -> Numbers:
    return tuple(row.flatten()[:MAX_NUMBERS].tolist())


def _numbers(tensor: torch.Tensor) -> Numbers:
    flat = tensor.detach().flatten()[:MAX_NUMBERS]
    if flat.is_sparse or not flat.is_floating_point():
        return (math.nan,)
    return tuple(flat.tolist())


# -- torch's optimizers, made alike in both halves, without its compiler: each step of theirs
# -- imports that, which takes seconds, only to say that it is not used


def _plain(kind: type[torch.optim.Optimizer]) -> type[Any]:
    """The class with the step that torch wraps for the compiler."""
    inner: Callable[..., Any] = inspect.unwrap(kind.step)

    def step(self: Any, closure: Callable[[], Any] | None = None) -> Any:
        with torch.no_grad():
            return inner(self, closure)

    plain = type(kind.__name__, (kind,), {"step": step, "__doc__": kind.__doc__})
    plain([torch.zeros(1)])  # the first of a class wraps its step: a submission finds it wrapped
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
        optimizer = _SGD(list(parameters), rate, momentum=0.9 if name == "momentum" else 0.0)
    return optimizer

"""What happens while a student's function trains: the grader's model, loss and optimizer tell it. In the child."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from sys import _getframe
from types import CodeType, FrameType
from typing import Any, Final, Literal
from weakref import ref

import torch

from ...model import Span
from ...trace.torch_private import (
    DispatchMode,
    address_of,
    current_graph_task_id,
    expired,
    free_weak_ref,
    weak_ref,
)
from .facts import TrainingEvent, TrainingFacts

NAMES: Final[tuple[Literal["x", "y"], ...]] = ("x", "y")
MAX_EVENTS: Final = 400
"""Of a run; a right one has five for each of at most eight batches."""
MAX_NUMBERS: Final = 4096
"""Of one tensor that is told."""
MAX_BESIDE: Final = 4
"""Backwards beside the model that are told."""


class TrainingWatch:
    """Notes what happens to a model while it is trained on batches. `line` gives the student's expression that led
    to a frame."""

    def __init__(
        self,
        weights: Mapping[str, torch.nn.Parameter],
        batches: Sequence[tuple[torch.Tensor, torch.Tensor]],
        line: Callable[[FrameType | None], Span | None],
    ) -> None:
        self._weights = dict(weights)
        self._line = line
        self._places = {
            _key(row): (batch, at)
            for batch, (x, _) in enumerate(batches)
            for at, row in enumerate(x.detach().unbind(0))
        }
        self._batches = batches
        self._before = [(x.detach().clone(), y.detach().clone()) for x, y in batches]
        self._calls: list[tuple[Any, ref[_Call]]] = []
        self._left = self._parameters()
        self._events: list[TrainingEvent] = []
        self._losses = 0
        self._overflow = self._forged = False
        self._step: CodeType | None = None
        self.storages = LiveNumbers(
            (*self._weights.values(), *(t for pair in batches for t in pair)), line
        )

    def listen(self, optimizer: torch.optim.Optimizer) -> None:
        """Has an optimizer tell when it steps and when it clears the gradients."""
        self._step = type(optimizer).step.__code__
        optimizer.register_step_post_hook(self.on_step)
        clear = optimizer.zero_grad

        def zero_grad(set_to_none: bool = True) -> None:
            self.on_clear()
            clear(set_to_none)

        optimizer.zero_grad = zero_grad  # type: ignore[method-assign]

    # -- what is called ----------------------------------------------------------------------

    def before_forward(self, x: Any) -> None:
        """The model is called on a tensor, and a graph will be made of it."""
        self.storages.paused = True
        alive = tuple(at for at, (mark, _) in enumerate(self._calls) if not expired(mark))
        history = tuple(at for at, (_, call) in enumerate(self._calls) if call() is not None)
        rows = self._rows(x)
        gradients = [weight.grad for weight in self._weights.values()]
        self._note(TrainingEvent(
            "forward", self._line(_getframe(1)), len(self._calls), rows, alive=alive, history=history,
            live=self.storages.live(gradients), moved=self._parameters() != self._left,
        ))  # fmt: skip
        self.storages.paused = False

    def marked(self, prediction: torch.Tensor) -> torch.Tensor:
        """The prediction, which tells when a gradient reaches it, and whether its graph is there."""
        self.storages.paused = True
        mark = torch.zeros(1)
        self.storages.paused = False
        call = _Call(self._on_gradient, len(self._calls))
        self._calls.append((weak_ref(mark.untyped_storage()), ref(call)))
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
        self.storages.paused = True
        self._left = self._parameters()
        self._note(TrainingEvent("step", self._line(_getframe(1)), gradients=self._gradients(),
                                 parameters=self._left))  # fmt: skip
        self.storages.paused = False

    def facts(self, now: Mapping[str, Any]) -> TrainingFacts:
        """All that was seen; `now` are the model's weights."""
        changed: list[tuple[Literal["x", "y"], int]] = []
        for at, (batch, before) in enumerate(zip(self._batches, self._before, strict=True)):
            for name, tensor, then in zip(NAMES, batch, before, strict=True):
                if tensor.shape != then.shape or not torch.equal(tensor, then):
                    changed.append((name, at))
        replaced = [name for name, weight in self._weights.items() if now.get(name) is not weight]
        for mark, _ in self._calls:
            free_weak_ref(mark)
        self._calls.clear()
        self.storages.close()
        return TrainingFacts(
            tuple(self._events), self._losses, self._parameters(), tuple(changed), tuple(replaced),
            self._overflow,
            self._forged,
            self.storages.beside(),
        )  # fmt: skip

    # -- what is told ------------------------------------------------------------------------

    def _on_gradient(self, number: int, gradient: torch.Tensor) -> None:
        self._forged |= current_graph_task_id() < 0
        self.storages.reached()
        self.storages.paused = True
        self._note(TrainingEvent("backward", self._line(_getframe(1)), number,
                                 numbers=_numbers(gradient), gradients=self._gradients()))  # fmt: skip
        self.storages.paused = False

    def _note(self, event: TrainingEvent) -> None:
        if len(self._events) >= MAX_EVENTS:
            self._overflow = True
            return
        self._events.append(event)

    def _rows(self, x: Any) -> tuple[tuple[int, int], ...]:
        if not isinstance(x, torch.Tensor) or not x.dim() or x.shape[0] > len(self._places):
            return ()
        found = [self._places.get(_key(row)) for row in x.detach().unbind(0)]
        return () if None in found else tuple(place for place in found if place is not None)

    def _gradients(self) -> tuple[tuple[float, ...] | None, ...]:
        return tuple(
            None if weight.grad is None else _numbers(weight.grad)
            for weight in self._weights.values()
        )

    def _parameters(self) -> tuple[tuple[float, ...], ...]:
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


class LiveNumbers(DispatchMode):  # type: ignore[no-untyped-call]
    """Counts the numbers of tensors that were made while it is on, and are alive; views of the `given` ones are
    not. And it sees torch's engine run, and whether that is told to have reached the model."""

    def __init__(
        self, given: Sequence[torch.Tensor], line: Callable[[FrameType | None], Span | None]
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.paused = False
        """While the grader itself looks at tensors."""
        self._line = line
        self._running: set[int] = set()
        self._tasks: dict[int, Span | None] = {}
        self._reaching: set[int] = set()
        self._made: dict[int, tuple[Any, int]] = {}
        self._given = {address_of(tensor.untyped_storage()) for tensor in given}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        self._see(current_graph_task_id())
        result = func(*args, **(kwargs or {}))
        for tensor in () if self.paused else _tensors_in(result):
            storage = tensor.untyped_storage()
            address = address_of(storage)
            if address not in self._made and address not in self._given:
                self._made[address] = (weak_ref(storage), tensor.numel())
        return result

    def _see(self, task: int) -> None:
        if task < 0:
            self._running.clear()
        elif task not in self._running:
            self._running.add(task)
            self._tasks.setdefault(task, self._line(_getframe(1)))

    def reached(self) -> None:
        """A gradient is at the model: what runs now goes through it, with the runs in whose midst it runs."""
        self._reaching |= {*self._running, current_graph_task_id()}

    def beside(self) -> tuple[Span | None, ...]:
        """Where the engine ran, and never reached the model; the first few."""
        found = [site for task, site in self._tasks.items() if task not in self._reaching]
        return tuple(found[:MAX_BESIDE])

    def live(self, apart: Sequence[torch.Tensor | None]) -> int:
        """How many there are beside those of some tensors."""
        gone = [address for address, (weak, _) in self._made.items() if expired(weak)]
        for address in gone:
            free_weak_ref(self._made.pop(address)[0])
        left_out = {address_of(tensor.untyped_storage()) for tensor in apart if tensor is not None}
        return sum(count for at, (_, count) in self._made.items() if at not in left_out)

    def close(self) -> None:
        """Gives the weak counts back."""
        for weak, _ in self._made.values():
            free_weak_ref(weak)
        self._made.clear()


def _tensors_in(result: Any) -> Iterator[torch.Tensor]:
    for each in result if isinstance(result, list | tuple) else (result,):
        if isinstance(each, torch.Tensor):
            yield each


def _key(row: torch.Tensor) -> tuple[float, ...]:
    return tuple(row.flatten()[:MAX_NUMBERS].tolist())


def _numbers(tensor: torch.Tensor) -> tuple[float, ...]:
    flat = tensor.detach().flatten()[:MAX_NUMBERS]
    if flat.is_sparse or not flat.is_floating_point():
        return (math.nan,)
    return tuple(flat.tolist())

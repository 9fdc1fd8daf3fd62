"""The manual pass once more, on long vectors instead of scalars: the kernel then sees what it keeps.

Every weight and input becomes a vector of N elements in one more, last dimension, and so does what
the pass makes from them. The process stops itself (SIGSTOP) right before and right after the pass,
so that the grader can read its memory while nothing moves.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Sequence
from typing import Any

import torch

from ..exercises.base import VectorTarget
from ..model import Scenario
from ..trace.graph import computes
from ..trace.torch_private import DispatchMode
from ..trace.validate import MAX_OPS
from .protocol import ANSWER, COPY
from .sandbox import end_of_heap, stay_on_one_processor, use_small_pages
from .widening import Number, Widening

WARM_UP_LENGTH = 29
"""Elements of the vectors of a first, short run in a process that has not run the pass: what Python and torch set
up once is then not measured. No shape of a student's is likely to have it."""

MAX_RESERVED = 100


def stopper(secrets: Sequence[bytes]) -> Callable[[], None]:
    """What stops this process, each time with the next secret before it on the pipe for the answer.
    To be called before any code of the student's can replace what it needs."""
    remaining = iter(secrets)
    write, kill, own, number = os.write, os.kill, os.getpid(), signal.SIGSTOP

    def stop() -> None:
        write(ANSWER, next(remaining))
        kill(own, number)

    return stop


class OpLister(DispatchMode):  # type: ignore[no-untyped-call]
    """Lists the ops that compute, by name and by whether they give a vector, and where copies leave
    torch. It holds no tensor."""

    def __init__(self, length: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._length = length
        self._entries: dict[tuple[Any, bool], tuple[str, bool]] = {}
        self._listed: list[tuple[str, bool]] = [(COPY, True)] * MAX_OPS
        self._count = 0

    @property
    def ops(self) -> list[tuple[str, bool]]:
        """What was listed, in order."""
        return self._listed[: self._count]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        operands = [arg for arg in args if isinstance(arg, torch.Tensor)]
        if operands and all(type(operand) is Number for operand in operands):
            return result.as_subclass(Number) if isinstance(result, torch.Tensor) else result
        parts = result if isinstance(result, list | tuple) else (result,)
        tensors = [part for part in parts if isinstance(part, torch.Tensor)]
        if tensors:
            wide = any(part.shape[-1:] == (self._length,) for part in tensors)
            entry = self._entries.get((func, wide))
            if entry is None:
                name = func.name().partition("::")[2].partition(".")[0]
                entry = self._entries[func, wide] = (name, wide)
            if computes(entry[0]):
                self._append(entry)
        return result

    def copy(self) -> None:
        """Notes that a whole value leaves torch, once for several in a row."""
        if not self._count or self._listed[self._count - 1][0] != COPY:
            self._append((COPY, True))

    def _append(self, entry: tuple[str, bool]) -> None:
        if self._count < MAX_OPS:
            self._listed[self._count] = entry
            self._count += 1


def run_on_vectors(
    target: VectorTarget,
    scenario: Scenario,
    length: int,
    stop: Callable[[], None],
    warm: bool = False,
) -> tuple[tuple[str, bool], ...]:
    """Runs the manual pass on vectors of `length` equal elements, at the first point, and calls `stop` before
    and after. `warm`: whether this process has run it before.

    Gives what it did, as `Weighed` has it. Raises what the pass raises: not every pass that is
    right on scalars takes vectors.
    """
    if not warm:
        _run(target, scenario, WARM_UP_LENGTH, lambda: None)
    use_small_pages()
    stay_on_one_processor()
    reserved = _free_in_heap(length)
    ops = _run(target, scenario, length, stop)
    del reserved
    return ops


def _run(
    target: VectorTarget, scenario: Scenario, length: int, stop: Callable[[], None]
) -> tuple[tuple[str, bool], ...]:
    listing = OpLister(length)
    call = target.on_vectors(scenario, length)
    gc.collect()
    gc.disable()  # a cycle is no release: PyTorch frees by reference count
    with torch.no_grad(), listing, Widening(length, listing.copy):
        stop()
        result = call()
        stop()
    gc.enable()
    del result
    return tuple(listing.ops)


def _free_in_heap(length: int) -> list[torch.Tensor]:
    """Takes what room for vectors is free in the heap, so that each of the pass's own comes from
    the kernel and is seen there. Room for one of the smallest is left: a heap that is full grows by
    a large page at the next small thing, and vectors would lie there."""
    end = end_of_heap()
    taken: list[torch.Tensor] = []
    while len(taken) < MAX_RESERVED:
        block = torch.empty(length, dtype=torch.bool)  # the smallest vector that a pass makes
        if block.data_ptr() >= end:
            break
        taken.append(block)
    return taken[:-1]

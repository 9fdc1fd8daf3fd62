"""Runs a loaded model's `forward` and manual pass on points, plainly or under the recorder."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import torch
from msgspec.msgpack import encode
from msgspec.structs import replace

from ..messages import say
from ..model import Evidence, Fault, Observation, Recording, Span, Tensor
from ..submission import unit_of_filename
from ..trace.codes import Codes
from ..trace.graph import DataFlow
from ..trace.lateness import late_values
from ..trace.record import Recorder
from ..trace.stack import Positions, StackReader
from ..trace.validate import check_recording
from .adapt import Caller, Slot, gradients_left

MAX_TEXT = 500
MAX_SENT = 64
MAX_RECORDED = 12 * 2**20
"""Bytes that all different recordings of one method may take; runs beyond that are sent without."""
SET_GRAD = torch.Tensor.grad.__set__  # type: ignore[union-attr]
WITH_HOLDERS = 3
"""Recordings of the pass that tell who holds late values: each takes one more run."""


def fault_of(error: BaseException) -> Fault:
    """An exception of the student's, with the innermost line of theirs in its traceback."""
    site: Span | None = None
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        unit = unit_of_filename(code.co_filename)
        if unit is not None:
            site = _position(code, trace.tb_lasti, unit) or site
        trace = trace.tb_next
    try:
        text = str(error)
    except BaseException:  # theirs too: it may raise SystemExit
        text = ""
    return Fault(_sendable(type(error).__name__), _sendable(text), site)


def _sendable(text: str) -> str:
    """Text that msgpack takes: without lone surrogates, and not too long."""
    return text[:MAX_TEXT].encode("utf-8", "replace").decode()


def _position(code: CodeType, lasti: int, unit: int) -> Span | None:
    places = list(code.co_positions())
    if not 0 <= lasti // 2 < len(places):
        return None
    line, end_line, column, end_column = places[lasti // 2]
    if line is None:
        return None
    return Span(unit, line, column or 0, end_line or line, end_column or 0)


class Runner:
    """Runs the two methods of a model on points, whose weights are in `slots`."""

    def __init__(
        self,
        slots: Sequence[Slot],
        weight_names: Sequence[str],
        statement_at: Callable[[int, int, int], Span | None],
        name_of: Callable[[Span], str | None],
        forward_code: CodeType | None,
        codes: Codes,
    ) -> None:
        self._slots = list(slots)
        self._weight_names = tuple(weight_names)
        self._statement_at = statement_at
        self._name_of = name_of
        self._forward_code = forward_code
        self._codes = codes
        self._positions: Positions = {}
        self.notes: dict[str, None] = {}
        self.mutations: dict[str, None] = {}
        self.gradient_problems: dict[str, None] = {}
        self.returned_gradients = False

    def runs(
        self,
        caller: Caller,
        weights: Sequence[Sequence[float]],
        inputs: Sequence[Sequence[float]],
        recorded: int,
        manual: bool,
    ) -> tuple[tuple[Observation, ...], tuple[Recording, ...]]:
        """Runs a method on every point, the first `recorded` of them under the recorder.

        `manual` says that it is the manual pass: no grad mode, as in the assignment's own test,
        and gradients are collected. Equal recordings are given once.
        """
        recordings: dict[bytes, int] = {}
        size = 0
        kept: list[Recording] = []
        observations = []
        for index, (w, x) in enumerate(zip(weights, inputs, strict=True)):
            if index >= recorded:
                observations.append(self._observe(caller, w, x, manual, None))
                continue
            recorder = self._recorder()
            observation = self._observe(caller, w, x, manual, recorder)
            recording = recorder.finished
            if recording is not None:
                key = encode(recording)
                number = recordings.get(key)
                if number is None and size + len(key) <= MAX_RECORDED:
                    size += len(key)
                    number = recordings[key] = len(kept)
                    check_recording(recording, len(w), len(x))
                    if manual and len(kept) < WITH_HOLDERS:
                        recording = self._with_holders(caller, recording, w, x)
                    kept.append(recording)
                observation = replace(observation, recording=number)
            observations.append(observation)
        return tuple(observations), tuple(kept)

    def _recorder(self, watch: dict[int, list[int]] | None = None) -> Recorder:
        stack = StackReader(self._codes, self._statement_at, self._forward_code, self._positions)
        return Recorder(stack, self._name_of, watch)

    def _observe(
        self,
        caller: Caller,
        weights: Sequence[float],
        inputs: Sequence[float],
        manual: bool,
        recorder: Recorder | None,
    ) -> Observation:
        """One run. Whatever the student's objects raise, also at being looked at, is its fault."""
        try:
            # what the grader itself asks of a tensor is answered by torch, not by a class of theirs
            with torch._C.DisableTorchFunctionSubclass():
                return self._run_once(caller, weights, inputs, manual, recorder)
        except BaseException as error:
            if recorder is not None:
                recorder.abandon()
            return Observation(fault=fault_of(error))

    def _run_once(
        self,
        caller: Caller,
        weights: Sequence[float],
        inputs: Sequence[float],
        manual: bool,
        recorder: Recorder | None,
    ) -> Observation:
        self._set_weights(weights)
        arguments = caller.arguments(inputs)
        watched = [(tensor, "an input") for tensor in arguments]
        watched += [(parameter, "a weight") for parameter, _ in self._slots]
        before = [tensor.detach().clone() for tensor, _ in watched]

        def call() -> Any:
            with torch._C._EnableTorchFunction():
                return caller.call(arguments, self._slots)

        with torch.set_grad_enabled(not manual):
            if recorder is None:
                returned = call()
            else:
                self._declare_leaves(recorder, caller, arguments)
                collecting = gc.isenabled()
                gc.disable()  # a cycle is no release: PyTorch frees by reference count
                try:
                    returned = recorder.run(call)
                finally:
                    if collecting:
                        gc.enable()
        for (tensor, what), then in zip(watched, before, strict=True):
            if tensor.shape != then.shape or not torch.equal(tensor.detach(), then):
                self.mutations[what] = None
        result, extra = returned, []
        if manual and isinstance(returned, list | tuple) and returned:
            result, extra = returned[0], list(returned[1:])
            self.notes[say("the pass returns more than y")] = None
        gradients: list[Slot | None] = []
        if manual:
            gradients, problems, notes = gradients_left(self._slots, extra, self._weight_names)
            self.notes.update(dict.fromkeys(notes))
            self.gradient_problems.update(dict.fromkeys(problems))
            left = any(parameter.grad is not None for parameter, _ in self._slots)
            self.returned_gradients |= not left and any(gradients)
        told = Observation(
            _told(result), tuple(None if g is None else _number(*g) for g in gradients)
        )
        if recorder is not None:
            recorder.finish(result, gradients)
        return told

    def _declare_leaves(
        self, recorder: Recorder, caller: Caller, arguments: Sequence[torch.Tensor]
    ) -> None:
        by_parameter: dict[int, tuple[torch.Tensor, dict[int, int]]] = {}
        for weight, (parameter, element) in enumerate(self._slots):
            entry = by_parameter.setdefault(id(parameter), (parameter, {}))
            entry[1][element] = weight
        for parameter, held in by_parameter.values():
            recorder.leaf(parameter, "weight", [held[i] for i in range(parameter.numel())])
        for tensor, elements in caller.leaves(arguments):
            recorder.leaf(tensor, "input", elements)

    def _set_weights(self, weights: Sequence[float]) -> None:
        for (parameter, element), weight in zip(self._slots, weights, strict=True):
            parameter.data.view(-1)[element] = weight
        # not by `zero_grad` or an attribute, which may be the student's: they would run unwatched
        for parameter, _ in self._slots:
            SET_GRAD(parameter, None)

    def _with_holders(
        self,
        caller: Caller,
        recording: Recording,
        weights: Sequence[float],
        inputs: Sequence[float],
    ) -> Recording:
        """The recording with the names that hold its late values, from one more run."""
        late = late_values(recording, DataFlow(recording).exempt_storages)
        if not late:
            return recording
        watch: dict[int, list[int]] = {}
        for value in late:
            watch.setdefault(value.first_op, []).append(value.life.storage)
        recorder = self._recorder(watch)
        self._observe(caller, weights, inputs, True, recorder)
        again = recorder.finished
        if again is None or len(again.ops) != len(recording.ops):
            return recording
        held = {life.storage: life.holders for life in again.lives}
        lives = tuple(replace(life, holders=held.get(life.storage, ())) for life in recording.lives)
        return replace(recording, lives=lives)


def _told(result: Any) -> Tensor | str:
    if not issubclass(type(result), torch.Tensor):  # isinstance asks the object, which may lie
        return _sendable(type(result).__name__)
    data: tuple[float, ...] = ()
    if result.numel() <= MAX_SENT:
        flat = result.detach().reshape(-1)
        data = tuple(_finite(n) for n in flat.tolist())
    return Tensor(data, tuple(result.shape), str(result.dtype).removeprefix("torch."))


def _number(tensor: torch.Tensor, element: int) -> float:
    return _finite(tensor.detach().reshape(-1)[element].item())


def _finite(number: Any) -> float:
    return float(number) if isinstance(number, bool | int | float) else math.nan


__all__ = ["Evidence", "Runner", "fault_of"]

"""The recorder: what a pass does, op by op, without holding on to any of its tensors.

Two modes work together. The dispatch mode sees every op that reaches the dispatcher, including
those of composite functions and of autograd's engine. The function mode above it sees what the
dispatcher does not: which tensors went into `torch.tensor([dw0, dw1])`, and which numbers were
taken out by `.item()`, `float()`, `bool()`, `.numpy()`.

A number that was taken out and comes back (`torch.tensor([dw0.item(), dw1.item()])`) is linked to
its tensor again (`contents`); whether such a link is right is settled when the recording is
replayed on other points. What is not counted: work inside numpy and on plain Python numbers; ops on
other threads; ops while printing (torch hides them)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

import torch
from msgspec.structs import replace

from ..messages import say, say_count
from ..model import (
    Arg,
    Complex,
    Context,
    Items,
    Op,
    Output,
    Recording,
    Ref,
    Span,
    Statement,
    Symbol,
)
from ..model.recording import Origin
from . import watched
from .graph import OVERWRITES, is_sized_by_values
from .lifetimes import StorageWatch
from .op_table import is_random
from .stack import Reading, StackReader
from .validate import MAX_ELEMENTS, MAX_OPS, MAX_SENT, TooLarge, check_size, refs_in
from .values import PulledNumbers, ValueTable, numbers_in, python_data, tensors_in, whole_of
from .watch import Watch

T = TypeVar("T")
Watched = Mapping[int, Sequence[tuple[int, int]]]
"""By the position of an op: storages whose names are looked for then, each in so many frames."""


class Recorder(Watch):
    """Records one run of a student's method. One recorder records one run::

        recorder = Recorder(StackReader(codes, lambda unit, line, column: None), lambda site: None)
        recorder.leaf(w, "weight", 0)  # so each parameter and input
        recording = recorder.finish({"value": recorder.run(lambda: w[0] * w[1])})

    `codes` (`codes.Codes`) are the student's, of whom the reader tells where the run stands.
    `name_of` gives the name to which the expression at a place is assigned. `watch` asks, at given
    op positions, for the names that hold given storages (see `Life`).
    Randomness, shapes and values of the run are those it has without the recorder."""

    def __init__(
        self,
        stack: StackReader,
        name_of: Callable[[Span], str | None],
        watch: Watched | None = None,
    ) -> None:
        super().__init__(stack)
        self.finished: Recording | None = None
        """The recording, once `finish` was called."""
        self._name_of = name_of
        self._sought = watch or {}
        self.storages = StorageWatch()
        self._values = ValueTable()
        self._ops: list[Op] = []
        self._live: list[int] = []
        self._statements: dict[tuple[tuple[int, int], ...], int] = {}
        self._statement_list: list[Statement] = []
        self._pulled = PulledNumbers()
        self._holders: dict[int, tuple[str, ...]] = {}
        self._assembly: Arg = None
        self._looking = False
        self._phases: list[tuple[str, int]] = []

    def leaf(self, tensor: torch.Tensor, origin: Origin, place: int) -> None:
        """Declares a parameter or input, whose numbers stand in a point from a place on."""
        storage, _ = self.storages.number(tensor)
        self._values.add(tensor, storage, origin, leaf=place)

    def run(self, call: Callable[[], T]) -> T:
        """The same, recorded."""
        try:
            return super().run(call)
        finally:
            self.storages.poll(len(self._ops))

    def phase(self, name: str) -> None:
        """From here on what no code of the student's runs is the grader's own."""
        self._phases.append((name, len(self._ops)))
        self.breaches.phased = True

    def abandon(self) -> None:
        """Gives up a run that raised."""
        self.storages.close()

    def finish(self, outputs: Mapping[str, Any]) -> Recording:
        """What was recorded; `outputs` are as the method takes or gives them. Raises TooLarge."""
        places, lives = self.outputs(outputs), self.storages.lives()
        self.storages.close()
        self.finished = Recording(
            tuple(self._values.all),
            tuple(self._ops),
            tuple(self._statement_list),
            tuple([replace(e, holders=self._holders.get(e.storage, ())) for e in lives]),
            tuple(self._live),
            self.breaches.all,
            places,
            tuple(self._phases),
        )
        check_size(self.finished)
        return self.finished

    def outputs(self, outputs: Mapping[str, Any]) -> dict[str, Output]:
        """Where each is: a tensor, or a tensor and the element of it that is meant. What is
        neither is left out."""
        places = {name: self._output_at(output) for name, output in outputs.items()}
        return {name: place for name, place in places.items() if place is not None}

    @property
    def has_looked(self) -> bool:
        """Whether Python has looked at a tensor so far, or has a size that tells of its numbers."""
        values = self._values.all
        return any(op.context == "python" or is_sized_by_values(op, values) for op in self._ops)

    def links(self, number: float) -> bool:
        """Whether a number of Python's is known as one that was taken out of a tensor."""
        return self._pulled.origin(number) is not None

    def _output_at(self, output: Any) -> Output | None:
        if isinstance(output, float):  # `return y.item()`: what made y did reach it
            return None if (linked := self._linked(output)) is None else Output(linked)
        is_element = type(output) is tuple and [*map(type, output)][1:] == [int]
        tensor, element = output if is_element else (output, None)
        if not issubclass(type(tensor), torch.Tensor):
            return output if isinstance(output, Output) else None
        return Output(self._value(tensor), element)

    # -- what the modes call ---------------------------------------------------------------

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs an op and records it."""
        position = len(self._ops)
        if position >= MAX_OPS:
            raise TooLarge(
                say_count(
                    "the pass runs more than {count} op",
                    "the pass runs more than {count} ops",
                    MAX_OPS,
                )
            )
        target, written = watched.schema_of(func)
        if target.startswith("aten::set_.source_Storage"):  # `copy.copy`
            return func(*args, **kwargs)  # a view from here on: seen when it is used
        reading = self._read()
        self.storages.poll(position)
        for storage, frames in self._sought.get(position, ()):
            self._holders[storage] = self.storages.holders(storage, self._stack.frames()[:frames])
        context = self.breaches.context_of(reading, target)
        if target == "aten::_local_scalar_dense":
            if not self._looking and self._assembly is None:
                # taken out by torch itself: `torch.full((1,), dw0)`, inside `torch.allclose`
                self._look("bool" if args[0].dtype == torch.bool else "item", args[0])
            return func(*args, **kwargs)
        given = [each for arg in (*args, *kwargs.values()) for each in tensors_in(arg)]
        if given and not written and all(map(self._is_apart, given)):
            return func(*args, **kwargs)
        kernel = target.removeprefix("aten::").partition(".")[0]
        if kernel in OVERWRITES and self._is_unknown(args[0]):
            self._make_room(args[0])
        lifted = target == "aten::lift_fresh"
        encoded = () if lifted else tuple([self._encode(arg) for arg in args])
        outs = [key for i, key in written if i >= len(args) and key in kwargs]
        named = {
            key: self._encode(arg)
            for key, arg in kwargs.items()
            if key not in watched.DROPPED_KWARGS and key not in outs
        }
        targets = [args[i] if i < len(args) else kwargs.get(key) for i, key in written]
        changed = [each for target in targets for each in tensors_in(target)]
        self._keep_numbers(changed)
        counts = [each.numel() for each in changed]
        result = func(*args, **kwargs)
        if not changed and not isinstance(result, (torch.Tensor, list, tuple)):
            target, context = "python::bool", "python"  # `torch.equal` answers at once
        if lifted:
            target, encoded, named = self._lifted(result)
        resizes = kernel in ("resize_", "resize_as_")
        for each, count in zip(changed, counts, strict=True):
            if each.numel() != count or (self._is_unknown(each) and (outs or resizes)):
                self._make_room(each, is_moved=each.numel() >= count)
                if resizes:
                    return result
        named |= {key: self._encode(kwargs[key]) for key in outs}
        position = len(self._ops)
        writes = [self._value(each) for each in changed]
        outputs = [self._output(each, position, target) for each in tensors_in(result)]
        reads = refs_in((*encoded, *named.values()))
        for v in (*reads, *writes):
            self.storages.used(self._values.all[v].storage, position)
        for storage in {self._values.all[v].storage for v in writes}:
            is_born = self.storages.is_born(storage)  # most are: no search for their first value
            if not is_born and self._values.first_in(storage).origin == "foreign":
                self.storages.born(storage, position)
        name = None if reading.site is None else self._name_of(reading.site)
        self._add(reading, target, encoded, outputs, reads, named, writes, context, name)
        return result

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs a torch function and notes what the dispatcher would not show of it."""
        look = watched.LOOKS.get(func)
        if look is not None:
            value = self._look(look, args[0])
            looking, self._looking = self._looking, True
            try:
                return self._pulled.hold(func(*args, **kwargs), value)
            finally:
                self._looking = looking
        elif func in watched.ASSEMBLERS:
            at = watched.ASSEMBLERS[func]
            data = args[at] if len(args) > at else kwargs.get("data", kwargs.get("obj"))
            may_hold_numbers = isinstance(data, torch.Tensor | list | tuple | float)
            self._assembly = self._encode(data) if may_hold_numbers else None
            try:
                return func(*args, **kwargs)
            finally:
                self._assembly = None
        elif func is watched.DEEPCOPY and type(args[0]) is torch.Tensor:
            copied = args[0].detach().clone()  # torch copies the storage in C++, unseen
            args[1][id(args[0])] = copied.requires_grad_(args[0].requires_grad)
            return copied
        elif func == watched.GRAD_FN:
            if (node := func(*args, **kwargs)) is not None:  # torch reads it, too, of a parameter
                self.breaches.add_engine("Tensor.grad_fn", self._read().site)
            return node
        elif name := watched.AUTOGRAD_CALLS.get(func) or (self._phases and watched.HOOKS.get(func)):
            self.breaches.add_engine(name, self._read().site)
        elif "_backward" in (name := getattr(func, "__name__", "")):
            reading = self._read()
            if reading.context == "student":
                words = say("`{op}` is torch's own backward kernel", op=name.partition(".")[0])
                self.breaches.add("built-in-derivative", words, reading.site)
        around = self._pulled.give((*args, *kwargs.values()))
        try:
            return func(*args, **kwargs)
        finally:
            self._pulled.arguments = around

    # -- values ----------------------------------------------------------------------------

    def _value(self, tensor: torch.Tensor) -> int:
        """The number of a tensor's value; one never seen before is foreign, or an alias."""
        number = self._values.find(tensor)
        storage = self.storages.find(tensor)
        # `t.data = u` gives a known tensor another storage
        if number is not None and storage in (None, self._values.all[number].storage):
            return number
        if storage is None or self._is_apart(tensor):
            storage, _ = self.storages.number(tensor)
            whole = whole_of(tensor, MAX_SENT)
            number = self._values.add_sent(whole, storage, "foreign")
            if whole is tensor:
                return number
        base = self._values.in_storage(storage)
        number = self._values.add(tensor, storage, "op")
        view = self._values.all[number]
        operands = Ref(base), Items(view.shape), Items(view.strides), view.offset
        self._add(self._read(), "aten::as_strided", operands, (number,), (base,))
        return number

    def _is_apart(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor lies in what nothing in the pass made, and is too large to be sent. What
        is made of such alone is sent when it is used: a part of a mask for the longest text."""
        storage = self.storages.find(tensor)
        is_large = self.storages.size(tensor) > MAX_SENT
        return is_large and (storage is None or self._values.first_in(storage).origin == "foreign")

    def _is_unknown(self, tensor: torch.Tensor) -> bool:
        """Whether nothing in the pass has made or used a tensor, or what lies in its storage."""
        return self._values.find(tensor) is None and self.storages.find(tensor) is None

    def _make_room(self, tensor: torch.Tensor, is_moved: bool = True) -> None:
        """Takes a tensor for one that is made here, as its size is another now, or all of it is
        written over: what an earlier call left in it has no part in the pass."""
        storage = self.storages.renew(tensor, len(self._ops), is_moved)
        number = self._values.add(tensor, storage, "op")
        sizes = (Items(tuple(tensor.shape)),)
        self._add(self._read(), "aten::empty.memory_format", sizes, (number,), ())

    def _output(self, tensor: torch.Tensor, position: int, target: str) -> int:
        number = self._values.find(tensor)
        if number is not None:
            return number
        storage, fresh = self.storages.number(tensor)
        if fresh:
            self.storages.born(storage, position)
        if target == "torch::constant" or is_random(target):
            return self._values.add_sent(tensor, storage, "constant")
        return self._values.add(tensor, storage, "op")

    # -- operands --------------------------------------------------------------------------

    def _encode(self, arg: Any) -> Arg:
        if isinstance(arg, torch.Tensor):
            return Ref(self._value(arg))
        if arg is None or isinstance(arg, (bool, int, str)):
            return arg
        if isinstance(arg, float):
            linked = self._linked(arg)
            return arg if linked is None else Ref(linked)
        if isinstance(arg, (list, tuple)):
            return Items(tuple([self._encode(item) for item in arg]))
        if isinstance(arg, complex):
            return Complex(arg.real, arg.imag)
        return Symbol(str(arg).removeprefix("torch."))

    def _lifted(self, result: torch.Tensor) -> tuple[str, tuple[Arg, ...], dict[str, Arg]]:
        """What a tensor made by `lift_fresh` was made of. torch.Tensor([..]) and from_numpy come
        here without a call that the function mode sees: their elements are looked up by value."""
        parts = self._assembly
        if parts is None and result.numel() <= MAX_ELEMENTS and result.is_floating_point():
            parts = self._encode(python_data(result))
        if not refs_in((parts,)):
            return "torch::constant", (), {}
        return "torch::tensor", (parts,), {"dtype": self._encode(result.dtype)}

    def _look(self, kind: str, tensor: torch.Tensor) -> int:
        """Python looks at a tensor: a use, but no node. Numbers taken out are remembered."""
        value = self._value(tensor)
        reading = self._read()
        position = len(self._ops)
        self.storages.poll(position)
        self.storages.used(self._values.all[value].storage, position)
        numbers = numbers_in(tensor)
        operands = Ref(value), *self._pulled.answer(kind, numbers)
        self._add(reading, f"python::{kind}", operands, (), (value,), context="python")
        if kind in ("item", "float") or kind in watched.COPIES:
            self._pulled.take(value, numbers, tensor.dtype)
        return value

    def _linked(self, number: float) -> int | None:
        """A value for a Python number that was taken out of a tensor. It is no use of that tensor,
        which may be gone: the number lives on by itself, and so it has a value of its own."""
        entry = self._pulled.origin(number)
        return None if entry is None else self._element(*entry)

    def _keep_numbers(self, changing: Sequence[torch.Tensor]) -> None:
        """What was taken out of tensors that are about to be written to is what it was."""
        storages = {self.storages.find(tensor) for tensor in changing}
        self._pulled.move(
            {
                origin: (self._element(*origin), 0)
                for origin in (sorted(self._pulled.places()) if storages else ())
                if self._values.all[origin[0]].storage in storages
            }
        )

    def _element(self, value: int, element: int) -> int:
        """A value of its own for one number of another."""
        number = self._values.add_element(value)
        reading = self._read()
        self.storages.poll(len(self._ops))  # what is gone by now was not alive when this ran
        self._add(reading, "torch::element", (Ref(value), element), (number,), (value,))
        return number

    # -- bookkeeping -----------------------------------------------------------------------

    def _add(
        self,
        reading: Reading,
        target: str,
        args: tuple[Arg, ...],
        outputs: Sequence[int],
        reads: Sequence[int],
        kwargs: Mapping[str, Arg] = MappingProxyType({}),
        writes: Sequence[int] = (),
        context: Context | None = None,
        name: str | None = None,
    ) -> None:
        """Records an op, at the statement and on whose behalf the run stands."""
        number = self._statements.get(reading.path)
        if number is None:
            number = self._statements[reading.path] = len(self._statement_list)
            self._statement_list.append(Statement(reading.path, reading.statements))
        places = tuple(reads), tuple(writes), tuple(outputs)
        on_behalf = context or reading.context
        op = Op(target, args, dict(kwargs), *places, number, reading.site, on_behalf, name)
        self._ops.append(op)
        self._live.append(self.storages.alive)

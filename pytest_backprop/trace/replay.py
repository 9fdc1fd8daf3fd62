"""Runs a recording again, on points the student's code never saw.

A recording comes from a process that ran untrusted code, so nothing in it is believed: targets
come from a list of plain arithmetic and data movement, sizes are bounded before and after each op,
and what cannot be shown to be harmless and repeatable is `NotReplayable`, with the reason."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..messages import say, say_count
from ..model import Op, Recording, is_gradient
from .calls import (
    REFUSALS,
    NotReplayable,
    Unsupported,
    callable_of,
    constant,
    decoded,
    not_replayable,
    refusals,
)
from .graph import MOVING, SHAPE_ONLY, DataFlow, fill_of, op_name
from .op_table import having, row_of
from .validate import MAX_OPS, MAX_REPLAYED

CHUNK_BYTES = 64 * 2**20
"""About how much one chunk of points may take with all its intermediates."""
ONE_BY_ONE = 512
"""Points that a recording runs on where torch cannot run it on all at once."""
TYPED = having("typed")

Change = Callable[[int, torch.Tensor], torch.Tensor]
"""What an op calculated, or the zeros that it made, by its position, to something near it of the
same shape and dtype."""

OWN = {
    name: getattr(torch, name)
    for name in (
        "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128"
    ).split()
}
WIDENED = OWN | {"float32": torch.float64, "complex64": torch.complex128}
"""Dtypes by name: as recorded, and with single precision replayed in double."""


class Replayed(NamedTuple):
    """Results of a replay on N points, float64: `outputs` (N, elements) by name, row-major, and
    `ops` (N, elements), where asked for, by its position what each op gave first, as it was when
    the op had run. `refused` are the points, by position, at which the recording does not hold."""

    outputs: dict[str, torch.Tensor]
    ops: dict[int, torch.Tensor]
    refused: tuple[int, ...] = ()

    @property
    def gradients(self) -> dict[str, torch.Tensor]:
        """The gradients among them."""
        return {name: numbers for name, numbers in self.outputs.items() if is_gradient(name)}

    def only(self, widths: Mapping[str, int]) -> Replayed:
        """Those outputs which have so many elements."""
        kept = {n: t for n, t in self.outputs.items() if t.shape[1] == widths.get(n)}
        return self._replace(outputs=kept)


class _Step(NamedTuple):
    """An op that a replay runs. `is_new`: it calculates, or makes zeros. `spread`: what it makes is
    written to later, and so must hold one copy a point. `dtype` is what it makes room of, `ended`
    are the values that no later step reads."""

    position: int
    op: Op
    call: Callable[..., Any]
    is_new: bool
    spread: bool
    dtype: str | None
    ended: list[int]


class Program:
    """A recording, checked and ready to run at any points (N, D), float64: the numbers of all
    leaves, each at its place::

        program = Program(recording)  # NotReplayable, with the reason, for what no replay runs
        replayed = program.run(torch.rand(1000, 5).double())  # two weights, three inputs
        y, dw0 = replayed.outputs["value"], replayed.outputs["grad.w0"]  # (1000, 1) each

    What is not needed for these is not run, unless it is asked for as `also`, by position. `flow`
    is the recording's data flow, where that was worked out."""

    def __init__(
        self, recording: Recording, flow: DataFlow | None = None, also: Collection[int] = ()
    ) -> None:
        self._recording = recording
        flow = self.flow = flow or DataFlow(recording)
        if len(recording.ops) > MAX_OPS:
            count = len(recording.ops)
            raise Unsupported(
                say_count("the pass runs {count} op", "the pass runs {count} ops", count)
            )
        needed = flow.with_makers({*flow.reached, *also})
        # what is read for its shape alone must be there too, and what that needs
        more = needed
        while more:
            shaped = [op.reads[0] for p in more if op_name(op := recording.ops[p]) in SHAPE_ONLY]
            more = flow.upstream({w for value in shaped for w in flow.writers(value)}) - needed
            needed |= more
        values = recording.values
        needed, wanted = flow.with_views(needed)
        self._steps: list[_Step] = []
        for position in sorted(needed):
            op = recording.ops[position]
            if op.target.startswith("python::"):
                continue
            # a view must stay one: only what made the storage is spread
            made_here = position not in flow.views
            spread = made_here and flow.is_written(position)
            is_typed = op_name(op) in TYPED and op.outputs and op.target.startswith("aten::")
            dtype = values[op.outputs[0]].dtype if is_typed else None
            is_room = row_of(op_name(op)).is_filling and not op.writes
            is_new = self.calculates(position) or (is_room and fill_of(op) == 0)
            call = callable_of(op, position)
            self._steps.append(_Step(position, op, call, is_new, spread, dtype, []))
        for number in wanted:
            value = values[number]
            if math.prod(value.shape) > MAX_REPLAYED:
                raise Unsupported(say("it has a tensor of shape {shape}", shape=list(value.shape)))
            if value.origin == "foreign" and len(value.data) != math.prod(value.shape):
                raise NotReplayable(say("it uses a tensor that was not made in the pass"))
        self.widths = {
            name: 1 if slot.element is not None else math.prod(values[slot.value].shape)
            for name, slot in recording.outputs.items()
        }
        """How many numbers each output has."""
        self._wanted = wanted
        shapes = [values[v].shape for step in self._steps for v in step.op.outputs]
        self.made = 8 * max(1, sum(max(1, math.prod(shape)) for shape in shapes))
        """Bytes of all that ops make at one point."""
        last = {v: step for step in self._steps for v in (*step.op.reads, *step.op.outputs)}
        for number in last.keys() - {slot.value for slot in recording.outputs.values()}:
            last[number].ended.append(number)

    def run(
        self, points: torch.Tensor, change: Change | None = None, keeps: bool = False
    ) -> Replayed:
        """Runs in float64 at all points at once if torch can, else point by point.

        `keeps` what each op made; `change` is applied to what an op calculated, not to data that it
        moved. Raises NotReplayable."""
        try:
            return self.run_at_once(points, change, keeps)
        except NotReplayable:
            return self.run_each(points, change, keeps)

    def run_at_once(
        self,
        points: torch.Tensor,
        change: Change | None = None,
        keeps: bool = False,
        dtypes: Mapping[str, torch.dtype] = WIDENED,
    ) -> Replayed:
        """Runs at all points at once. In its OWN `dtypes` kernels round apart from the child's in
        the last bits. Raises NotReplayable where torch refuses."""
        if not self.widths:
            return Replayed({}, {})
        run_point = functools.partial(self._run_point, dtypes=dtypes, keeps=keeps, change=change)
        with refusals(), torch.no_grad():
            parts = [
                torch.vmap(run_point, randomness="different")(chunk)
                for chunk in torch.split(points, max(1, CHUNK_BYTES // self.made))
            ]
        return Replayed(
            {name: torch.cat([part.outputs[name] for part in parts]) for name in self.widths},
            {p: torch.cat([part.ops[p] for part in parts]) for p in parts[0].ops},
        )

    def run_each(
        self,
        points: torch.Tensor,
        change: Change | None = None,
        keeps: bool = False,
        dtypes: Mapping[str, torch.dtype] = WIDENED,
    ) -> Replayed:
        """Runs point by point, for ops that do not run on all points at once, or whose results have
        another shape at each point (`unique`). Where torch refuses a point, or a result has another
        shape than when it was recorded, the results are NaN: the pass goes another way there.

        In its OWN `dtypes` it is with the very kernels that the child used: a true recording gives
        the child's own numbers to the last bit or nearly. `keeps` what has one shape at all points.
        Raises NotReplayable where torch refuses every point."""
        runs: list[Replayed] = []
        refused: list[BaseException] = []
        # several threads round the parts of a tensor each in its own way; the child has one
        with torch.no_grad(), one_thread() if dtypes is OWN else contextlib.nullcontext():
            for point in points:
                try:
                    runs.append(self._run_point(point, dtypes, keeps, change))
                except REFUSALS as error:
                    refused.append(error)
                    runs.append(Replayed({}, {}))
        if refused and len(refused) == len(runs):
            raise not_replayable(refused[-1]) from refused[-1]
        rows = {}
        for name, width in self.widths.items():
            lacking = torch.full((width,), math.nan, dtype=torch.float64)
            numbers = [run.outputs.get(name, lacking) for run in runs]
            rows[name] = torch.stack([row if len(row) == width else lacking for row in numbers])
        off = [
            at
            for at, run in enumerate(runs)
            if any(len(run.outputs.get(name, ())) != width for name, width in self.widths.items())
        ]
        steady = {}
        for position, first in runs[0].ops.items():
            parts = [part for run in runs if (part := run.ops.get(position)) is not None]
            if len(parts) == len(runs) and all(part.shape == first.shape for part in parts):
                steady[position] = torch.stack(parts)
        return Replayed(rows, steady, tuple(off))

    @property
    def runs(self) -> set[int]:
        """The positions of the ops that it runs."""
        return {step.position for step in self._steps}

    def calculates(self, position: int) -> bool:
        """Whether an op makes new numbers, which a `Change` may change."""
        op = self._recording.ops[position]
        moves = op_name(op) in MOVING or op_name(op) in SHAPE_ONLY
        return bool(op.reads) and position not in self.flow.views and not moves

    def _run_point(
        self,
        point: torch.Tensor,
        dtypes: Mapping[str, torch.dtype],
        keeps: bool,
        change: Change | None,
    ) -> Replayed:
        """A run at one point, of whose tensors each has a row."""
        then: dict[int, torch.Tensor] | None = {} if keeps else None
        tensors = self._evaluate(point, dtypes, then, change)
        return Replayed(
            {name: self.numbers(name, tensors) for name in self.widths},
            {at: _real(tensor.reshape(-1)) for at, tensor in (then or {}).items()},
        )

    def numbers(self, output: str, tensors: Mapping[int, torch.Tensor]) -> torch.Tensor:
        """Those of an output (elements,), float64, of the values that a run made."""
        slot = self._recording.outputs[output]
        flat = _real(tensors[slot.value].reshape(-1))
        return flat if slot.element is None else flat[slot.element, None]

    def _evaluate(
        self,
        point: torch.Tensor,
        dtypes: Mapping[str, torch.dtype],
        then: dict[int, torch.Tensor] | None = None,
        change: Change | None = None,
    ) -> dict[int, torch.Tensor]:
        """The outputs' values, by number; in `then` what each op gave, before it was written to."""
        tensors = self._leaves(point, dtypes)
        zero = point[0] * 0
        for step in self._steps:
            position, op = step.position, step.op
            for number, tensor in zip(
                op.outputs, self._results(step, tensors, dtypes), strict=False
            ):
                if step.spread and number not in tensors and not op.writes:
                    tensor = tensor + zero.to(tensor.dtype)
                if change is not None and tensor.is_floating_point() and step.is_new:
                    new = change(position, tensor)
                    tensor = tensor.copy_(new) if op.writes else new
                tensors[number] = tensor
            if then is not None and op.outputs:
                first = tensors[op.outputs[0]]
                then[position] = first.clone() if self.flow.is_written(position) else first
            for number in step.ended:
                tensors.pop(number, None)
        return tensors

    def _leaves(
        self, point: torch.Tensor, dtypes: Mapping[str, torch.dtype]
    ) -> dict[int, torch.Tensor]:
        """The values that no op made, by number."""
        tensors: dict[int, torch.Tensor] = {}
        for number in self._wanted:
            value = self._recording.values[number]
            if value.origin in ("weight", "input"):
                own = point[value.leaf : value.leaf + math.prod(value.shape)]
                dtype = OWN.get(value.dtype) if dtypes is OWN else torch.float64
                tensors[number] = own.to(dtype, copy=True).reshape(value.shape)
            elif value.origin == "foreign":
                tensors[number] = constant(value, dtypes)
        return tensors

    def _results(
        self,
        step: _Step,
        tensors: dict[int, torch.Tensor],
        dtypes: Mapping[str, torch.dtype],
        call: Callable[..., Any] | None = None,
    ) -> Sequence[torch.Tensor]:
        """What an op gives of the tensors that are there, or what `call` gives in its place."""
        op = step.op
        if step.call is constant:
            values = self._recording.values
            return [constant(values[number], dtypes) for number in op.outputs]
        args = [decoded(arg, tensors, dtypes) for arg in op.args]
        kwargs = {key: decoded(arg, tensors, dtypes) for key, arg in op.kwargs.items()}
        if step.dtype is not None:
            kwargs["dtype"] = dtypes.get(step.dtype, torch.float64)
        result = (call or step.call)(*args, **kwargs)
        results = result if isinstance(result, (list, tuple)) else (result,)
        for tensor in results:
            if tensor.numel() > MAX_REPLAYED:
                reason = say_count(
                    "it has a tensor of {count} element",
                    "it has a tensor of {count} elements",
                    tensor.numel(),
                )
                raise Unsupported(reason, step.position)
        return results


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """For as long, torch calculates on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _real(tensor: torch.Tensor) -> torch.Tensor:
    return (tensor.real if tensor.is_complex() else tensor).to(torch.float64)

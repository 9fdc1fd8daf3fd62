"""Runs a recording again, on points the student's code never saw.

A recording comes from a process that ran untrusted code, so nothing in it is believed: targets
come from a list of plain arithmetic and data movement, sizes are bounded before and after each op,
and what cannot be shown to be harmless and repeatable is `NotReplayable`, with the reason.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
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
)
from .graph import MOVING, SHAPE_ONLY, DataFlow, op_name
from .op_table import having
from .validate import MAX_OPS, MAX_REPLAYED

CHUNK_BYTES = 64 * 2**20
"""About how much one chunk of points may take with all its intermediates."""
OUTPUT_BYTES = 8 * 2**20
"""About how much of what ops gave is kept of a method: at all points, but for a pass of very
many ops or elements."""
ONE_BY_ONE = 512
"""Points that a recording runs on where torch cannot run it on all at once."""
TYPED = having("typed")

Change = Callable[[int, torch.Tensor], torch.Tensor]
"""What an op calculated, by its position, to something near it of the same shape and dtype."""

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
    `ops` (M, elements) for what each op gave first, by its position, as it was when the op had
    run, at the first M of the points."""

    outputs: dict[str, torch.Tensor]
    ops: dict[int, torch.Tensor]

    @property
    def kept_points(self) -> int:
        """M."""
        return len(next(iter(self.ops.values()), ()))

    @property
    def gradients(self) -> dict[str, torch.Tensor]:
        """The gradients among them."""
        return {name: numbers for name, numbers in self.outputs.items() if is_gradient(name)}

    def only(self, widths: Mapping[str, int]) -> Replayed:
        """Those outputs which have so many elements."""
        kept = {n: t for n, t in self.outputs.items() if t.shape[1] == widths.get(n)}
        return self._replace(outputs=kept)


def joined(parts: Sequence[Replayed]) -> Replayed:
    """Replays of one recording at points that follow one another, with the ops that all have
    which have any."""
    if len(parts) == 1:
        return parts[0]
    keeping = [part.ops for part in parts if part.ops]
    shared = [position for position in parts[0].ops if all(position in ops for ops in keeping)]
    return Replayed(
        {name: torch.cat([part.outputs[name] for part in parts]) for name in parts[0].outputs},
        {position: torch.cat([ops[position] for ops in keeping]) for position in shared},
    )


class Program:
    """A recording, checked and ready to run on any weights and inputs::

        program = Program(recording)  # NotReplayable, with the reason, for what no replay runs
        replayed = program.run(torch.rand(1000, 2).double(), torch.rand(1000, 3).double())
        y, dw0 = replayed.outputs["value"], replayed.outputs["grad.w0"]  # (1000, 1) each

    What is not needed for these is not run.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        flow = self.flow = DataFlow(recording)
        if len(recording.ops) > MAX_OPS:
            count = len(recording.ops)
            raise Unsupported(
                say_count("the pass runs {count} op", "the pass runs {count} ops", count)
            )
        needed = flow.reached | flow.allocations(flow.reached)
        # what is read for its shape alone must be there too, and what that needs
        more = needed
        while more:
            shaped = [op.reads[0] for p in more if op_name(op := recording.ops[p]) in SHAPE_ONLY]
            more = flow.upstream({w for value in shaped for w in flow.writers(value)}) - needed
            needed |= more
        values = recording.values
        needed, wanted = flow.with_views(needed)
        mutated = {values[v].storage for op in recording.ops for v in op.writes}
        self._steps: list[tuple[int, Op, Callable[..., Any], bool]] = []
        for position in sorted(needed):
            op = recording.ops[position]
            if op.target.startswith("python::"):
                continue
            # a view must stay one: only what made the storage is spread
            made_here = position not in flow.views
            spread = made_here and any(values[v].storage in mutated for v in op.outputs)
            self._steps.append((position, op, callable_of(op, position), spread))
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
        self._views = flow.views
        self._mutated = mutated
        made = [values[v].shape for _, op, _, _ in self._steps for v in op.outputs]
        self._bytes = 8 * max(1, sum(max(1, math.prod(shape)) for shape in made))
        """Of all that ops make at one point."""

    def run(
        self,
        weights: torch.Tensor,
        inputs: torch.Tensor,
        outputs: int = 0,
        change: Change | None = None,
    ) -> Replayed:
        """Runs on `weights` (N, number of weights) and `inputs` (N, number of inputs), float64, all
        points at once.

        Keeps what each op made at the first `outputs` points; `change` is applied to what an op
        calculated, not to data that it moved. Raises NotReplayable where torch refuses.
        """
        count, size = len(weights), max(1, CHUNK_BYTES // self._bytes)
        outputs = min(outputs, count)
        ends = [*range(0, outputs, size), *range(outputs, count, size), count]
        parts = [
            self._run_chunk(weights[start:end], inputs[start:end], start < outputs, change)
            for start, end in itertools.pairwise(ends)
        ]
        return joined(parts)

    def run_keeping(self, weights: torch.Tensor, inputs: torch.Tensor) -> Replayed:
        """The same, and keeps what each op made at as many points as OUTPUT_BYTES allows."""
        return self.run(weights, inputs, max(1, OUTPUT_BYTES // self._bytes))

    def run_each(
        self,
        weights: torch.Tensor,
        inputs: torch.Tensor,
        weight_dtype: torch.dtype | None = None,
        outputs: bool = False,
        change: Change | None = None,
    ) -> Replayed:
        """Runs point by point, for ops that do not run on all points at once, or whose results have
        another shape at each point (`unique`). Where torch refuses a point, its results are NaN.

        With `weight_dtype`, in the recorded dtypes, with the very kernels that the child used: a
        true recording gives the child's own numbers to the last bit or nearly. Without, in float64.
        `outputs` keeps what has one shape at all points. Raises NotReplayable where torch refuses
        every point.
        """
        dtypes = WIDENED if weight_dtype is None else OWN
        rows: dict[str, list[torch.Tensor]] = {name: [] for name in self.widths}
        kept: dict[int, list[torch.Tensor]] = {}
        refusal: BaseException | None = None
        refused = 0
        # several threads round the parts of a tensor each in its own way; the child has one
        threads = contextlib.nullcontext() if weight_dtype is None else _one_thread()
        with torch.no_grad(), threads:
            for w, x in zip(weights, inputs, strict=True):
                if weight_dtype is not None:
                    w, x = w.to(weight_dtype), x.float()
                then: dict[int, torch.Tensor] | None = {} if outputs else None
                numbers: dict[str, torch.Tensor] = {}
                try:
                    made = self._evaluate(w, x, dtypes, then, change)
                    numbers = {name: self.numbers(name, made) for name in self.widths}
                except REFUSALS as error:
                    refusal, refused = error, refused + 1
                for name, width in self.widths.items():
                    row = numbers.get(name)
                    if row is None or len(row) != width:
                        row = torch.full((width,), math.nan, dtype=torch.float64)
                    rows[name].append(row)
                for position, tensor in (then or {}).items():
                    kept.setdefault(position, []).append(_real(tensor.reshape(-1)))
        if refusal is not None and refused == len(weights):
            raise not_replayable(refusal) from refusal
        steady = {
            position: torch.stack(parts)
            for position, parts in kept.items()
            if len(parts) == len(weights) and len({part.shape for part in parts}) == 1
        }
        return Replayed({name: torch.stack(own) for name, own in rows.items()}, steady)

    def run_as_recorded(
        self, weights: torch.Tensor, inputs: torch.Tensor, weight_dtype: torch.dtype
    ) -> Replayed | None:
        """As `run_each` with a dtype, but on all points at once, where that can be: kernels may
        then round apart in the last bits. None where it cannot."""
        with contextlib.suppress(NotReplayable):
            return self._run_chunk(weights.to(weight_dtype), inputs.float(), False, dtypes=OWN)
        return None

    def run_anyhow(
        self, weights: torch.Tensor, inputs: torch.Tensor, change: Change | None = None
    ) -> Replayed:
        """Runs in float64 on all points at once if torch can, else point by point, with what
        each op made. Raises NotReplayable."""
        try:
            return self.run(weights, inputs, len(weights), change)
        except NotReplayable:
            return self.run_each(weights, inputs, outputs=True, change=change)

    def calculates(self, position: int) -> bool:
        """Whether an op makes new numbers, which a `Change` may change."""
        op = self._recording.ops[position]
        moves = op_name(op) in MOVING or op_name(op) in SHAPE_ONLY
        return bool(op.reads) and position not in self._views and not moves

    def _run_chunk(
        self,
        weights: torch.Tensor,
        inputs: torch.Tensor,
        outputs: bool,
        change: Change | None = None,
        dtypes: Mapping[str, torch.dtype] = WIDENED,
    ) -> Replayed:
        kept: list[int] = []

        def one_point(w: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            then: dict[int, torch.Tensor] = {}
            made = self._evaluate(w, x, dtypes, then if outputs else None, change)
            kept[:] = then
            answers = [self.numbers(name, made) for name in self.widths]
            return (*answers, *(_real(tensor.reshape(-1)) for tensor in then.values()))

        if not self.widths:
            return Replayed({}, {})
        try:
            with torch.no_grad():
                answers = list(torch.vmap(one_point, randomness="different")(weights, inputs))
        except NotReplayable:
            raise
        except REFUSALS as error:
            raise not_replayable(error) from error
        split = len(self.widths)
        return Replayed(
            dict(zip(self.widths, answers[:split], strict=True)),
            dict(zip(kept, answers[split:], strict=True)),
        )

    def numbers(self, output: str, made: Mapping[int, torch.Tensor]) -> torch.Tensor:
        """Those of an output (elements,), float64, of the values that a run made."""
        slot = self._recording.outputs[output]
        flat = _real(made[slot.value].reshape(-1))
        return flat if slot.element is None else flat[slot.element, None]

    def _evaluate(
        self,
        w: torch.Tensor,
        x: torch.Tensor,
        dtypes: Mapping[str, torch.dtype],
        then: dict[int, torch.Tensor] | None = None,
        change: Change | None = None,
    ) -> dict[int, torch.Tensor]:
        """The values, by number; in `then` also what each op gave, before anything wrote to it."""
        values = self._recording.values
        made: dict[int, torch.Tensor] = {}
        zero = w.new_zeros(()) + w[0] * 0
        for number in self._wanted:
            value = values[number]
            if value.origin in ("weight", "input"):
                source = w if value.origin == "weight" else x
                if any(not 0 <= i < len(source) for i in value.leaf):
                    raise NotReplayable(say("it has a leaf that is no weight or input"))
                if not value.shape:
                    made[number] = source[value.leaf[0]]
                else:
                    made[number] = source[list(value.leaf)].reshape(value.shape)
                if value.dtype == "float64":
                    made[number] = made[number].double()
                if value.storage in self._mutated:
                    made[number] = made[number].clone()
            elif value.origin == "foreign":
                made[number] = constant(value, dtypes)
        for position, op, call, spread in self._steps:
            if op.target == "torch::constant":
                value = values[op.outputs[0]]
                result = constant(value, dtypes)
            else:
                args = [decoded(arg, made, dtypes) for arg in op.args]
                kwargs = {key: decoded(arg, made, dtypes) for key, arg in op.kwargs.items()}
                if op_name(op) in TYPED and op.outputs and op.target.startswith("aten::"):
                    dtype = values[op.outputs[0]].dtype
                    kwargs["dtype"] = dtypes.get(dtype, torch.float64)
                result = call(*args, **kwargs)
            results = result if isinstance(result, list | tuple) else (result,)
            for number, tensor in zip(op.outputs, results, strict=False):
                if tensor.numel() > MAX_REPLAYED:
                    reason = say_count(
                        "it has a tensor of {count} element",
                        "it has a tensor of {count} elements",
                        tensor.numel(),
                    )
                    raise Unsupported(reason, position)
                if spread and number not in made and not op.writes:
                    # written to later: must hold one copy a point
                    tensor = tensor + zero.to(tensor.dtype)
                if change is not None and tensor.is_floating_point() and self.calculates(position):
                    new = change(position, tensor)
                    tensor = tensor.copy_(new) if op.writes else new
                made[number] = tensor
            if then is not None and op.outputs:
                first = made[op.outputs[0]]
                changes = values[op.outputs[0]].storage in self._mutated
                then[position] = first.clone() if changes else first
        return made


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """For as long, torch calculates on one thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _real(tensor: torch.Tensor) -> torch.Tensor:
    return (tensor.real if tensor.is_complex() else tensor).to(torch.float64)

"""Runs a recording again, on points the student's code never saw.

A recording comes from a process that ran untrusted code, so nothing in it is believed: targets
come from a list of plain arithmetic and data movement, sizes are bounded before and after each op,
and what cannot be shown to be harmless and repeatable is `NotReplayable`, with the reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import torch

from ..messages import say, say_count
from ..model import Arg, Complex, Items, Op, Recording, Ref, Symbol, Value
from .graph import SHAPE_ONLY, DataFlow, op_name

MAX_ELEMENTS = 64
"""Elements of any tensor in a replayed pass (the course's have one or two)."""
MAX_REPLAYED_OPS = 5_000
CHUNK_BYTES = 256 * 2**20
"""About how much one chunk of points may take with all its intermediates."""

FILLED = frozenset({"full", "full_like", "new_full"})
FACTORIES = frozenset(["zeros", "ones", "full", "scalar_tensor", "arange", "eye", "empty"])
OTHER_OPS = frozenset(
    (
        "stack cat select slice view _unsafe_view reshape index index_select gather index_put_ "
        "index_put clone copy_ _to_copy detach alias as_strided unsqueeze squeeze expand "
        "permute t transpose unbind split narrow flatten select_scatter slice_scatter sum prod "
        "mean dot mv mm matmul bmm addmm addmv outer zeros_like ones_like full_like empty_like "
        "new_zeros new_ones new_full new_empty fill_ zero_ amax amin max min cumsum cumprod "
        "flip roll diagonal norm linalg_vector_norm where maximum minimum relu relu_ repeat "
        "zero fill lift lift_fresh sigmoid_backward tanh_backward threshold_backward "
        "select_backward rsub"
    ).split()
)
TARGET = re.compile(r"aten::(\w{1,60})(?:\.(\w{1,60}))?")
OWN = {
    name: getattr(torch, name)
    for name in (
        "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128"
    ).split()
}
WIDENED = OWN | {"float32": torch.float64, "complex64": torch.complex128}
"""Dtypes by name: as recorded, and with single precision replayed in double."""


REFUSALS = (
    RuntimeError,
    IndexError,
    TypeError,
    ValueError,
    KeyError,
    AttributeError,
    AssertionError,
)
"""What torch and our own lookups raise for a recording that no run can have made."""

NO_MEMORY = ("not enough memory", "can't allocate memory", "bad_alloc")
"""How torch's errors say that there is none left."""


class NotReplayable(Exception):
    """A recording cannot be run again on other points. `op` is the position of the op, if any."""

    def __init__(self, reason: str, op: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.op = op


class Replayed(NamedTuple):
    """Results of a replay on N points: `result` (N,) float64 or None, `gradients` one (N,) float64
    or None a weight, `outputs` (N, elements) for the first output of each op that was replayed, as
    it was when the op had run."""

    result: torch.Tensor | None
    gradients: tuple[torch.Tensor | None, ...]
    outputs: dict[int, torch.Tensor]


class Program:
    """A recording, checked and ready to run on any weights and inputs."""

    def __init__(self, recording: Recording, flow: DataFlow | None = None) -> None:
        self._recording = recording
        flow = flow or DataFlow(recording)
        if len(recording.ops) > MAX_REPLAYED_OPS:
            count = len(recording.ops)
            raise NotReplayable(
                say_count("the pass runs {count} op", "the pass runs {count} ops", count)
            )
        needed = flow.reached | flow.allocations
        # what is read for its shape alone must be there too
        shaped = [op.reads[0] for p in needed if op_name(op := recording.ops[p]) in SHAPE_ONLY]
        needed = needed | flow.upstream({w for value in shaped for w in flow.writers(value)})
        values = recording.values
        # views are no producers; one whose output is read by a needed op is needed itself
        wanted = {v for position in needed for v in recording.ops[position].reads}
        wanted.update(e[0] for e in recording.gradients if e is not None)
        wanted.update(() if recording.result is None else (recording.result,))
        wanted.update(v for position in needed for v in recording.ops[position].writes)
        for position in sorted(flow.views, reverse=True):
            op = recording.ops[position]
            if wanted.intersection(op.outputs):
                wanted.update(op.reads)
                needed = needed | {position}
        mutated = {values[v].storage for op in recording.ops for v in op.writes}
        self._steps: list[tuple[int, Op, Callable[..., Any], bool]] = []
        for position in sorted(needed):
            op = recording.ops[position]
            if op.target.startswith("python::"):
                continue
            # a view must stay one: only what made the storage is spread
            made_here = position not in flow.views
            spread = made_here and any(values[v].storage in mutated for v in op.outputs)
            self._steps.append((position, op, self._callable(position, op), spread))
        for number in wanted:
            value = values[number]
            if math.prod(value.shape) > MAX_ELEMENTS:
                raise NotReplayable(
                    say("it has a tensor of shape {shape}", shape=list(value.shape))
                )
            if value.origin == "foreign" and len(value.data) != math.prod(value.shape):
                raise NotReplayable(say("it uses a tensor that was not made in the pass"))
        self._wanted = wanted
        self._mutated = mutated

    def run(self, weights: torch.Tensor, inputs: torch.Tensor, outputs: bool = False) -> Replayed:
        """Runs on `weights` (N, number of weights) and `inputs` (N, number of inputs), float64.

        With `outputs`, keeps what each op made. Raises NotReplayable where torch refuses.
        """
        count = len(weights)
        size = max(1, CHUNK_BYTES // (8 * MAX_ELEMENTS * max(1, len(self._steps))))
        parts = [
            self._run_chunk(weights[start : start + size], inputs[start : start + size], outputs)
            for start in range(0, count, size)
        ]
        if len(parts) == 1:
            return parts[0]
        return Replayed(
            _join([part.result for part in parts]),
            tuple(
                _join([part.gradients[i] for part in parts])
                for i in range(len(self._recording.gradients))
            ),
            {key: torch.cat([part.outputs[key] for part in parts]) for key in parts[0].outputs},
        )

    def run_as_recorded(
        self, weights: torch.Tensor, inputs: torch.Tensor, weight_dtype: torch.dtype
    ) -> Replayed:
        """Runs point by point in the recorded dtypes, with the very kernels that the child used:
        a true recording gives the child's own numbers to the last bit or nearly."""
        recording = self._recording
        results: list[float] = []
        gradients: list[list[float]] = [[] for _ in recording.gradients]
        try:
            with torch.no_grad():
                for w, x in zip(weights.to(weight_dtype), inputs.float(), strict=True):
                    made = self._evaluate(w, x, OWN)
                    if recording.result is not None:
                        results.append(float(_real(made[recording.result].reshape(-1)[0])))
                    for found, entry in zip(gradients, recording.gradients, strict=True):
                        if entry is not None:
                            found.append(float(_real(made[entry[0]].reshape(-1)[entry[1]])))
        except REFUSALS as error:
            raise _refused(error) from error

        def column(numbers: list[float]) -> torch.Tensor | None:
            return torch.tensor(numbers, dtype=torch.float64) if numbers else None

        return Replayed(column(results), tuple(column(g) for g in gradients), {})

    def _run_chunk(self, weights: torch.Tensor, inputs: torch.Tensor, outputs: bool) -> Replayed:
        recording = self._recording
        wants_result = recording.result is not None
        held = [i for i, entry in enumerate(recording.gradients) if entry is not None]
        kept: list[int] = []

        def one_point(w: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            then: dict[int, torch.Tensor] = {}
            made = self._evaluate(w, x, WIDENED, then if outputs else None)
            answers: list[torch.Tensor] = []
            if recording.result is not None:
                answers.append(_real(made[recording.result].reshape(-1)[0]))
            for i in held:
                entry = recording.gradients[i]
                assert entry is not None
                answers.append(_real(made[entry[0]].reshape(-1)[entry[1]]))
            kept[:] = then
            answers += [_real(tensor.reshape(-1)) for tensor in then.values()]
            return tuple(answers)

        if not wants_result and not held:
            return Replayed(None, tuple(None for _ in recording.gradients), {})
        try:
            with torch.no_grad():
                answers = list(torch.vmap(one_point, randomness="error")(weights, inputs))
        except NotReplayable:
            raise
        except REFUSALS as error:
            raise _refused(error) from error
        result = answers.pop(0) if wants_result else None
        gradients: list[torch.Tensor | None] = [None] * len(recording.gradients)
        for i in held:
            gradients[i] = answers.pop(0)
        return Replayed(result, tuple(gradients), dict(zip(kept, answers, strict=True)))

    def _evaluate(
        self,
        w: torch.Tensor,
        x: torch.Tensor,
        dtypes: Mapping[str, torch.dtype],
        then: dict[int, torch.Tensor] | None = None,
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
                if value.storage in self._mutated:
                    made[number] = made[number].clone()
            elif value.origin == "foreign":
                made[number] = _constant(value, dtypes)
        for position, op, call, spread in self._steps:
            if op.target == "torch::constant":
                value = values[op.outputs[0]]
                result = _constant(value, dtypes)
            else:
                args = [_decode(arg, made, dtypes) for arg in op.args]
                kwargs = {key: _decode(arg, made, dtypes) for key, arg in op.kwargs.items()}
                if op_name(op) in FACTORIES and op.outputs and op.target.startswith("aten::"):
                    dtype = values[op.outputs[0]].dtype
                    kwargs["dtype"] = dtypes.get(dtype, torch.float64)
                result = call(*args, **kwargs)
            results = result if isinstance(result, list | tuple) else (result,)
            for number, tensor in zip(op.outputs, results, strict=False):
                if tensor.numel() > MAX_ELEMENTS:
                    reason = say_count(
                        "it has a tensor of {count} element",
                        "it has a tensor of {count} elements",
                        tensor.numel(),
                    )
                    raise NotReplayable(reason, position)
                if spread and number not in made and not op.writes:
                    # written to later: must hold one copy a point
                    tensor = tensor + zero.to(tensor.dtype)
                made[number] = tensor
            if then is not None and op.outputs:
                first = made[op.outputs[0]]
                changes = values[op.outputs[0]].storage in self._mutated
                then[position] = first.clone() if changes else first
        return made

    def _callable(self, position: int, op: Op) -> Callable[..., Any]:
        if op.target == "torch::constant":
            return _constant
        if op.target == "torch::tensor":
            return _assemble
        if op.target == "torch::element":
            return _element
        match = TARGET.fullmatch(op.target)
        packet = getattr(torch.ops.aten, match[1], None) if match else None
        if match is None or not isinstance(packet, torch._ops.OpOverloadPacket):
            raise NotReplayable(say("it uses {op}", op=op.target), position)
        overload = getattr(packet, match[2] or "default", None)
        if not isinstance(overload, torch._ops.OpOverload):
            raise NotReplayable(say("it uses {op}", op=op.target), position)
        tags = set(overload.tags)
        if torch.Tag.nondeterministic_seeded in tags:
            raise NotReplayable(say("it draws random numbers ({op})", op=match[1]), position)
        name = match[1]
        if torch.Tag.pointwise not in tags and name not in OTHER_OPS and name not in FACTORIES:
            raise NotReplayable(say("it uses {op}", op=op.target), position)
        if "out" in op.kwargs or "generator" in op.kwargs:
            reason = say("it uses {op} with out= or a generator", op=op.target)
            raise NotReplayable(reason, position)
        for arg in (*op.args, *op.kwargs.values()):
            _check_sizes(arg, position)
        if name == "_to_copy":
            return _cast
        if name in FILLED and isinstance(op.args[-1], Ref) and len(op.args) > 1:
            return _filled
        declared = overload._schema.arguments
        for arg, slot in zip(op.args, declared, strict=False):
            if isinstance(arg, Ref) and "Tensor" not in str(slot.type):
                return packet  # a tensor in a number's place
        return overload


def _check_sizes(arg: Arg, position: int) -> None:
    if isinstance(arg, Items):
        sizes = [item for item in arg.items if isinstance(item, int)]
        if math.prod(abs(size) or 1 for size in sizes) > MAX_ELEMENTS:
            raise NotReplayable(say("it asks for a size of {size}", size=sizes), position)
        for item in arg.items:
            _check_sizes(item, position)
    elif isinstance(arg, int) and not isinstance(arg, bool) and abs(arg) > 2**63 - 1:
        raise NotReplayable(say("it uses a number out of range"), position)


def _decode(arg: Arg, made: dict[int, torch.Tensor], dtypes: Mapping[str, torch.dtype]) -> Any:
    if isinstance(arg, Ref):
        return made[arg.value]
    if isinstance(arg, Items):
        return [_decode(item, made, dtypes) for item in arg.items]
    if isinstance(arg, Symbol):
        if arg.text not in dtypes:
            raise NotReplayable(say("it passes the argument {argument}", argument=arg.text))
        return dtypes[arg.text]
    if isinstance(arg, Complex):
        return complex(arg.real, arg.imag)
    return arg


def _constant(value: Value, dtypes: Mapping[str, torch.dtype]) -> torch.Tensor:
    if len(value.data) != math.prod(value.shape):
        raise NotReplayable(say("it uses a constant too large to be sent"))
    dtype = dtypes.get(value.dtype, torch.float64)
    return torch.tensor(value.data, dtype=dtype).reshape(value.shape)


def _assemble(parts: Any, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """`torch.tensor(parts)` for nested lists that hold tensors and numbers."""
    if isinstance(parts, torch.Tensor):
        return parts.to(dtype)
    if isinstance(parts, list):
        return torch.stack([_assemble(part, dtype) for part in parts])
    return torch.tensor(parts, dtype=dtype)


def _element(tensor: torch.Tensor, element: int) -> torch.Tensor:
    return tensor.reshape(-1)[element]


def _filled(*args: Any, dtype: torch.dtype | None = None) -> torch.Tensor:
    """`full(shape, number)`, `full_like(tensor, number)`, `tensor.new_full(shape, number)`, for a
    number taken out of a tensor."""
    *_, shape, number = args
    sizes = tuple(shape.shape) if isinstance(shape, torch.Tensor) else tuple(shape)
    filled: torch.Tensor = number.expand(sizes).clone().to(dtype or number.dtype)
    return filled


def _cast(tensor: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
    if not isinstance(tensor, torch.Tensor):
        raise NotReplayable(say("it casts what is no tensor"))
    # always a copy: the original may be written to later
    return tensor.clone() if dtype is None else tensor.clone().to(dtype)


def _real(tensor: torch.Tensor) -> torch.Tensor:
    return (tensor.real if tensor.is_complex() else tensor).to(torch.float64)


def _join(parts: Sequence[torch.Tensor | None]) -> torch.Tensor | None:
    tensors = [part for part in parts if part is not None]
    return torch.cat(tensors) if tensors else None


def _refused(error: BaseException) -> NotReplayable:
    """What torch says against a recording. Raises MemoryError where the kernel gives no more."""
    if any(words in str(error) for words in NO_MEMORY):
        raise MemoryError from error
    first_line = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return NotReplayable(say("torch refuses to run it again: {error}", error=first_line))

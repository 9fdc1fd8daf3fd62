"""How each op of a recording is run again: torch's overload, or what stands for an op of ours.

Nothing in a recording is believed: an op is looked up by name among those that are allowed (see
`op_table`), and the sizes that it asks for are bounded before it runs. The engine's kernels of a
loss or a layer take some sizes and indices on trust, as the engine gives them what forward made:
these are looked at first. (What torch decomposes them into checks its operands, but rounds
otherwise than the child did.)"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import torch

from ..messages import phrase, say
from ..model import Arg, Complex, Items, Op, Ref, Symbol, Value
from .graph import OVERWRITES, op_name
from .op_table import is_allowed, is_random, overload_of, row_of
from .torch_private import OpOverload, packet_of, schema
from .validate import MAX_REPLAYED


class NotReplayable(Exception):
    """A recording cannot be run again on other points. `op` is the position of the op, if any."""

    def __init__(self, reason: str, op: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.op = op


class Unsupported(NotReplayable):
    """What a replay cannot do, though no pass is wrong for it: an op of torch's that it does not
    run, a tensor that is too large, operands that torch refuses. Everything that the pass did was
    recorded all the same."""


REFUSALS = (RuntimeError, LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What torch and our own lookups raise for a recording that no run can have made."""
DISTRUST = (*REFUSALS, ArithmeticError, MemoryError, NotReplayable)
"""The same of whoever follows one: it cannot be followed."""

RANDOM = phrase("it draws random numbers (`{op}`)")
NO_MEMORY = ("not enough memory", "can't allocate memory", "bad_alloc")
"""How torch's errors say that there is none left."""


def not_replayable(error: BaseException) -> NotReplayable:
    """What torch says against a recording. Raises MemoryError where the kernel gives no more."""
    if any(words in str(error) for words in NO_MEMORY):
        raise MemoryError from error
    first_line = (str(error).splitlines() or [type(error).__name__])[0][:200]
    return Unsupported(say("torch refuses to run it again: {error}", error=first_line))


@contextlib.contextmanager
def refusals() -> Iterator[None]:
    """What torch says against a recording inside is NotReplayable."""
    try:
        yield
    except REFUSALS as error:
        raise not_replayable(error) from error


def callable_of(op: Op, position: int) -> Callable[..., Any]:
    """What runs an op of a recording again. Raises NotReplayable for what no replay runs: an op
    that is not allowed, or one that asks for too much."""
    if op.target in OWN_CALLS:
        return OWN_CALLS[op.target]
    if is_random(op.target) and not op.writes:  # of a seed they are the same in each run
        return constant
    if is_random(op.target):
        raise NotReplayable(say(RANDOM, op=op_name(op)), position)
    overload = overload_of(op.target)
    if overload is None:  # a library's: what it calculates is not recorded
        raise NotReplayable(say("it uses `{op}`", op=op.target), position)
    if not is_allowed(op.target, op.context == "engine"):
        raise Unsupported(say("it uses `{op}`", op=op.target), position)
    for arg in (*op.args, *op.kwargs.values()):
        _check_sizes(arg, position)
    name = op_name(op)
    if name in CHECKED:
        return CHECKED[name]
    row = row_of(name)
    by_any_overload = cast("Callable[..., Any]", packet_of(overload))
    if "counted" in row.traits:
        _check_count(op, by_any_overload, position)
    if "out" in op.kwargs:
        return functools.partial(_into, by_any_overload)
    if name in ("_to_copy", "to"):
        return _cast
    if name in ("index_put", "index_put_"):
        return functools.partial(_put, by_any_overload)
    if op.target in ("aten::view", "aten::_unsafe_view"):
        return _view
    if op.target == "aten::clone":
        return _clone
    fills = row.filled_by is not None and name not in OVERWRITES
    if fills and op.args and isinstance(op.args[-1], Ref):
        return _filled
    takes_tensor_for_number = any(
        isinstance(arg, Ref) and not takes_tensor
        for arg, takes_tensor in zip(op.args, _takes_tensors(overload), strict=False)
    )
    return by_any_overload if takes_tensor_for_number else overload


@functools.cache
def _takes_tensors(overload: OpOverload) -> tuple[bool, ...]:
    """Whether an op's operands, in order, are tensors, or lists of them."""
    return tuple("Tensor" in str(slot.type) for slot in schema(overload).arguments)


def _view(tensor: torch.Tensor, size: list[int]) -> torch.Tensor:
    """A view, or where strides allow none a copy of the same numbers: a recording does not say
    which strides a tensor was given."""
    try:
        return tensor.view(size)
    except RuntimeError:
        return tensor.reshape(size)


def _clone(tensor: torch.Tensor) -> torch.Tensor:
    """A copy that any view can be taken of, as `einsum` does."""
    return tensor.clone(memory_format=torch.contiguous_format)


def _check_count(op: Op, by_any_overload: Callable[..., Any], position: int) -> None:
    """Raises NotReplayable for `arange(3e8)` and the like, where a number says how many elements:
    torch tells that without making any."""
    taken_out = any(isinstance(arg, Ref) for arg in op.args)
    if taken_out and op_name(op) == "arange":
        raise Unsupported(say("it uses `{op}`", op=op.target), position)
    numbers = [0.0 if isinstance(arg, Ref) else arg for arg in op.args]  # as of `linspace`
    with refusals():
        count = by_any_overload(*numbers, device="meta").numel()
    if count > MAX_REPLAYED:
        raise Unsupported(say("it asks for a size of {size}", size=numbers), position)


def _check_sizes(arg: Arg, position: int) -> None:
    if isinstance(arg, Items):
        sizes = [item for item in arg.items if isinstance(item, int)]
        if math.prod(abs(size) or 1 for size in sizes) > MAX_REPLAYED:
            raise Unsupported(say("it asks for a size of {size}", size=sizes), position)
        for item in arg.items:
            _check_sizes(item, position)
    elif isinstance(arg, int) and not isinstance(arg, bool) and abs(arg) > 2**63 - 1:
        raise NotReplayable(say("it uses a number out of range"), position)


def decoded(arg: Arg, values: dict[int, torch.Tensor], dtypes: Mapping[str, torch.dtype]) -> Any:
    """An operand, with the tensors that are there by now. Raises NotReplayable."""
    if isinstance(arg, Ref):
        if arg.value not in values:
            raise NotReplayable(say("it uses a tensor that no recorded op made"))
        return values[arg.value]
    if isinstance(arg, Items):
        return [i if type(i) is int else decoded(i, values, dtypes) for i in arg.items]
    if isinstance(arg, Symbol):
        if arg.text not in dtypes:
            raise Unsupported(say("it passes the argument {argument}", argument=arg.text))
        return dtypes[arg.text]
    if isinstance(arg, Complex):
        return complex(arg.real, arg.imag)
    return arg


def constant(value: Value, dtypes: Mapping[str, torch.dtype]) -> torch.Tensor:
    """A tensor of numbers that were sent along. Raises NotReplayable if they were not."""
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
    return tensor.reshape(-1)[element].clone()  # the tensor may be written to


def _filled(*args: Any, dtype: torch.dtype | None = None) -> torch.Tensor:
    """`full(shape, number)`, `full_like(tensor, number)`, `tensor.new_full(shape, number)`,
    `scalar_tensor(number)`, for a number taken out of a tensor."""
    *_, shape, number = ((), *args)
    sizes = tuple(shape.shape) if isinstance(shape, torch.Tensor) else tuple(shape)
    filled: torch.Tensor = number.expand(sizes).clone().to(dtype or number.dtype)
    return filled


def _put(
    call: Callable[..., Any],
    into: torch.Tensor,
    places: list[Any],
    number: torch.Tensor,
    accumulate: bool = False,
) -> torch.Tensor:
    """`index_put`, or `t[mask] = number` without it: vmap knows no masks that choose so many at one
    point and so many at another."""
    if len(places) > 1 or places[0] is None or places[0].dtype != torch.bool or number.numel() != 1:
        result: torch.Tensor = call(into, places, number, accumulate)
        return result
    mask = places[0].reshape(*places[0].shape, *(1,) * (into.dim() - places[0].dim()))
    put = torch.where(mask, number, into)
    return into.copy_(put) if call.__name__.endswith("_") else put


def _into(call: Callable[..., Any], *args: Any, out: torch.Tensor, **kwargs: Any) -> torch.Tensor:
    """An op with `out=`: vmap knows none, but a copy is the same."""
    return out.copy_(call(*args, **kwargs))


def _cast(tensor: torch.Tensor | float, dtype: torch.dtype | None = None) -> torch.Tensor:
    if isinstance(tensor, bool | int | float):  # first made of 1.5 in `t * 1.5` under torch.vmap
        return torch.tensor(tensor, dtype=dtype)
    if not isinstance(tensor, torch.Tensor):
        raise NotReplayable(say("it casts what is no tensor"))
    # always a copy: the original may be written to later
    return tensor.clone() if dtype is None else tensor.clone().to(dtype)


OWN_CALLS: Mapping[str, Callable[..., Any]] = {
    "torch::constant": constant,
    "torch::tensor": _assemble,
    "torch::element": _element,
}
"""What stands for the recorder's own ops."""


def _same_shape(grad: torch.Tensor, output: torch.Tensor, *_: Any) -> bool:
    return grad.shape == output.shape


def _classes_are_there(
    grad: torch.Tensor,
    scores: torch.Tensor,
    target: torch.Tensor,
    weight: torch.Tensor | None,
    reduction: int,
    ignore_index: int,
    *_: Any,
) -> bool:
    counted = torch.where(target != ignore_index, target, 0)
    return torch.equal(counted.clamp(0, scores.shape[-1] - 1), counted)


def _rows_are_there(
    grad: torch.Tensor,
    layer_input: torch.Tensor,
    shape: Sequence[int],
    mean: torch.Tensor,
    rstd: torch.Tensor,
    *_: Any,
) -> bool:
    rows = math.prod(layer_input.shape[: layer_input.dim() - len(shape)])
    return grad.shape == layer_input.shape and mean.numel() == rstd.numel() == rows


SOUND: Mapping[str, Callable[..., bool]] = {
    "_softmax_backward_data": _same_shape,
    "_log_softmax_backward_data": _same_shape,
    "nll_loss_backward": _classes_are_there,
    "native_layer_norm_backward": _rows_are_there,
}
"""By the name of a kernel of the engine's, whether operands are sound of which torch itself does
not look at all."""


def _if_sound(name: str, *args: Any) -> Any:
    """What a kernel gives. Raises ValueError for operands that the engine cannot have given."""
    if not SOUND[name](*args):
        raise ValueError("operands of other sizes than the engine gives")
    return getattr(torch.ops.aten, name)(*args)


CHECKED: Mapping[str, Callable[..., Any]] = {
    name: functools.partial(_if_sound, name) for name in SOUND
}

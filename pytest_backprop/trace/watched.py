"""What of torch a recorder looks out for, and the two modes through which it sees that.

The dispatch mode sees every op that reaches the dispatcher, the function mode above it every call
of a torch function: among these are the functions by which tensors are put together, looked at, or
differentiated by torch itself."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from .torch_private import COMPOSITE, DispatchMode, has_kernel, schema

if TYPE_CHECKING:
    from .watch import Watch

ASSEMBLERS = {torch.tensor: 0, torch.as_tensor: 0, torch.asarray: 0, torch.Tensor.new_tensor: 1}
"""Functions that put a tensor together from Python data, with the position of that data."""

LOOKS: dict[Any, str] = {
    torch.Tensor.item: "item",
    torch.Tensor.__float__: "float",
    torch.Tensor.__int__: "int",
    torch.Tensor.__index__: "index",
    torch.Tensor.__complex__: "complex",
    torch.Tensor.__bool__: "bool",
    torch.Tensor.tolist: "tolist",
    torch.Tensor.numpy: "numpy",
    torch.Tensor.__array__: "numpy",
    torch.Tensor.untyped_storage: "storage",
    torch.Tensor.storage: "storage",
    torch.Tensor.data_ptr: "pointer",
    torch.Tensor.__dlpack__: "dlpack",
    torch.Tensor.apply_: "apply",
    torch.Tensor.map_: "apply",
    torch.Tensor.map2_: "apply",
    torch.Tensor.__repr__: "repr",
    torch.Tensor.__format__: "repr",
}
"""Ways in which Python takes numbers out of a tensor. What pickles a tensor asks for its
storage."""

NUMBERS = frozenset(f"python::{look}" for look in LOOKS.values() if look not in ("bool", "repr"))
"""Looks that give numbers, as the targets of ops."""

COPIES = frozenset(("tolist", "numpy", "storage", "pointer", "dlpack", "apply"))
"""Looks by which a whole value leaves torch, into memory that no weak reference sees."""

AUTOGRAD_CALLS: dict[Any, str] = {
    torch.Tensor.backward: "Tensor.backward",
    torch.autograd.backward: "torch.autograd.backward",
    torch.autograd.grad: "torch.autograd.grad",
}

HOOKS: dict[Any, str] = {
    torch.Tensor.register_hook: "Tensor.register_hook",
    torch.Tensor.register_post_accumulate_grad_hook: "Tensor.register_post_accumulate_grad_hook",
}
"""Functions by which the student's code would be called in the middle of a run of the engine that
the exercise itself starts."""

DEEPCOPY = torch.Tensor.__deepcopy__
GRAD_FN = torch.Tensor.grad_fn.__get__  # type: ignore[union-attr]
DROPPED_KWARGS = frozenset({"device", "layout", "pin_memory", "memory_format", "non_blocking"})


@functools.cache
def schema_of(func: Any) -> tuple[str, tuple[tuple[int, str], ...]]:
    """An overload's name, and the arguments that it writes to, by position and by name."""
    written = tuple(
        (position, argument.name)
        for position, argument in enumerate(schema(func).arguments)
        if argument.alias_info is not None and argument.alias_info.is_write
    )
    return func.name(), written


ON_LISTS = "aten::_foreach_"
IN_LISTS = {"maximum": "clamp_min", "minimum": "clamp_max", "powsum": "linalg__powsum"}
"""What torch runs on each tensor of a list where that has another name."""


class Ops(DispatchMode):  # type: ignore[no-untyped-call]
    """Has a watch run every op, and is `busy` meanwhile."""

    def __init__(self, listener: Watch) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._listener = listener
        self.busy = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # what torch composes of ops arrives whole there: by torch's own kernel, as a decomposition
        # in Python would be a program's work
        if torch.is_inference_mode_enabled() and has_kernel(func.name(), COMPOSITE):
            with self:
                return func._op_dk(COMPOSITE, *args, **(kwargs or {}))
        if func.name().startswith(ON_LISTS):
            with self:
                return one_by_one(func, args, kwargs or {})
        busy, self.busy = self.busy, True
        try:
            return self._listener.on_op(func, args, kwargs or {})
        finally:
            self.busy = busy


def one_by_one(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """What an op on lists of tensors does, as torch does it on a CPU: the op of its name on one
    after the other."""
    name = func.name().removeprefix(ON_LISTS).partition(".")[0]
    plain = name.removesuffix("_")
    base = getattr(torch.ops.aten, IN_LISTS.get(plain, plain) + name[len(plain) :])
    count = len(next(arg for arg in args if isinstance(arg, list | tuple)))
    rows = [arg if isinstance(arg, list | tuple) else [arg] * count for arg in args]
    if name.startswith(("addcmul", "addcdiv")) and len(rows) > 3:
        *rows, factors = rows
        results = [base(*row, value=factor) for *row, factor in zip(*rows, factors, strict=True)]
    else:
        results = [base(*row, **kwargs) for row in zip(*rows, strict=True)]
    return None if name.endswith("_") else results


class Calls(TorchFunctionMode):
    """Has a watch run every torch function that is called, but for those that an op calls."""

    def __init__(self, listener: Watch, ops: Ops) -> None:
        super().__init__()
        self._listener = listener
        self._ops = ops

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self._ops.busy:
            return func(*args, **(kwargs or {}))
        return self._listener.on_call(func, args, kwargs or {})

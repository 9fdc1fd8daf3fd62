"""What of torch the recorder looks out for: the functions by which tensors are put together, looked
at, or differentiated by torch itself; and what an op writes to."""

from __future__ import annotations

import functools
from typing import Any

import torch

from .torch_private import schema

ASSEMBLERS = {
    torch.tensor: 0,
    torch.as_tensor: 0,
    torch.asarray: 0,
    torch.Tensor.new_tensor: 1,
}
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
"""Ways in which Python takes numbers out of a tensor. What pickles a tensor asks for its storage."""

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
"""Functions by which code is called in the middle of the engine's run, where that is the exercise's."""

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

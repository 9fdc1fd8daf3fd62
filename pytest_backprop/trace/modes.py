"""The two modes through which a recorder sees what torch does (see `record`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch.overrides import TorchFunctionMode

from .torch_private import DispatchMode

ON_LISTS = "aten::_foreach_"
IN_LISTS = {"maximum": "clamp_min", "minimum": "clamp_max", "powsum": "linalg__powsum"}
"""What torch runs on each tensor of a list where that has another name."""


class Listener(Protocol):
    """Who is told. Either method runs what it is told of, and gives its result back."""

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """An op reached the dispatcher."""

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """A torch function was called, outside an op."""


class Ops(DispatchMode):  # type: ignore[no-untyped-call]
    """Tells of every op, and is `busy` while it does."""

    def __init__(self, listener: Listener) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._listener = listener
        self.busy = False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if torch.is_inference_mode_enabled():  # what torch composes of ops arrives whole there
            with self:
                composed = func.decompose(*args, **(kwargs or {}))
            if composed is not NotImplemented:
                return composed
        if func.name().startswith(ON_LISTS):
            with self:
                return one_by_one(func, args, kwargs or {})
        busy, self.busy = self.busy, True
        try:
            return self._listener.on_op(func, args, kwargs or {})
        finally:
            self.busy = busy


def one_by_one(func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """What an op on lists of tensors does, as torch does it on a CPU: the op of its name on one after the other."""
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
    """Tells of every call of a torch function that is not made while telling of an op."""

    def __init__(self, listener: Listener, ops: Ops) -> None:
        super().__init__()
        self._listener = listener
        self._ops = ops

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if self._ops.busy:
            return func(*args, **(kwargs or {}))
        return self._listener.on_call(func, args, kwargs or {})

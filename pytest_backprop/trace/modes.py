"""The two modes through which a recorder sees what torch does (see `record`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch.overrides import TorchFunctionMode

from .torch_private import DispatchMode


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
        busy, self.busy = self.busy, True
        try:
            return self._listener.on_op(func, args, kwargs or {})
        finally:
            self.busy = busy


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

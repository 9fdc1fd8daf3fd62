"""Loading under the same watch as the pass: what differentiates there leaves a formula, a graph or
numbers that the pass then uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import _getframe
from typing import Any, TypeVar

from ..model import Breach
from .breaches import Breaches
from .codes import Codes
from .modes import Calls, Ops
from .stack import StackReader
from .watch import Watch
from .watched import AUTOGRAD_CALLS, schema_of

T = TypeVar("T")
SEEN = frozenset(("autograd", "transform", "forward-ad", "hidden-work"))
"""Kinds that speak against what is done before the pass. Ops of other code (a module that makes its
own parameters) are no work of the pass."""


class _Listener:
    """Lets everything through, and notes what differentiates."""

    def __init__(self, stack: StackReader, breaches: Breaches) -> None:
        self._stack = stack
        self._breaches = breaches
        self.base = _getframe()

    def on_op(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Looks at whose op it is, and runs it."""
        reading = self._stack.read(_getframe(1), self.base)
        self._breaches.context_of(schema_of(func)[0], reading)
        return func(*args, **kwargs)

    def on_call(self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Runs a torch function, noted if it calls the engine."""
        if func in AUTOGRAD_CALLS:
            site = self._stack.line_below(_getframe(1))
            self._breaches.add("autograd", AUTOGRAD_CALLS[func], site)
        return func(*args, **kwargs)


def watched(work: Callable[[], T], codes: Codes) -> tuple[T, tuple[Breach, ...]]:
    """What `work` returns, and the breaches seen meanwhile. Raises what it raises."""
    breaches = Breaches()
    stack = StackReader(codes, lambda *_: None)
    listener = _Listener(stack, breaches)
    listener.base = _getframe()
    try:
        ops = Ops(listener)
        with Watch(breaches, stack, loads=True).on(), ops, Calls(listener, ops):
            done = work()
    finally:
        stack.forget()
        del listener.base  # a frame that holds what holds it
    return done, tuple(breach for breach in breaches.found if breach.kind in SEEN)

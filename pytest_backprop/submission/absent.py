"""What stands for a library that cannot be imported here. A submission may import one only to draw
its graph, which grading never asks for; whoever uses it is told, at the line that does.

Imports nothing of ours: a submission reaches what a function of this module has for globals."""

from __future__ import annotations

from typing import NoReturn


class NotInstalled:
    """Raises an ImportError of this `kind` and `text` where it is called or asked for an attribute,
    anew each time: an error that was raised holds the frames that it came through, and what is
    alive there."""

    def __init__(self, kind: type[ImportError], text: str) -> None:
        self._why = kind, text

    def __getattr__(self, name: str) -> NoReturn:
        kind, text = self._why
        raise kind(text)

    def __call__(self, *_: object, **__: object) -> NoReturn:
        self.__getattr__("")

    __iter__ = __add__ = __radd__ = __mul__ = __rmul__ = __matmul__ = __rmatmul__ = __call__

    def __getitem__(self, key: object) -> NotInstalled:
        return self  # `Float[Tensor, "n d"]`, a hint of a type, uses nothing

    __or__ = __ror__ = __getitem__

"""Names under which the student's code still holds a tensor, to tell where to drop it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FrameType, FunctionType
from typing import Any

import torch

MAX_DEPTH = 3
MAX_LOOKED_AT = 2_000
MAX_NAMES = 8


def holders_of(wanted: Callable[[torch.Tensor], bool], frames: list[FrameType]) -> tuple[str, ...]:
    """Names that lead to a tensor for which `wanted` is true: locals, list and dict entries,
    attributes, variables of closures. At most `MAX_NAMES`, shallow ones first.

    Reading a frame's locals copies them before Python 3.13, so a pass in which holders were looked
    up is not judged for releases.
    """
    names: list[str] = []
    level: list[tuple[str, Any]] = []
    for frame in frames:
        level.extend(dict(frame.f_locals).items())
    seen: set[int] = set()
    for _ in range(MAX_DEPTH):
        deeper: list[tuple[str, Any]] = []
        for name, thing in level:
            if isinstance(thing, torch.Tensor):
                if wanted(thing) and name not in names:
                    names.append(name.encode("utf-8", "replace").decode())
                continue
            if id(thing) in seen or len(seen) > MAX_LOOKED_AT:
                continue
            seen.add(id(thing))
            deeper.extend(_parts(name, thing))
        level = deeper
    return tuple(names[:MAX_NAMES])


def _parts(name: str, thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, list | tuple):
        for index, item in enumerate(thing):
            yield f"{name}[{index}]", item
    elif isinstance(thing, dict):
        for key, item in list(thing.items()):
            if isinstance(key, str | int):
                yield f"{name}[{key!r}]", item
    elif isinstance(thing, FunctionType):
        for variable, cell in zip(
            thing.__code__.co_freevars, thing.__closure__ or (), strict=False
        ):
            try:
                yield f"{name} (closure over {variable})", cell.cell_contents
            except ValueError:  # an empty cell
                continue
    else:
        attributes = getattr(thing, "__dict__", None)
        if isinstance(attributes, dict):
            for key, item in list(attributes.items()):
                if not key.startswith("_"):
                    yield f"{name}.{key}", item

"""Looks into the student's tape: which names its entries have for outputs, and what their
`propagate` has captured. Entries may be tuples, dicts or objects, and `propagate` a closure, a
partial or a method."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

MAX_HELD = 2000
"""Objects that are looked at."""
DEPTH = 5
"""How far they may lie from an entry."""
OUTPUTS = ("outputs", "output", "out")


def hidden_captures(tape: object, variable: type, exempt: Iterable[object]) -> dict[str, Any]:
    """The Variables that entries have captured and that are neither `exempt` nor an output of any
    entry, by the names by which they are held; none of a tape whose entries do not tell their
    outputs."""
    entries = list(_items(tape))
    outputs = [output for entry in entries for output in _outputs(entry)]
    if not outputs:
        return {}
    names = [output for output in outputs if isinstance(output, str | int)]
    seen = {id(each) for each in (*outputs, *exempt)}
    hidden: dict[str, Any] = {}
    for name, held in _held(entries):
        is_hidden = isinstance(held, variable) and id(held) not in seen
        if is_hidden and getattr(held, "name", None) not in names:
            hidden.setdefault(name, held)
    return hidden


def _items(tape: object) -> Iterator[object]:
    if isinstance(tape, Mapping):
        yield from tape.values()
    elif isinstance(tape, Iterable):
        yield from tape
    elif hasattr(tape, "__dict__"):
        for held in vars(tape).values():
            if isinstance(held, list | dict):
                yield from _items(held)


def _outputs(entry: object) -> list[object]:
    """What an entry tells of its outputs: names, or the Variables themselves."""
    read = entry.get if isinstance(entry, Mapping) else functools.partial(getattr, entry)
    second = entry[1] if isinstance(entry, tuple | list) and len(entry) > 1 else None
    outputs = next((each for name in OUTPUTS if (each := read(name, None)) is not None), second)
    if isinstance(outputs, list | tuple | set):
        return list(outputs)
    return [] if outputs is None else [outputs]


def _held(entries: Iterable[object]) -> Iterator[tuple[str, object]]:
    """What hangs from entries, each with the name by which it is held."""
    waiting: list[tuple[str, object, int]] = [("", entry, 0) for entry in entries]
    seen: set[int] = set()
    while waiting and len(seen) < MAX_HELD:
        name, held, depth = waiting.pop()
        if id(held) in seen or isinstance(held, type | ModuleType):
            continue
        seen.add(id(held))
        yield name, held
        if depth < DEPTH:
            waiting += [(inner, each, depth + 1) for inner, each in _parts(name, held)]


def _parts(name: str, held: object) -> Iterator[tuple[str, object]]:
    if isinstance(held, FunctionType):  # without its globals
        yield from zip(held.__code__.co_freevars, held.__closure__ or (), strict=True)
        yield name, held.__defaults__
    elif isinstance(held, Mapping):
        for key, each in held.items():
            yield str(key) if isinstance(key, str) else name, each
    else:
        for each in gc.get_referents(held):
            yield name, each
        if hasattr(held, "__dict__"):  # with their names: what comes last is looked at first
            yield from vars(held).items()

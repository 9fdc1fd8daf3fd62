"""Looks into the student's tape: which names its entries have for outputs, and what their
`propagate` has captured. Entries may be tuples, dicts or objects, and `propagate` a closure, a
partial or a method."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from types import FunctionType, MethodType
from typing import Any

MAX_HELD = 2000
"""Objects that are looked at."""
DEPTH = 4
"""How far they may lie from an entry."""
OUTPUTS = ("outputs", "output", "out")


def hidden_captures(tape: object, variable: type, known: Iterable[object]) -> dict[str, Any]:
    """The Variables that entries have captured and that are neither `known` nor an output of any
    entry, by the names by which they are held; none of a tape whose entries do not tell their
    outputs."""
    entries = list(_items(tape))
    told = [name for entry in entries for name in _outputs(entry)]
    if not told:
        return {}
    by_name = {name for name in told if isinstance(name, str | int)}
    outputs = {id(each) for each in (*told, *known)}
    found: dict[str, Any] = {}
    for name, held in _held(entries):
        if (
            isinstance(held, variable)
            and id(held) not in outputs
            and _plain(getattr(held, "name", None)) not in by_name
        ):
            found.setdefault(name, held)
    return found


def _plain(name: object) -> object:
    """A name that may be looked for in a set."""
    return name if isinstance(name, str | int) else None


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
    told: object = None
    for name in OUTPUTS:
        known = entry.get if isinstance(entry, Mapping) else functools.partial(getattr, entry)
        told = known(name, told)
    if told is None and isinstance(entry, tuple | list) and len(entry) > 1:
        told = entry[1]
    if isinstance(told, list | tuple | set):
        return list(told)
    return [] if told is None else [told]


def _held(entries: Iterable[object]) -> Iterator[tuple[str, object]]:
    """What hangs from entries, each with the name by which it is held."""
    waiting: list[tuple[str, object, int]] = [("", entry, 0) for entry in entries]
    seen: set[int] = set()
    while waiting and len(seen) < MAX_HELD:
        name, held, depth = waiting.pop()
        if id(held) in seen:
            continue
        seen.add(id(held))
        yield name, held
        if depth < DEPTH:
            waiting += [(inner, each, depth + 1) for inner, each in _parts(name, held)]


def _parts(name: str, held: object) -> Iterator[tuple[str, object]]:
    if isinstance(held, FunctionType):
        for inner, cell in zip(held.__code__.co_freevars, held.__closure__ or (), strict=True):
            try:
                yield inner, cell.cell_contents
            except ValueError:  # not assigned yet
                continue
        for default in held.__defaults__ or ():
            yield name, default
    elif isinstance(held, MethodType):
        yield name, held.__func__
        yield name, held.__self__
    elif isinstance(held, functools.partial):
        for each in (held.func, *held.args, *held.keywords.values()):
            yield name, each
    elif isinstance(held, Mapping):
        for key, each in held.items():
            yield str(key) if isinstance(key, str) else name, each
    elif isinstance(held, tuple) and hasattr(held, "_fields"):
        yield from zip(held._fields, held, strict=False)
    elif isinstance(held, list | tuple | set):
        for each in held:
            yield name, each
    elif not isinstance(held, type) and hasattr(held, "__dict__"):
        yield from vars(held).items()

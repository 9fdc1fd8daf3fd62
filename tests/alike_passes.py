"""A class of made-up passes of one task, of which two are more alike than it makes them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from html_pages import drawn

from pytest_backprop.model import Grade
from pytest_backprop.model.drawing import Drawing, Fragment
from pytest_backprop.model.verdict import Trait

COMMON, OWN = 20, 25
"""Lines that the task forces, and lines of each one's own way."""


def trait(line: int, *keys: int) -> Trait:
    return Trait(None, line, *keys)


def own_pass(seed: int) -> tuple[Trait, ...]:
    """A pass that shares what the task forces, and has the rest of its own."""
    draw = random.Random(seed)
    forced = [trait(n, 10 * n, 10 * n + 1, 10 * n + 2, 10 * n + 3) for n in range(1, COMMON + 1)]
    rest = [
        trait(COMMON + n, *(draw.randrange(10**6, 10**9) for _ in range(4)))
        for n in range(1, OWN + 1)
    ]
    return (*forced, *rest)


def moved(traits: Sequence[Trait], share: float = 0.3) -> tuple[Trait, ...]:
    """A copy: every line is another, and some come in another order and are dropped elsewhere."""
    draw = random.Random(5)
    return tuple(
        msgspec.structs.replace(t, line=(t.line or 0) + 3)
        if draw.random() > share
        else msgspec.structs.replace(t, line=(t.line or 0) + 3, order=draw.randrange(10**9), drop=draw.randrange(10**9))
        for t in traits
    )  # fmt: skip


def source(first: str) -> Drawing:
    lines = (first, *(f"    t{n} = a{n} * b{n}" for n in range(2, COMMON + OWN + 4)))
    return Drawing((Fragment(None, 1, lines),))


def member(number: int, traits: tuple[Trait, ...], **changes: Any) -> Grade:
    path = f"s{number:02}.py"
    fields = {"student": f"Student {number}", "traits": traits, "drawing": source(f"# {path}")}
    return drawn(path, **(fields | changes))


def class_of(count: int) -> list[Grade]:
    """Independent passes, and the last a copy of the first."""
    members = [member(n, own_pass(n)) for n in range(count - 1)]
    return [*members, member(count - 1, moved(members[0].traits))]

"""What an attribute of ctx holds: tensors, or numbers that were copied out of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import torch

MAX_ITEMS = 1000
"""Of an attribute that are looked at."""
FEW_NUMBERS = 8
"""Numbers that an attribute may hold: sizes, flags, a slope."""
MANY_BITS = 16
"""Of a whole number. A size has fewer, in the scenarios."""


def holds_numbers(held: Any) -> bool:
    """Whether an attribute holds a tensor, or numbers that were copied out of one: more than a
    few, or one of many digits."""
    items = list(itertools.islice(_items(held, 3), MAX_ITEMS))
    return (
        any(
            isinstance(item, torch.Tensor | bytes | bytearray | memoryview)
            or type(item).__module__ == "numpy"
            or (isinstance(item, int) and item.bit_length() > MANY_BITS)
            for item in items
        )
        or sum(isinstance(item, int | float) for item in items) > FEW_NUMBERS
    )


def _items(held: Any, depth: int) -> Iterator[Any]:
    if isinstance(held, dict) and depth:
        for item in held.values():
            yield from _items(item, depth - 1)
    elif isinstance(held, list | tuple | set | frozenset) and depth:
        for item in held:
            yield from _items(item, depth - 1)
    else:
        yield held

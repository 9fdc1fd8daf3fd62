"""Values that leave torch as a whole (`.tolist()`, `.numpy()`), into memory that no weak reference sees:
when, and whether the pass goes on with their numbers."""

from __future__ import annotations

from typing import NamedTuple

from ..model import Recording, Ref
from .graph import PLAIN_NUMBERS, op_name
from .watched import COPIES


class Copy(NamedTuple):
    """`looks`: the ops by which a storage's numbers left. `is_used`: whether an op after the first of them
    calculates with one of the numbers, or with one that equals it."""

    looks: tuple[int, ...]
    is_used: bool


def copies(recording: Recording) -> dict[int, Copy]:
    """By storage, in the order in which they left."""
    values = recording.values
    looks, used, twins = dict[int, list[int]](), dict[int, int](), dict[int, int]()
    for position, op in enumerate(recording.ops):
        read = [values[v].storage for v in op.reads]
        if op.context != "python":
            if op.target == "torch::element":  # which gives the number to the op behind it
                used[read[0]] = position + 1
            continue
        # plain numbers alone are not followed: they may be typed in anywhere
        plain = len(op.args) > 1 and all(arg in PLAIN_NUMBERS for arg in op.args[1:])
        if op_name(op) in COPIES and not plain:
            for storage in read:
                looks.setdefault(storage, []).append(position)
        # links go to the first value with a number; others with it live as long
        for arg in op.args[1:]:
            if isinstance(arg, Ref):
                twins[read[0]] = values[arg.value].storage
    return {
        storage: Copy(
            tuple(positions),
            max(used.get(storage, 0), used.get(twins.get(storage, storage), 0)) > positions[0],
        )
        for storage, positions in looks.items()
    }

"""Whether a recording is well-formed. It comes from a process that ran untrusted code: everything
that reads one afterwards may rely on what is checked here, and on nothing else."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator

from ..messages import say
from ..model import Arg, Items, Recording, Ref

MAX_OPS = 20_000
"""Ops of one pass: one of scalars has about 100, one of matrices that is written with a loop over
every element 6,000."""
MAX_ELEMENTS = 256
"""Elements of a tensor whose numbers are told apart (the course's have one or two)."""
MAX_SENT = 16_384
"""Elements of all tensors of a recording together that nothing in it makes, as a mask of 128 words
that the class has made, and whose numbers are sent along."""
MAX_REPLAYED = 65_536
"""Elements of a tensor that is replayed: those of attention of four heads on 128 rows. Of large
ones there are fewer points; what all of them take is bounded where submissions are judged."""
MAX_VALUES = 80_000
MAX_READS = 80_000
"""Operands of all ops together: what reads a recording takes time for each."""
MAX_DIMENSIONS = 64
"""As torch has it."""
MAX_SIZE = 2**31
MAX_NESTING = 64


class Malformed(Exception):
    """A recording that our recorder cannot have made; the message says why."""


class TooLarge(Malformed):
    """A recording of a pass that is larger than the grader takes. The recorder makes none either:
    it raises this itself."""


def check_recording(recording: Recording, width: int, outputs: Collection[str]) -> None:
    """Raises Malformed unless every position is in range, every value is made before it is read,
    leaves are of the `width` numbers of a point, outputs are some of `outputs`, and shapes are
    shapes."""
    check_size(recording)
    if not all(_conditions(recording, width, outputs)):
        raise Malformed(say("its parts do not fit together"))


def _conditions(recording: Recording, width: int, outputs: Collection[str]) -> Iterator[bool]:
    ops, values = recording.ops, recording.values
    yield len(recording.lives) <= len(values)
    yield len(recording.live) == len(ops)
    yield recording.outputs.keys() <= set(outputs)
    for value in values:
        yield len(value.shape) == len(value.strides)
        yield min((*value.shape, *value.strides, value.offset)) >= 0
        if value.origin in ("weight", "input"):
            yield 0 <= value.leaf <= width - math.prod(value.shape)
    existing = {i for i, value in enumerate(values) if value.origin not in ("op", "constant")}
    for op in ops:
        operands = refs_in((*op.args, *op.kwargs.values()))
        yield existing.issuperset((*op.reads, *op.writes, *operands))
        yield all(0 <= v < len(values) for v in op.outputs)
        existing.update(op.outputs)
        yield 0 <= op.statement < len(recording.statements)
    for statement in recording.statements:
        yield len(statement.spans) == len(statement.path)
    for slot in recording.outputs.values():
        yield slot.value in existing
        yield slot.element is None or 0 <= slot.element < math.prod(values[slot.value].shape)
    for life in recording.lives:
        yield 0 <= life.born <= life.last_use < len(ops)
        yield life.dead_by is None or life.last_use < life.dead_by <= len(ops)


def check_size(recording: Recording) -> None:
    """Raises TooLarge for a pass of more ops, values or operands than the grader takes, or with
    tensors of more dimensions or elements."""
    ops, values = recording.ops, recording.values
    operands = sum(len(op.reads) + len(op.writes) for op in ops)
    if len(ops) > MAX_OPS or len(values) > MAX_VALUES or operands > MAX_READS:
        raise TooLarge(say("it is too long"))
    for value in values:
        sizes = (*value.shape, *value.strides, value.offset)
        if len(value.shape) > MAX_DIMENSIONS or max(sizes) > MAX_SIZE:
            raise TooLarge(say("it has a tensor of shape {shape}", shape=list(value.shape)[:9]))
    for op in ops:
        for arg in (*op.args, *op.kwargs.values()):
            if _is_nested(arg, MAX_NESTING):
                raise TooLarge(say("operands nested too deeply"))


def _is_nested(arg: Arg, levels: int) -> bool:
    """Whether lists are nested more than `levels` deep."""
    return isinstance(arg, Items) and (
        levels == 0 or any(_is_nested(item, levels - 1) for item in arg.items)
    )


def refs_in(args: Iterable[Arg]) -> list[int]:
    """The values that arguments refer to, in order."""
    refs: list[int] = []
    for arg in args:
        if isinstance(arg, Ref):
            refs.append(arg.value)
        elif isinstance(arg, Items):
            refs += refs_in(arg.items)
    return refs

"""Whether a recording is well-formed. It comes from a process that ran untrusted code: everything
that reads one afterwards may rely on what is checked here, and on nothing else."""

from __future__ import annotations

import math

from ..messages import phrase, say
from ..model import Arg, Items, Recording, Ref

MAX_OPS = 5_000
MAX_VALUES = 20_000
MAX_READS = 20_000
"""Operands of all ops together: what reads a recording takes time for each."""
MAX_DIMENSIONS = 8
MAX_SIZE = 2**31
MAX_NESTING = 6


class Malformed(Exception):
    """A recording that our recorder cannot have made; the message says why."""


def check_recording(recording: Recording, weights: int, inputs: int) -> None:
    """Raises Malformed unless every position is in range, every value is made before it is read,
    leaves are of the `weights` weights and `inputs` inputs, and shapes are shapes."""
    ops, values = recording.ops, recording.values
    _require(len(ops) <= MAX_OPS and len(values) <= MAX_VALUES, phrase("it is too long"))
    _require(
        sum(len(op.reads) + len(op.writes) for op in ops) <= MAX_READS, phrase("it is too long")
    )
    _require(len(recording.lives) <= len(values), phrase("more lives than values"))
    _require(len(recording.live) == len(ops), phrase("live counts do not match its ops"))
    _require(len(recording.gradients) in (0, weights), phrase("it has not one gradient a weight"))
    for value in values:
        sizes = (*value.shape, *value.strides)
        _require(len(value.shape) == len(value.strides) <= MAX_DIMENSIONS, phrase("a bad shape"))
        _require(all(0 <= size <= MAX_SIZE for size in sizes), phrase("a bad shape"))
        _require(0 <= value.offset <= MAX_SIZE, phrase("a bad offset"))
        if value.origin in ("weight", "input"):
            limit = weights if value.origin == "weight" else inputs
            _require(len(value.leaf) == math.prod(value.shape), phrase("a leaf of another size"))
            _require(
                all(0 <= i < limit for i in value.leaf), phrase("a leaf that is no weight or input")
            )
    made = {i for i, value in enumerate(values) if value.origin not in ("op", "constant")}
    for op in ops:
        touched = [*op.reads, *op.writes]
        for arg in (*op.args, *op.kwargs.values()):
            _collect(arg, touched, 0)
        _require(all(v in made for v in touched), phrase("an op reads what is not there"))
        _require(
            all(0 <= v < len(values) for v in op.outputs), phrase("an op makes no known value")
        )
        made.update(op.outputs)
        _require(0 <= op.statement < len(recording.statements), phrase("an op in no statement"))
    for statement in recording.statements:
        _require(
            len(statement.spans) == len(statement.path), phrase("a statement without its places")
        )
    results = [entry[0] for entry in recording.gradients if entry is not None]
    if recording.result is not None:
        results.append(recording.result)
    _require(all(v in made for v in results), phrase("a result that was not made"))
    for entry in recording.gradients:
        _require(entry is None or 0 <= entry[1] < MAX_SIZE, phrase("a gradient outside its tensor"))
    for life in recording.lives:
        _require(0 <= life.born <= life.last_use < len(ops), phrase("a life before its birth"))
        _require(
            life.dead_by is None or life.last_use < life.dead_by <= len(ops),
            phrase("a use after death"),
        )


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise Malformed(say(problem))


def _collect(arg: Arg, found: list[int], depth: int) -> None:
    if isinstance(arg, Ref):
        found.append(arg.value)
    elif isinstance(arg, Items):
        _require(depth < MAX_NESTING, phrase("operands nested too deeply"))
        for item in arg.items:
            _collect(item, found, depth + 1)

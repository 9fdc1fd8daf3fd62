"""Which of torch's ops a replay may run: those that give the same again, in time and memory that
are bounded by the sizes of their operands.

A recording comes from a process that ran untrusted code, and the replay runs in the grader's. What
may run is tagged pointwise by torch or has the trait `replayed` (see `op_table`); all else is
`unsupported`, with its name.
"""

from __future__ import annotations

import functools
import re

import torch

from .op_table import having
from .torch_private import OpOverload, OpOverloadPacket, schema

TARGET = re.compile(r"(\w{1,60})::(\w{1,60})(?:\.(\w{1,60}))?")
OWN_TARGETS = frozenset({"torch::tensor", "torch::constant", "torch::element"})
"""Ops of the recorder's own (see `model.Op`)."""
OWN_NAMESPACES = frozenset({"aten", "prims", "torch", "python"})
"""Where every op has a name that torch or the recorder gave it. Others are libraries'."""

REPLAYED = having("replayed")
OF_ENGINE = having("by the engine")

UNBOUNDED = re.compile(r"\w*polynomial\w*|mvlgamma_?|polygamma_?|special_zeta|\w*_jvp")
"""Elementwise ops whose time depends on the numbers, or that differentiate."""


@functools.cache
def overload_of(target: str) -> OpOverload | None:
    """The overload of a name as the recorder writes it (`aten::mul.Tensor`); None if torch has none."""
    match = TARGET.fullmatch(target)
    namespace = (
        getattr(torch.ops, match[1], None) if match and match[1] in ("aten", "prims") else None
    )
    packet = getattr(namespace, match[2], None) if match and namespace is not None else None
    if match is None or not isinstance(packet, OpOverloadPacket):
        return None
    overload = getattr(packet, match[3] or "default", None)
    return overload if isinstance(overload, OpOverload) else None


@functools.cache
def is_allowed(target: str, by_engine: bool = False) -> bool:
    """Whether a replay may run an op: torch has it, it draws no random numbers, and what it costs is
    bounded by its operands. Some may run where torch's engine ran them alone."""
    overload = overload_of(target)
    if overload is None or not target.startswith("aten::") or is_random(target):
        return False
    name = target.partition("::")[2].partition(".")[0]
    if UNBOUNDED.fullmatch(name):
        return False
    if by_engine and name in OF_ENGINE:
        return True
    # what is allowed is allowed in place
    return torch.Tag.pointwise in overload.tags or bool({name, name.removesuffix("_")} & REPLAYED)


@functools.cache
def is_random(target: str) -> bool:
    """Whether an op draws random numbers."""
    overload = overload_of(target)
    return overload is not None and torch.Tag.nondeterministic_seeded in overload.tags


@functools.cache
def argument_counts(target: str) -> tuple[int, frozenset[str]]:
    """How many positional operands an op of torch's takes at most, and the names of all."""
    overload = overload_of(target)
    assert overload is not None
    arguments = schema(overload).arguments
    return len(arguments), frozenset(argument.name for argument in arguments)

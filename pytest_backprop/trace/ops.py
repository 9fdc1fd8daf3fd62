"""Which of torch's ops a replay may run: those that give the same again, in time and memory that
are bounded by the sizes of their operands.

A recording comes from a process that ran untrusted code, and the replay runs in the grader's. What
may run is tagged pointwise by torch, or as one of its core, or has the trait `replayed` (see `op_table`); so it may in
place. All else is `Unsupported`, with its name.
"""

from __future__ import annotations

import functools
import re

import torch

from .op_table import having, row_of
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
    base = name.removesuffix("_")
    is_tagged = is_pointwise(target) or any(map(_is_core, _twins(overload)))
    return is_tagged or bool({name, base} & REPLAYED)


def _is_core(overload: OpOverload) -> bool:
    """Whether an op is one of the core that torch guarantees. Kernels below that core, with a `_` in front or
    `backward` in the name, take sizes on trust; what makes room says itself whether it is replayed."""
    name = schema(overload).name.partition("::")[2]
    is_kernel = name.startswith("_") or "backward" in name
    makes_tensors = all("Tensor" in str(each.type) for each in schema(overload).returns)
    has_row = row_of(name).kind in ("place", "like", "own")
    # no list of sizes says how large a result is
    by_factors = schema(overload).overload_name == "vec"
    is_core = torch.Tag.core in overload.tags and makes_tensors
    return is_core and not (is_kernel or has_row or by_factors)


@functools.cache
def is_pointwise(target: str) -> bool:
    """Whether torch calls an op, or its twin that is not in place, elementwise."""
    overload = overload_of(target)
    twins = [] if overload is None else _twins(overload)
    return any(torch.Tag.pointwise in twin.tags for twin in twins)


def _twins(overload: OpOverload) -> list[OpOverload]:
    """An op; and of one that changes its first operand, those that do the same and do not (`abs` of `abs_`)."""
    name, returns = schema(overload).name.partition("::")[2], schema(overload).returns
    packet = getattr(torch.ops.aten, name.removesuffix("_"), None)
    if not (name.endswith("_") and returns and str(returns[0].type) == "Tensor" and packet):
        return [overload]
    return [overload, *(getattr(packet, each) for each in packet.overloads())]


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

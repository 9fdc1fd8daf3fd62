"""What each op of torch's calculates, number by number: the rules by which `lowering` takes a
recording apart."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from .scalar_nodes import Code, NodeTable, Numbers

Rule = Callable[..., Any]


def _binary(code: Code) -> Rule:
    def rule(low: NodeTable, a: Any, b: Any, alpha: Any = 1) -> torch.Tensor:
        a, b = low.nodes_for(a), low.nodes_for(b)
        return low.each(code, a, _times(low, b, alpha))

    return rule


def _function(name: str) -> Rule:
    return lambda low, *operands: low.call(name, *(low.nodes_for(o) for o in operands))


def _power(low: NodeTable, base: Any, exponent: Any) -> torch.Tensor:
    if isinstance(exponent, int | float):
        whole = int(exponent) if exponent == int(exponent) else exponent
        return low.each("pow", low.nodes_for(base), number=whole)
    return low.call("pow", low.nodes_for(base), low.nodes_for(exponent))


def _times(low: NodeTable, nodes: torch.Tensor, factor: float) -> torch.Tensor:
    return nodes if factor == 1 else low.each("mul", nodes, low.nodes_for(factor))


def _fused(code: Code) -> Rule:
    def rule(low: NodeTable, a: Any, b: Any, c: Any, value: float = 1) -> torch.Tensor:
        inner = low.each(code, low.nodes_for(b), low.nodes_for(c))
        return low.each("add", low.nodes_for(a), _times(low, inner, value))

    return rule


def _lerp(low: NodeTable, a: Any, b: Any, share: Any) -> torch.Tensor:
    return low.each("add", a, low.each("mul", low.nodes_for(share), low.each("sub", b, a)))


def _leaky(low: NodeTable, a: torch.Tensor, slope: float = 0.01) -> torch.Tensor:
    below = low.call("relu", low.each("neg", a))
    return low.each("sub", low.call("relu", a), low.each("mul", low.nodes_for(slope), below))


def _folding(join: Callable[[NodeTable, torch.Tensor, torch.Tensor], torch.Tensor]) -> Rule:
    """What joins all elements along dimensions into one."""

    def rule(low: NodeTable, a: torch.Tensor, dims: Any = None, keepdim: bool = False) -> Any:
        dims = [dims] if isinstance(dims, int) else dims
        return low.folded(functools.partial(join, low), a, dims, keepdim)

    return rule


_sum = _folding(lambda low, x, y: low.each("add", x, y))


def _mean(low: NodeTable, a: torch.Tensor, dims: Any = None, keepdim: bool = False) -> Any:
    total = _sum(low, a, dims, keepdim)
    return low.each("div", total, low.nodes_for(a.numel() // max(1, total.numel())))


def _matrix(low: NodeTable, a: Any, b: Any) -> torch.Tensor:
    """`mm`, `mv`, `dot`, `bmm`: products along the last dimension of one and the last but one of
    the other."""
    a, b = low.nodes_for(a), low.nodes_for(b)
    columns = b.unsqueeze(-1) if b.dim() == 1 else b
    rows = a.unsqueeze(-2) if a.dim() == 1 else a
    terms = low.each("mul", rows.unsqueeze(-1), columns.unsqueeze(-3))
    result: torch.Tensor = _sum(low, terms, [-2])
    result = result.squeeze(-1) if b.dim() == 1 else result
    return result.squeeze(-1 if b.dim() == 1 else -2) if a.dim() == 1 else result


def _clamp(
    low: NodeTable,
    a: torch.Tensor,
    least: Any = None,
    most: Any = None,
    min: Any = None,
    max: Any = None,
) -> torch.Tensor:
    least, most = least if min is None else min, most if max is None else max
    result = a if least is None else low.call("max", a, low.nodes_for(least))
    return result if most is None else low.call("min", result, low.nodes_for(most))


def _where(low: NodeTable, mask: Any, a: Any, b: Any) -> torch.Tensor:
    a, b = low.nodes_for(a), low.nodes_for(b)
    if isinstance(mask, Numbers):
        return torch.where(mask.tensor, a, b)
    return low.call("where", mask, a, b)


RULES: dict[str, Rule] = {
    "log1p": lambda low, a: low.call("log", low.each("add", low.nodes_for(1), a)),
    "expm1": lambda low, a: low.each("sub", low.call("exp", a), low.nodes_for(1)),
    "rsqrt": lambda low, a: low.each("div", low.nodes_for(1), low.call("sqrt", a)),
    "reciprocal": lambda low, a: low.each("div", low.nodes_for(1), a),
    "square": lambda low, a: _power(low, a, 2),
    "neg": lambda low, a: low.each("neg", a),
    "softplus": lambda low, a: low.call(
        "log", low.each("add", low.nodes_for(1), low.call("exp", a))
    ),
    "silu": lambda low, a: low.each("mul", a, low.call("sigmoid", a)),
    "leaky_relu": _leaky,
    "addcmul": _fused("mul"),
    "addcdiv": _fused("div"),
    "lerp": _lerp,
    "add": _binary("add"),
    "sub": _binary("sub"),
    "rsub": lambda low, a, b, alpha=1: _binary("sub")(low, b, a, alpha),
    "mul": _binary("mul"),
    "div": _binary("div"),
    "pow": _power,
    **{name: _function(name) for name in "abs cos exp ge gt le log lt relu sigmoid".split()},
    **{name: _function(name) for name in "sign sin sqrt tan tanh".split()},
    "sgn": _function("sign"),
    "maximum": _function("max"),
    "minimum": _function("min"),
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": lambda low, a, most: _clamp(low, a, None, most),
    "where": _where,
    "sum": _sum,
    "mean": _mean,
    "prod": _folding(lambda low, x, y: low.each("mul", x, y)),
    "amax": _folding(lambda low, x, y: low.call("max", x, y)),
    "amin": _folding(lambda low, x, y: low.call("min", x, y)),
    "mm": _matrix,
    "mv": _matrix,
    "dot": _matrix,
    "bmm": _matrix,
    "matmul": _matrix,
}
"""What calculates, by the op's name: nodes of the operands -> nodes of the result."""

MOVES = frozenset(
    "roll diagonal repeat flip diag_embed lift_fresh_copy view_copy expand_copy detach_".split()
)
"""Rearrangements that put nothing of their own in, beside what `op_table` calls so."""

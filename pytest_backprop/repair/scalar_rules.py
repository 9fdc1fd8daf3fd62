"""What each op of torch's calculates, number by number: the rules by which `lowering` takes a
recording apart."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from .scalar_nodes import Code, NodeTable, NotLowered, Numbers

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


def _fused(code: Code) -> Rule:
    def rule(low: NodeTable, a: Any, b: Any, c: Any, value: float = 1) -> torch.Tensor:
        inner = low.each(code, low.nodes_for(b), low.nodes_for(c))
        return low.each("add", low.nodes_for(a), _times(low, inner, value))

    return rule


def _times(low: NodeTable, nodes: torch.Tensor, factor: float) -> torch.Tensor:
    return nodes if factor == 1 else low.each("mul", nodes, low.nodes_for(factor))


def _lerp(low: NodeTable, a: Any, b: Any, share: Any) -> torch.Tensor:
    return low.each("add", a, low.each("mul", low.nodes_for(share), low.each("sub", b, a)))


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


def _added_product(
    low: NodeTable, bias: Any, a: Any, b: Any, beta: float = 1, alpha: float = 1
) -> torch.Tensor:
    result = _times(low, _matrix(low, a, b), alpha)
    return low.each("add", _times(low, low.nodes_for(bias), beta), result)


def _softmax(low: NodeTable, a: torch.Tensor, dim: int, half: Any = False) -> torch.Tensor:
    powers = low.call("exp", a)
    return low.each("div", powers, _sum(low, powers, [dim], True))


def _log_softmax(low: NodeTable, a: torch.Tensor, dim: int, half: Any = False) -> torch.Tensor:
    return low.each("sub", a, _log_sum_exp(low, a, [dim], True))


def _log_sum_exp(low: NodeTable, a: torch.Tensor, dims: Any, keepdim: bool = False) -> Any:
    return low.call("log", _sum(low, low.call("exp", a), dims, keepdim))


def _variance(
    low: NodeTable,
    a: torch.Tensor,
    dims: Any = None,
    unbiased: Any = True,
    keepdim: bool = False,
    correction: Any = None,
) -> torch.Tensor:
    if isinstance(dims, bool):
        dims, unbiased = None, dims
    mean = _mean(low, a, dims or list(range(a.dim())), True)
    off = low.each("sub", a, mean)
    total = _sum(low, low.each("mul", off, off), dims, keepdim)
    less = (1 if unbiased else 0) if correction is None else correction
    return low.each("div", total, low.nodes_for(a.numel() // max(1, total.numel()) - less))


def _deviation(low: NodeTable, *args: Any, **kwargs: Any) -> torch.Tensor:
    return low.call("sqrt", _variance(low, *args, **kwargs))


def _likelihood(
    low: NodeTable, a: torch.Tensor, target: Numbers, weight: Any, reduction: int, ignored: int
) -> Any:
    """`nll_loss_forward` of rows of log-probabilities."""
    if weight is not None or bool((target.tensor == ignored).any()):
        raise NotLowered("nll_loss with weights or ignored labels")
    labels = target.tensor.long()
    taken = a.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    lost = low.each("neg", taken)
    count = low.nodes_for(float(max(1, labels.numel())))
    if reduction == 0:
        return lost, count
    total = _sum(low, lost)
    return (low.each("div", total, count) if reduction == 1 else total), count


def _squared_error(low: NodeTable, a: Any, b: Any, reduction: int = 1) -> torch.Tensor:
    off = low.each("sub", low.nodes_for(a), low.nodes_for(b))
    squares = low.each("mul", off, off)
    return squares if reduction == 0 else (_mean if reduction == 1 else _sum)(low, squares)


def _layer_norm(
    low: NodeTable,
    a: torch.Tensor,
    shape: Any,
    gain: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Any:
    """`native_layer_norm`: the result, the means, and one over the deviations."""
    dims = list(range(a.dim() - len(shape), a.dim()))
    mean = _mean(low, a, dims, True)
    variance = low.each("add", _variance(low, a, dims, False, True), low.nodes_for(eps))
    scale = low.each("div", low.nodes_for(1), low.call("sqrt", variance))
    result = low.each("mul", low.each("sub", a, mean), scale)
    result = result if gain is None else low.each("mul", result, low.nodes_for(gain))
    return (result if bias is None else low.each("add", result, low.nodes_for(bias))), mean, scale


def _index_add(
    low: NodeTable, a: Any, dim: int, index: Numbers, source: Any, alpha: float = 1
) -> torch.Tensor:
    result = low.nodes_for(a).clone()
    added = _times(low, low.nodes_for(source), alpha)
    for at, place in enumerate(index.tensor.flatten().tolist()):
        target = result.select(dim, int(place))
        target.copy_(low.each("add", target, added.select(dim, at)))
    return result


def _leaky(low: NodeTable, a: torch.Tensor, slope: float = 0.01) -> torch.Tensor:
    below = low.call("relu", low.each("neg", a))
    return low.each("sub", low.call("relu", a), low.each("mul", low.nodes_for(slope), below))


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
    "add": _binary("add"),
    "sub": _binary("sub"),
    "rsub": lambda low, a, b, alpha=1: _binary("sub")(low, b, a, alpha),
    "mul": _binary("mul"),
    "div": _binary("div"),
    "pow": _power,
    "addcmul": _fused("mul"),
    "addcdiv": _fused("div"),
    "lerp": _lerp,
    **{name: _function(name) for name in "abs cos exp ge gt le log lt relu sigmoid".split()},
    **{name: _function(name) for name in "sign sin sqrt tan tanh".split()},
    "sgn": _function("sign"),
    "maximum": _function("max"),
    "minimum": _function("min"),
    "clamp": _clamp,
    "clamp_min": _clamp,
    "clamp_max": lambda low, a, most: _clamp(low, a, None, most),
    "leaky_relu": _leaky,
    "native_layer_norm": _layer_norm,
    "index_add": _index_add,
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
    "addmm": _added_product,
    "addmv": _added_product,
    "_softmax": _softmax,
    "softmax": _softmax,
    "_log_softmax": _log_softmax,
    "log_softmax": _log_softmax,
    "logsumexp": _log_sum_exp,
    "var": _variance,
    "std": _deviation,
    "nll_loss_forward": _likelihood,
    "mse_loss": _squared_error,
}
"""What calculates, by the op's name: nodes of the operands -> nodes of the result."""

POINTWISE = frozenset({"eq", "ne", "threshold_backward"})
"""What is a function of each element, of which nothing more is known."""

MOVES = frozenset(
    "broadcast_to expand_as flip movedim repeat roll swapaxes tile view_as vstack hstack diag "
    "diagonal diag_embed atleast_1d view_copy expand_copy as_strided reshape stack cat "
    "column_stack lift_fresh_copy detach_".split()
)
"""Rearrangements that put nothing of their own in."""

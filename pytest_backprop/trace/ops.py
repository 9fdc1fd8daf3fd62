"""Which of torch's ops a replay may run: those that give the same again, in time and memory that
are bounded by the sizes of their operands.

A recording comes from a process that ran untrusted code, and the replay runs in the grader's. So
this is a list of what is allowed; what is not on it is `unsupported`, with its name.
"""

from __future__ import annotations

import functools
import re

import torch

TARGET = re.compile(r"(\w{1,60})::(\w{1,60})(?:\.(\w{1,60}))?")
OWN_TARGETS = frozenset({"torch::tensor", "torch::constant", "torch::element"})
"""Ops of the recorder's own (see `model.Op`)."""
OWN_NAMESPACES = frozenset({"aten", "prims", "torch", "python"})
"""Where every op has a name that torch or the recorder gave it. Others are libraries'."""

FACTORIES = frozenset(["zeros", "ones", "full", "scalar_tensor", "arange", "eye", "empty"])
COUNTED = frozenset(["arange", "eye", "linspace", "logspace", "repeat_interleave"])
"""Ops that make as many elements as a number of theirs says."""
FILLED = frozenset({"full", "full_like", "new_full", "scalar_tensor"})

MOVES = frozenset(
    (
        "stack cat select slice view _unsafe_view reshape index index_select gather index_put "
        "clone copy _to_copy detach alias as_strided unsqueeze squeeze expand permute t "
        "transpose unbind split split_with_sizes chunk narrow flatten select_scatter slice_scatter "
        "diagonal_scatter flip roll rot90 diagonal repeat where masked_select masked_fill "
        "masked_scatter scatter take movedim swapaxes tril triu diag diag_embed unfold "
        "constant_pad_nd contiguous atleast_1d view_as expand_as hstack vstack "
        "tile broadcast_to column_stack lift lift_fresh lift_fresh_copy index_copy "
        "index_fill fill zero scatter_add scatter_reduce index_add embedding "
        "repeat_interleave new_zeros new_ones new_full new_empty zeros_like ones_like "
        "full_like empty_like linspace logspace expand_copy view_copy view_as_real view_as_complex real imag "
        "complex conj resolve_conj resolve_neg polar to"
    ).split()
)
SUMS = frozenset(
    (
        "sum prod mean dot vdot inner mv mm matmul bmm addmm addmv addbmm baddbmm addr outer ger amax amin "
        "_trilinear convolution max min aminmax cumsum cumprod cummax cummin logcumsumexp logsumexp norm linalg_vector_norm "
        "linalg_cross cross dist std var std_mean var_mean trace _softmax _log_softmax softmax log_softmax nansum any "
        "all count_nonzero linear kron tensordot einsum linalg_norm linalg_matrix_norm"
    ).split()
)
ORDERS = frozenset(
    (
        "sort argsort topk kthvalue median nanmedian mode msort unique_dim unique_consecutive _unique "
        "_unique2 searchsorted bucketize argmax argmin nonzero quantile isin"
    ).split()
)
MATRICES = frozenset(
    (
        "linalg_inv_ex _linalg_det _linalg_solve_ex _linalg_slogdet linalg_lu_factor_ex "
        "linalg_cholesky_ex linalg_qr linalg_solve_triangular inverse linalg_matrix_power"
    ).split()
)
BACKWARDS = frozenset(
    "sigmoid_backward tanh_backward threshold_backward select_backward rsub maximum minimum relu ".split()
)
COMPOSITES = frozenset(
    (
        "absolute arccos arccosh arcsin arcsinh arctan arctan2 arctanh divide multiply subtract negative "
        "positive true_divide square clip fix greater greater_equal less less_equal not_equal isclose isfinite "
        "float_power special_expit special_exp2 special_expm1 special_log1p special_softmax log_sigmoid prelu "
        "selu relu6 concat concatenate row_stack dstack atleast_2d atleast_3d ravel reshape_as view_as type_as "
        "unflatten moveaxis swapdims fliplr flipud numpy_T mT adjoint diff sum_to_size nanmean take_along_dim "
        "tensor_split hsplit vsplit dsplit unsafe_chunk linalg_matmul linalg_multi_dot linalg_vecdot linalg_det "
        "linalg_inv linalg_solve det trapezoid cosine_similarity argwhere"
    ).split()
)
"""Made of others, which is what the recorder sees; but in inference mode it sees them."""
ALLOWED = COMPOSITES | MOVES | SUMS | ORDERS | MATRICES | BACKWARDS | FACTORIES

UNBOUNDED = re.compile(r"\w*polynomial\w*|mvlgamma_?|polygamma_?|special_zeta|\w*_jvp")
"""Elementwise ops whose time depends on the numbers, or that differentiate."""


@functools.cache
def overload_of(target: str) -> torch._ops.OpOverload | None:
    """The overload of a name as the recorder writes it (`aten::mul.Tensor`); None if torch has none."""
    match = TARGET.fullmatch(target)
    namespace = (
        getattr(torch.ops, match[1], None) if match and match[1] in ("aten", "prims") else None
    )
    packet = getattr(namespace, match[2], None) if match and namespace is not None else None
    if match is None or not isinstance(packet, torch._ops.OpOverloadPacket):
        return None
    overload = getattr(packet, match[3] or "default", None)
    return overload if isinstance(overload, torch._ops.OpOverload) else None


@functools.cache
def is_allowed(target: str) -> bool:
    """Whether a replay may run an op: torch has it, it draws no random numbers, and what it costs is
    bounded by its operands."""
    overload = overload_of(target)
    if overload is None or not target.startswith("aten::") or is_random(target):
        return False
    name = target.partition("::")[2].partition(".")[0]
    if UNBOUNDED.fullmatch(name):
        return False
    # what is allowed is allowed in place
    return torch.Tag.pointwise in overload.tags or bool({name, name.removesuffix("_")} & ALLOWED)


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
    arguments = overload._schema.arguments
    return len(arguments), frozenset(argument.name for argument in arguments)

"""One table of torch's ops, by name without overload: what each does with data, and which of them a
replay may run. A new op is a line here; what it calculates number by number, for the search for the
faulty line, is a rule in `repair.scalar_rules`.

Pointwise ops need no line unless they have a trait, nor do others of torch's core: torch tags them.
What torch composes of others needs none: the recorder sees those. An op that changes its operand
(`add_`) is what it is without the underscore for the replay and for rules; for all else it has a
line or none.

A recording comes from a process that ran untrusted code, and the replay runs in the grader's. So a
replay runs what gives the same again, in time and memory that are bounded by the sizes of its
operands: what torch tags pointwise or as one of its core, and what has the trait `replayed`; and so
it does in place. All else is `Unsupported`, with its name."""

from __future__ import annotations

import functools
import re
from typing import Literal, NamedTuple

import torch

from .torch_private import OpOverload, OpOverloadPacket, schema

Kind = Literal[
    "view",  # the operand in another shape
    "copy",  # what it is given, elsewhere or put together
    "pick",  # some of it, by places
    "like",  # made by another tensor's shape, which alone is read
    "own",  # the recorder's own (see `model.Op`)
    "place",  # makes room, or ties a tensor to it
    "overwrite",  # all that was there before is gone
    "calculation",  # all else, though it may but rearrange what it reads
]

Trait = Literal[
    "replayed",  # a replay may run it
    "moving",  # moves data without computing: what it puts together is still the same value
    "choosing",  # makes no new number: each is one that it reads, or that with another sign
    "extreme",  # chooses the greatest, or another one by order
    "stepwise",  # has no derivative, or zero, and gives another number all the same
    "counted",  # makes as many elements as a number of its own says
    "sized by values",  # more or fewer elements, by the values that it reads
    "typed",  # made in the dtype that the replay asks for
    "by the engine",  # replayed where torch's engine ran it, and nobody else
]

TRAITS: dict[Kind, frozenset[Trait]] = {
    "view": frozenset({"replayed", "moving"}),
    "copy": frozenset({"replayed", "moving"}),
    "pick": frozenset({"moving"}),
    "own": frozenset({"moving"}),
}
"""What all ops of a kind have; a line adds its own."""


class OpRow(NamedTuple):
    """A line. What fills its result has the number `fills`, or that of its operand number
    `filled_by`."""

    names: str
    kind: Kind
    traits: frozenset[Trait] = frozenset()
    fills: int | None = None
    filled_by: int | None = None

    @property
    def is_filling(self) -> bool:
        """Whether all numbers that it gives are one."""
        return self.fills is not None or self.filled_by is not None


def _row(
    names: str, kind: Kind, *traits: Trait, fills: int | None = None, filled_by: int | None = None
) -> OpRow:
    return OpRow(names, kind, TRAITS.get(kind, frozenset()) | set(traits), fills, filled_by)


ROWS: tuple[OpRow, ...] = (
    # -- data movement
    _row(
        "alias as_strided chunk detach expand lift_fresh narrow permute reshape select slice split "
        "squeeze t transpose unbind unsqueeze view",
        "view",
    ),
    _row("_to_copy _unsafe_view cat clone concat contiguous copy lift stack", "copy"),
    _row(
        "flatten gather index index_put index_select scatter select_scatter slice_scatter take",
        "pick",
        "replayed",
    ),
    _row("index_put_ _index_put_impl_", "pick"),
    _row("masked_select", "pick", "replayed", "sized by values"),
    _row("copy_", "overwrite", "moving"),
    _row("fill_", "overwrite", "moving", filled_by=1),
    _row("zero_", "overwrite", fills=0),
    # -- room
    _row("zeros", "place", "replayed", "typed", fills=0),
    _row("ones", "place", "replayed", "typed", fills=1),
    _row("full", "place", "replayed", "moving", "typed", filled_by=1),
    _row("scalar_tensor", "place", "replayed", "typed", filled_by=0),
    _row("empty", "place", "replayed", "typed"),
    _row(
        "arange eye linspace logspace tril_indices triu_indices",
        "place",
        "replayed",
        "counted",
        "typed",
    ),
    _row("column_stack hstack lift_fresh_copy", "place", "replayed"),
    _row("_local_scalar_dense constant detach_ empty_strided rand randn resize_ set_", "place"),
    _row("zeros_like new_zeros", "like", "replayed", fills=0),
    _row("ones_like new_ones", "like", "replayed", fills=1),
    _row("full_like", "like", "replayed", "moving", filled_by=1),
    _row("new_full", "like", "replayed", "moving", filled_by=2),
    _row("empty_like new_empty", "like", "replayed"),
    _row("new_empty_strided rand_like randn_like randint_like", "like"),
    # -- the recorder's own; the third is `constant`
    _row("element tensor", "own"),
    # -- calculations
    _row(
        "_adaptive_avg_pool2d _adaptive_avg_pool3d _cdist_forward _conj _linalg_det "
        "_linalg_eigh _linalg_slogdet _linalg_solve_ex _linalg_svd _log_softmax "
        "_native_batch_norm_legit _native_batch_norm_legit_no_training _neg_view _prelu_kernel "
        "_safe_softmax _softmax _trilinear adaptive_max_pool2d adaptive_max_pool3d addbmm "
        "addmm addmv addr all any argmax argmin baddbmm binary_cross_entropy "
        "binary_cross_entropy_with_logits block_diag bmm bucketize complex constant_pad_nd "
        "convolution count_nonzero cumprod cumsum diag_embed diagonal diagonal_scatter dist "
        "dot embedding expand_copy fill flip glu hardswish huber_loss im2col index_add "
        "index_copy index_fill index_reduce isin linalg_cholesky_ex linalg_cross linalg_inv_ex "
        "linalg_lu_factor_ex linalg_qr linalg_solve_triangular linalg_vector_norm linear "
        "log_sigmoid_forward logcumsumexp logsumexp masked_scatter matmul mean mm mse_loss "
        "multi_margin_loss mv nansum native_batch_norm native_layer_norm nll_loss2d_forward "
        "nll_loss_forward norm pixel_shuffle pixel_unshuffle polar prod put renorm repeat "
        "replication_pad1d roll rot90 rsub scatter_add scatter_reduce searchsorted "
        "select_backward smooth_l1_loss soft_margin_loss split_with_sizes std std_mean sum "
        "trace tril triu unfold upsample_linear1d upsample_nearest1d var var_mean vdot "
        "view_as_complex view_as_real view_copy zero",
        "calculation",
        "replayed",
    ),
    _row("ge gt le lt", "calculation"),
    _row("abs clamp clamp_max clamp_min neg relu where", "calculation", "replayed", "choosing"),
    _row(
        "amax amin aminmax cummax cummin fmax fmin kthvalue max maximum median min minimum mode "
        "msort nanmedian sort topk",
        "calculation",
        "replayed",
        "choosing",
        "extreme",
    ),
    _row(
        "ceil floor floor_divide round sgn sign threshold_backward trunc",
        "calculation",
        "replayed",
        "stepwise",
    ),
    _row(
        "_unique _unique2 nonzero unique_consecutive unique_dim",
        "calculation",
        "replayed",
        "sized by values",
    ),
    _row("repeat_interleave", "calculation", "sized by values"),
    _row(
        "_log_softmax_backward_data _softmax_backward_data binary_cross_entropy_backward "
        "diagonal_backward elu_backward hardsigmoid_backward hardswish_backward hardtanh_backward "
        "huber_loss_backward leaky_relu_backward log_sigmoid_backward mish_backward "
        "mse_loss_backward native_layer_norm_backward nll_loss_backward slice_backward "
        "smooth_l1_loss_backward softplus_backward",
        "calculation",
        "by the engine",
    ),
)

OPS: dict[str, OpRow] = {name: row for row in ROWS for name in row.names.split()}
UNKNOWN = OpRow("", "calculation")


def row_of(name: str) -> OpRow:
    """The line of an op, in place or not, of this name; UNKNOWN if there is none."""
    return OPS.get(name) or OPS.get(name.removesuffix("_"), UNKNOWN)


def having(trait: Trait) -> frozenset[str]:
    """The ops that have a trait."""
    return frozenset(name for name, row in OPS.items() if trait in row.traits)


def of_kind(*kinds: Kind) -> frozenset[str]:
    """The ops of some kinds."""
    return frozenset(name for name, row in OPS.items() if row.kind in kinds)


TARGET = re.compile(r"(\w{1,60})::(\w{1,60})(?:\.(\w{1,60}))?")
REPLAYED = having("replayed")
OF_ENGINE = having("by the engine")

UNBOUNDED = re.compile(r"\w*polynomial\w*|mvlgamma_?|polygamma_?|special_zeta|\w*_jvp")
"""Elementwise ops whose time depends on the numbers, or that differentiate."""


@functools.cache
def overload_of(target: str) -> OpOverload | None:
    """The overload of a name as the recorder writes it (`aten::mul.Tensor`); None if torch has
    none."""
    match = TARGET.fullmatch(target)
    if match is None or match[1] not in ("aten", "prims"):
        return None
    packet = getattr(getattr(torch.ops, match[1]), match[2], None)
    if not isinstance(packet, OpOverloadPacket):
        return None
    overload = getattr(packet, match[3] or "default", None)
    return overload if isinstance(overload, OpOverload) else None


@functools.cache
def is_allowed(target: str, by_engine: bool = False) -> bool:
    """Whether a replay may run an op: torch has it, it draws no random numbers, and what it costs
    is bounded by its operands. Some may run where torch's engine ran them alone."""
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
    """Whether an op is one of the core that torch guarantees. Kernels below that core, with a `_`
    in front or `backward` in the name, take sizes on trust; what makes room says itself whether it
    is replayed."""
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
    """An op; and of one that changes its first operand, those that do the same and do not (`abs` of
    `abs_`)."""
    name, returns = schema(overload).name.partition("::")[2], schema(overload).returns
    packet = getattr(torch.ops.aten, name.removesuffix("_"), None)
    if not (name.endswith("_") and returns and str(returns[0].type) == "Tensor" and packet):
        return [overload]
    return [overload, *(getattr(packet, each) for each in packet.overloads())]


@functools.cache
def is_random(target: str) -> bool:
    """Whether an op draws random numbers."""
    overload = overload_of(target)
    # of attention on the CPU torch takes this kernel without dropout alone
    if target == "aten::_scaled_dot_product_flash_attention_for_cpu":
        return False
    return overload is not None and torch.Tag.nondeterministic_seeded in overload.tags

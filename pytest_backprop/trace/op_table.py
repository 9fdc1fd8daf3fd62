"""One table of torch's ops, by name without overload: what each does with data, and what the grader
knows of it. A new op is a line here, and where it calculates a rule in `repair.scalar_rules`.

Pointwise ops without a rule need no line, nor do others of torch's core: torch tags them. What torch composes of others
needs none: the recorder sees those. An op that changes its operand (`add_`) is
what it is without the underscore for the replay and for rules; for all else it has a line or none.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "view",  # the operand in another shape
    "copy",  # what it is given, elsewhere or put together
    "pick",  # some of it, by places
    "rearrangement",  # it too, but for the grader a calculation
    "like",  # made by another tensor's shape, which alone is read
    "own",  # the recorder's own (see `model.Op`)
    "place",  # makes room, or ties a tensor to it
    "overwrite",  # all that was there before is gone
    "pointwise",
    "sum",
    "order",
    "matrix",
    "derivative",  # what autograd runs
    "engine's",  # it too, and a replay runs it for the engine alone
]

Trait = Literal[
    "replayed",  # a replay may run it: the same again, in time and memory bounded by its operands
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
    **dict.fromkeys(
        ("rearrangement", "sum", "order", "matrix", "derivative"),
        frozenset({"replayed"}),
    ),
}
"""What all ops of a kind have; a line adds its own."""

Scalar = Literal["", "parts", "fill"]
"""What it makes numbers of: its operands one behind the other, or one number."""


class OpRow(NamedTuple):
    """A line. What fills has the number `fills`, or that of its operand number `filled_by`."""

    names: str
    kind: Kind
    traits: frozenset[Trait] = frozenset()
    scalar: Scalar = ""
    fills: int | None = None
    filled_by: int | None = None


def _row(names: str, kind: Kind, *traits: Trait, scalar: Scalar = "") -> OpRow:
    return OpRow(names, kind, TRAITS.get(kind, frozenset()) | set(traits), scalar)


def _fill(names: str, kind: Kind, *traits: Trait, fills: int | None = None,
          filled_by: int | None = None) -> OpRow:  # fmt: skip
    row = _row(names, kind, *traits, scalar="fill")
    return row._replace(fills=fills, filled_by=filled_by)


ROWS: tuple[OpRow, ...] = (
    # -- data movement
    _row("alias as_strided chunk detach expand lift_fresh narrow permute reshape select slice "
         "split squeeze t transpose unbind unsqueeze view", "view"),
    _row("_unsafe_view concat copy", "copy"),
    _row("stack cat", "copy", scalar="parts"),
    _row("clone _to_copy contiguous lift", "copy"),
    _row("flatten gather index index_put index_select scatter select_scatter slice_scatter take",
         "pick", "replayed"),
    _row("index_put_ _index_put_impl_", "pick"),
    _row("masked_select", "pick", "replayed", "sized by values"),
    _row("atleast_1d broadcast_to complex conj _conj _neg_view constant_pad_nd diag diag_embed diagonal "
         "diagonal_scatter embedding expand_as expand_copy fill flip imag index_add index_copy "
         "index_fill index_reduce masked_fill masked_scatter movedim native_channel_shuffle pixel_shuffle pixel_unshuffle polar put real repeat resolve_conj resolve_neg "
         "roll rot90 scatter_add scatter_reduce split_with_sizes swapaxes tile to tril triu unfold "
         "view_as view_as_complex view_as_real view_copy vstack zero", "rearrangement"),
    _row("repeat_interleave", "rearrangement", "counted", "sized by values"),
    _row("copy_", "overwrite", "moving"),
    _fill("fill_", "overwrite", "moving", filled_by=1),
    _fill("zero_", "overwrite", fills=0),
    # -- room
    _fill("zeros", "place", "replayed", "typed", fills=0),
    _fill("ones", "place", "replayed", "typed", fills=1),
    _fill("full", "place", "replayed", "moving", "typed", filled_by=1),
    _fill("scalar_tensor", "place", "replayed", "typed", filled_by=0),
    _row("empty", "place", "replayed", "typed"),
    _row("rand randn", "place"),
    _row("arange eye tril_indices triu_indices", "place", "replayed", "counted", "typed"),
    _row("linspace logspace", "place", "replayed", "counted", "typed"),
    _row("hstack lift_fresh_copy", "place", "replayed"),
    _row("column_stack", "place", "replayed"),
    _row("empty_strided detach_ set_", "place"),
    _row("resize_ _local_scalar_dense", "place"),
    _fill("zeros_like new_zeros", "like", "replayed", fills=0),
    _fill("ones_like new_ones", "like", "replayed", fills=1),
    _fill("full_like", "like", "replayed", "moving", filled_by=1),
    _fill("new_full", "like", "replayed", "moving", filled_by=2),
    _row("empty_like new_empty", "like", "replayed"),
    _row("new_empty_strided", "like"),
    _row("rand_like randn_like randint_like", "like"),
    # -- the recorder's own
    _row("tensor", "own", scalar="parts"),
    _row("element", "own"),
    _row("constant", "place"),
    # -- arithmetic
    _row("add sub mul div", "pointwise"),
    _row("rsub", "pointwise", "replayed"),
    _row("neg", "pointwise", "choosing"),
    _row("reciprocal", "pointwise"),
    _row("pow", "pointwise"),
    _row("square", "pointwise", "replayed"),
    _row("addcmul addcdiv", "pointwise"),
    _row("lerp", "pointwise"),
    _row("abs clamp clamp_max clamp_min", "pointwise", "choosing"),
    _row("fmax fmin", "pointwise", "choosing", "extreme"),
    _row("ceil floor round sgn sign trunc", "pointwise", "stepwise"),
    _row("gt lt ge le", "pointwise"),
    _row("relu where", "pointwise", "replayed", "choosing"),
    _row("maximum minimum", "pointwise", "replayed", "choosing", "extreme"),
    _row("sum mean", "sum"),
    _row("dot mv mm", "sum"),
    # -- what a replay runs, and nothing else is known of
    _row("sigmoid_backward tanh_backward", "derivative"),
    _row("threshold_backward", "derivative", "stepwise"),
    _row("select_backward", "derivative"),
    _row("_log_softmax_backward_data _softmax_backward_data nll_loss_backward native_layer_norm_backward "
         "binary_cross_entropy_backward diagonal_backward elu_backward hardsigmoid_backward hardswish_backward "
         "hardtanh_backward huber_loss_backward leaky_relu_backward log_sigmoid_backward mish_backward "
         "mse_loss_backward slice_backward smooth_l1_loss_backward softplus_backward", "engine's", "by the engine"),
    _row("_adaptive_avg_pool2d _adaptive_avg_pool3d _native_batch_norm_legit "
         "_native_batch_norm_legit_no_training adaptive_max_pool2d adaptive_max_pool3d im2col "
         "nll_loss2d_forward renorm replication_pad1d upsample_linear1d upsample_nearest1d", "sum"),
    _row("_cdist_forward _log_softmax _prelu_kernel _safe_softmax _softmax _trilinear addbmm addmm addmv addr all any "
         "baddbmm binary_cross_entropy binary_cross_entropy_with_logits block_diag bmm convolution count_nonzero cross cumprod cumsum dist einsum "
         "ger glu hardswish huber_loss inner kron "
         "linalg_cross linalg_matrix_norm linalg_norm linalg_vector_norm linear log_softmax "
         "log_sigmoid_forward logcumsumexp logsumexp matmul mse_loss multi_margin_loss nansum native_batch_norm "
         "native_layer_norm nll_loss_forward norm outer prod smooth_l1_loss soft_margin_loss softmax std "
         "std_mean tensordot "
         "trace var var_mean vdot", "sum"),
    _row("floor_divide", "sum", "stepwise"),
    _row("amax amin aminmax cummax cummin max min", "sum", "choosing", "extreme"),
    _row("argmax argmin argsort bucketize isin quantile searchsorted", "order"),
    _row("kthvalue median mode msort nanmedian sort topk", "order", "choosing", "extreme"),
    _row("_unique _unique2 nonzero unique_consecutive unique_dim", "order", "sized by values"),
    _row("_linalg_det _linalg_eigh _linalg_slogdet _linalg_solve_ex _linalg_svd inverse linalg_cholesky_ex linalg_inv_ex "
         "linalg_lu_factor_ex linalg_matrix_power linalg_qr linalg_solve_triangular", "matrix"),
)  # fmt: skip

OPS: dict[str, OpRow] = {name: row for row in ROWS for name in row.names.split()}
UNKNOWN = OpRow("", "pointwise")


def row_of(name: str) -> OpRow:
    """The line of an op, in place or not, of this name; UNKNOWN if there is none."""
    return OPS.get(name) or OPS.get(name.removesuffix("_"), UNKNOWN)


def having(trait: Trait) -> frozenset[str]:
    """The ops that have a trait."""
    return frozenset(name for name, row in OPS.items() if trait in row.traits)


def of_kind(*kinds: Kind) -> frozenset[str]:
    """The ops of some kinds."""
    return frozenset(name for name, row in OPS.items() if row.kind in kinds)

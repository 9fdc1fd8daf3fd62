"""The table of ops, against torch's own schemas and tags, and against the rules that it names."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from pytest_backprop.repair.arithmetic import PIECEWISE, piece
from pytest_backprop.trace.op_table import OPS, ROWS, is_allowed, is_random, of_kind, row_of

OWN = {"tensor", "constant", "element"}
UNSAFE = "_index_put_impl_"  # may be told not to check its indices


def overloads(name: str) -> list[torch._ops.OpOverload]:
    """Those that take or give tensors, and are given no room for their results."""
    packet = getattr(torch.ops.aten, name)
    found = [getattr(packet, overload) for overload in packet.overloads()]
    return [
        overload
        for overload in found
        if any("Tensor" in str(part.type) for part in (*overload._schema.arguments, *overload._schema.returns))
        and not any(argument.is_out for argument in overload._schema.arguments)
    ]  # fmt: skip


def names_of(*kinds: str) -> list[str]:
    return sorted(of_kind(*kinds) - OWN)  # type: ignore[arg-type]


def aliases(overload: torch._ops.OpOverload, written: bool) -> bool:
    """Whether a result is an operand in another shape; or, `written`, that operand changed."""
    return any(
        part.alias_info is not None and part.alias_info.is_write == written
        for part in overload._schema.returns
    )


def test_an_op_stands_in_one_line() -> None:
    counted = Counter(name for row in ROWS for name in row.names.split())
    assert [name for name, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("name", sorted(OPS.keys() - OWN))
def test_torch_has_the_op(name: str) -> None:
    assert overloads(name)


@pytest.mark.parametrize("name", names_of("view"))
def test_a_view_gives_its_operand(name: str) -> None:
    composite = torch._C.DispatchKey.CompositeImplicitAutograd
    assert any(
        aliases(overload, False) or overload.has_kernel_for_dispatch_key(composite)
        for overload in overloads(name)
    )
    assert not any(aliases(overload, True) for overload in overloads(name))


@pytest.mark.parametrize("name", names_of("overwrite"))
def test_an_overwrite_gives_its_operand_changed(name: str) -> None:
    assert any(aliases(overload, True) for overload in overloads(name))


@pytest.mark.parametrize("name", names_of("like", "place", "view", "pick"))
def test_what_torch_tags_pointwise_is_no_other_kind(name: str) -> None:
    tagged = [torch.Tag.pointwise in overload.tags for overload in overloads(name)]
    assert not all(tagged)  # `max` of two tensors is another op


@pytest.mark.parametrize("name", names_of("like"))
def test_what_is_made_by_a_shape_reads_its_first_operand_for_it(name: str) -> None:
    assert all(str(overload._schema.arguments[0].type) == "Tensor" for overload in overloads(name))


@pytest.mark.parametrize("name", sorted(OPS.keys() - OWN))
def test_a_replay_runs_what_the_table_says(name: str) -> None:
    row = OPS[name]
    told = "replayed" in row.traits or "replayed" in row_of(name.removesuffix("_")).traits
    for overload in overloads(name):
        target = overload.name() if overload._overloadname != "default" else f"aten::{name}"
        tagged = torch.Tag.pointwise in overload.tags
        assert is_allowed(target) == ((told or tagged) and not is_random(target)), target


@pytest.mark.parametrize("name", [*sorted(OWN), UNSAFE])
def test_a_replay_does_not_run_what_bears_the_name_of_one_of_ours(name: str) -> None:
    assert not is_allowed(f"aten::{name}")


def test_each_function_with_pieces_has_a_line_and_its_pieces() -> None:
    assert OPS.keys() >= PIECEWISE
    for name in PIECEWISE:
        assert isinstance(piece(name, (4, 3, 2)[: 3 if name == "where" else 2]), int)


@pytest.mark.parametrize("name", sorted(n for n, row in OPS.items() if row.filled_by is not None))
def test_the_number_that_fills_is_that_operand(name: str) -> None:
    position = OPS[name].filled_by
    assert position is not None
    for overload in overloads(name):
        if not overload._overloadname.endswith("names"):
            filling = overload._schema.arguments[position]
            assert filling.name in ("fill_value", "value", "s"), overload


CORE = ("max_pool2d_with_indices", "avg_pool2d", "col2im", "native_group_norm", "replication_pad2d")
LOW = ("_fft_r2c", "_embedding_bag", "_local_scalar_dense", "avg_pool2d_backward", "resize_", "sym_size.int",
       "upsample_nearest2d.vec", "empty_strided", "mul.left_t", "linalg_matrix_exp")  # fmt: skip


@pytest.mark.parametrize("name", CORE)
def test_what_torch_calls_its_core_needs_no_line(name: str) -> None:
    assert name not in OPS
    assert is_allowed(f"aten::{name}")


@pytest.mark.parametrize("name", LOW)
def test_kernels_that_take_sizes_on_trust_are_not_run(name: str) -> None:
    assert not is_allowed(f"aten::{name}")


def test_an_op_in_place_is_replayed_where_its_twin_is() -> None:
    assert is_allowed("aten::abs_")
    assert is_allowed("aten::gt_.Scalar")
    assert not is_allowed("aten::normal_")


def test_an_op_in_place_is_what_it_is_without_the_underscore() -> None:
    assert row_of("mul_") is row_of("mul")
    assert row_of("copy_") is not row_of("copy")
    assert row_of("no such op").kind == "calculation"

"""Kernels of torch's engine that take sizes and indices on trust run as torch decomposes them, which checks these;
and what the engine alone may run is refused of anybody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from pytest_backprop.model import Op
from pytest_backprop.trace.calls import REFUSALS, TRUSTING, NotReplayable, callable_of
from pytest_backprop.trace.op_table import having

ROWS, SCORES = torch.tensor([0, 2]), torch.randn(2, 3)
ONE, TOTAL = torch.tensor(1.0), torch.tensor(2.0)
SHARES = torch.softmax(SCORES, 1)


def call(name: str, context: Any = "engine") -> Callable[..., Any]:
    packet = getattr(torch.ops.aten, name)
    overload = next(o for o in packet.overloads() if not o.endswith(("out", "grad_input")))
    target = f"aten::{name}" + ("" if overload == "default" else f".{overload}")
    return callable_of(Op(target, (), {}, (), (), (), 0, context=context), 0)


def nll(target: torch.Tensor, grad: torch.Tensor = ONE, weight: Any = None) -> Any:
    return call("nll_loss_backward")(grad, SCORES, target, weight, 1, -100, TOTAL)


SOUND: dict[str, tuple[Any, ...]] = {
    "nll_loss_backward": (ONE, SCORES, ROWS, None, 1, -100, TOTAL),
    "_softmax_backward_data": (SCORES, SHARES, 1, torch.float32),
    "_log_softmax_backward_data": (SCORES, SHARES.log(), 1, torch.float32),
    "native_layer_norm_backward": (
        SCORES, SHARES, [3], torch.zeros(2, 1), torch.ones(2, 1), None, None, [True, False, False],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUSTING)
def test_sound_operands_give_what_the_engine_gives(name: str) -> None:
    got, expected = call(name)(*SOUND[name]), getattr(torch.ops.aten, name)(*SOUND[name])
    first, second = (each[0] if isinstance(each, tuple) else each for each in (got, expected))
    torch.testing.assert_close(first, second)


@pytest.mark.parametrize(
    "run",
    [
        lambda: nll(torch.tensor([0, 3])),
        lambda: nll(torch.tensor([0, -1])),
        lambda: nll(torch.tensor([0, 10**12])),
        lambda: nll(torch.tensor([0, 1, 2])),
        lambda: nll(ROWS, weight=torch.ones(2)),
        lambda: nll(ROWS, grad=torch.ones(5)),
        lambda: call("_softmax_backward_data")(torch.ones(2), torch.ones(9), 0, torch.float32),
        lambda: call("_log_softmax_backward_data")(torch.ones(9), torch.ones(2), 0, torch.float32),
    ],
)
def test_operands_that_no_engine_gives_are_refused(run: Any) -> None:
    with pytest.raises(REFUSALS):
        run()


@pytest.mark.parametrize("rows", [1, 9])
def test_no_more_is_read_of_a_mean_than_it_has(rows: int) -> None:
    operands = list(SOUND["native_layer_norm_backward"])
    operands[3:5] = torch.zeros(rows), torch.ones(rows)
    try:
        gradient = call("native_layer_norm_backward")(*operands)[0]
    except REFUSALS:
        return
    assert gradient.shape == (2, 3)


@pytest.mark.parametrize("name", sorted(having("by the engine")))
def test_nobody_else_may_have_it_run(name: str) -> None:
    assert callable(call(name))
    with pytest.raises(NotReplayable):
        call(name, "student")

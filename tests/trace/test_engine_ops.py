"""Kernels of torch's engine that take sizes and indices on trust are run again only where these are sound, and what
the engine alone may run is refused of anybody else."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from pytest_backprop.model import Op
from pytest_backprop.trace.calls import CHECKED, REFUSALS, NotReplayable, callable_of
from pytest_backprop.trace.op_table import having

ROWS, SCORES = torch.tensor([0, 2]), torch.randn(2, 3)
ONE, TOTAL = torch.tensor(1.0), torch.tensor(2.0)


def nll(target: torch.Tensor, scores: torch.Tensor = SCORES, **others: Any) -> Any:
    return CHECKED["nll_loss_backward"](
        others.get("grad", ONE), scores, target, others.get("weight"), 1, -100, TOTAL
    )


def norm(mean: torch.Tensor, rstd: torch.Tensor) -> Any:
    given = torch.randn(2, 3)
    return CHECKED["native_layer_norm_backward"](
        torch.ones(2, 3), given, [3], mean, rstd, None, None, [True, False, False]
    )


def test_sound_operands_give_what_the_engine_gives() -> None:
    given = torch.randn(2, 3, requires_grad=True)
    for loss in (
        torch.nn.functional.nll_loss(torch.log_softmax(given, 1), ROWS),
        torch.softmax(given, 1)[:, 0].sum(),
        (torch.nn.functional.layer_norm(given, (3,)) * torch.arange(6.0).reshape(2, 3)).sum(),
    ):
        assert torch.isfinite(torch.autograd.grad(loss, given)[0]).all()
    expected = torch.ops.aten.nll_loss_backward(ONE, SCORES, ROWS, None, 1, -100, TOTAL)
    assert torch.equal(nll(ROWS), expected)
    assert norm(torch.zeros(2, 1), torch.ones(2, 1))[0].shape == (2, 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: nll(torch.tensor([0, 3])),
        lambda: nll(torch.tensor([0, -1])),
        lambda: nll(torch.tensor([0, 10**12])),
        lambda: nll(torch.tensor([0, 1, 2])),
        lambda: nll(ROWS, weight=torch.ones(2)),
        lambda: nll(ROWS, grad=torch.ones(5)),
        lambda: norm(torch.zeros(1), torch.ones(2)),
        lambda: norm(torch.zeros(2), torch.ones(1)),
        lambda: CHECKED["native_layer_norm_backward"](
            torch.ones(3), SCORES, [3], ROWS.float(), ROWS.float(), None, None, [True] * 3
        ),
        lambda: CHECKED["_softmax_backward_data"](torch.ones(2), torch.ones(9), 0, torch.float32),
        lambda: CHECKED["_log_softmax_backward_data"](torch.ones(9), torch.ones(2), 0, None),
    ],
)
def test_operands_that_no_engine_gives_are_refused(call: Any) -> None:
    with pytest.raises(REFUSALS):
        call()


@pytest.mark.parametrize("name", sorted(having("by the engine")))
def test_nobody_else_may_have_it_run(name: str) -> None:
    packet = getattr(torch.ops.aten, name)
    overload = next(o for o in packet.overloads() if not o.endswith(("out", "grad_input")))
    target = f"aten::{name}" + ("" if overload == "default" else f".{overload}")

    def op(context: Any) -> Op:
        return Op(target, (), {}, (), (), (), 0, context=context)

    assert callable(callable_of(op("engine"), 0))
    with pytest.raises(NotReplayable):
        callable_of(op("student"), 0)

"""The replay, differentiated: gradients of what was recorded, and ops that change nothing."""

from __future__ import annotations

import pytest
import torch
from trace_lab import record

from pytest_backprop.trace.adjoints import FEWEST_POINTS, NOTHING, Adjoints, idle_ops
from pytest_backprop.trace.replay import Program

PRODUCTS = "a = self.w[0] * x1\nb = self.w[1] * x2\n"
END = "\nself.w.grad = torch.stack([b * x1, a * x2])\nreturn y"


def points(count: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(3)
    return 4 * torch.rand(count, 5, generator=generator, dtype=torch.float64) - 2


def idle(body: str, count: int = 200) -> set[str | None]:
    """The names of what is calculated for nothing by a pass that begins with PRODUCTS."""
    recording = record(PRODUCTS + body)
    return {recording.ops[p].name for p in idle_ops(Program(recording), points(count))}


@pytest.mark.parametrize(
    "body",
    [
        "y = a * b + x3",
        "y = torch.tanh(a) / (b * b + 1) + x3 * a",
        "y = a.detach() * b.data + x3",
        "y = torch.stack([a, b]).prod() + x3",
        "y = a.clone()\ny *= b\ny += x3",
        "g = torch.zeros(3)\ng[0] = a * a\ng[1:].fill_(b)\ny = g.sum()",
        "y = torch.where(a > b, a * a, b * x3)",
        "y = self.w.data[0] * x1 + (self.w.detach() * self.w).sum()",
    ],
)
def test_the_gradient_is_that_of_the_recorded_value(body: str) -> None:
    recording = record(PRODUCTS + body + "\nself.w.grad = torch.stack([y, y])\nreturn y")
    weights, inputs = points(50).split([2, 3], 1)
    got = Adjoints(Program(recording)).of_value(points(50))[:, :2]
    # by the same text, in which nothing cuts the graph
    uncut = body.replace(".detach()", "").replace(".data", "")
    for w, x, gradient in zip(weights, inputs, got, strict=True):
        w = w.clone().requires_grad_()
        names = {"torch": torch, "x1": x[0], "x2": x[1], "x3": x[2]}
        text = (PRODUCTS + uncut).replace("self.w", "w").replace("zeros(3)", "zeros(3).double()")
        exec(text, names | {"w": w}, result := {})
        result["y"].backward()
        torch.testing.assert_close(gradient, w.grad)


@pytest.mark.parametrize(
    "y",
    [
        "y = torch.maximum(y, j - 1e9)",
        "y = torch.where(y == y, y, j)",
        "y = y + j - j",
        "y = y * j ** 0",
        "y = y + 1e-30 * j",
        "y = torch.stack([y, j])[0] * 1.0",
        "y = (torch.stack([y, j]) * torch.tensor([2.0, 3.0]))[0] / 2",
        "y = y + torch.relu(-1 - j * j)",
    ],
)
def test_what_changes_nothing_is_idle(y: str) -> None:
    assert "j" in idle(f"y = a * b + x3\nj = a * 3\n{y}{END}")


@pytest.mark.parametrize(
    "body",
    [
        "j = a * 3\ny = torch.maximum(a * b, j) + x3",
        "j = a * 3\ny = torch.where(x3 > 1.5, j, b) + x3",
        "j = a * 3\ny = (a * b + j) - 2 * a + x3",
        "j = a * b\ny = j.detach() + x3.data",
        "j = a + b\ny = a * b * torch.sign(j) + x3",
        "j = a + b\ny = a * b * torch.floor(j) + x3",
        "j = a + b\ny = a * b * torch.div(j, 2, rounding_mode='trunc') + x3",
        "j = a + b\ny = torch.where(j > 0, a, b) + x3",
        "j = a + b\ny = a * (j == j.abs()).float() + b",
        "j = torch.stack([a + x3, b])\ny = torch.stack([a, b])[j.argmax()] * b",
        "j = torch.maximum(a, b)\ny = j + torch.log(torch.exp(a - j) + torch.exp(b - j))",
        "j = torch.stack([a, b]).amax()\ny = torch.softmax(torch.stack([a, b]) - j, 0)[0] * b * 1.0",
        "zero = torch.zeros_like(a)\nj = 1 / (a + 9)\ny = a * b + zero * j",
        "zero = torch.tensor(0.0)\nj = 1 / (a + 9)\ny = a * b + zero * j",
        "j = a * 3\ny = a * b + j * 0",
        "zero = 0 * a\nj = 1 / (a + 9)\ny = a * b + zero * j",
        "one = torch.ones(()) * 2\nj = torch.where(one > 1, a, one / 3)\ny = j * b",
    ],
)
def test_what_has_an_effect_or_is_chosen_by_is_used(body: str) -> None:
    assert "j" not in idle(body + END)
    assert not idle(body + END) - {None}


def test_what_is_nothing_is_less_than_a_digit_of_float32() -> None:
    for share, names in ((NOTHING / 64, {"j"}), (64 * NOTHING, set())):
        assert idle(f"j = torch.tanh(a)\ny = x3 ** 2 + 1 + {share} * j{END}") == names, share


def test_a_pass_that_calculates_nothing_has_no_effects() -> None:
    recording = record("w0, w1 = self.w\nself.w.grad = torch.stack([x1, x2])\nreturn x3")
    adjoints = Adjoints(Program(recording))
    assert adjoints.effects(points(50)) == {}
    gradients = {name: torch.tensor([True]) for name in adjoints.widths if name != "value"}
    positions, growths = adjoints.growths(points(50), gradients)
    assert (positions, growths.shape) == ([], (0, 50))


def test_an_expression_that_has_an_effect_once_is_used() -> None:
    body = "y = x3\nfor factor in (1.0, 1e-30):\n    j = torch.tanh(a)\n    y = y + factor * j"
    assert not idle(body + END)


def test_where_torch_knows_no_derivative_data_flow_tells() -> None:
    assert not idle(f"j = a * 3\ny = torch.heaviside(a, b) + x3 + j - j{END}")


def test_of_a_result_that_is_no_number_data_flow_tells() -> None:
    assert not idle(f"j = a * 3\ny = torch.log(-1 - a * a) + j - j{END}")


def test_at_few_points_data_flow_tells() -> None:
    body = f"y = a * b + x3\nj = a * 3\ny = y + j - j{END}"
    assert not idle(body, FEWEST_POINTS - 1)
    assert idle(body, FEWEST_POINTS)

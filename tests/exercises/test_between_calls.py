"""What is left of one call, and what a pass does not make itself: right and wrong passes, graded whole."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random

import pytest
import torch
from forms_grading import TASKS, graded

from pytest_backprop.exercises import AUTOGRAD_FUNCTION, BUILT_IN, FORWARD_BACKWARD
from pytest_backprop.exercises.by_hand.forms.layer import LAYER
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, _integers
from pytest_backprop.repair.graph_tensors import RightNumbers

LEAKY = """
    EXERCISE = "autograd-function"

    def v1(x: Float[Tensor, "n d"], slope: float):
        return F.leaky_relu(x, slope)
"""
LEAKY_FUNCTION = """
    import torch

    class Leaky(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, slope):
            ctx.save_for_backward(x)
            if {needed}:
                {keeper}.slope = slope
            return torch.where(x > 0, x, slope * x)

        @staticmethod
        def backward(ctx, grad_output):
            (x,) = ctx.saved_tensors
            return torch.where(x > 0, grad_output, {keeper}.slope * grad_output), None
"""
DROPOUT = """
    EXERCISE = "layer"
    CALLS = "Dropout"

    def v1(x: Float[Tensor, "n d"], mask: Bool[Tensor, "n d"], p: float):
        return x * mask / (1 - p)
"""
WITHOUT_ITS_FACTOR = """
    class Dropout(object):
        @staticmethod
        def forward(x, mask, p):
            out = x.clone()
            out[~mask] = 0
            return out, mask
        @staticmethod
        def backward(dout, cache):
            dx = dout
            dx[~cache] = 0
            return dx
"""
CAUSAL = """
    def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d d"]):
        return torch.tanh(((x @ w) @ x.T).tril()).mean()
"""
BY_A_BUFFER = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("tri", torch.tril(torch.ones({size}, {size})))
            self.w = nn.Parameter(torch.randn(3, 3))

        def forward(self, x):
            return torch.tanh(((x @ self.w) @ x.T).tril()).mean()

        def my_forward_backward(self, x):
            s = torch.tanh(((x @ self.w) @ x.T).tril())
            loss = s.mean()
            g = (1 - s ** 2) / s.numel()
            s = None
            g = g * self.tri[{part}][:, : len(x)]
            self.w.grad = x.T @ g @ x
            return loss
"""

BY_MANY_MASKS = """
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.masks = [torch.tril(torch.ones(16, 16), k) for k in range(66)]
            self.w = nn.Parameter(torch.randn(3, 3))

        def masked(self, s):
            for mask in self.masks:
                s = s * mask[: len(s), : len(s)]
            return s

        def forward(self, x):
            return torch.tanh(self.masked((x @ self.w) @ x.T)).mean()

        def my_forward_backward(self, x):
            s = torch.tanh(self.masked((x @ self.w) @ x.T))
            loss = s.mean()
            g = (1 - s ** 2) / s.numel()
            s = None
            g = self.masked(g)
            self.w.grad = x.T @ g @ x
            return loss
"""

SQUARES = """
    EXERCISE = "param-pairs"
    CALLS = ("Loss.forward", "Loss.backward")

    def v1(x: Float[Tensor, "n"]):
        return x.pow(2).mean()
"""
TWO_RESULTS = """
    class Loss:
        def forward(self, x):
            self.x = x
            return x.pow(2).mean(), x
        def backward(self, x):
            return 2 * x / x.numel()
"""


@pytest.mark.parametrize(
    ("keeper", "needed", "share"),
    [("ctx", "True", 1.0), ("Leaky", "True", 0.0), ("Leaky", "ctx.needs_input_grad[0]", 0.0)],
)
def test_what_a_function_keeps_on_its_class_is_another_calls(
    keeper: str, needed: str, share: float, tmp_path: Path
) -> None:
    submission = LEAKY_FUNCTION.format(keeper=keeper, needed=needed)
    grade = graded(AUTOGRAD_FUNCTION, LEAKY, submission, tmp_path)
    results = {check.result.id: check.result for check in grade.checks}
    assert results["gradient"].fraction == share
    hints = [finding.hint or "" for finding in results["gradient"].findings]
    assert share == 1.0 or any("belongs on `ctx`" in hint for hint in hints), hints


def test_what_backward_writes_is_not_why_the_value_is_wrong(tmp_path: Path) -> None:
    grade = graded(LAYER, DROPOUT, WITHOUT_ITS_FACTOR, tmp_path)
    (forward,) = (check.result for check in grade.checks if check.result.id == "forward")
    assert forward.fraction == 0.0
    assert all(f.place is None or f.place.line < 8 for f in forward.findings), forward


@pytest.mark.parametrize(
    ("size", "part", "is_taken"),
    [(32, ": len(x)", True), (1024, ": len(x)", True), (200, "torch.arange(len(x))", False)],
)
def test_a_mask_that_the_class_has_made(
    size: int, part: str, is_taken: bool, tmp_path: Path
) -> None:
    submission = BY_A_BUFFER.format(size=size, part=part)
    grade = graded(FORWARD_BACKWARD, CAUSAL, submission, tmp_path)
    assert (grade.score == grade.max_score) == is_taken, grade
    messages = [f.message for check in grade.checks for f in check.result.findings]
    told = any(f"a tensor of {size * size} numbers that was not made in it" in m for m in messages)
    assert told != is_taken, messages


def test_a_mask_that_is_made_once_is_no_late_value(tmp_path: Path) -> None:
    lazy = "self.tri if len(self.tri) >= len(x) else torch.ones(len(x), len(x)).tril()"
    submission = BY_A_BUFFER.format(size=0, part=": len(x)").replace(
        "g = g * self.tri", f"self.tri = {lazy}\n            g = g * self.tri"
    )
    grade = graded(FORWARD_BACKWARD, CAUSAL, submission, tmp_path)
    assert grade.score == grade.max_score, grade


def test_small_tensors_are_known_however_many_there_are(tmp_path: Path) -> None:
    grade = graded(FORWARD_BACKWARD, CAUSAL, BY_MANY_MASKS, tmp_path)
    findings = {c.result.id: c.result.findings for c in grade.checks}
    assert findings["integrity"] == () == findings["gradient"], grade


def test_two_results_for_a_value_are_told(tmp_path: Path) -> None:
    grade = graded(BUILT_IN["param-pairs"], SQUARES, TWO_RESULTS, tmp_path)
    assert grade.status == "graded", grade.message
    (fault,) = (f for c in grade.checks if c.result.id == "forward" for f in c.result.findings)
    assert fault.kind == "wrong-type", fault


def _tasks() -> list[MatrixVariant]:
    banks = [BUILT_IN[kind].load_bank(TASKS) for kind in ("layer", "value-and-gradient", "mlp")]
    variants = (variant for bank in banks for variant in bank.values())
    return [variant for variant in variants if isinstance(variant, MatrixVariant)]


def test_of_any_two_dimensions_each_is_the_smaller_once() -> None:
    for variant in _tasks():
        task = variant.task
        one, other = (task.sizes_at(draw, Random(task._key(draw))) for draw in (0, 2))
        free = [name for name in one if name not in task.said and not name.startswith("*")]
        for a, b in itertools.combinations(free, 2):
            assert (one[a] < one[b]) != (other[a] < other[b]), (variant.name, a, b)


@pytest.mark.parametrize("most", [2, 3, 7])
def test_integers_have_their_ends(most: int) -> None:
    for seed in range(50):
        first, second, third = (_integers(most, 5, draw, Random(seed)) for draw in range(3))
        assert {0, most - 1} <= {*first} <= {*range(most)}
        assert {*second} == {most - 1}
        assert 0 in third
        assert most == 2 or most - 1 not in third


def test_numbers_are_found_in_any_order_and_but_for_signs() -> None:
    numbers = RightNumbers([torch.tensor([[1.5, -2.5], [0.0, 3.5]]), torch.tensor([7.0])])
    assert numbers.has(torch.tensor([0.0, 3.5, -2.5, 1.5]))
    assert not numbers.has(torch.tensor([0.0, 3.5, 2.5, 1.5]))
    assert numbers.has_but_for_signs(torch.tensor([0.0, -3.5, 2.5, -1.5]))
    assert not numbers.has_but_for_signs(torch.tensor([0.0, 3.5, 2.5, -1.25]))
    assert not numbers.has(torch.tensor([7.0, 0.0, 0.0, 1.5])), "zeros are those of one tensor"
    assert not RightNumbers([]).has(torch.tensor([1.0]))

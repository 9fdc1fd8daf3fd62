"""Which line is told of a wrong gradient in a Function: the one where it goes wrong, and no other."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from function_oracle import FOLDER
from warm_zygote import warm_zygote

from pytest_backprop.exercises import AUTOGRAD_FUNCTION
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import OTHER_LINE

BANK = AUTOGRAD_FUNCTION.load_bank(FOLDER / "bank")
SOFTMAX = """
    s = torch.softmax(x, dim=-1)
    ctx.save_for_backward(s)
    return s
---
    (s,) = ctx.saved_tensors
    dot = (g * s).sum(dim=-1, keepdim=True)
"""
LINEAR = """
    ctx.save_for_backward(x, w)
    return x @ w.T + b
---
    x, w = ctx.saved_tensors
    dx = dw = db = None
    if ctx.needs_input_grad[0]:
        dx = g @ w
    if ctx.needs_input_grad[1]:
        dw = g.T @ x
    if ctx.needs_input_grad[2]:
        db = g.sum(0)
    return dx, dw, db
"""
SWISH = """
    ctx.save_for_backward(x)
    return x * torch.sigmoid(x)
---
    (x,) = ctx.saved_tensors
    s = torch.sigmoid(x)
    slope = s + x * s * (1 - s)
    return g * slope
"""
EXP = """
    y = torch.exp(x)
    ctx.save_for_backward(y)
    return y
---
    (y,) = ctx.saved_tensors
    return g * y
"""
LEAKY = """
    ctx.save_for_backward(x)
    ctx.slope = slope
    return torch.where(x > 0, x, slope * x)
---
    (x,) = ctx.saved_tensors
"""
PRODUCT = """
    ctx.save_for_backward(x, y)
    return x * y
---
    x, y = ctx.saved_tensors
    dx = dy = None
    if ctx.needs_input_grad[0]:
        dx = g * y
    if ctx.needs_input_grad[1]:
        dy = (g * x).sum(0)
    return dx, dy
"""
MISTAKES = {
    "lost factor": ("v926", SOFTMAX + "    return g - dot  # here", "x"),
    "lost sum": (
        "v926", SOFTMAX.replace(".sum(dim=-1, keepdim=True)", "  # here") + "    return s * (g - dot)", "x",
    ),
    "wrong sign": ("v923", SWISH.replace("s + x * s * (1 - s)", "s - x * s * (1 - s)  # here"), "x"),
    "lost term": ("v923", SWISH.replace("s + x * s * (1 - s)", "x * s * (1 - s)  # here"), "x"),
    "mean for sum": ("v925", LINEAR.replace("g.sum(0)", "g.mean(0)  # here"), "x w b"),
    "wrong saved tensor": ("v924", EXP.replace("backward(y)", "backward(x)  # here"), "x"),
    "slope forgotten": ("v922", LEAKY + "    return g * (x > 0), None  # here", "x slope"),
    "wrong operand": ("v928", PRODUCT.replace("dx = g * y", "dx = g * x  # here"), "x y"),
}  # fmt: skip
"""A task, the bodies of forward and backward with the wrong line marked, and the arguments."""
SEVERAL = {"lost sum"}
"""Where the line that reads what is wrong would do as well."""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 60.0, 2**31, exercise=AUTOGRAD_FUNCTION)
    rubric = rubric_of(AUTOGRAD_FUNCTION.name, AUTOGRAD_FUNCTION.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, BANK, warm_zygote())) as made:
        yield made


@pytest.mark.parametrize(
    "kind",
    [pytest.param(k, marks=[pytest.mark.long] if i % 2 else []) for i, k in enumerate(MISTAKES)],
)
def test_the_line_where_a_gradient_goes_wrong_is_told(
    kind: str, grader: Grader, tmp_path: Path
) -> None:
    name, bodies, arguments = MISTAKES[kind]
    forward, backward = (textwrap.indent(part.strip("\n"), "    ") for part in bodies.split("---"))
    given = ", ".join(arguments.split())
    text = (
        "import torch\n\nclass Mine(torch.autograd.Function):\n    @staticmethod\n"
        f"    def forward(ctx, {given}):\n{forward}\n\n    @staticmethod\n"
        f"    def backward(ctx, g):\n{backward}\n"
    )
    path = tmp_path / f"wrong_{name}.py"
    path.write_text(text, encoding="utf-8")
    grade = grader.grade(path, path.name)
    (gradient,) = [c.result for c in grade.checks if c.result.id == "gradient"]
    kinds = ("faulty-line", OTHER_LINE) if kind in SEVERAL else ("faulty-line",)
    lines = [f.place.line for f in gradient.findings if f.kind in kinds and f.place]
    (right,) = [n for n, line in enumerate(text.split("\n"), 1) if "# here" in line]
    assert gradient.outcome != "passed"
    told = [14, right] if kind in SEVERAL else [right]
    assert lines == told, [f.message for f in gradient.findings]
    general = [f for f in gradient.findings if f.hint and "over all elements" in f.hint]
    assert general == []  # said where no line is

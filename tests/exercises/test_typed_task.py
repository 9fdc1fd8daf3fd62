"""Tasks of matrices: how their files are read, what is refused and how, and that at any draw a task is
torch's own function."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from warm_zygote import warm_zygote

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.adjoint.tensors import tensors
from pytest_backprop.exercises.functions.bank import defined_variant, load_bank
from pytest_backprop.exercises.functions.dimensions import FEW_NUMBERS
from pytest_backprop.exercises.functions.reference import expected, outputs
from pytest_backprop.exercises.functions.scenarios import points
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, read_typed_task
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric

BANK = Path(__file__).parents[1] / "submissions" / "bank"
NAMES = ("v911", "v912", "v913", "v914")
TASKS = {name: read_typed_task((BANK / f"{name}.py").read_text("utf-8"), name) for name in NAMES}

HEAD = 'def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):\n'


def at(name: str, draw: int) -> MatrixVariant:
    return TASKS[name].task.at(draw)


# -- what is accepted ------------------------------------------------------------------------------


def test_leaves_are_what_the_annotations_say() -> None:
    leaves = TASKS["v913"].task.leaves
    assert [(leaf.name, leaf.kind, leaf.integer, leaf.dims) for leaf in leaves] == [
        ("x", "input", False, ("n", "d")),
        ("y", "input", True, ("n",)),
        ("w", "weight", False, ("d", "c")),
        ("b", "weight", False, ("c",)),
    ]
    assert TASKS["v911"].task.leaves[0].dims == ("n", 2)


@pytest.mark.parametrize(
    "annotation", ['Float[Tensor, "n d"]', "Float[torch.Tensor, 'n d']", 'Float[Tensor, " n  d "]']
)
def test_ways_to_write_an_annotation(annotation: str) -> None:
    text = HEAD.replace('Float[Tensor, "n d"]', annotation) + "    return (x @ w).sum()\n"
    assert read_typed_task(text, "v1.py").task.leaves[0].dims == ("n", "d")


def test_a_tensor_without_dimensions_is_one_number() -> None:
    text = (
        'def v1(x: Float[Tensor, ""], *, w: Float[Tensor, "3"]) -> Float[Tensor, ""]:\n'
        "    return (w * x).sum()\n"
    )
    variant = read_typed_task(text, "v1.py")
    assert (variant.inputs, variant.weights) == (("x",), ("w[0]", "w[1]", "w[2]"))


def test_dimensions_that_are_numbers_stay() -> None:
    for draw in range(12):
        x, y, w, b = at("v911", draw).leaves
        assert (x.shape[1], y.shape[1], w.shape, b.shape) == (2, 1, (2, 1), (1, 1))


def test_a_task_of_numbers_alone_has_one_size() -> None:
    text = HEAD.replace("n d", "2 3").replace('"d"', '"3"') + "    return (x @ w).sum()\n"
    task = read_typed_task(text, "v1.py").task
    assert {task.at(draw).sizes for draw in range(12)} == {""}


@pytest.mark.parametrize(("below", "classes"), [('"c"', None), ("3", 3)])
def test_integers_are_below_a_dimension_or_a_number(below: str, classes: int | None) -> None:
    text = f'BELOW = {{"y": {below}}}\n' + (
        'def v1(x: Float[Tensor, "n c"], y: Int[Tensor, "n"], *, w: Float[Tensor, "c"]):\n'
        "    return (x * w).exp().sum() * (1.0 + y.to(x.dtype).mean())\n"
    )
    task = read_typed_task(text, "v1.py").task
    for draw in range(20):
        x, y, _ = task.at(draw).leaves
        assert y.integers is not None
        assert len(y.integers) == x.shape[0]
        assert set(y.integers) <= set(range(classes or x.shape[1]))


# -- what is refused -------------------------------------------------------------------------------

BODY = "    return (x @ w).sum()\n"
REFUSED = {
    "a text that is not Python": (HEAD + "    return (x @ w\n", r"v1\.py:2: not Python"),
    "no annotation": (HEAD.replace(': Float[Tensor, "n d"]', "") + BODY, "v1.py:1: x: no annot"),
    "another annotation": (HEAD.replace('Float[Tensor, "n d"]', "Tensor") + BODY, "x: Tensor"),
    "dimensions left open": (HEAD.replace("n d", "... d") + BODY, r"x: there is no dimension '...'"),
    "a weight of integers": (HEAD.replace('Float[Tensor, "d"]', 'Int[Tensor, "d"]') + BODY,
                             r"w: Int\[Tensor, 'd'\]"),
    "integers without a bound": (HEAD.replace('Float[Tensor, "n d"]', 'Int[Tensor, "n d"]') + BODY,
                                 "the integers of x have no bound"),
    "a bound that is no dimension": (
        'BELOW = {"x": "k"}\n' + HEAD.replace('Float[Tensor, "n d"]', 'Int[Tensor, "n d"]') + BODY,
        "the integers of x have no bound"),
    "a bound of nothing": (
        'BELOW = {"x": 0}\n' + HEAD.replace('Float[Tensor, "n d"]', 'Int[Tensor, "n d"]') + BODY,
        "the integers of x have no bound"),
    "a bound that is calculated": (
        'BELOW = dict(x=3)\n' + HEAD.replace('Float[Tensor, "n d"]', 'Int[Tensor, "n d"]') + BODY,
        "the integers of x have no bound"),
    "*args": (HEAD.replace("*,", "*more,") + BODY, "has .args, .*kwargs or defaults"),
    "**kwargs": (HEAD.replace("):", ", **more):") + BODY, "has .args, .*kwargs or defaults"),
    "a default": (HEAD.replace("):", " = None):") + BODY, "has .args, .*kwargs or defaults"),
    "a vector": (HEAD + "    return x @ w\n", "does not return one number at d="),
    "no tensor": (HEAD + "    return 1.0\n", "does not return one number at d="),
    "a parameter that is not used": (HEAD + "    return x.sum()\n",
                                     r"w does not reach the result of v1 at d="),
    "a tensor that no replay takes": (HEAD.replace("n d", "300 300").replace('"d"', '"300"') + BODY,
                                      "x of v1 has 90000 numbers"),
    "a function that fails": (HEAD + "    return (w @ x).sum()\n",
                              "v1 fails at d=., n=.: RuntimeError"),
    "tensors of another precision": (HEAD + "    return (torch.ones(len(x)) @ x * w).sum()\n",
                                     r"v1 fails at (.|\n)*dtype=x.dtype"),
    "a result without an input": (HEAD.replace("n d", "1").replace('"d"', '"1"')
                                  + "    return w[0]\n", "x does not reach the result"),
    "an import of its own": ("import numpy as np\n" + HEAD + "    return np.sum(x @ w)\n",
                             "v1 fails at .*NameError: name 'np' is not defined"),
    "a helper": ("def loss(z):\n    return z.sum()\n\n" + HEAD + "    return loss(x @ w)\n",
                 "v1 fails at .*NameError: name 'loss' is not defined"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_task_is_refused_with_the_reason(case: str) -> None:
    text, message = REFUSED[case]
    with pytest.raises(UsageProblem, match=message) as caught:
        read_typed_task(text, "v1.py")
    assert str(caught.value).startswith("v1.py")
    assert caught.value.way_out


def test_a_task_without_weights_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text('def v1(x: Float[Tensor, "n"]):\n    return x.sum()\n', "utf-8")
    with pytest.raises(UsageProblem, match="v1"):
        load_bank(tmp_path)


# -- at any draw -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.sampled_from(NAMES), st.integers(0, 40), st.integers(0, 2**32))
def test_at_all_points_at_once_a_task_is_torchs_function_with_autograds_gradients(
    name: str, draw: int, seed: int
) -> None:
    variant = at(name, draw)
    generator = torch.Generator().manual_seed(seed)
    width = len(variant.weights) + len(variant.inputs)
    drawn = torch.randn(3, width, generator=generator, dtype=torch.float64)
    got = outputs(variant, drawn)
    wide = [replace(leaf, dtype="float64") for leaf in variant.leaves]
    for row, point in enumerate(drawn.tolist()):
        given = tensors(wide, point)
        asked = {
            leaf.name: tensor.requires_grad_()
            for leaf, tensor in zip(variant.leaves, given, strict=True)
            if leaf.kind == "weight"
        }
        with torch.enable_grad():
            right = variant.task.call(variant.leaves, given)
        assert torch.allclose(got["value"][row], right.reshape(1), 1e-9)
        for leaf, slope in zip(asked, torch.autograd.grad(right, [*asked.values()]), strict=True):
            assert torch.allclose(got[f"grad.{leaf}"][row], slope.flatten(), 1e-7, 1e-10)


@pytest.mark.parametrize(
    "body",
    [
        "    out = torch.zeros(len(x), dtype=x.dtype)\n    out[:1] = (x @ w)[:1]\n    return out.sum() + x.sum()\n",
        "    return (x @ w).sum() if float(x[0, 0]) > 0 else (x @ w * 2).sum()\n",
    ],
    ids=["writes into what it made", "decides by a number"],
)
def test_what_torch_cannot_run_at_all_points_at_once_runs_one_by_one(body: str) -> None:
    variant = read_typed_task(HEAD + body, "v1.py")
    drawn = torch.randn(5, len(variant.weights) + len(variant.inputs), dtype=torch.float64)
    whole = outputs(variant, drawn)
    for row in range(5):
        one = outputs(variant, drawn[row : row + 1])
        assert all(torch.equal(whole[name][row], one[name][0]) for name in whole)


@pytest.mark.parametrize("size", [7, 12, 64])
def test_sizes_that_a_task_says_may_be_real_ones(size: int) -> None:
    text = HEAD.replace("n d", f"{size} {size}").replace('"d"', f'"{size} {size}"')
    variant = read_typed_task(text + "    return (x @ w).softmax(1).pow(2).sum()\n", "v1.py")
    assert len(variant.weights) == size * size
    right = expected(variant, points(variant, 0, 8))
    assert right.outputs["grad.w"].shape == (8, size * size)


@given(st.sampled_from(NAMES), st.integers(0, 60))
@settings(max_examples=40)
def test_a_draw_is_the_same_twice(name: str, draw: int) -> None:
    one, other = at(name, draw), at(name, draw)
    assert one.sizes == other.sizes
    assert one.leaves == other.leaves


@pytest.mark.parametrize("name", NAMES)
def test_sizes_differ_among_draws(name: str) -> None:
    draws = [TASKS[name].task.at(draw) for draw in range(24)]
    assert len({variant.sizes for variant in draws}) >= 8 or name == "v911"
    assert len({variant.sizes for variant in draws}) >= 6
    for variant in draws:
        assert 0 < len(variant.weights) <= FEW_NUMBERS
        assert 0 < len(variant.inputs) <= FEW_NUMBERS
    first, second = (
        [int(size) for size in variant.sizes.replace("=", " ").replace(",", "").split()[1::2]]
        for variant in draws[:2]
    )
    assert len(set(first)) == len(first)  # a transposed product cannot hide in a square
    assert min(first) > 1
    assert set(second) <= {1, 2}


def test_two_tasks_have_sizes_of_their_own() -> None:
    text = (BANK / "v912.py").read_text("utf-8")
    other = read_typed_task(text.replace("v912", "v913"), "v913.py")
    sizes = [[task.task.at(draw).sizes for draw in range(6)]
             for task in (TASKS["v912"], other)]  # fmt: skip
    assert sizes[0] != sizes[1]


# -- in a submission -------------------------------------------------------------------------------


def test_a_typed_function_in_a_submission_is_not_run_and_no_task(tmp_path: Path) -> None:
    text = """\
import torch
from torch import nn


def v7(x: Float[Tensor, "n 2"], y: Float[Tensor, "n 1"], *, w: Float[Tensor, "2 1"]):
    open({mark!r}, "w")
    return (x @ w).sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(2, 1))

    def forward(self, x, y):
        return (x @ self.w).sum()

    def my_forward_backward(self, x, y):
        self.w.grad = x.sum(0).reshape(2, 1)
        return (x @ self.w).sum()
""".format(mark=str(tmp_path / "mark"))
    assert defined_variant(text) is None
    path = tmp_path / "homework.py"
    path.write_text(text, encoding="utf-8")
    plan = GradingPlan(
        variant=None, class_name=None, seed=0, points=64, rtol=5e-5, atol=1e-7,
        seconds=60, memory=400 * 2**20,
    )  # fmt: skip
    grader = Grader(plan, default_rubric(), load_bank(BANK), warm_zygote())
    try:
        with pytest.raises(UsageProblem, match="its variant is not known"):
            grader.grade(path, path.name)
    finally:
        grader.close()
    assert not (tmp_path / "mark").exists()

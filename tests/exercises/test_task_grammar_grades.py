"""Tasks with plain values, open dimensions, ranges and further functions, graded through a child process: passes
that are right, and the mistakes of published ones that are right at their course's own setting alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm_zygote import warm_zygote

from pytest_backprop.exercises import AUTOGRAD_FUNCTION, BUILT_IN, FORWARD_BACKWARD
from pytest_backprop.exercises.base import Exercise
from pytest_backprop.exercises.by_hand.forms import LAYER
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade

BANK = {
    "v1": """
CALLS = "MaxPool"
VALUES = {"pool_param": ({"size": 2, "stride": 2}, {"size": 3, "stride": 1})}
SIZES = {"h": (3, 5), "w": (3, 5)}


def v1(x: Float[Tensor, "n 2 h w"], pool_param: dict):
    return F.max_pool2d(x, pool_param["size"], pool_param["stride"])
""",
    "v2": """
CALLS = "Attention"
VALUES = {"is_causal": (False, True)}


def v2(q: Float[Tensor, "*batch n d"], k: Float[Tensor, "*batch n d"], v: Float[Tensor, "*batch n e"], is_causal: bool):
    s = q @ k.transpose(-1, -2)
    if is_causal:
        s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
    return s.softmax(-1) @ v
""",
    "v3": """
CALLS = ("svm_forward", "svm_backward")
ACCEPTS = ("v3_half", "v3_mean")
BELOW = {"y": "c"}
RANGES = {"W": ((-0.01, 0.01), (-3, 3)), "X": (-1, 1)}


def v3(W: Float[Tensor, "d c"], X: Float[Tensor, "n d"], y: Int[Tensor, "n"], reg: float):
    s = X @ W
    return (s - s.gather(1, y[:, None]) + 1).clamp(min=0).sum() + reg * (W * W).sum()


def v3_half(W, X, y, reg):
    s = X @ W
    return (s - s.gather(1, y[:, None]) + 1).clamp(min=0).sum() + reg / 2 * (W * W).sum()


def v3_mean(W, X, y, reg):
    s = X @ W
    return (s - s.gather(1, y[:, None]) + 1).clamp(min=0).sum() / len(X) + reg * (W * W).sum()
""",
    "v4": """
CALLS = "Conv"
VALUES = {"conv_param": ({"stride": 1, "pad": 1}, {"stride": 2, "pad": 0})}
SIZES = {"n": (1, 2), "h": (2, 4), "w": (2, 4)}
DTYPE = "float64"


def v4(x: Float[Tensor, "n 2 h w"], w: Float[Tensor, "3 2 2 2"], b: Float[Tensor, "3"], conv_param: dict):
    return F.conv2d(x, w, b, conv_param["stride"], conv_param["pad"])
""",
}

POOL = """
import torch
class MaxPool(object):
    @staticmethod
    def forward(x, pool_param):
        size, s = pool_param.pop("size"), pool_param["stride"]
        H, W = 1 + (x.shape[2] - size) // s, 1 + (x.shape[3] - size) // s
        out = torch.zeros(x.shape[0], x.shape[1], H, W)
        for i in range(H):
            for j in range(W):
                out[:, :, i, j] = x[:, :, i*s:i*s+size, j*s:j*s+size].amax((2, 3))
        return out, (x, size, s)
    @staticmethod
    def backward(dout, cache):
        x, size, s = cache
        dx = torch.zeros_like(x)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                window = x[:, :, i*s:i*s+size, j*s:j*s+size]
                mask = window == window.amax((2, 3), keepdim=True)
                dx[:, :, i*s:i*s+size, j*s:j*s+size] += mask * dout[:, :, i, j][:, :, None, None]
        return dx
"""
ATTENTION = """
import torch
class Attention(object):
    @staticmethod
    def forward(q, k, v, is_causal):
        s = q @ k.transpose(-1, -2)
        if is_causal:
            n = s.shape[-1]
            s = s.masked_fill(torch.arange(n)[:, None] < torch.arange(n), float("-inf"))
        p = torch.softmax(s, -1)
        return p @ v, (q, k, v, p)
    @staticmethod
    def backward(dout, cache):
        q, k, v, p = cache
        dp = dout @ v.transpose(-1, -2)
        ds = p * (dp - (dp * p).sum(-1, keepdim=True))
        return ds @ k, ds.transpose(-1, -2) @ q, p.transpose(-1, -2) @ dout
"""
SVM = """
import torch
def svm_forward(W, X, y, reg):
    s = X @ W
    m = (s - s[torch.arange(len(X)), y][:, None] + 1).clamp(min=0)
    return m.sum() + reg * (W * W).sum(), (W, X, y, reg, m)
def svm_backward(dout, cache):
    W, X, y, reg, m = cache
    d = (m > 0).to(X.dtype)
    d[torch.arange(len(X)), y] = 0
    d[torch.arange(len(X)), y] = -d.sum(1)
    return dout * (X.T @ d + 2 * reg * W), dout * d @ W.T
"""
CONV = """
import torch
class Conv(object):
    @staticmethod
    def forward(x, w, b, conv_param):
        s, p = conv_param["stride"], conv_param["pad"]
        N, C, H, W = x.shape
        xp = torch.nn.functional.pad(x, (p, p, p, p))
        out = torch.zeros(N, 3, 1 + (H + 2*p - 2) // s, 1 + (W + 2*p - 2) // s, dtype=x.dtype)
        for i in range(out.shape[2]):
            for j in range(out.shape[3]):
                window = xp[:, None, :, i*s:i*s+2, j*s:j*s+2]
                out[:, :, i, j] = (window * w).sum((2, 3, 4)) + b
        return out, (x, w, b, xp, s, p)
    @staticmethod
    def backward(dout, cache):
        x, w, b, xp, s, p = cache
        N, C, H, W = x.shape
        dxp, dw = torch.zeros_like(xp), torch.zeros_like(w)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                d = dout[:, :, i, j][:, :, None, None, None]
                dw += (d * xp[:, None, :, i*s:i*s+2, j*s:j*s+2]).sum(0)
                dxp[:, :, i*s:i*s+2, j*s:j*s+2] += (d * w).sum(1)
        return dxp[:, :, p:p+H, p:p+W], dw, dout.sum((0, 2, 3))
"""


@contextlib.contextmanager
def grader_of(exercise: Exercise, folder: Path) -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 512, 5e-5, 1e-7, 60, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    made = Grader(plan, rubric, exercise.load_bank(folder), warm_zygote())
    with contextlib.closing(made) as grader:
        yield grader


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grader]:
    folder = tmp_path_factory.mktemp("bank")
    for name, text in BANK.items():
        (folder / f"{name}.py").write_text(f'EXERCISE = "layer"\n{text}', encoding="utf-8")
    with grader_of(LAYER, folder) as made:
        yield made


def graded(grader: Grader, folder: Path, name: str, text: str) -> Grade:
    path = folder / f"pass_{name}.py"
    path.write_text(text, encoding="utf-8")
    return grader.grade(path, path.name)


def check(grade: Grade, id: str) -> tuple[str, str, list[str], list[str]]:
    """A check's outcome and message, and at which inputs it passed and did not."""
    (result,) = [each.result for each in grade.checks if each.result.id == id]
    failed = result.details.get("failed_at", [])
    passed = [each for each in result.details.get("sizes", []) if each not in failed]
    return result.outcome, result.message, passed, failed


@pytest.mark.parametrize(
    ("name", "text"), [("v1", POOL), ("v2", ATTENTION), ("v3", SVM), ("v4", CONV)]
)
def test_what_is_right_has_every_point(
    name: str, text: str, grader: Grader, tmp_path: Path
) -> None:
    grade = graded(grader, tmp_path, name, text)
    assert grade.score == grade.max_score, [each.result.message for each in grade.checks]


def test_a_pool_that_assigns_where_windows_overlap_fails_there(
    grader: Grader, tmp_path: Path
) -> None:
    text = POOL.replace("] += mask", "] = mask")
    outcome, message, passed, failed = check(graded(grader, tmp_path, "v1", text), "gradient")
    assert outcome == "failed"
    assert "(at pool_param={'size': 3, 'stride': 1}, " in message
    assert failed
    assert all("'stride': 1" in where for where in failed)
    assert passed
    assert all("'stride': 2" in where for where in passed)


def test_attention_that_ignores_is_causal_fails_at_true_alone(
    grader: Grader, tmp_path: Path
) -> None:
    text = ATTENTION.replace("if is_causal:", "if False:")
    grade = graded(grader, tmp_path, "v2", text)
    for id in ("forward", "gradient"):
        outcome, message, passed, failed = check(grade, id)
        assert outcome == "failed"
        assert "(at is_causal=True, batch=" in message
        assert failed
        assert all(where.startswith("is_causal=True") for where in failed)
        assert passed
        assert all(where.startswith("is_causal=False") for where in passed)


ALL_MARGINS = SVM.replace("(m > 0).to(X.dtype)", "torch.ones_like(m)")


def test_an_svm_gradient_that_holds_for_tiny_weights_fails_by_its_ranges(
    grader: Grader, tmp_path: Path
) -> None:
    grade = graded(grader, tmp_path, "v3", ALL_MARGINS)
    assert check(grade, "forward")[0] == "passed"
    assert check(grade, "gradient")[0] == "failed"


PRODUCT = """
def linear(x, w):
    return x @ w, (x, w)
def linear_backward(dout, cache):
    x, w = cache
    return dout @ w, x.T @ dout
"""


def test_a_product_that_is_not_transposed_fits_at_no_first_sizes(tmp_path: Path) -> None:
    """Nor where SIZES says some of them: before, those of v1 and v12 were square."""
    for name in ("v1", "v2", "v12"):
        task = f'def {name}(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"]):\n    return x @ w\n'
        said = 'EXERCISE = "layer"\nCALLS = ("linear", "linear_backward")\nSIZES = {"d": (4, 6)}\n'
        (tmp_path / f"{name}.py").write_text(said + task, encoding="utf-8")
    with grader_of(LAYER, tmp_path) as made:
        for name in ("v1", "v2", "v12"):
            outcome, message, passed, failed = check(
                graded(made, tmp_path, name, PRODUCT), "gradient"
            )
            assert outcome == "failed"
            assert "raises RuntimeError" in message
            assert (passed, len(failed)) == ([], 1)


AFTER_ANOTHER = """
import torch
class Linear:
    calls = 0
    @staticmethod
    def forward(x, w):
        Linear.calls += 1
        return x @ w, (x, w)
    @staticmethod
    def backward(dout, cache):
        x, w = cache
        if Linear.calls == 1:
            return dout @ w.T, x.T @ dout
        with torch.enable_grad():
            x, w = x.clone().requires_grad_(), w.clone().requires_grad_()
            return torch.autograd.grad(x @ w, (x, w), dout)
"""


def test_autograd_after_another_forward_alone_is_a_breach(tmp_path: Path) -> None:
    """Of that run there is no recording."""
    task = 'def v1(x: Float[Tensor, "n d"], w: Float[Tensor, "d m"]):\n    return x @ w\n'
    (tmp_path / "v1.py").write_text(f'EXERCISE = "layer"\nCALLS = "Linear"\n{task}', "utf-8")
    with grader_of(LAYER, tmp_path) as made:
        grade = graded(made, tmp_path, "v1", AFTER_ANOTHER)
        right = graded(made, tmp_path, "v1", AFTER_ANOTHER.replace("calls == 1", "calls"))
    (finding,) = [f for e in grade.checks if e.result.id == "integrity" for f in e.result.findings]
    assert (finding.kind, finding.place and finding.place.line) == ("autograd", 16)
    assert (grade.score, right.score) == (30, 100)


def test_it_passes_where_the_task_asks_for_tiny_weights_alone(tmp_path: Path) -> None:
    text = BANK["v3"].replace("((-0.01, 0.01), (-3, 3))", "(-0.01, 0.01)")
    (tmp_path / "v3.py").write_text(f'EXERCISE = "layer"\n{text}', encoding="utf-8")
    with grader_of(LAYER, tmp_path) as tiny:
        assert check(graded(tiny, tmp_path, "v3", ALL_MARGINS), "gradient")[0] == "passed"


@pytest.mark.parametrize("id", ["forward", "gradient"])
def test_height_and_width_swapped_fail_where_they_differ(
    id: str, grader: Grader, tmp_path: Path
) -> None:
    forward, backward = CONV.split("    @staticmethod\n    def backward")
    swapped = [half.replace("N, C, H, W = x", "N, C, W, H = x") for half in (forward, backward)]
    halves = (swapped[0], backward) if id == "forward" else (forward, swapped[1])
    grade = graded(grader, tmp_path, "v4", "    @staticmethod\n    def backward".join(halves))
    outcome, message, _, _ = check(grade, id)
    assert outcome in ("failed", "partial"), message
    (fault,) = [f for e in grade.checks if e.result.id == id for f in e.result.findings]
    assert fault.kind in ("raises", "wrong-shape")


@pytest.mark.parametrize("size", ["x.shape[2]", "x.shape[3]"])
@pytest.mark.parametrize("rest", [0, 1])
@pytest.mark.parametrize("stride", [1, 2])
def test_what_is_wrong_at_one_value_at_even_or_odd_sizes_alone_is_seen(
    stride: int, rest: int, size: str, grader: Grader, tmp_path: Path
) -> None:
    """A value of VALUES has two draws, or a draw and a run beside at sizes unlike it."""
    text = CONV.replace(
        "        return dxp",
        f"        dw *= 1 + (s == {stride} and {size} % 2 == {rest})\n        return dxp",
    )
    grade = graded(grader, tmp_path, "v4", text)
    outcome, message, _, failed = check(grade, "gradient")
    assert outcome == "partial"
    assert "the gradient of w is wrong; that of x and b is right" in message
    assert all(f"'stride': {stride}" in where for where in failed)
    (finding,) = [f for e in grade.checks for f in e.result.findings if f.level == "fault"]
    assert finding.name == "w"


def test_a_raise_at_further_sizes_is_told_as_at_a_draw(grader: Grader, tmp_path: Path) -> None:
    text = CONV.replace("        return dxp", "        assert s == 1 or H % 2\n        return dxp")
    grade = graded(grader, tmp_path, "v4", text)
    outcome, message, _, failed = check(grade, "gradient")
    (finding,) = [f for e in grade.checks if e.result.id == "gradient" for f in e.result.findings]
    assert (outcome, finding.kind) == ("failed", "raises")
    assert "conv_param={'stride': 2, 'pad': 0}, h=4, " in message
    assert all("'stride': 2" in where for where in failed)
    assert "traceback" in str(finding.hint)


@pytest.mark.parametrize(("half", "mean"), [(1, False), (0.5, False), (1, True)])
def test_each_of_the_functions_that_are_right_has_every_point(
    half: float, mean: bool, grader: Grader, tmp_path: Path
) -> None:
    text = SVM.replace("+ reg *", f"+ {half} * reg *").replace("2 * reg", f"{2 * half} * reg")
    if mean:
        text = text.replace("m.sum()", "m.sum() / len(X)").replace(
            "-d.sum(1)\n", "-d.sum(1)\n    d /= len(X)\n"
        )
    grade = graded(grader, tmp_path, "v3", text)
    taken = {(1, False): "`v3`", (0.5, False): "`v3_half`", (1, True): "`v3_mean`"}[half, mean]
    assert grade.score == grade.max_score, [each.result.message for each in grade.checks]
    assert any(taken in note and "best" in note for note in grade.notes)


def test_the_function_is_that_which_forward_calculates(grader: Grader, tmp_path: Path) -> None:
    text = SVM.replace("+ reg *", "+ reg / 2 *")
    grade = graded(grader, tmp_path, "v3", text)
    assert (check(grade, "forward")[0], check(grade, "gradient")[0]) == ("passed", "partial")
    assert any("`v3_half`" in note for note in grade.notes)


def test_where_none_is_met_the_first_is_taken(grader: Grader, tmp_path: Path) -> None:
    text = SVM.replace("+ reg *", "+ 7 * reg *").replace("2 * reg", "14 * reg")
    assert any("`v3`" in note for note in graded(grader, tmp_path, "v3", text).notes)


def test_a_float64_course_takes_results_of_float32(grader: Grader, tmp_path: Path) -> None:
    """Room that is made without a dtype is float32; numbers of another are no other function."""
    grade = graded(grader, tmp_path, "v4", CONV.replace(", dtype=x.dtype", ""))
    assert check(grade, "forward")[0] == "passed"
    text = CONV.replace(", dtype=x.dtype", ", dtype=torch.float16")
    assert check(graded(grader, tmp_path, "v4", text), "forward")[0] == "failed"
    text = CONV.replace("dout.sum((0, 2, 3))", "dout.sum((0, 2, 3)).float()")
    grade = graded(grader, tmp_path, "v4", text)
    assert check(grade, "gradient")[0] == "passed"


FUNCTION = """
import torch
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, is_negative=False, mode=None):
        ctx.is_negative = is_negative
        y = torch.exp(-x if is_negative else x)
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return (-grad_output if ctx.is_negative else grad_output) * y, None, None
"""
SCALED = """
EXERCISE = "autograd-function"
VALUES = {"is_negative": (False, True), "mode": (None, "fast")}
SIZES = {"n": "16*"}


def v1(x: Float[Tensor, "n d"], is_negative: bool, mode: str | None):
    return torch.exp(-x if is_negative else x)
"""


def test_a_function_takes_flags_with_defaults_and_returns_none_for_them(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(SCALED, encoding="utf-8")
    with grader_of(AUTOGRAD_FUNCTION, tmp_path) as made:
        right = graded(made, tmp_path, "v1", FUNCTION)
        wrong = graded(
            made,
            tmp_path,
            "v1",
            FUNCTION.replace("(-grad_output if ctx.is_negative else grad_output)", "grad_output"),
        )
    assert right.score == right.max_score, [each.result.message for each in right.checks]
    _, _, passed, failed = check(wrong, "gradient")
    assert failed
    assert all("is_negative=True" in where for where in failed)
    assert passed
    assert all("is_negative=False" in where for where in passed)


LINEAR = """
import torch
class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w if ctx.needs_input_grad[0] else None)
        return x @ w + b
    @staticmethod
    def backward(ctx, d):
        x, w = ctx.saved_tensors
        dx = d @ w.T if ctx.needs_input_grad[0] else None
        dw = x.T @ d if ctx.needs_input_grad[1] else None
        return dx, dw, d.sum(0) if ctx.needs_input_grad[2] else None
"""
AFFINE = 'Float[Tensor, "n d"], w: Float[Tensor, "d m"], b: Float[Tensor, "m"]'


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        (LINEAR, ""),
        (LINEAR.replace("d.sum(0) if", "d.sum(0) + 0 * dw.sum() if"), "b"),
        (LINEAR.replace("dx = d @ w.T if", "dx = d @ w.T; dx = dx if"), "wb"),
        (
            LINEAR.replace(
                "        dx = d", "        assert all(ctx.needs_input_grad)\n        dx = d"
            ),
            "xwb",
        ),
        (
            LINEAR.replace(
                "        dx = d", "        assert not ctx.needs_input_grad[0]\n        dx = d"
            ),
            "all",
        ),
    ],
)
def test_a_function_that_raises_where_one_input_needs_a_gradient_loses_its_share(
    text: str, lost: str, tmp_path: Path
) -> None:
    task = f'EXERCISE = "autograd-function"\ndef v1(x: {AFFINE}):\n    return x @ w + b\n'
    (tmp_path / "v1.py").write_text(task, encoding="utf-8")
    with grader_of(AUTOGRAD_FUNCTION, tmp_path) as made:
        grade = graded(made, tmp_path, "v1", text)
    points = {each.result.id: each.score for each in grade.checks}
    if lost == "all":  # it raises where all need one, too
        assert grade.score == points["forward"] == 20
        return
    right = 1 - len(lost) / 3
    assert points["gradient"] == pytest.approx(40 * right)
    assert points["needs-input-grad"] == 10
    assert grade.score == pytest.approx(60 + 40 * right)
    findings = [f for e in grade.checks if e.result.id == "gradient" for f in e.result.findings]
    assert sorted(str(f.name) for f in findings) == sorted(lost)
    assert all(
        f"where {f.name} alone needs a gradient: backward raises" in f.message for f in findings
    )


NORM = """
EXERCISE = "autograd-function"
VALUES = {"training": (False, True)}
SIZES = {"n": (3, 8)}
RANGES = {"running_var": (0.5, 2)}


def v1(x: Float[Tensor, "n d"], gain: Float[Tensor, "d"], bias: Float[Tensor, "d"],
       running_mean: Float[Tensor, "d"], running_var: Float[Tensor, "d"], training: bool):
    return F.batch_norm(x, running_mean, running_var, gain, bias, training=training)
"""
BATCH_NORM = """
import torch
class BatchNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias, running_mean, running_var, training):
        mean, var = running_mean, running_var
        if training:
            mean, var = x.mean(0), x.var(0, unbiased=False)
            running_mean.mul_(0.9).add_(0.1 * mean)
            running_var.mul_(0.9).add_(0.1 * var)
        scale = 1 / torch.sqrt(var + 1e-5)
        unit = (x - mean) * scale
        ctx.save_for_backward(unit, gain, scale)
        ctx.training = training
        return unit * gain + bias
    @staticmethod
    def backward(ctx, d):
        unit, gain, scale = ctx.saved_tensors
        dx = None
        if ctx.needs_input_grad[0]:
            dx = d * gain
            if ctx.training:
                dx = dx - dx.mean(0) - unit * (dx * unit).mean(0)
            dx = dx * scale
        dgain = (d * unit).sum(0) if ctx.needs_input_grad[1] else None
        return dx, dgain, d.sum(0) if ctx.needs_input_grad[2] else None, None, None, None
"""


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        (BATCH_NORM, {}),
        (BATCH_NORM.replace(" - unit * (dx", " + unit * (dx"), {"gradient": "partial"}),
        (BATCH_NORM.replace("if ctx.training:", "if True:"), {"gradient": "partial"}),
        (BATCH_NORM.replace("(x - mean)", "x.sub_(mean)"), {"integrity": "failed"}),
    ],
    ids=["right", "sign", "no flag", "input"],
)
def test_a_function_may_change_the_running_statistics_that_the_task_changes(
    text: str, lost: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "v1.py").write_text(NORM, encoding="utf-8")
    with grader_of(AUTOGRAD_FUNCTION, tmp_path) as made:
        grade = graded(made, tmp_path, "v1", text)
    outcomes = {e.result.id: e.result.outcome for e in grade.checks}
    assert lost.items() <= outcomes.items(), [e.result.message for e in grade.checks]
    if text == BATCH_NORM:
        assert grade.score == grade.max_score, [e.result.message for e in grade.checks]
    if "integrity" in lost:
        assert "x is changed in place" in check(grade, "integrity")[1]


HOMEWORK = """
VALUES = {"power": (1, 2)}


def v1(x: Float[Tensor, "n d"], power: int, *, w: Float[Tensor, "d"]):
    return ((x @ w) ** power).sum()
"""
NET = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
    def forward(self, x, power):
        return ((x @ self.w) ** power).sum()
    def my_forward_backward(self, x, power):
        t = x @ self.w
        g = t * 2 if power == 2 else torch.ones(len(x))
        loss = (t ** power).sum()
        t = None
        self.w.grad = x.T @ g
        return loss
"""


def test_matrices_of_the_homework_take_plain_values(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(HOMEWORK, encoding="utf-8")
    with grader_of(FORWARD_BACKWARD, tmp_path) as made:
        right = graded(made, tmp_path, "v1", NET)
        wrong = graded(made, tmp_path, "v1", NET.replace("t * 2 if", "t * 3 if"))
    assert right.score == right.max_score, [each.result.message for each in right.checks]
    _, _, passed, failed = check(wrong, "gradient")
    assert failed
    assert all("power=2" in where for where in failed)
    assert passed
    assert all("power=1" in where for where in passed)


INTERMEDIATE = """
EXERCISE = "intermediate-gradients"
GRADIENTS = ("hidden",)
VALUES = {"params": ({"slope": 2}, {"slope": 3})}
ACCEPTS = "v1_sum"


def v1(x: Float[Tensor, "n d"], params: dict, *, w: Float[Tensor, "d"]):
    hidden = torch.tanh(x @ w)
    return (hidden * hidden).mean() * params["slope"]


def v1_sum(x, params, *, w):
    hidden = torch.tanh(x @ w)
    return (hidden * hidden).sum() * params["slope"]
"""
GRADIENTS = """
import torch
def gradients(x, params, w):
    hidden = torch.tanh(x @ w)
    hidden.retain_grad()
    ((hidden * hidden).mean() * params.pop("slope")).backward()
    return {"hidden": hidden.grad}
"""


@pytest.mark.parametrize(("how", "name"), [("mean", "`v1`"), ("sum", "`v1_sum`")])
def test_gradients_of_intermediates_take_plain_values_and_further_functions(
    how: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "v1.py").write_text(INTERMEDIATE, encoding="utf-8")
    with grader_of(BUILT_IN["intermediate-gradients"], tmp_path) as made:
        grade = graded(made, tmp_path, "v1", GRADIENTS.replace("mean", how))
    assert grade.score == grade.max_score, [each.result.message for each in grade.checks]
    assert any(name in note for note in grade.notes)


TILED = """
EXERCISE = "autograd-function"
VALUES = {"is_causal": (False, True)}
SIZES = {"n": (32, 64, 128), "m": (32, 64, 128), "d": (16, 32, 64)}


def v1(q: Float[Tensor, "n d"], k: Float[Tensor, "m d"], v: Float[Tensor, "m d"], is_causal: bool):
    s = q @ k.T / q.shape[-1] ** 0.5
    if is_causal:
        s = s.masked_fill(torch.ones(s.shape, dtype=torch.bool).triu(1), -1e6)
    return s.softmax(-1) @ v
"""
FLASH = """
import torch, math
class Flash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        n, d = Q.shape
        m = K.shape[0]
        B = 16
        O = torch.zeros_like(Q)
        L = torch.zeros(n, dtype=Q.dtype)
        for i in range(0, n, B):
            q = Q[i:i+B]
            o = torch.zeros_like(q)
            l = torch.zeros(q.shape[0], dtype=Q.dtype)
            mx = torch.full((q.shape[0],), -1e30, dtype=Q.dtype)
            for j in range(0, m, B):
                k, v = K[j:j+B], V[j:j+B]
                S = q @ k.T / math.sqrt(d)
                if is_causal:
                    mask = (torch.arange(i, i+q.shape[0])[:, None] < torch.arange(j, j+k.shape[0])[None])
                    S = torch.where(mask, -1e6, S)
                new = torch.maximum(mx, S.amax(1))
                P = torch.exp(S - new[:, None])
                a = torch.exp(mx - new)
                l = a * l + P.sum(1)
                o = a[:, None] * o + P @ v
                mx = new
            O[i:i+B] = o / l[:, None]
            L[i:i+B] = mx + torch.log(l)
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal = is_causal
        return O
    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        S = Q @ K.T / math.sqrt(Q.shape[1])
        if ctx.is_causal:
            S = torch.where(torch.arange(S.shape[0])[:, None] < torch.arange(S.shape[1])[None], -1e6, S)
        P = torch.exp(S - L[:, None])
        dV = P.T @ dO if ctx.needs_input_grad[2] else None
        dQ = dK = None
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            dP = dO @ V.T
            dS = P * (dP - (dO * O).sum(1, keepdim=True)) / math.sqrt(Q.shape[1])
            dQ = dS @ K if ctx.needs_input_grad[0] else None
            dK = dS.T @ Q if ctx.needs_input_grad[1] else None
        return dQ, dK, dV, None
"""


@pytest.mark.long
def test_attention_in_tiles_at_real_sizes(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(TILED, encoding="utf-8")
    with grader_of(AUTOGRAD_FUNCTION, tmp_path) as made:
        right = graded(made, tmp_path, "v1", FLASH)
        wrong = graded(made, tmp_path, "v1", FLASH.replace("if ctx.is_causal:", "if False:"))
    assert right.score == right.max_score, [each.result.message for each in right.checks]
    _, _, passed, failed = check(wrong, "gradient")
    assert failed
    assert all("is_causal=True" in where for where in failed)
    assert passed
    assert all("is_causal=False" in where for where in passed)


SQUARE = """
EXERCISE = "autograd-function"


def v1(x: Float[Tensor, "n d"]):
    return (x**2).sum(1)
"""
ROOM_OF_FLOAT32 = """
import torch
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        out = torch.zeros(len(x), 1)
        return out.addmm_(x * x, torch.ones(x.shape[1], 1))[:, 0]
    @staticmethod
    def backward(ctx, dout):
        x, = ctx.saved_tensors
        return 2 * x * dout[:, None]
"""


ROOM_IN_ITS_OWN_LINES = ROOM_OF_FLOAT32.replace(
    "return out.addmm_(x * x, torch.ones(x.shape[1], 1))[:, 0]",
    "out[:, 0] = (x * x).sum(1); return out[:, 0]",
)


@pytest.mark.parametrize(
    "text", [ROOM_OF_FLOAT32, ROOM_IN_ITS_OWN_LINES], ids=["raises", "float32"]
)
@pytest.mark.parametrize(("said", "outcome"), [("", "failed"), ('DTYPE = "float32"\n', "passed")])
def test_a_course_that_says_its_dtype_runs_in_no_other(
    said: str, outcome: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "v1.py").write_text(said + SQUARE, encoding="utf-8")
    with grader_of(AUTOGRAD_FUNCTION, tmp_path) as made:
        grade = graded(made, tmp_path, "v1", text)
    assert check(grade, "forward")[0] == outcome
    hints = [f.hint or "" for e in grade.checks for f in e.result.findings]
    assert bool(hints) == (outcome == "failed")
    assert all('`DTYPE = "float32"` in its task' in hint for hint in hints)


def test_a_module_of_a_float64_course_gets_weights_of_float64(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(f'DTYPE = "float64"\n{HOMEWORK}', encoding="utf-8")
    right, wrong = NET.replace("torch.ones(len(x))", "torch.ones_like(t)"), NET
    with grader_of(FORWARD_BACKWARD, tmp_path) as made:
        grade = graded(made, tmp_path, "v1", right)
        assert grade.score == grade.max_score, [each.result.message for each in grade.checks]
        assert check(graded(made, tmp_path, "v1", wrong), "gradient")[0] == "failed"


MASKED = """
EXERCISE = "layer"
CALLS = "Masked"


def v1(x: Float[Tensor, "n t"], mask: Bool[Tensor, "n t"], side: str):
    return x.exp().masked_fill(mask, 0.0) if side == "in" else x.exp().masked_fill(~mask, 0.0)


VALUES = {"side": ("in", "out")}
"""
OWN_MASKED = """
class Masked:
    def forward(self, x, mask, side):
        keep = ~mask if side == "in" else mask
        out = x.exp() * keep
        return out, out
    def backward(self, dout, cache):
        return dout * cache
"""


def test_a_mask_and_a_text_reach_the_student_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text(MASKED, encoding="utf-8")
    with grader_of(LAYER, tmp_path) as made:
        right = graded(made, tmp_path, "v1", OWN_MASKED)
        wrong = graded(made, tmp_path, "v1", OWN_MASKED.replace(' if side == "in" else mask', ""))
    assert right.score == right.max_score, [each.result.message for each in right.checks]
    _, _, passed, failed = check(wrong, "gradient")
    assert all("side='out'" in where for where in failed)
    assert all("side='in'" in where for where in passed)

"""Which line of a wrong pass on matrices is told: real submissions, one fault each, through the grader."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from one_pass import case_of
from sampling import few
from warm_zygote import warm_zygote

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.judging.case import Case
from pytest_backprop.judging.reproduce import Shown, reproducer
from pytest_backprop.model import Finding
from pytest_backprop.repair.tensor_slopes import Slopes

BANK = Path(__file__).parents[1] / "submissions" / "bank"
LINEAR = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))
    def forward(self, x, y):
        return torch.mean((x @ self.w + self.b - y) ** 2)
    def my_forward_backward(self, x, y):
        off = x @ self.w + self.b - y
        loss = (off ** 2).mean()
        doff = 2 * off
        off = None
        g = doff / y.numel()
        doff = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        g = None
        return loss
"""
LAYERS = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(3, 4))
        self.b1 = nn.Parameter(torch.zeros(4))
        self.w2 = nn.Parameter(torch.randn(4, 2))
        self.b2 = nn.Parameter(torch.zeros(2))
    def forward(self, x, y):
        h = torch.relu(x @ self.w1 + self.b1)
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]
    def my_forward_backward(self, x, y):
        z = x @ self.w1 + self.b1
        h = z.relu()
        off = h @ self.w2 + self.b2 - y
        loss = (off ** 2).sum() / x.shape[0]
        g = 2 * off / x.shape[0]
        off = None
        self.w2.grad = h.T @ g
        h = None
        self.b2.grad = g.sum(0)
        dh = g @ self.w2.T
        g = None
        dz = dh * (z > 0)
        dh = None
        z = None
        self.w1.grad = x.T @ dz
        self.b1.grad = dz.sum(0)
        dz = None
        return loss
"""
CASES = {
    "nothing is wrong": ("v911", LINEAR, "", "", None),
    "nothing is wrong in two layers": ("v912", LAYERS, "", "", None),
    "a lost factor": ("v911", LINEAR, "doff = 2 * off", "doff = off", "g = doff / y.numel()"),
    "a wrong sign": ("v911", LINEAR, "doff = 2 * off", "doff = -2 * off", "doff = -2 * off"),
    "a number of no meaning": (
        "v911", LINEAR, "doff / y.numel()", "doff / (y.numel() + 1)", "g = doff / (y.numel() + 1)"),
    "a sum for all": ("v912", LAYERS, "self.b2.grad = g.sum(0)",
                      "self.b2.grad = g.sum() * torch.ones_like(self.b2)",
                      "self.b2.grad = g.sum() * torch.ones_like(self.b2)"),
    "a mask the wrong way round": ("v912", LAYERS, "(z > 0)", "(z < 0)", "dz = dh * (z < 0)"),
    "a wrong value": ("v911", LINEAR, "off ** 2", "off ** 4", "loss = (off ** 4).mean()"),
}  # fmt: skip


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 1024, 5e-5, 1e-7, 30, 2**30)
    with contextlib.closing(Grader(plan, default_rubric(), load_bank(BANK), warm_zygote())) as made:
        yield made


def lines(found: list[Finding]) -> list[str]:
    """What is told as gone wrong."""
    return [f.place.source.strip() for f in found if f.kind == "faulty-line" and f.place]


SELDOM = {"nothing is wrong", "a number of no meaning", "a sum for all", "a wrong sign"}
"""What is left to the long run: others are of the same kind."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in SELDOM else []) for n in CASES]
)
def test_the_line_is_told(name: str, grader: Grader, tmp_path: Path) -> None:
    task, text, right, wrong, line = CASES[name]
    path = tmp_path / f"net_{task}.py"
    assert not right or right in text
    body = text.replace(right, wrong) if right else text
    if name == "a wrong value":  # in the pass alone
        ahead, behind = text.split("    def my_forward_backward")
        body = ahead + "    def my_forward_backward" + behind.replace(right, wrong)
    path.write_text(f"import torch\nfrom torch import nn\n{body}")
    grade = grader.grade(path, path.name)
    assert grade.status == "graded", grade.message
    found = [f for check in grade.checks for f in check.result.findings]
    if line is None:
        assert (grade.score, found) == (100, [])
    else:
        assert lines(found)[:1] == ([line] if line else [])


# -- one mistake a pass, at the first sizes ---------------------------------------------------

SOFTMAX = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(2, 3))
        self.b = nn.Parameter(torch.zeros(3))
    def forward(self, x, y):
        return F.cross_entropy(x @ self.w + self.b, y)
    def my_forward_backward(self, x, y):
        n = x.shape[0]
        s = x @ self.w + self.b
        s = s - s.max(dim=1, keepdim=True).values
        e = s.exp()
        p = e / e.sum(dim=1, keepdim=True)
        rows = torch.arange(n)
        loss = -p[rows, y].log().mean()
        g = p.clone()
        g[rows, y] -= 1
        g = g / n
        self.w.grad = x.T @ g
        self.b.grad = g.sum(0)
        return loss
"""
LOG_SOFTMAX = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(2, 3))
        self.b = nn.Parameter(torch.zeros(3))
    def forward(self, x, y):
        return F.cross_entropy(x @ self.w + self.b, y)
    def my_forward_backward(self, x, y):
        n = x.shape[0]
        s = x @ self.w + self.b
        s = s - s.max(dim=1, keepdim=True).values
        logp = s - s.exp().sum(dim=1, keepdim=True).log()
        hot = F.one_hot(y, s.shape[1])
        loss = -(hot * logp).sum() / n
        p = logp.exp()
        ds = (p - hot) / n
        self.w.grad = x.T @ ds
        self.b.grad = ds.sum(0)
        return loss
"""
TWO_LAYERS = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(3, 4))
        self.b1 = nn.Parameter(torch.zeros(4))
        self.w2 = nn.Parameter(torch.randn(4, 2))
        self.b2 = nn.Parameter(torch.zeros(2))
    def forward(self, x, y):
        h = torch.relu(x @ self.w1 + self.b1)
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]
    def my_forward_backward(self, x, y):
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = z.relu()
        off = h @ self.w2 + self.b2 - y
        loss = (off ** 2).sum() / n
        g = 2 * off / n
        self.w2.grad = h.T @ g
        self.b2.grad = g.sum(0)
        dh = g @ self.w2.T
        dz = dh * (z > 0)
        self.w1.grad = x.T @ dz
        self.b1.grad = dz.sum(0)
        return loss
"""
MISTAKES = {
    ("v913", SOFTMAX): {
        "g = g / n": ("g = g * 1.0", "g = g / n / n"),
        "g[rows, y] -= 1": (
            "g[rows, (y + 1) % g.shape[1]] -= 1",
            "g[:, y] -= 1",
            "g[rows, 0] -= 1",
            "g[rows, y] += 1",
            "g[rows, y] -= 0",
            "g[rows, y] -= 2",
        ),
        "g = p.clone()": (
            "g = s.softmax(0)",
            "g = s.clone()",
            "g = e.clone()",
            "g = s.sigmoid()",
        ),
        "self.w.grad = x.T @ g": (
            "self.w.grad = -x.T @ g",
            "self.w.grad = x.T @ p",
            "self.w.grad = (x * x).T @ g",
        ),
        "self.b.grad = g.sum(0)": (
            "self.b.grad = -g.sum(0)",
            "self.b.grad = g.mean(0)",
            "self.b.grad = p.sum(0)",
            "self.b.grad = g.sum().expand(self.b.shape)",
            "self.b.grad = (g * g).sum(0)",
        ),
        "log().mean()": ("log().sum()",),
        "loss = -p": ("loss = p",),
        "e.sum(dim=1, keepdim=True)": ("e.sum(dim=0, keepdim=True)",),
        "s = x @ self.w + self.b": ("s = x @ self.w",),
    },
    ("v913", LOG_SOFTMAX): {
        "ds = (p - hot) / n": (
            "ds = p - hot",
            "ds = (hot - p) / n",
            "ds = (p + hot) / n",
            "ds = p / n",
            "ds = (p - hot.roll(1, 1)) / n",
            "ds = p * (p - hot) / n",
            "ds = (p - hot) / p.numel()",
        ),
        "p = logp.exp()": (
            "p = s.exp()",
            "p = logp.softmax(0)",
            "p = logp * 1.0",
            "p = logp.sigmoid()",
        ),
        "self.b.grad = ds.sum(0)": ("self.b.grad = ds.mean(0)", "self.b.grad = -ds.sum(0)"),
        "self.w.grad = x.T @ ds": ("self.w.grad = x.T @ (ds * p)",),
    },
    ("v912", TWO_LAYERS): {
        "g = 2 * off / n": (
            "g = 2 * off",
            "g = off / n",
            "g = 2 * off / off.numel()",
            "g = -2 * off / n",
            "g = 2 * off ** 3 / n",
        ),
        "self.w2.grad = h.T @ g": ("self.w2.grad = z.T @ g",),
        "self.b2.grad = g.sum(0)": (
            "self.b2.grad = g.mean(0)",
            "self.b2.grad = g.sum().expand(self.b2.shape)",
        ),
        "dz = dh * (z > 0)": (
            "dz = dh * (z < 0)",
            "dz = dh * 1.0",
            "dz = dh * (dh > 0)",
            "dz = dh * h",
            "dz = torch.where(z > 0, dh, 0.1 * dh)",
        ),
        "self.w1.grad = x.T @ dz": ("self.w1.grad = x.T @ dh",),
        "self.b1.grad = dz.sum(0)": ("self.b1.grad = dz.mean(0)", "self.b1.grad = dh.sum(0)"),
        "dh = g @ self.w2.T": (
            "dh = g @ self.w2.T.abs()",
            "dh = off @ self.w2.T",
            "dh = -(g @ self.w2.T)",
        ),
        "loss = (off ** 2).sum() / n": (
            "loss = (off ** 2).mean()",
            "loss = (off.abs()).sum() / n",
        ),
        "h = z.relu()": ("h = z * 1.0",),
    },
}  # fmt: skip
"""By task and pass: a text in it, and what stands there by mistake."""
LATER = {"p = logp * 1.0": "ds = (p - hot) / n"}
"""Mistakes that give numbers which the task has elsewhere: the line that reads them is told."""
TABLE = {
    f"{task}: {wrong}": (task, text, right, wrong)
    for (task, text), mistakes in MISTAKES.items()
    for right, each in mistakes.items()
    for wrong in each
}
USUAL = [
    "v913: g = g * 1.0",
    "v913: g[rows, y] += 1",
    "v913: s = x @ self.w",
    "v913: e.sum(dim=0, keepdim=True)",
    "v913: ds = (hot - p) / n",
    "v912: g = 2 * off",
]


@pytest.mark.parametrize("name", few(TABLE, USUAL))
def test_the_line_is_told_and_none_that_serves_a_right_value(name: str) -> None:
    task, text, right, wrong = TABLE[name]
    ahead, behind = text.split("    def my_forward_backward")
    assert behind.count(right) == 1
    mistaken = behind.replace(right, wrong)
    pairs = zip(behind.split("\n"), mistaken.split("\n"), strict=True)
    line = next(new for old, new in pairs if old != new)
    header = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
    submission = f"{header}{ahead}    def my_forward_backward{mistaken}"
    case = case_of(submission, (BANK / f"{task}.py").read_text(encoding="utf-8"))
    expected = LATER.get(wrong, line.strip())
    assert lines(list(case.locate("pass").findings)) == [expected]


RENAMED = """
def v1(x: Float[Tensor, "n"], t: Float[Tensor, "n"], *, w: Float[Tensor, "n"]):
    return (x * w * t - t).pow(2).sum()
"""
NORMED = """
def v1(
    x: Float[Tensor, "n d"], c: Float[Tensor, "n d"], *, gamma: Float[Tensor, "d"]
):
    mid = x - x.mean(0)
    return (gamma * mid / (mid.pow(2).mean(0) + 1).sqrt() * c).sum()
"""
UPSAMPLED = """
def v1(x: Float[Tensor, "n c"], *, w: Float[Tensor, "c"]):
    return F.interpolate((x * w)[:, None], scale_factor=2.0, mode="nearest").pow(2).mean()
"""
RECURRENT = """
def v1(x: Float[Tensor, "3 n"], *, a: Float[Tensor, "n"], u: Float[Tensor, "n"]):
    h = torch.zeros_like(x[0])
    for t in range(3):
        h = torch.tanh(a * h + u * x[t])
    return h.sum()
"""
DECAYED = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"]):
    return ((x @ w - y) ** 2).sum() + 0.1 * (w ** 2).sum()
"""
WEIGHED_ROWS = """
def v1(x: Float[Tensor, "n d"], c: Float[Tensor, "n"], *, w: Float[Tensor, "d k"], b: Float[Tensor, "k"]):
    return (c * (x @ w + b).exp().sum(1)).sum()
"""
ROW_BY_ROW = """
def v1(x: Float[Tensor, "3 k"], *, W: Float[Tensor, "k k"]):
    return (torch.softmax(x @ W.T, 1) ** 2).sum()
"""
MEANS = """
def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d k"], u: Float[Tensor, "k"]):
    return (torch.relu(x @ w).mean(0) * u).sum()
"""
PRODUCT = """
def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):
    return (x * w).sum()
"""
COUPLED = """
def v1(x: Float[Tensor, "n"], y: Float[Tensor, "n"], *, a: Float[Tensor, "n"], b: Float[Tensor, "n"]):
    u, v = x, y
    for _ in range(3):
        u, v = u - 0.1 * a * v, v + 0.1 * b * u * v
    return (u * v).sum()
"""
RESIDUAL = """
def v1(x: Float[Tensor, "n d"], *, W: Float[Tensor, "2 d"]):
    first = x * (x @ W[0])[:, None] + x
    return ((x * (first @ W[1])[:, None] + first) ** 2).mean()
"""
ONE_BY_ONE = """
def v1(x: Float[Tensor, "n d"], c: Float[Tensor, "n"], *, w: Float[Tensor, "d"]):
    return torch.exp(x @ w + c).sum() + 0.05 * (w ** 2).sum()
"""
SCALED = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *, W: Float[Tensor, "d k"]):
    z = torch.tanh(x @ W)
    r = torch.sqrt((z ** 2).mean(1) + 0.05)
    return ((z / r[:, None] - y) ** 2).sum()
"""
POOLED = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, W: Float[Tensor, "d k"], v: Float[Tensor, "k"]):
    return ((torch.tanh(x @ W).amax(0) @ v - y.sum()) ** 2) + torch.logsumexp(x @ W, 1).sum()
"""
DISTANCES = """
def v1(x: Float[Tensor, "n d"], c: Float[Tensor, "n"], *, w: Float[Tensor, "d"]):
    d = torch.sqrt(((x * w) ** 2).sum(1) + 0.1)
    return (c * d ** 2 + (1 - c) * (3 + d) ** 2).mean() / 2
"""
KERNEL = """
def v1(x: Float[Tensor, "n d"], *, a: Float[Tensor, "n"]):
    K = torch.exp(-((x[:, None] - x[None]) ** 2).sum(2))
    return ((K @ a) ** 2).sum()
"""
POWERS = """
def v1(x: Float[Tensor, "n"], *, w: Float[Tensor, "4"]):
    return ((w[0] + w[1] * x + w[2] * x ** 2 + w[3] * x ** 3) ** 2).sum()
"""
WINDOWS = """
def v1(x: Float[Tensor, "n 5"], *, w: Float[Tensor, "3"]):
    return (F.conv1d(x[:, None], w[None, None], stride=2) ** 3).sum()
"""
PICKED = """
BELOW = {"i": "k"}
def v1(x: Float[Tensor, "n d"], i: Int[Tensor, "n"], c: Float[Tensor, "n"], *, W: Float[Tensor, "d k"]):
    p = torch.softmax(x @ W, 1).gather(1, i[:, None])[:, 0]
    return (c * (p + 1).clamp(1.3, 1.6)).sum()
"""
PASSES = {
    KERNEL: """
        sq = (x * x).sum(1)
        far = sq[:, None] + sq[None, :] - 2 * x @ x.T
        K = torch.exp(-far)
        f = K @ self.a
        self.a.grad = 2 * K.T @ f
        return (f ** 2).sum()
""",
    POWERS: """
        phi = torch.ones(len(x), 4, dtype=x.dtype)
        for k in range(1, 4):
            phi[:, k] = phi[:, k - 1] * x
        f = phi @ self.w
        self.w.grad = phi.T @ (2 * f)
        return (f ** 2).sum()
""",
    WINDOWS: """
        f = torch.zeros(len(x), 2, dtype=x.dtype)
        for j in range(2):
            window = x[:, 2 * j : 2 * j + 3]
            f[:, j] = (window * self.w).sum(1)
        df = 3 * f ** 2
        self.w.grad = df[:, 0] @ x[:, :3] + df[:, 1] @ x[:, 2:]
        return (f ** 3).sum()
""",
    PICKED: """
        p = torch.softmax(x @ self.W, 1)
        rows = torch.arange(len(x))
        own = p[rows, i]
        clipped = (own + 1).clamp(1.3, 1.6)
        down = c * ((own > 0.3) & (own < 0.6)) * own
        ds = -down[:, None] * p
        ds[rows, i] += down
        self.W.grad = x.T @ ds
        return (c * clipped).sum()
""",
    RESIDUAL: """
        xs = [x]
        for l in range(2):
            xs.append(x * (xs[l] @ self.W[l])[:, None] + xs[l])
        loss = (xs[2] ** 2).mean()
        dx = 2 * xs[2] / xs[2].numel()
        dW = torch.zeros_like(self.W)
        for l in (1, 0):
            ddot = (dx * x).sum(1)
            dW[l] += xs[l].T @ ddot
            dx = dx + ddot[:, None] * self.W[l]
        self.W.grad = dW
        return loss
""",
    ONE_BY_ONE: """
        e = torch.exp(x @ self.w + c)
        g = torch.zeros_like(self.w)
        for i in range(len(x)):
            g += e[i] * x[i]
        g += 0.1 * self.w
        self.w.grad = g
        return e.sum() + 0.05 * (self.w ** 2).sum()
""",
    SCALED: """
        z = torch.tanh(x @ self.W)
        inv = ((z * z).mean(dim=1) + 0.05).rsqrt().unsqueeze(1)
        off = z * inv - y
        dunit = 2 * off
        dinv = (dunit * z).sum(dim=1, keepdim=True)
        dms = -0.5 * dinv * inv ** 3
        dz = dunit * inv + dms * 2 * z / z.shape[1]
        self.W.grad = x.T @ (dz * (1 - z * z))
        return (off * off).sum()
""",
    POOLED: """
        a = x @ self.W
        act = torch.tanh(a)
        best, where = act.max(dim=0)
        off = best @ self.v - y.sum()
        m = a.max(dim=1, keepdim=True)[0]
        e = torch.exp(a - m)
        total = e.sum(1, keepdim=True)
        loss = off ** 2 + (torch.log(total) + m).sum()
        self.v.grad = 2 * off * best
        best = None
        dbest = 2 * off * self.v
        dact = torch.zeros_like(act).scatter_(0, where[None], dbest[None])
        da = dact * (1 - act ** 2) + e / total
        self.W.grad = x.T @ da
        return loss
""",
    DISTANCES: """
        z = x * self.w
        d = torch.sqrt((z ** 2).sum(1) + 0.1)
        loss = (c * d ** 2 + (1 - c) * (3 + d) ** 2).mean() / 2
        dd = c * d + (1 - c) * (3 + d)
        dd = dd / len(x)
        dz = (dd / d)[:, None] * z
        self.w.grad = (dz * x).sum(0)
        return loss
""",
    COUPLED: """
        us, vs = [x], [y]
        for k in range(3):
            u, v = us[k], vs[k]
            us.append(u - 0.1 * self.a * v)
            vs.append(v + 0.1 * self.b * u * v)
        du, dv = vs[3], us[3]
        da, db = torch.zeros_like(du), torch.zeros_like(du)
        for k in (2, 1, 0):
            u, v = us[k], vs[k]
            da = da - 0.1 * du * v
            db = db + 0.1 * dv * u * v
            before = du + 0.1 * self.b * dv * v
            dv = dv - 0.1 * self.a * du + 0.1 * self.b * dv * u
            du = before
        self.a.grad, self.b.grad = da, db
        return (us[3] * vs[3]).sum()
""",
    ROW_BY_ROW: """
        loss = x.new_zeros(())
        dW = torch.zeros_like(self.W)
        for i in range(3):
            z = self.W @ x[i]
            e = torch.exp(z - z.max())
            p = e / e.sum()
            loss = loss + (p ** 2).sum()
            J = torch.diag(p) - torch.outer(p, p)
            dW += torch.outer(J @ (2 * p), x[i])
        self.W.grad = dW
        return loss
""",
    MEANS: """
        a = x @ self.w
        h = torch.relu(a)
        m = h.mean(0)
        loss = (m * self.u).sum()
        dm = self.u
        self.u.grad = m
        dh = dm.expand_as(h) / len(x)
        da = dh * (a > 0)
        self.w.grad = x.T @ da
        return loss
""",
    PRODUCT: """
        dw = x.sum(0)
        self.w.grad = dw + 1e-320 * x[0]
        return (x * self.w).sum()
""",
    UPSAMPLED: """
        big = (x * self.w).repeat_interleave(2, dim=1)
        loss = big.pow(2).mean()
        dbig = 2 * big / big.numel()
        small = dbig.reshape(len(x), -1, 2).sum(2)
        self.w.grad = (small * x).sum(0)
        return loss
""",
    RECURRENT: """
        hs = [torch.zeros_like(x[0])]
        for t in range(3):
            hs.append(torch.tanh(self.a * hs[t] + self.u * x[t]))
        dh = torch.ones_like(x[0])
        da, du = torch.zeros_like(dh), torch.zeros_like(dh)
        for t in (2, 1, 0):
            dz = dh * (1 - hs[t + 1] ** 2)
            da += dz * hs[t]
            du += dz * x[t]
            dh = dz * self.a
        self.a.grad, self.u.grad = da, du
        return hs[3].sum()
""",
    DECAYED: """
        r = x @ self.w - y
        self.w.grad = 2 * (x.T @ r) + 0.2 * self.w
        return (r ** 2).sum() + 0.1 * (self.w ** 2).sum()
""",
    RENAMED: """
        a = x * self.w
        b = a
        off = b * t - t
        self.w.grad = 2 * off * t * x
        return (off ** 2).sum()
""",
    NORMED: """
        mid = x - x.mean(0)
        inv = 1 / ((mid ** 2).mean(0) + 1).sqrt()
        xhat = mid * inv
        dout = c
        loss = (self.gamma * xhat * dout).sum()
        self.gamma.grad = (dout * xhat).sum(0)
        return loss
""",
    WEIGHED_ROWS: """
        e = (x @ self.w + self.b).exp()
        loss = (c * e.sum(1)).sum()
        de = e * c[:, None]
        self.w.grad = x.T @ de
        self.b.grad = de.sum(0)
        return loss
""",
}


@pytest.mark.parametrize(
    ("task", "right", "wrong"),
    [
        pytest.param(UPSAMPLED, "2 * big /", "big /", id="an op that no replay runs"),
        pytest.param(RECURRENT, "dh * (1 - hs[t + 1] ** 2)", "dh.clone()", id="an earlier loop"),
        pytest.param(DECAYED, " + 0.2 * self.w", "", id="a weight's decay"),
        pytest.param(WEIGHED_ROWS, "e * c[:, None]", "e.clone()", id="a factor for each row"),
        pytest.param(ROW_BY_ROW, "outer(p, p)", "outer(e, p)", id="in each round of a loop"),
        pytest.param(
            MEANS, "dm.expand_as(h) / len(x)", "dm.expand_as(h) * 1", id="the one that a name is of"
        ),
        pytest.param(COUPLED, "- 0.1 * self.a * du + 0.1", "- 0.1", id="terms of each round"),
        pytest.param(COUPLED, "vs.append(v + ", "vs.append(", id="a value of each round"),
        pytest.param(RESIDUAL, "[:, None] + xs[l]", "[:, None]", id="what the round before gave"),
        pytest.param(ONE_BY_ONE, "e[i] * x[i]", "e[i]", id="the same row of an input"),
        pytest.param(SCALED, "-0.5 * dinv * inv ** 3", "inv ** 3", id="with an axis of length 1"),
        pytest.param(POOLED, "max(dim=1", "max(dim=0", id="the axis of what gives two tensors"),
        pytest.param(
            DISTANCES,
            "c * d + (1 - c)",
            "c.exp() * d.sin() + (1 - c)",
            id="a multiple of an adjoint",
        ),
        pytest.param(MEANS, "dh * (a > 0)", "dh", id="a mask at the line that renames it"),
        pytest.param(MEANS, "torch.relu(a)", "a", id="a function at the line that renames it"),
        pytest.param(ROW_BY_ROW, "torch.exp(z - z.max())", "z", id="one in each round of a loop"),
        pytest.param(RESIDUAL, "dx + ddot[:, None] * self.W[l]", "dx", id="a name for itself"),
        pytest.param(RENAMED, "2 * off * t", "2 * b * t", id="not a name that is right elsewhere"),
        pytest.param(NORMED, "mid * inv", "inv", id="a name beside another, and an attribute"),
        pytest.param(KERNEL, "sq[:, None] + ", "", id="a term for each row"),
        pytest.param(POWERS, "phi[:, k - 1]", "phi[:, 1 - k]", id="an index with the other sign"),
        pytest.param(WINDOWS, "x[:, 2 * j :", "x[:, 2 * j + 2 :", id="where a slice begins"),
        pytest.param(WINDOWS, ": 2 * j + 3]", ": 2 * j + 1]", id="where a slice ends"),
        pytest.param(PICKED, "= p[rows, i]", "= x[rows, i]", id="what is picked from"),
        pytest.param(PRODUCT, "dw = x.sum(0)", "dw = 2 * x.sum(0)", id="beside what is nearly 0"),
    ],
)
def test_what_is_missing_is_missed_at_its_line(task: str, right: str, wrong: str) -> None:
    number = PASSES[task][: PASSES[task].index(right)].count("\n")
    case = _case(task, right, wrong)
    told = lines(list(case.locate("pass").findings))
    assert told == [PASSES[task].replace(right, wrong).split("\n")[number].strip()]


@pytest.mark.parametrize(
    ("task", "right", "wrong"), [(MEANS, "(x)", "(x) ** 2"), (COUPLED, "vs[3], us", "vs[0], us")]
)
def test_a_change_that_slopes_refuse_mends_nothing(
    task: str, right: str, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = _case(task, right, wrong)
    told = case.locate("pass").findings
    refused = 0

    def may_mend(slopes: Slopes, results: Sequence[object]) -> bool:
        nonlocal refused
        refused += not kept(slopes, results)
        return True

    kept = Slopes.may_mend
    monkeypatch.setattr(Slopes, "may_mend", may_mend)
    assert case.locate("pass").findings == told
    assert refused > 10


def _case(task: str, right: str, wrong: str) -> Case:
    assert PASSES[task].count(right) == 1
    return _case_of_body(task, PASSES[task].replace(right, wrong))


@pytest.mark.long
def test_a_loop_of_many_rounds_is_searched() -> None:
    longer = {"range(3)": "range(120)", "(2, 1, 0)": "reversed(range(120))", "hs[3]": "hs[120]"}
    body = PASSES[RECURRENT].replace("dh * (1 - hs[t + 1] ** 2)", "dh * hs[t + 1]")
    for short, long in longer.items():
        body = body.replace(short, long)
    case = _case_of_body(RECURRENT.replace("3", "120"), body)
    assert lines(list(case.locate("pass").findings)) == ["dz = dh * hs[t + 1]"]


def _case_of_body(task: str, body: str) -> Case:
    inputs, weights = (
        re.findall(r'(\w+): (?:Float|Int)\[Tensor, "(.*?)"', part) for part in task.split("*,")
    )
    sizes = {name: [1] * len(dims.split()) for name, dims in weights}
    made = "\n".join(f"        self.{w} = nn.Parameter(torch.zeros({n}))" for w, n in sizes.items())
    taken = ", ".join(["self", *(name for name, _ in inputs)])
    return case_of(
        f"import torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        f"        super().__init__()\n{made}\n"
        f"    def forward({taken}):\n        pass\n    def my_forward_backward({taken}):{body}",
        task,
    )


NAIVE = """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(2))
    def forward(self, x):
        return (x * self.w).sum()
    def my_forward_backward(self, x):
        dw = torch.zeros(2)
        for i in range(x.shape[0]):
            for j in range(2):
                dw[j] += 2 * x[i, j]
        self.w.grad = dw
        return (x * self.w).sum()
"""


@pytest.mark.parametrize(
    ("around", "told"),
    [("h = h", ["h = h"]), ("if len(h) > 99:\n    h = h.abs()\nelse:\n    h = h", [])],
)
def test_a_way_in_which_nothing_is_done_is_not_accused(around: str, told: list[str]) -> None:
    """`else: h = h` is how some write the other way of an `if`."""
    body = PASSES[MEANS].replace("x.T @ da", "x.T.sin() @ da.cos()")
    block = "\n        ".join(around.split("\n"))
    body = body.replace("m = h.mean(0)", f"{block}\n        m = h.mean(0)")
    named = lines(list(_case_of_body(MEANS, body).locate("pass").findings))
    assert [line for line in named if line == "h = h"] == told


@pytest.mark.parametrize(("rows", "names"), [(2, True), (200, False)])
def test_no_line_is_sought_in_a_loop_of_thousands_of_ops(rows: int, names: bool) -> None:
    task = f'def v1(x: Float[Tensor, "{rows} 2"], *, w: Float[Tensor, "2"]):\n    return (x * w).sum()\n'
    case = case_of(NAIVE, task)
    assert lines(list(case.locate("pass").findings)) == ["dw[j] += 2 * x[i, j]"] * names


# -- "To see it, run this" ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong", "shows"),
    [
        ("self.w.grad = x.T @ g", "self.w.grad = -x.T @ g", "w is off by"),
        ("log().mean()", "log().sum()", "should be"),
    ],
)
def test_what_shows_the_fault_shows_it_in_a_new_interpreter(
    right: str, wrong: str, shows: str, tmp_path: Path
) -> None:
    ahead, behind = SOFTMAX.split("    def my_forward_backward")
    header = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
    text = f"{header}{ahead}    def my_forward_backward{behind.replace(right, wrong)}"
    case = case_of(text, (BANK / "v913.py").read_text(encoding="utf-8"))
    name: Shown = "gradients" if "off" in shows else "value"
    program = reproducer(case, case.manual.expected, 0, name)
    assert program is not None
    (tmp_path / "net.py").write_text(f"{text}\n\n{program}\n", encoding="utf-8")
    ran = subprocess.run([sys.executable, "net.py"], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    if name == "value":
        own, should = (float(n) for n in re.findall(r"[\d.]+(?:e-?\d+)?", ran.stdout))
        assert abs(own - should) > 1e-3
    else:
        off = dict(re.findall(r"(\w+) is off by (\S+)", ran.stdout))
        assert float(off["w"]) > 1e-3 > 10 * float(off["b"])


def test_the_value_is_the_loss_where_y_are_labels() -> None:
    assert (
        case_of(f"import torch\nfrom torch import nn\n{LINEAR}", (BANK / "v911.py").read_text()).y
        == "loss"
    )

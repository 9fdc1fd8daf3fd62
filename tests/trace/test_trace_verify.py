"""Whether a recording is believed: honest passes are, hidden work is not, and a branch is told from
hidden work. Also how long an untrusted recording may keep the grader busy."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from trace_lab import evidence, run, settled, source, verified

from pytest_backprop.model import Tensor
from pytest_backprop.trace.forks import decides

F = "w0, w1 = self.w\nt = w0 * x1\nu = w1 * x2\ny = t * u + x3\n"
E = "\nself.w.grad = torch.stack([u * x1, t * x2])\nreturn y"
# name -> (lines, top, how it is taken, on one recording and on many)
PASSES: dict[str, tuple[str, str, str, str]] = {
    "honest": ("", "", "replayable", "replayable"),
    "constant": ("y = y * 1.37", "", "replayable", "replayable"),
    "constant tensor": ("y = y + torch.tensor(2.7)", "", "replayable", "replayable"),
    "constant of the module": ("y = y * C", "C = torch.tensor(2.7)", "replayable", "replayable"),
    "vector of the module": ("y = y * C[1]", "C = torch.tensor([2.7, 3.1])", "replayable", "replayable"),
    "number of the module": ("y = y * C", "C = 2.7", "replayable", "replayable"),
    "constant of numpy": ("y = y * float(np.pi)", "", "replayable", "replayable"),
    "item and straight back": ("y = torch.tensor(y.item())", "", "replayable", "replayable"),
    "item as a factor": ("y = y * t.item()", "", "replayable", "replayable"),
    "weight as a float": ("a, b = self.w.tolist()\ny = y + a * x1 - b * x2", "", "replayable", "replayable"),
    "input as a float": ("y = y * x1.item()", "", "replayable", "replayable"),
    "rounded": ("y = y.double().float()", "", "replayable", "replayable"),
    "where": ("y = torch.where(t > 0.3, y, -y)", "", "replayable", "replayable"),
    "pole": ("y = y / (t - t)", "", "replayable", "replayable"),
    "not a number": ("y = y * float('nan')", "", "replayable", "replayable"),
    "branch": ("y = y * (1.0 if t > 0.2 else 2.0)", "", "unexplained", "branches"),
    "branch of ops": ("if t > 0.2: y = y + t\nelse: y = y - u", "", "unexplained", "branches"),
    "max of Python": ("y = y + max(t, u)", "", "unexplained", "branches"),
    "loop that ends by value": ("while y.abs() > 0.2: y = y * 0.5", "", "unexplained", "branches"),
    "arithmetic on an item": ("y = y + t.item() * 1.37", "", "unexplained", "unexplained"),
    "math on an item": ("y = y + math.exp(t.item())", "", "unexplained", "unexplained"),
    "numpy": ("y = y + torch.from_numpy(np.array([t, u]) * 1.5).sum()", "", "unexplained", "unexplained"),
    "numpy in place": ("a = y.numpy()\na += 1", "", "unexplained", "unexplained"),
    "a list kept by the module": ("S.append(1)\ny = y * len(S)", "S = []", "unexplained", "unexplained"),
    "a tensor kept by the module": (
        "y = y * S[0]\nS[0] = t.clone()", "S = [torch.tensor(1.0)]", "unexplained", "unexplained",
    ),
    "cached on self": (
        "self.n = getattr(self, 'n', 0) + 1\ny = y * self.n", "", "unexplained", "unexplained",
    ),
    "bits of a number in plain constants": (
        "n = int(abs(t.item()) * 2**20)\nfor i in range(20): y = y + 2.0**-i * (n >> i & 1)",
        "", "unexplained", "unexplained",
    ),
    "a way that nothing told": (
        "if S.append(1) is None and len(S) % 3: y = y + t\nelse: y = y - u", "S = []",
        "unexplained", "unexplained",
    ),
    "as many ops as a number": (
        "for i in range(int(t.item() * 500)): y = y + 0.5", "", "unexplained", "branches",
    ),
    "sort": ("y = y + torch.sort(torch.stack([t, u])).values[0]", "", "replayable", "replayable"),
    "median": ("y = y + torch.stack([t, u, y]).median()", "", "replayable", "replayable"),
    "kthvalue": ("y = y + torch.stack([t, u]).kthvalue(1).values", "", "replayable", "replayable"),
    "unique": ("y = y + torch.stack([t, u, t]).unique()[0]", "", "replayable", "replayable"),
    "nonzero": ("y = y + y[None][(y[None] > -9).nonzero()].sum()", "", "replayable", "replayable"),
    "two numbers that are the same at some points": (
        "e = torch.tensor((40 * t).exp().item())\ns = torch.tensor((e + u).item())\ny = y + s / e",
        "", "replayable", "replayable",
    ),
    "out=": ("v = torch.empty(())\ntorch.mul(t, u, out=v)\ny = y + v", "", "replayable", "replayable"),
}  # fmt: skip


SLOW = {"as many ops as a number", "arithmetic on an item", "kthvalue", "unique"}
"""What is left to the long run."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in SLOW else []) for n in PASSES]
)
def test_how_a_pass_is_taken(name: str) -> None:
    lines, top, how, how_on_many = PASSES[name]
    found = verified(evidence(F + lines + E, top))
    assert found.how == how, found.reason
    assert (len(found.outputs) == 3) == (how == "replayable")
    found = settled(F + lines + E, top)
    assert found.how == how_on_many, found.reason
    if found.how == "branches":
        assert len(found.paths) > 1
        assert all(path.runs for path in found.paths)


@pytest.mark.parametrize(
    ("line", "look"),
    [
        ("", False),
        ("t.item()", True),
        ("print(t)", False),
        ("assert not torch.isnan(t)", True),
        ("y = y * C[int(C[1])]", False),
        ("C[0] = t\ny = y * C[int(C[1])]", True),
    ],
)
def test_only_a_look_that_may_decide_asks_for_more_points(line: str, look: bool) -> None:
    """A label is the same at all points; what is written into it is not."""
    seen = evidence(F + line + E, "C = torch.tensor([2.0, 0.0])")
    assert decides(seen.pass_recordings) == look


def test_a_pass_that_raises_everywhere_is_faulty() -> None:
    seen = run(source(F + "raise ValueError('no')"))
    assert seen.pass_recordings == ()
    assert verified(seen).how == "faulty"


def test_a_gradient_that_the_recording_does_not_give_is_hidden() -> None:
    """The child's word alone is no evidence."""
    seen = evidence(F + E)
    half, outputs = Tensor((0.5,), (), "float32"), [run.outputs for run in seen.pass_runs]
    runs = [
        msgspec.structs.replace(run, outputs=told | {"grad.w0": half})
        for run, told in zip(seen.pass_runs, outputs, strict=True)
    ]
    assert verified(msgspec.structs.replace(seen, pass_runs=tuple(runs))).how == "unexplained"
    missing = [
        msgspec.structs.replace(run, outputs=told | {"grad.w0": None})
        for run, told in zip(seen.pass_runs, outputs, strict=True)
    ]
    assert verified(msgspec.structs.replace(seen, pass_runs=tuple(missing))).how == "unexplained"


# -- work that an untrusted recording may ask of the grader ----------------------------------


FORGED: dict[str, dict[str, Any]] = {
    "wide values, read over and over": {"values": 5, "width": 4096, "ops": 50, "reads": 40},
    "many wide values": {"values": 200, "width": 4096, "ops": 1, "reads": 200},
    "more lives than values": {
        "values": 1, "width": 1, "ops": 2_000, "reads": 1, "lives": 1_000,
    },
}  # fmt: skip

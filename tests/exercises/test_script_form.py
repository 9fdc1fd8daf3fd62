"""The form `script`: statements in a line. What is right and wrong is stated by hand, and held against autograd's `retain_grad`
in this process, which shares nothing with the grader."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from forms_grading import Grading, grading

from pytest_backprop.model import Grade

FORWARD = """
rows = table[contexts]
joined = rows.view(rows.shape[0], -1)
centred = joined - joined.mean(0, keepdim=True)
hidden = torch.tanh(centred @ W1 + b1)
scores = hidden @ W2 + b2
weights = scores.exp()
totals = weights.sum(1, keepdim=True)
shares = weights / totals
logs = shares.log()
loss = -logs[range(n), following].mean()
"""
BACKWARD = """
dlogs = torch.zeros_like(logs)
dlogs[range(n), following] = -1.0 / n
dshares = dlogs / shares
dtotals = -(dshares * weights).sum(1, keepdim=True) / totals**2
dweights = dshares / totals
dweights += dtotals
dscores = dweights * weights
dhidden = dscores @ W2.T
dW2 = hidden.T @ dscores
db2 = dscores.sum(0)
dbefore = dhidden * (1 - hidden**2)
dW1 = centred.T @ dbefore
db1 = dbefore.sum(0)
dcentred = dbefore @ W1.T
djoined = dcentred - dcentred.mean(0)
drows = djoined.view(rows.shape)
dtable = torch.zeros_like(table)
for i in range(contexts.shape[0]):
    for j in range(contexts.shape[1]):
        dtable[contexts[i, j]] += drows[i, j]
"""
DATA = """
import torch
words = open("words.txt").read().split()
n = batch_size = 32
generator = torch.Generator().manual_seed(1)
table = torch.randn((27, 4), generator=generator)
W1, b1 = torch.randn((12, 8), generator=generator), torch.randn(8)
W2, b2 = torch.randn((8, 27)), torch.randn(27)
parameters = [table, W1, b1, W2, b2]
for p in parameters:
    p.requires_grad = True
contexts, following = torch.randint(27, (n, 3)), torch.randint(27, (n,))
"""
AUTOGRAD = """
for t in [logs, shares, totals, weights, scores, hidden, centred, joined, rows]:
    t.retain_grad()
loss.backward()
"""
TRAINING = """
for step in range(200000):
    contexts, following = torch.randint(27, (n, 3)), torch.randint(27, (n,))
    scores = hidden @ W2 + b2
    dscores = torch.zeros_like(scores)
    for p in parameters:
        p.data -= 0.1 * p.grad
with torch.no_grad():
    hidden = torch.tanh(table[contexts].view(n, -1) @ W1)
"""
KEY = DATA + FORWARD + AUTOGRAD + BACKWARD
NAMES = [
    "logs", "shares", "totals", "weights", "scores", "hidden", "centred", "joined", "rows",
    "table", "W1", "b1", "W2", "b2",
]  # fmt: skip
WRONG = {
    "a factor": (
        "dlogs[range(n), following] = -1.0 / n", "dlogs[range(n), following] = -1.0", {"logs"},
        set(NAMES) - {"logs"},
    ),
    "a path lost": (
        "dweights += dtotals\n", "", {"weights"}, set(NAMES) - {"logs", "shares", "totals", "weights"},
    ),
    "a sum lost": ("db2 = dscores.sum(0)", "db2 = dscores.sum()", {"b2"}, set()),
    "a transposed product": ("dcentred = dbefore @ W1.T", "dcentred = dbefore @ W1.T * 2",
                             {"centred"}, {"joined", "rows", "table"}),
    "two mistakes, one after the other": (
        "djoined = dcentred - dcentred.mean(0)\ndrows = djoined.view(rows.shape)",
        "djoined = dcentred\ndrows = 3 * djoined.view(rows.shape)", {"joined", "rows"}, {"table"},
    ),
    "rows assigned": ("dtable[contexts[i, j]] += drows[i, j]", "dtable[contexts[i, j]] = drows[i, j]",
                      {"table"}, set()),
}  # fmt: skip


def oracle(text: str) -> set[str]:
    """The names whose gradients a script has wrong, by `retain_grad`, at sizes of this test's own."""
    wrong: set[str] = set()
    for seed in range(4):
        random = torch.Generator().manual_seed(seed)
        n, t, v, e, h = (5, 2, 4, 3, 6)
        names: dict[str, Any] = {"torch": torch, "n": n}
        shapes = {"table": (v, e), "W1": (t * e, h), "b1": (h,), "W2": (h, v), "b2": (v,)}
        for name, shape in shapes.items():
            names[name] = torch.randn(shape, generator=random).requires_grad_()
        names["contexts"] = torch.randint(v, (n, t), generator=random)
        names["following"] = torch.randint(v, (n,), generator=random)
        exec(FORWARD, names)
        for name in set(NAMES) - shapes.keys():
            names[name].retain_grad()
        names["loss"].backward(retain_graph=True)
        with torch.no_grad():
            exec(text, names)
        for name in NAMES:
            got, right = names[f"d{name}"], names[name].grad
            if got.numel() != right.numel() or not torch.allclose(got, right, atol=1e-5):
                wrong.add(name)
    return wrong


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


def grade_of(graded: Grading, folder: Path, text: str) -> Grade:
    path = folder / "anna_v701.py"
    path.write_text(text, encoding="utf-8")
    return graded(path, "script")


def wrong_names(grade: Grade) -> set[str | None]:
    (check,) = (c for c in grade.checks if c.result.id == "gradient")
    return {f.name for f in check.result.findings if f.level == "fault"}


def test_the_lecture_s_way_is_right(graded: Grading, tmp_path: Path) -> None:
    """Data and training do not run, autograd beside it is nobody's breach, and mean(0) drops a dimension."""
    assert oracle(BACKWARD) == set()
    grade = grade_of(graded, tmp_path, KEY + TRAINING + "\ndscores = None  # TODO\n")
    assert (grade.status, grade.score) == ("graded", 100)


def test_a_notebook_whose_other_cells_fail(graded: Grading, tmp_path: Path) -> None:
    cells = [DATA, "%matplotlib inline\nplt.imshow(logits)", FORWARD, AUTOGRAD, "raise SystemExit",
             BACKWARD, "cmp('scores', dscores, scores)", "for"]  # fmt: skip
    content = {
        "cells": [
            {"cell_type": "code", "source": cell, "metadata": {}, "outputs": [], "execution_count": None}
            for cell in cells
        ],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    }  # fmt: skip
    path = tmp_path / "anna_v701.ipynb"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert graded(path, "script").score == 100


ROUND = """
import torch
contexts, following = torch.randint(27, (32, 3)), torch.randint(27, (32,))
table, W1, b1 = torch.randn(27, 4), torch.randn(12, 8), torch.randn(8)
W2, b2 = torch.randn(8, 27), torch.randn(27)
n = batch_size = 32
for epoch in range(200):
    for step in range(500):
{body}
        print(epoch, step, loss)
        table -= 0.1 * dtable
        with torch.no_grad():
            W1 -= 0.1 * dW1
            b1 -= 0.1 * db1
        W2.sub_(0.1 * dW2)
        b2.sub_(0.1 * db2)
"""


UPDATES = (
    "        for p, d in ((table, dtable), (W1, dW1), (b1, db1), (W2, dW2), (b2, db2)):\n            p -= 0.1 * d\n",
    "        parameters, gradients = [table, W1, b1, W2, b2], [dtable, dW1, db1, dW2, db2]\n"
    "        for p, d in zip(parameters, gradients):\n            p.data += -0.1 * d\n",
    "        parameters = [table, W1, b1, W2, b2]\n"
    "        for i, d in enumerate([dtable, dW1, db1, dW2, db2]):\n            parameters[i] -= 0.1 * d\n",
    "        update([table, W1, b1, W2, b2], [dtable, dW1, db1, dW2, db2])\n",
)
"""Further ways to end a round."""


def in_a_loop(text: str) -> str:
    return ROUND.format(body=textwrap.indent(text, 8 * " "))


def test_gradients_of_a_loop_alone_are_those_of_one_round(graded: Grading, tmp_path: Path) -> None:
    of_a_number = FORWARD.replace("following].mean()", "following].mean().item()")
    for forward in (FORWARD, of_a_number):
        grade = grade_of(graded, tmp_path, in_a_loop(forward + BACKWARD))
        assert grade.score == grade.max_score, grade
    of_all = "with torch.no_grad():\n" + textwrap.indent(FORWARD + BACKWARD, "    ")
    for text in (
        in_a_loop(of_all + "    W1 -= 0.1 * dW1"),
        FORWARD + in_a_loop(FORWARD + BACKWARD) + FORWARD,
        "dW1 = dW2 = None\n" + in_a_loop(FORWARD + BACKWARD),
        in_a_loop(FORWARD.replace("table[contexts]", "table[contexts[step:][:n]]") + BACKWARD),
    ):
        grade = grade_of(graded, tmp_path, text)
        assert grade.score == grade.max_score, grade
    for update in UPDATES:
        text = in_a_loop(FORWARD + BACKWARD).replace(
            ROUND[ROUND.index("        table -=") :], update
        )
        assert "W2.sub_" not in text
        assert grade_of(graded, tmp_path, text).score == 100, update
    wrong = in_a_loop(FORWARD + BACKWARD.replace("db2 = dscores.sum(0)", "db2 = dscores.sum()"))
    assert wrong_names(grade_of(graded, tmp_path, wrong)) == {"b2"}


@pytest.mark.parametrize("case", WRONG)
def test_the_first_wrong_name_costs_and_what_follows_does_not(
    case: str, graded: Grading, tmp_path: Path
) -> None:
    old, new, own, follows = WRONG[case]
    assert BACKWARD.count(old) == 1
    assert oracle(BACKWARD.replace(old, new)) == own | follows
    grade = grade_of(graded, tmp_path, KEY.replace(old, new))
    assert wrong_names(grade) == own
    assert grade.score == pytest.approx(100 - 90 * len(own) / len(NAMES), abs=0.01)
    notes = [f for c in grade.checks for f in c.result.findings if f.kind == "follows"]
    assert len(notes) == bool(follows)
    assert all(name in notes[0].message for name in follows)


ANOTHER_EXERCISE = """
dscores = torch.softmax(scores, 1)
dscores[range(n), following] -= 1
dscores /= n
"""


def test_the_next_exercise_answers_for_itself(graded: Grading, tmp_path: Path) -> None:
    """What is bound again is not what the others were computed from."""
    lost = KEY.replace("dweights += dtotals\n", "") + ANOTHER_EXERCISE
    assert wrong_names(grade_of(graded, tmp_path, lost)) == {"weights"}
    hidden = KEY.replace("dscores = dweights * weights", "dscores = dweights") + ANOTHER_EXERCISE
    assert wrong_names(grade_of(graded, tmp_path, hidden)) == {"scores"}
    again = KEY.replace("dweights += dtotals\n", "") + BACKWARD
    assert grade_of(graded, tmp_path, again).score == 100


NORMALISED = """
import torch
n, y = 32, torch.randint(10, (32,))
X, W, b, V = torch.randn(n, 5), torch.randn(5, 16), torch.randn(16), torch.randn(16, 10)
before = X @ W + b
means = before.mean(0, keepdim=True)
centred = before - means
variances = (centred**2).mean(0, keepdim=True)
inverses = (variances + 1e-5) ** -0.5
normal = centred * inverses
hidden = torch.tanh(normal)
scores = hidden @ V
greatest = scores.max(1, keepdim=True).values
weights = (scores - greatest).exp()
shares = weights / weights.sum(1, keepdim=True)
loss = -shares[range(n), y].log().mean()

dshares = torch.zeros_like(shares)
dshares[range(n), y] = -1 / (n * shares[range(n), y])
totals = weights.sum(1, keepdim=True)
dweights = dshares / totals - (dshares * weights).sum(1, keepdim=True) / totals**2
dexponents = dweights * weights
dgreatest = -dexponents.sum(1, keepdim=True)
dscores = dexponents + torch.nn.functional.one_hot(scores.max(1).indices, scores.shape[1]) * dgreatest
dhidden, dV = dscores @ V.T, hidden.T @ dscores
dnormal = dhidden * (1 - hidden**2)
dinverses = (dnormal * centred).sum(0, keepdim=True)
dvariances = dinverses * -0.5 * (variances + 1e-5) ** -1.5
dcentred = dnormal * inverses + dvariances * 2 * centred / n
dmeans = -dcentred.sum(0)
dbefore = dcentred + dmeans / n
dW, db = X.T @ dbefore, dbefore.sum(0)
"""


def test_a_gradient_that_cancels_is_no_finite_difference(graded: Grading, tmp_path: Path) -> None:
    path = tmp_path / "anna_v702.py"
    path.write_text(NORMALISED, encoding="utf-8")
    assert graded(path, "script").score == 100


def test_nothing_follows_from_zeros(graded: Grading, tmp_path: Path) -> None:
    """Zeros are what every rule makes of zeros; so are numbers below the tolerance."""
    for factor in ("0", "1e-9"):
        text = KEY.replace("= -1.0 / n", f"= -1.0 / n * {factor}")
        assert wrong_names(grade_of(graded, tmp_path, text)) == set(NAMES)


def test_what_is_not_there_is_told_by_name(graded: Grading, tmp_path: Path) -> None:
    text = KEY.replace("db2 = dscores.sum(0)\n", "")
    (fault,) = (
        f
        for c in grade_of(graded, tmp_path, text).checks
        for f in c.result.findings
        if f.level == "fault"
    )
    assert (fault.kind, fault.name) == ("no-gradient", "b2")
    assert "db2" in fault.message


def test_each_missing_name_is_told_by_itself(graded: Grading, tmp_path: Path) -> None:
    text = KEY.replace("db2 = dscores.sum(0)\n", "").replace("db1 = dbefore.sum(0)\n", "")
    told = {
        f.name: f.message
        for c in grade_of(graded, tmp_path, text).checks
        for f in c.result.findings
        if f.level == "fault"
    }
    assert told.keys() == {"b1", "b2"}
    assert "db1" in told["b1"]
    assert "db2" not in told["b1"]


def test_one_tensor_of_two_names_is_told(graded: Grading, tmp_path: Path) -> None:
    line = "djoined = dcentred - dcentred.mean(0)"
    in_place = "djoined = dcentred\ndjoined -= dcentred.mean(0)"
    assert oracle(BACKWARD.replace(line, in_place)) == {"centred"}
    text = KEY.replace(line, in_place)
    (fault,) = (
        f
        for c in grade_of(graded, tmp_path, text).checks
        for f in c.result.findings
        if f.level == "fault" and f.name == "centred"
    )
    assert "`.clone()`" in fault.hint


def test_what_is_right_above_a_statement_that_raises_counts(
    graded: Grading, tmp_path: Path
) -> None:
    grade = grade_of(graded, tmp_path, KEY.replace("dtotals = -(", "dtotals = -nowhere * ("))
    assert grade.score == pytest.approx(10 + 90 * 2 / len(NAMES), abs=0.01)
    assert wrong_names(grade) == set(NAMES) - {"logs", "shares"}
    findings = [f.message for c in grade.checks for f in c.result.findings]
    assert any("raises NameError: name 'nowhere' is not defined" in text for text in findings)


def test_a_script_without_gradients_is_told_where_they_are_sought(
    graded: Grading, tmp_path: Path
) -> None:
    training = TRAINING.replace("dscores = torch.zeros_like(scores)", "pass")
    grade = grade_of(graded, tmp_path, DATA + FORWARD + training)
    assert grade.status == "unreadable"
    assert "dW1" in grade.message


def test_gradients_by_other_names_are_told_theirs(graded: Grading, tmp_path: Path) -> None:
    training = TRAINING.replace("dscores", "grad_scores")
    grade = grade_of(graded, tmp_path, DATA + FORWARD + training)
    assert grade.status == "unreadable"
    (hint,) = {f.hint for check in grade.checks for f in check.result.findings}
    assert hint == "name them as the task does: `grad_scores` → `dscores`"


@pytest.mark.parametrize(
    ("line", "check", "outcome"),
    [
        ("(dscores,) = torch.autograd.grad(loss, scores)", "integrity", "failed"),
        (
            "dscores = torch.func.grad(lambda s: s.logsumexp(1).sum())(scores)",
            "integrity",
            "failed",
        ),
    ],
)
def test_autograd_gives_no_gradient(
    line: str, check: str, outcome: str, graded: Grading, tmp_path: Path
) -> None:
    text = KEY.replace("dscores = dweights * weights", line)
    grade = grade_of(graded, tmp_path, text)
    outcomes = {c.result.id: c.result.outcome for c in grade.checks}
    assert outcomes[check] == outcome
    assert check == "integrity" or "scores" in wrong_names(grade)

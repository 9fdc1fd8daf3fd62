"""Every check under every credit that a rubric may give it: real submissions, run and graded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from onnx.helper import make_node
from onnx_models import SUM, graph, scalar
from plugin_samples import RIGHT, VARIANTS, lay_out
from rubrics import load_rubric
from warm_zygote import warm_zygote

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.model import GradedCheck

FORWARD = "return w0 * x1 * (w1 * x2) + x3"
PASS = "        y = a * b + x3\n"
SETTING = "        self.w.grad = torch.stack([dw0, dw1])\n"


class Faulty(NamedTuple):
    """A submission with a number of `faults` in one check. `hard`: there is nothing to judge, so that
    no credit leaves points. `right`: the weights of two whose gradient is right."""

    check: str
    text: str
    faults: int
    hard: bool = False
    right: int = 0
    model: bytes = b""


def changed(*pairs: str) -> str:
    text = RIGHT
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


RETURNED = changed(SETTING, "", "        return y\n", "        return y, dw0, dw1\n")
ARGUMENTS = changed("__init__(self)", "__init__(self, w)", "torch.tensor([0.5, 0.25])", "w.clone()")
FAULTY = {
    "wrong value": Faulty("forward", changed(FORWARD, "return w0 * x1 + w1 * x2 + x3"), 1),
    "wrong shape": Faulty("forward", changed(FORWARD, f"{FORWARD}.reshape(1)"), 1),
    "raises": Faulty("forward", changed(FORWARD, "raise ValueError('no')"), 1, hard=True),
    "no tensor": Faulty("forward", changed(FORWARD, "return None"), 1, hard=True),
    "wrong value of the pass": Faulty("manual-forward", changed(PASS, "        y = a * b\n"), 1),
    "calls forward": Faulty(
        "manual-forward", changed(PASS, "        y = self(x1, x2, x3)\n"), 1, hard=True
    ),
    "one gradient": Faulty("gradient", changed("dw1 = a * x2", "dw1 = a * x3"), 1, right=1),
    "both gradients": Faulty(
        "gradient", changed("dw1 = a * x2", "dw1 = a * x3", "dw0 = b * x1", "dw0 = b * x2"), 2
    ),
    "returned gradients": Faulty("gradient", RETURNED, 1, hard=True),
    "no gradient": Faulty("gradient", changed(SETTING, ""), 2, hard=True),
    "two unused nodes": Faulty(
        "unused-nodes", changed(PASS, f"{PASS}        u = a * 2.0\n        del u\n"
                                      "        v = b * 3.0\n        del v\n"), 2,
    ),
    "two late values": Faulty(
        "release", changed("        del a\n", "", "        del b\n", ""), 2
    ),
    "no backward": Faulty(
        "release", changed("        dw0 = b * x1\n", "", "        dw1 = a * x2\n", "", SETTING, ""),
        0, hard=True,
    ),
    "another model": Faulty("onnx", RIGHT, 1, model=graph(
        [*SUM, make_node("Add", ["s", "w0"], ["t"]), make_node("Add", ["t", "w1"], ["y"])],
        [scalar("w0", 0.5), scalar("w1", 0.25)],
    )),
    "no model": Faulty("onnx", RIGHT, 1, hard=True, model=b"not one"),
    "autograd": Faulty("integrity", changed(SETTING, "        with torch.enable_grad():\n"
        f"            self(x1, x2, x3).backward()\n{SETTING}"), 1, hard=True),
}  # fmt: skip
SELDOM = ("all-or-nothing", "per-finding, 0.1", "per-finding, 0.5", "per-finding, 1")
"""What is left to the long run: the same sum with other numbers, and the simplest."""
CREDITS = ["per-finding, 0.3", "share", *SELDOM]
CHECKS = ("forward", "manual-forward", "gradient", "unused-nodes", "release", "integrity", "onnx")


def rules(check: str, credit: str) -> str:
    kind, _, penalty = credit.partition(", ")
    text = f"[checks.{check}]\npoints = 10\ncredit = '{kind}'\n"
    return text + (f"penalty = {penalty}\n" if penalty else "")


def is_accepted(check: str, credit: str) -> bool:
    if check == "integrity":
        return credit == "all-or-nothing"
    return credit != "share" or check == "gradient"


@pytest.fixture(scope="module")
def graders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Grader]]:
    """A grader for each credit, with that credit for each check that may have it; one worker, and what
    exports and evaluates models once."""
    folder = tmp_path_factory.mktemp("graders")
    lay_out(folder / "bank", dict(VARIANTS))
    bank, worker = load_bank(folder / "bank"), warm_zygote()
    made = {}
    for number, credit in enumerate(CREDITS):
        path = folder / f"rubric{number}.toml"
        path.write_text("".join(rules(c, credit) for c in CHECKS if is_accepted(c, credit)))
        plan = GradingPlan("v1", None, 0, 60, 5e-5, 1e-7, 10.0, 2**30)
        made[credit] = Grader(plan, load_rubric(path), bank, worker)
        made[credit]._models = made[CREDITS[0]]._models
    yield made
    for grader in made.values():
        grader.close()
    worker.close()


@pytest.mark.parametrize(
    ("name", "credit"),
    [
        pytest.param(n, credit, marks=[pytest.mark.long] if credit in SELDOM or i % 3 else [])
        for i, (n, faulty) in enumerate(FAULTY.items())
        for credit in CREDITS
        if is_accepted(faulty.check, credit)
    ],
)
def test_a_check_gives_what_the_rubric_page_says(
    graders: dict[str, Grader], name: str, credit: str, tmp_path: Path
) -> None:
    faulty = FAULTY[name]
    (tmp_path / "a.py").write_text(faulty.text)
    if faulty.check == "onnx" and credit != "share":
        (tmp_path / "a.onnx").write_bytes(faulty.model)
    graded = graders[credit].grade(tmp_path / "a.py", "a.py")
    assert graded.status == "graded", graded.message
    check = next(check for check in graded.checks if check.result.id == faulty.check)
    kind, _, penalty = credit.partition(", ")
    wanted = 0.0
    if not faulty.hard and kind == "per-finding":
        wanted = max(0.0, 1 - float(penalty) * faulty.faults)
    elif not faulty.hard and kind == "share":
        wanted = faulty.right / 2
    faults = [f.kind for f in check.result.findings if f.level == "fault"]
    assert len(faults) == faulty.faults, faults
    assert check.result.fraction == pytest.approx(wanted, abs=1e-12)
    assert check.score == pytest.approx(check.max_score * wanted, abs=1e-9)
    assert check.result.outcome == ("partial" if wanted else "failed")
    assert_is_fair(graded.checks)


def assert_is_fair(checks: tuple[GradedCheck, ...]) -> None:
    """Outcome and points say the same of every check."""
    for check in checks:
        earned = check.result.fraction
        outcome = "passed" if earned == 1 else "partial" if earned else "failed"
        assert check.result.outcome == outcome, check.result.id


@pytest.mark.parametrize(
    "credit", [pytest.param(c, marks=[pytest.mark.long] if c in SELDOM else []) for c in CREDITS]
)
def test_what_is_right_earns_all_under_every_credit(
    graders: dict[str, Grader], credit: str, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(RIGHT)
    graded = graders[credit].grade(tmp_path / "a.py", "a.py")
    assert [(c.result.id, c.result.outcome) for c in graded.checks if c.score < c.max_score] == []
    assert graded.score == graded.max_score


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("credit", CREDITS)
def test_a_credit_that_a_check_has_no_use_for_is_refused(
    check: str, credit: str, tmp_path: Path
) -> None:
    path = tmp_path / "rubric.toml"
    path.write_text(rules(check, credit))
    if is_accepted(check, credit):
        assert load_rubric(path).rules[check].credit == credit.partition(",")[0]
        return
    with pytest.raises(UsageProblem, match=rf"\[checks\.{check}\]: credit") as caught:
        load_rubric(path)
    assert caught.value.way_out == "take credit out"


@pytest.mark.parametrize("text", [RETURNED, ARGUMENTS], ids=["returned", "arguments"])
def test_what_the_assignments_own_test_refuses_is_refused(
    graders: dict[str, Grader], text: str, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(text)
    graded = graders[CREDITS[0]].grade(tmp_path / "a.py", "a.py")
    if text is RETURNED:
        lost = [check.result for check in graded.checks if check.score < check.max_score]
        assert [result.id for result in lost] == ["gradient"]
        assert "`.grad` unset" in lost[0].message
    else:
        assert (graded.status, graded.score) == ("unreadable", 0)
        assert graded.message == "`Net()` needs w, and the assignment gives it none"

"""One mistake, one price: what a rubric with `follow_through` pays for what follows from a wrong value."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import RIGHT, Run, grade_folder

from pytest_backprop.exercises.functions.bank import parse_variant
from pytest_backprop.exercises.functions.bank.program import same_function
from pytest_backprop.exercises.functions.slips import slips

KEPT = RIGHT.replace("        return y\n", "")
"""All is right, and nothing is returned."""
OWN = RIGHT.replace("y = a * b + x3", "y = a / b + x3").replace(
    "dw0 = b * x1\n        del b", "dw0 = x1 / b"
).replace("dw1 = a * x2\n        del a", "dw1 = -a * x2 / b ** 2\n        del a, b")  # fmt: skip
"""One operator of the value is wrong, and the derivative is right of that."""
HALF = OWN.replace("-a * x2", "a * x2")
"""The same, with one weight wrong of that."""
EASY = RIGHT.replace("y = a * b + x3", "y = w0 + w1").replace("dw0 = b * x1", "dw0 = x1 / x1").replace(
    "dw1 = a * x2", "dw1 = x2 / x2"
)  # fmt: skip
"""A function of the student's own choosing, whose derivative is nothing to work out."""
TWICE = OWN.replace("+ x3", "- x3").replace("a / b", "a / b * 2").replace("dw0 = x1", "dw0 = 2 * x1").replace(
    "-a * x2", "-2 * a * x2"
)  # fmt: skip
TAKEN = KEPT.replace("y = a * b + x3", "y = self.forward(x1, x2, x3)")
"""What is not returned was not worked out by the pass."""
CLASS: dict[str, str | bytes] = {
    "right_v1.py": RIGHT,
    "kept_v1.py": KEPT,
    "own_v1.py": OWN,
    "half_v1.py": HALF,
    "easy_v1.py": EASY,
    "twice_v1.py": TWICE,
    "taken_v1.py": TAKEN,
}
RUBRIC = "".join(
    f"[checks.{id}]\nfollow_through = 0.5\n" for id in ("gradient", "unused-nodes", "release")
)


def graded(folder: Path, rubric: str) -> Run:
    (folder / "rubric.toml").write_text(rubric, encoding="utf-8")
    return grade_folder(folder, CLASS, "--backprop-points=256", "--backprop-rubric=rubric.toml")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("plain"), 'name = "homework"\n')


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("share"), RUBRIC)


def scores(run: Run, name: str) -> dict[str, float]:
    return {check["id"]: check["score"] for check in run.by_name[name]["checks"]}


def test_the_derivative_of_a_slip_earns_its_share(plain: Run, run: Run) -> None:
    assert scores(plain, "own_v1.py")["gradient"] == 0
    assert scores(run, "own_v1.py")["gradient"] == 20
    check = run.check("own_v1.py", "gradient")
    assert check["outcome"] == "partial"
    assert check["message"].endswith(
        "judged as if the function that the pass computes were asked for: 20 of 40 points"
    )
    assert check["details"]["follow_through"]["fraction"] == 1
    assert scores(run, "half_v1.py")["gradient"] == 10


def test_a_value_that_is_not_returned_is_taken_for_the_rest(plain: Run, run: Run) -> None:
    before, after = scores(plain, "kept_v1.py"), scores(run, "kept_v1.py")
    assert before["gradient"] == after["gradient"] == 40
    assert before["manual-forward"] == after["manual-forward"] == 0
    for id, points in (("unused-nodes", 15), ("release", 20)):
        told = run.check("kept_v1.py", id)["details"].get("follow_through")
        if before[id] < points / 2:
            assert after[id] == points / 2
            assert told["fraction"] == 1
        else:
            assert (after[id], told) == (before[id], None)


def test_nobody_is_paid_for_a_function_of_their_own(plain: Run, run: Run) -> None:
    for name in ("easy_v1.py", "twice_v1.py", "taken_v1.py", "right_v1.py"):
        assert scores(run, name) == scores(plain, name), name


def test_a_whole_share_leaves_the_price_of_the_mistake(tmp_path: Path) -> None:
    run = graded(tmp_path, RUBRIC.replace("0.5", "1"))
    assert run.by_name["kept_v1.py"]["score"] == 90
    assert run.by_name["own_v1.py"]["score"] == 90
    assert run.by_name["right_v1.py"]["score"] == 100


def test_slips_are_other_functions_of_the_same_weights() -> None:
    variant = parse_variant(
        "def v3():\n  r1 = w0 * x1 - w1 ** 3\n  return -r1.exp() / (r1 + 2 * x2)\n"
    )
    found = list(slips(variant))
    assert {slip.weights for slip in found} == {("w0", "w1")}
    assert not any(same_function(slip, variant) for slip in found)
    texts = [step.code for slip in found for step, was in zip(slip.program, variant.program, strict=True)
             if step != was]  # fmt: skip
    assert len(texts) == len(found)
    assert {"add", "sub", "mul", "div", "pos", "call", "load", "constant", "exponent"} <= set(texts)


def test_no_slip_cancels_what_stands_twice() -> None:
    squared = parse_variant("def v4():\n  r1 = w0 * x1 + w1\n  return r1 * r1 * (w0 - w1)\n")
    codes = [[step.code for step in slip.program] for slip in slips(squared)]
    product = next(n for n, step in enumerate(squared.program)
                   if step.code == "mul" and len(set(step.operands)) == 1)  # fmt: skip
    assert {code[product] for code in codes} == {"mul", "add"}
    at = {"w0": 2.0, "w1": 3.7, "x1": 5.3}
    assert all(slip.evaluate(at) for slip in slips(squared))

"""Checks on cases made from a pass and a variant, in this process: no worker, no files."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from pytest_backprop.exercises import FORWARD_BACKWARD
from pytest_backprop.exercises.by_hand.checks import CHECKS
from pytest_backprop.exercises.functions.bank import parse_variant
from pytest_backprop.exercises.functions.reference import autograd_cost, expected
from pytest_backprop.exercises.functions.scenarios import Points, generic_points, points, scenario
from pytest_backprop.grading.provenance import CHILD_POINTS, RECORDED, Explainer
from pytest_backprop.grading.runs import malformed
from pytest_backprop.judging import forward, gradient, integrity
from pytest_backprop.judging.case import Case, Draw, Tolerance
from pytest_backprop.model import CheckResult, CheckRules, Evidence, Submission, Unit
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, Ran, Request

TOLERANCE = Tolerance(5e-5, 1e-7)
RULES = CheckRules(10.0, "share")


PASS_OF_TWO = """
w0, w1 = self.w
y = w0 * x1 + w1
dw0 = x1 * 1.0
dw1 = torch.ones_like(y)
self.w.grad = torch.stack([dw0, dw1])
return y
"""


class Made:
    """A variant and a pass, run in this process."""

    def __init__(self, expression: str, body: str, top: str = "") -> None:
        self.variant = parse_variant(f"def v77():\n    return {expression}")
        names = ", ".join(self.variant.inputs)
        self.text = (
            "import math\nimport torch\nfrom torch import nn\n" + textwrap.dedent(top) +
            "\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            f"        self.w = nn.Parameter(torch.rand({len(self.variant.weights)}))\n"
            f"    def forward(self, {names}):\n        {', '.join(self.variant.weights)} = self.w\n"
            f"        return {expression}\n"
            f"    def my_forward_backward(self, {names}):\n"
            + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
        )  # fmt: skip
        self.given = generic_points(self.variant, 1, CHILD_POINTS)
        own = expected(self.variant, points(self.variant, 0, 60))
        there = expected(self.variant, self.given)
        self.draw = Draw(self.variant, own, self.given, there, autograd_cost(self.variant))

    def evidence(self, given: Points, recorded: int) -> Evidence:
        told = answer(
            Request((Unit(self.text, original=self.text),), None,
                    (scenario(self.variant, given),), recorded, Limits(10, 2**30))
        )  # fmt: skip
        assert isinstance(told, Ran), told
        return told.evidences[0]

    def case(self, evidence: Evidence | None = None) -> Case:
        if evidence is None:
            evidence = self.evidence(self.given, RECORDED)
        assert malformed(evidence, scenario(self.variant, self.given)) is None
        submission = Submission("a.py", "py", (Unit(self.text, original=self.text),))
        explainer = Explainer(submission, self.draw, TOLERANCE, 0, self.evidence, FORWARD_BACKWARD)
        return explainer.case(evidence)


def kinds(result: CheckResult) -> list[str]:
    return [finding.kind for finding in result.findings if finding.level == "fault"]


# -- finite differences: false alarms -------------------------------------------------------

HONEST = {
    "a small constant": (
        "(w0 + 0.01) ** 2 * x1 + w1",
        "w0, w1 = self.w\na = w0 + 0.01\ny = a ** 2 * x1 + w1\n"
        "self.w.grad = torch.stack([2 * a * x1, torch.ones_like(y)])\nreturn y",
    ),
    "a small constant twice": (
        "(w0 + 0.01) ** 2 * x1 + 0.01 * w1 * x2",
        "w0, w1 = self.w\na = w0 + 0.01\ny = a ** 2 * x1 + 0.01 * w1 * x2\n"
        "self.w.grad = torch.stack([2 * a * x1, 0.01 * x2])\nreturn y",
    ),
    "a small constant and its inverse": (
        "(w0 + 0.01) * x1 * 100 + w1 * x2",
        "w0, w1 = self.w\na = w0 + 0.01\ny = a * x1 * 100 + w1 * x2\n"
        "self.w.grad = torch.stack([x1 * 100, x2])\nreturn y",
    ),
    "a small constant, as a tensor": (
        "(w0 + 0.01) ** 2 * x1 + 0.01 * w1 * x2",
        "w0, w1 = self.w\nc = torch.tensor(0.01)\na = w0 + c\ny = a ** 2 * x1 + c * w1 * x2\n"
        "self.w.grad = torch.stack([2 * a * x1, c * x2])\nreturn y",
    ),
    "subtracted the other way": (
        "(0.02 - w0) * x1 / 0.02 + w1 * x2",
        "w0, w1 = self.w\na = 0.02 - w0\ny = a * x1 / 0.02 + w1 * x2\n"
        "self.w.grad = torch.stack([-x1 / 0.02, x2])\nreturn y",
    ),
    "a difference of squares": (
        "(w0 + x1) ** 2 - (w0 - x1) ** 2 + w1 * x2",
        "w0, w1 = self.w\na = w0 + x1\nb = w0 - x1\ny = a ** 2 - b ** 2 + w1 * x2\n"
        "self.w.grad = torch.stack([2 * a - 2 * b, x2])\nreturn y",
    ),
    "a wrong sign": (
        "w0 ** 2 * x1 + w1 * x2",
        "w0, w1 = self.w\ny = w0 ** 2 * x1 + w1 * x2\n"
        "self.w.grad = torch.stack([-2 * w0 * x1, x2])\nreturn y",
    ),
    "a power rule that doubles a product": (
        "w0 ** 2 * x1 + w0 * x1 * w1",
        "w0, w1 = self.w\na = w0 * x1\nb = 2 * w0 * x1\ny = w0 ** 2 * x1 + a * w1\n"
        "self.w.grad = torch.stack([b + w1 * x1, (b - a) / w0 * w0])\nreturn y",
    ),
    "differences of the variant's own": (
        "((w0 + 0.01) ** 3 - (w0 - 0.01) ** 3) / 0.02 * x1 + w1",
        "w0, w1 = self.w\na = w0 + 0.01\nb = w0 - 0.01\ny = (a ** 3 - b ** 3) / 0.02 * x1 + w1\n"
        "self.w.grad = torch.stack([(3 * a ** 2 - 3 * b ** 2) / 0.02 * x1, torch.ones_like(y)])\n"
        "return y",
    ),
    "a wrong factor where terms would cancel": (
        "(w0 * x1 + w1) * x2 - w0 * x1 * x2",
        "w0, w1 = self.w\na = w0 * x1 + w1\ny = a * x2 - w0 * x1 * x2\n"
        "self.w.grad = torch.stack([1.001 * x2 * x1 - x1 * x2, x2])\nreturn y",
    ),
    "a typed-in weight that makes a small number": (
        "(w0 + w1 ** 2) * x1 / w1 ** 2",
        "w0 = self.w[0]\nw1 = 0.2\nt = w1 ** 2\na = w0 + t\ny = a * x1 / t\n"
        "self.w.grad = torch.stack([x1 / t, -2 * w0 * x1 / (t * w1)])\nreturn y",
    ),
    "a learning rate that is not used": (
        "w0 ** 2 * x1 + w1 * x2",
        "w0, w1 = self.w\nlr = 0.01\ny = w0 ** 2 * x1 + w1 * x2\n"
        "self.w.grad = torch.stack([2 * w0 * x1, x2])\nreturn y",
    ),
    "terms that cancel exactly": (
        "w0 * x1 + w1 + 8192 * (w1 / w1)",
        "w0, w1 = self.w\nc = w1 / w1\ny = w0 * x1 + w1 + 8192 * c\ndc = 1 / w1 - w1 / w1 ** 2\n"
        "self.w.grad = torch.stack([x1, 8192 * dc + 1])\nreturn y",
    ),
    "terms that cancel exactly, one added before and one after": (
        "w0 * x1 + w1 + 8192 * (w1 / w1)",
        "w0, w1 = self.w\nc = w1 / w1\ny = w0 * x1 + w1 + 8192 * c\ndc = 1 + 8192 / w1\n"
        "self.w.grad = torch.stack([x1, dc - 8192 * w1 / w1 ** 2])\nreturn y",
    ),
    "terms that cancel exactly, beside a sine": (
        "sin(w0) * x1 + w1 + 8192 * (w1 / w1)",
        "w0, w1 = self.w\nc = w1 / w1\ny = w0.sin() * x1 + w1 + 8192 * c\ndc = 1 + 8192 / w1\n"
        "self.w.grad = torch.stack([w0.cos() * x1, dc - 8192 * w1 / w1 ** 2])\nreturn y",
    ),
    "three terms that cancel exactly": (
        "w0 * x1 + w1 + 4096 * (w1 * w1 / w1 ** 2)",
        "w0, w1 = self.w\na = w1 * w1\nb = w1 ** 2\ny = w0 * x1 + w1 + 4096 * (a / b)\n"
        "da = 4096 / b\ndw1 = 1 + da * w1\ndw1 += w1 * da\n"
        "dw1 = torch.sub(dw1, a / b ** 2 * (2 * w1), alpha=4096)\n"
        "self.w.grad = torch.stack([x1, dw1])\nreturn y",
    ),
    "terms that cancel exactly, and a sum with itself, and so on": (
        "w0 * x1 + w1 + 8192 * (w1 / w1)",
        "w0, w1 = self.w\nc = w1 / w1\ny = w0 * x1 + w1 + 8192 * c\ntiny = 1e-25 * w0\n"
        "for _ in range(70): tiny = tiny + tiny\ndc = 1 + 8192 / w1 + tiny\n"
        "self.w.grad = torch.stack([x1, dc - 8192 * w1 / w1 ** 2 - tiny])\nreturn y",
    ),
    "terms that cancel exactly, in a stack": (
        "w0 * x1 + w1 + 8192 * (w1 / w1)",
        "w0, w1 = self.w\nc = w1 / w1\ny = w0 * x1 + w1 + 8192 * c\none = w1 / w1\n"
        "dw1 = torch.stack([8192 / w1, one, -(8192 * w1 / w1 ** 2)]).sum()\n"
        "self.w.grad = torch.stack([x1, dw1])\nreturn y",
    ),
    "another weight, which no weight was moved to": (
        "w0 * w1 / (w1 * w0) / (w0 - w1) * x1",
        "w0, w1 = self.w\na = w0.double()\nd = w0 - w1\nn = (a * w1).float()\nm = w1 * w0\nc = n / m\n"
        "y = c / d * x1\np = w1 + w0 * 0\nq = w1 + w0 * 0\nr = w0 + w1 * 0\ns = w0 + w1 * 0\n"
        "self.w.grad = torch.stack([((p / m - q * (n / m ** 2)) / d - c / d ** 2) * x1,\n"
        "    ((r / m - s * (n / m ** 2)) / d + c / d ** 2) * x1])\nreturn y",
    ),
    "the adjoint where a weight stands, of a value that is linear in it": (
        "w0 * w1 + w0 * x1",
        "w0, w1 = self.w\ny = w0 * w1 + w0 * x1\ng = torch.ones_like(y)\n"
        "self.w.grad = torch.stack([g * w1 + g * x1, g * w0])\nreturn y",
    ),
    "a formula without digits": (
        "w0 ** 2 * x1 + w1 * x2",
        "w0, w1 = self.w\ny = w0 ** 2 * x1 + w1 * x2\n"
        "self.w.grad = torch.stack([(2 * w0 * x1 + 1e12) - 1e12, x2])\nreturn y",
    ),
}  # fmt: skip
FALSE_ALARMS: dict[str, str] = {}


@pytest.mark.parametrize("name", HONEST)
def test_honest_passes_raise_no_alarm(name: str, request: pytest.FixtureRequest) -> None:
    if name in FALSE_ALARMS:
        request.applymarker(pytest.mark.xfail(strict=True, reason=FALSE_ALARMS[name]))
    result = integrity.judge(Made(*HONEST[name]).case(), RULES)
    assert (result.outcome, kinds(result)) == ("passed", [])


F = "w0, w1 = self.w\nf = lambda a, b: torch.exp(a) * x1 + b ** 3 * x2\ny = f(w0, w1)\n"
STEPS = {
    "forward": "h = 1e-3\nself.w.grad = torch.stack([(f(w0 + h, w1) - y) / h, (f(w0, w1 + h) - y) / h])",
    "central": "h = 1e-2\nself.w.grad = torch.stack([(f(w0 + h, w1) - f(w0 - h, w1)) / (2 * h), "
    "(f(w0, w1 + h) - f(w0, w1 - h)) / (2 * h)])",
    "times the inverse": "h = 1e-3\nself.w.grad = torch.stack([(f(w0 + h, w1) - y) * 1000, "
    "(f(w0, w1 + h) - y) * 1000])",
    "divided before": "h = 1e-3\nself.w.grad = torch.stack([f(w0 + h, w1) / h - y / h, "
    "f(w0, w1 + h) / h - y / h])",
    "with the sign of one side": "h = 1e-3\nself.w.grad = torch.stack([(f(w0 + h, w1) + -y) / h, "
    "(-y + f(w0, w1 + h)) / h])",
    "a wide step": "self.w.grad = torch.stack([f(w0 + 1, w1) - y, f(w0, w1 + 1) - y])",
    "at double the weight": "self.w.grad = torch.stack([(f(2 * w0, w1) - y) / w0, "
    "(f(w0, 2 * w1) - y) / w1])",
    "in vectors": "h = 1e-3\nu = torch.stack([f(w0 + h, w1), f(w0, w1 + h)])\n"
    "v = torch.stack([f(w0 - h, w1), f(w0, w1 - h)])\nself.w.grad = (u - v) / (2 * h)",
    "in place": "h = 1e-3\nd = f(w0 + h, w1)\nd -= y\nd /= h\ne = f(w0, w1 + h)\ne -= y\ne /= h\n"
    "self.w.grad = torch.stack([d, e])",
    "a step that depends on the weight": "h = 1e-4 * (1 + w0.abs())\nk = 1e-4 * (1 + w1.abs())\n"
    "self.w.grad = torch.stack([(f(w0 + h, w1) - y) / h, (f(w0, w1 + k) - y) / k])",
    "of five points": "h = 1e-2\nd = -f(w0 + 2 * h, w1) + 8 * f(w0 + h, w1) - 8 * f(w0 - h, w1)"
    " + f(w0 - 2 * h, w1)\nself.w.grad = torch.stack([d / (12 * h), 3 * w1 ** 2 * x2])",
    "relative": "h = w0 * 1e-3\nk = w1 * 1e-3\nself.w.grad = torch.stack([(f(w0 + h, w1) - y) / h, "
    "(f(w0, w1 + k) - y) / k])",
}


@pytest.mark.parametrize("name", STEPS)
def test_finite_differences_are_found(name: str) -> None:
    made = Made("exp(w0) * x1 + w1 ** 3 * x2", F + STEPS[name] + "\nreturn y")
    made.text = made.text.replace("return exp(w0)", "return torch.exp(w0)")
    assert kinds(integrity.judge(made.case(), RULES)) == ["finite-differences"]


@pytest.mark.parametrize("leaf", ["w1", "x1"])
def test_differences_to_another_leaf_are_found(leaf: str) -> None:
    """Exact where the value is linear in the weight."""
    body = (
        "w0, w1 = self.w\nf = lambda a: a * x1 + w1 * x2 * a\ny = f(w0)\n"
        f"self.w.grad = torch.stack([(f({leaf}) - y) / ({leaf} - w0), x2 * w0])\nreturn y"
    )
    made = Made("w0 * x1 + w1 * x2 * w0", body)
    assert kinds(integrity.judge(made.case(), RULES)) == ["finite-differences"]


HIDDEN = {
    "dot": "torch.dot(torch.stack([F(W + h), F(W - h)]), torch.tensor([500.0, -500.0]))",
    "mv": "torch.mv(torch.tensor([[500.0, -500.0]]), torch.stack([F(W + h), F(W - h)]))[0]",
    "lerp": "torch.lerp(F(W - h), F(W + h), 500.0) - F(W - h)",
    "addcmul": "torch.addcmul(F(W + h) * 500, F(W - h), torch.tensor(1.0), value=-500)",
    "a sum": "(torch.stack([F(W + h), -F(W - h)]) * 500).sum()",
    "a cumulative sum": "torch.cumsum(torch.stack([F(W + h), -F(W - h)]), 0)[1] * 500",
    "a vector of weights": "torch.diff(F(W + torch.tensor([-h, h])))[0] / (2 * h)",
    "torch.gradient": "torch.gradient(F(W + torch.tensor([-h, 0, h])), spacing=h)[0][1]",
    "a ratio": "(F(W + h) / y - 1) * y / h",
    "logarithms": "y * (torch.log(F(W + h).abs()) - torch.log(F(W - h).abs())) / (2 * h)",
    "a tiny step": "((F(W.double() + 1e-9) - F(W.double())) / 1e-9).float()",
    "a step that rounding gives": "(F(W * 1.001) - F(W)) / (W * 1.001 - W)",
    "five points, wide": "(8 * F(W + 0.1) - 8 * F(W - 0.1) - F(W + 0.2) + F(W - 0.2)) / 1.2",
    "wide, in dot": "torch.dot(F(W + torch.tensor([0.25, -0.25])), torch.tensor([2.0, -2.0]))",
    "among terms that cancel": "F(W + h) * 500 + w0 * x1 - F(W - h) * 500 - x1 * w0",
    "among terms that cancel, and a whole number": (
        "(F(W + h) + w0 * x1 + (x1 > -9).long() * 0 - F(W - h) - x1 * w0) * 500"
    ),
    "where zero for what is but rounding is no number": (
        "(F(W + h) + 0 / (x1 + 0.1 - 0.1 - x1 + 1e-30) - F(W - h)) * 500"
    ),
    "at one and zero": "F(torch.ones(())) - F(torch.zeros(()))",
}


@pytest.mark.parametrize("name", HIDDEN)
def test_differences_are_found_however_they_are_written(name: str) -> None:
    slope = HIDDEN[name].replace("W", "w1").replace("F(", "(lambda t: f(w0, t))(")
    body = F + f"h = 1e-3\nself.w.grad = torch.stack([torch.exp(w0) * x1, {slope}])\nreturn y"
    made = Made("exp(w0) * x1 + w1 ** 3 * x2", body)
    made.text = made.text.replace("return exp(w0)", "return torch.exp(w0)")
    assert kinds(integrity.judge(made.case(), RULES)) == ["finite-differences"]


def test_the_line_is_the_one_where_errors_grow() -> None:
    body = (
        "w0, w1 = self.w\ny = torch.exp(w0 * x1) * w1 + x2\nt = w0 * x1\n"
        "after = torch.exp(t + 1e-4)\nbefore = torch.exp(t)\nslope = (after - before) * 1e4\n"
        "self.w.grad = torch.stack([slope * x1 * w1, before])\nreturn y"
    )
    (finding,) = integrity.judge(Made("exp(w0 * x1) * w1 + x2", body).case(), RULES).findings
    assert finding.place is not None
    assert finding.place.source.strip() == "slope = (after - before) * 1e4"
    assert "rounding errors grow" in finding.message


@pytest.mark.parametrize(
    ("factor", "right"), [(1, True), (1.01, False)], ids=["the very function", "another"]
)
def test_a_formula_without_digits_is_right_where_roundings_explain_all(
    factor: float, right: bool
) -> None:
    body = (
        "w0, w1 = self.w\ny = w0 ** 2 * x1 + w1 * x2\n"
        f"dw0 = ({factor} * 2 * w0 * x1 + 1e12) - 1e12\n"
        "self.w.grad = torch.stack([dw0, x2])\nreturn y"
    )
    result = gradient.judge(Made("w0 ** 2 * x1 + w1 * x2", body).case(), RULES)
    told = [finding.kind for finding in result.findings if finding.name != "dw0"]
    assert (result.outcome, told) == (
        ("passed", ["unstable"]) if right else ("partial", ["wrong-gradient"])
    )


def test_sums_of_a_value_with_itself_are_compared_at_once() -> None:
    """Of 40 of them, one after the other, there are 2 ** 40 paths."""
    body = (
        "w0, w1 = self.w\na, b = w0 * x1, x1\nfor _ in range(40): a, b = a + a, b + b\n"
        "y = a * w1 + x2\nc = a * x1 + x2\n"
        "self.w.grad = torch.stack([b * w1, a + c - c])\nreturn y"
    )
    made = Made(f"w0 * x1 * {2**40} * w1 + x2", body)
    assert integrity.judge(made.case(), RULES).outcome == "passed"


# -- other checks ---------------------------------------------------------------------------

EXPRESSION = "w0 * x1 * (w1 * x2) + x1"
GOOD = """
w0, w1 = self.w
a = w0 * x1
b = w1 * x2
y = a * b + x1
dw0 = b * x1
del b
dw1 = a * x2
del a
self.w.grad = torch.stack([dw0, dw1])
return y
"""


def judge_all(case: Case) -> dict[str, CheckResult]:
    ids = ("manual-forward", "gradient", "unused-nodes", "release", "integrity")
    return {id: CHECKS[id](case, RULES) for id in ids}


def test_a_right_pass_is_right_in_every_check() -> None:
    results = judge_all(Made(EXPRESSION, GOOD).case())
    assert {key: result.outcome for key, result in results.items()} == dict.fromkeys(
        results, "passed"
    )


@given(st.sampled_from(["b * x1", "a * x2", "a * b + x1", "w0 * x1"]), st.sampled_from([0, 1]))
@settings(max_examples=8, derandomize=True, suppress_health_check=list(HealthCheck))
def test_credit_for_gradients_is_by_weight(wrong: str, which: int) -> None:
    right = ("dw0 = b * x1", "dw1 = a * x2")[which]
    body = GOOD.replace("del b\n", "").replace("del a\n", "")
    body = body.replace(right, f"dw{which} = 1.5 * ({wrong})")
    result = gradient.judge(Made(EXPRESSION, body).case(), RULES)
    assert (result.outcome, result.fraction) == ("partial", 0.5)
    assert [f.name for f in result.findings if f.level == "fault"] == [f"w{which}"]


FORGED = {
    "a gradient too few": lambda e: with_outputs(e, lambda o: {"value": o["value"]}),
    "a gradient too many": lambda e: with_outputs(e, lambda o: o | {"grad.w9": o["value"]}),
    "a gradient of another type": lambda e: with_outputs(e, lambda o: o | {"grad.w0": "list"}),
    "no such dtype": lambda e: msgspec.structs.replace(e, weight_dtype="load"),
    "not a name": lambda e: msgspec.structs.replace(e, weight_dtype="__class__"),
    "labels of other weights": lambda e: msgspec.structs.replace(e, weight_labels=(("w", 99),) * 7),
    "a site outside": lambda e: msgspec.structs.replace(
        e, pass_site=msgspec.structs.replace(e.pass_site, unit=5, line=-3)
    ),
    "data of another size": lambda e: with_value(e, data=(1.0, 2.0)),
    "no data": lambda e: with_value(e, data=()),
    "a shape of text": lambda e: with_value(e, shape=(-5, 10**12)),
}


def with_outputs(evidence: Evidence, change: Callable[[Any], Any]) -> Evidence:
    replace = msgspec.structs.replace
    runs = tuple(replace(run, outputs=change(run.outputs)) for run in evidence.pass_runs)
    return replace(evidence, pass_runs=runs)


def with_value(evidence: Evidence, **fields: object) -> Evidence:
    return with_outputs(
        evidence, lambda o: o | {"value": msgspec.structs.replace(o["value"], **fields)}
    )


@pytest.mark.parametrize("name", [pytest.param(n, marks=[]) for n in FORGED])
def test_forged_evidence_is_refused_or_judged_and_never_an_error(name: str) -> None:
    made = Made(EXPRESSION, GOOD)
    evidence = FORGED[name](made.evidence(made.given, RECORDED))
    if malformed(evidence, scenario(made.variant, made.given)) is None:
        judge_all(made.case(evidence))


def test_what_is_printed_to_see_it_is_what_the_finding_says() -> None:
    wrong = Made("w0 * x1 + w1", PASS_OF_TWO.replace("y = w0 * x1 + w1", "y = w0 * x1 - w1"))
    made = wrong.case()
    value = forward.judge_manual(made, RULES).details["reproducer"]
    assert value.endswith("print(y)")
    assert "model.my_forward_backward(*" in value
    bad_forward = Made("w0 * x1 + w1", PASS_OF_TWO)
    bad_forward.text = bad_forward.text.replace("return w0 * x1 + w1", "return w0 * x1 - w1")
    told = forward.judge(bad_forward.case(), RULES).details["reproducer"]
    assert "y = model(*" in told
    assert told.endswith("print(y)")
    slopes = Made("w0 * x1 + w1", PASS_OF_TWO.replace("dw0 = x1", "dw0 = 2 * x1"))
    shown = gradient.judge(slopes.case(), RULES).details["w0"]["reproducer"]
    assert shown.endswith("print(y, model.w.grad)")

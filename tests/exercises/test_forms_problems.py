"""What is told of a submission that has not what its task asks for, and of a task that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from forms_grading import Grading, graded as graded_on, grading
from plugin_samples import notebook
from sampling import few

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.by_hand.task import read_task
from pytest_backprop.exercises.functions.bank.library import CONSTANTS

PACKAGE = Path(read_task.__code__.co_filename).parents[2]
KEYS = Path(__file__).parent.parent / "submissions_forms" / "keys"
HEAD = 'EXERCISE = "{kind}"\n{constants}\n\ndef v1({parameters}):\n    return {value}\n'
LINEAR = 'x: Float[Tensor, "n d"], *, w: Float[Tensor, "m d"]'


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


SUBMISSIONS = {
    "no-class": (
        "linear_v621", "modules", ("class Linear(Module):", "class Affine(Module):"), "unreadable",
        "the submission has no class `Linear`", "define Linear at the top level",
    ),
    "no-function": (
        "lin_v646", "dot-g", ("def lin_grad(", "def lin_gradient("), "unreadable",
        "the submission has no function lin_grad", "rename `lin_gradient` to `lin_grad`",
    ),
    "another-form": (
        "linear_v621", "modules", ("def updateGradInput(", "def bprop("), "unreadable",
        "this task asks for `updateGradInput`", "write it in the class",
    ),
    "methods-that-the-task-names": (
        "twomethods_v634", "modules", ("def backward(", "def back("), "unreadable",
        "has forward, but no method backward", "add the manual pass to the class",
    ),
    "forward-and-backward": (
        "linear_v621", "modules", None, "graded", "there is no `self.gradb`", "",
    ),
    "signature": (
        "vectorized_v602", "value-and-gradient", ("vectorized(W, X, y, reg)", "vectorized(W, X, y)"), "unreadable",
        "`svm_loss_vectorized(W, X, y)` does not take W, X, y and reg", "declare it as svm_loss_vectorized(W, X, y, reg)",
    ),
    "constructor": (
        "linear_v621", "modules", ("def __init__(self, n_in, n_out):", "def __init__(self, n_in):"), "unreadable",
        "fails: TypeError", "make sure that the class can be made so",
    ),
    "held-transposed": (
        "linear_v621", "modules", ("torch.empty(n_out, n_in).uniform_", "torch.empty(n_in, n_out).uniform_"), "graded",
        "`self.W` has the shape [", "",
    ),
    "none-like-it": (
        "lin_v646", "dot-g", ("def lin_grad(", "def adjoint("), "unreadable",
        "the submission has no function lin_grad; it has `adjoint`", "define lin_grad at the top level",
    ),
    "another-order": (
        "vectorized_v602", "value-and-gradient", ("vectorized(W, X, y, reg)", "vectorized(X, y, W, reg)"), "graded",
        "it takes X, y, W and reg, and is called with W, X, y and reg, in this order: ", "",
    ),
    "another-order-of-the-second": (
        "lin_v646", "dot-g", ("lin_grad(inp, out, w, b)", "lin_grad(inp, w, b, o)"), "graded",
        "it takes inp, w, b and o, and is called with inp, out, w and b, in this order: ", "",
    ),
    "another-order-of-a-loss": (
        "mse_v648", "dot-g", ("def mse_grad(inp, targ):", "def mse_grad(targ, inp):\n    assert inp.ndim == 2"),
        "graded", "it takes targ and inp, and is called with inp and targ, in this order: ", "",
    ),
    "another-place": (
        "linear_v666", "param-pairs", ("self.dl_dw), (self.bias, self.dl_db)]", "self.dl_dw)]"),
        "graded", "there is no `self.param()[1][0]`; `self.param()` has `[0]`", "",
    ),
    "no-pairs": (
        "linear_v666", "param-pairs", ("param(self):\n        return [(", "params(self):\n        return [("), "graded",
        "there is no `self.param()[0][0]`", "",
    ),
    "key-never-set": (
        "mlp_v656", "mlp", ('self.grads["dJdb2"] = dJds2', 'self.grads["b2"] = dJds2'), "graded",
        "the gradient of b2", "",
    ),
    "no-such-place": (
        "lin_v646", "dot-g", ("b.g = out.g.sum(0)", "b.grad = out.g.sum(0)"), "graded",
        "there is no `b.g`", "set it: `b.g = …`",
    ),
    "no-helper": (
        "functions_v605", "value-and-gradient", ("import torch\n", "import torch\nfrom course_helper import nn_forward_pass\n"),
        "graded", "", "",
    ),
    "helper-is-needed": (
        "method_v606", "value-and-gradient",
        ("def affine_backward(dout, x, w):\n    return dout.mm(w.t()), x.t().mm(dout), dout.sum(0)",
         "from course_helper import affine_backward"), "not_judged", "`course_helper`, which is not here", "",
    ),
    "raises-at-some-sizes": (
        "linear_v621", "modules", ("self.gradInput = torch.mm(", "assert len(input) > 1, 'one row'\n        self.gradInput = torch.mm("),
        "graded", "one row", "",
    ),
    "nothing-is-returned": (
        "mse_v607", "value-and-gradient", ("    return J, dJdy_hat", "    return J"), "graded",
        "it returns Tensor; `return loss, gradient` is wanted", "",
    ),
}  # fmt: skip
"""The key, its kind, the replacement, the status, a part of what is told, a part of what to do."""


@pytest.mark.parametrize("name", few(SUBMISSIONS, ("another-form", "no-such-place")))
def test_what_is_told_of_a_submission(name: str, graded: Grading, tmp_path: Path) -> None:
    key, kind, change, status, told, way_out = SUBMISSIONS[name]
    source = KEYS / f"{key}.py" if change else KEYS / "twomethods_v634.py"
    text = source.read_text(encoding="utf-8")
    if change:
        assert text.count(change[0]) == 1
        text = text.replace(*change)
    path = tmp_path / f"{key}.py"
    path.write_text(text, encoding="utf-8")
    grade = graded(path, kind)
    assert grade.status == status
    findings = [finding for check in grade.checks for finding in check.result.findings]
    texts = [grade.message or "", *(each.message for each in findings)]
    assert any(told in text for text in texts), texts
    assert any(way_out in (each.hint or "") for each in findings) or not way_out, findings
    if name == "no-helper":  # the file's own function of that name counts
        assert grade.score == 100
    else:
        assert grade.score < 100


@pytest.mark.parametrize("key", few(("linear_v501", "linear_v621", "lin_v646")))
def test_a_notebook_without_a_backward_is_told_as_a_file_is(
    key: str, graded: Grading, tmp_path: Path
) -> None:
    kind = {"linear_v501": "layer", "linear_v621": "modules", "lin_v646": "dot-g"}[key]
    text = re.sub(
        r"def (backward|updateGradInput|lin_grad)\b",
        "def other",
        (KEYS / f"{key}.py").read_text("utf-8"),
    )
    (tmp_path / f"{key}.py").write_text(text, encoding="utf-8")
    (tmp_path / f"{key}.ipynb").write_text(notebook(text), encoding="utf-8")
    grades = [graded(tmp_path / f"{key}{suffix}", kind) for suffix in (".py", ".ipynb")]
    messages = [(grade.status, (grade.message or "").replace("cell 1, ", "")) for grade in grades]
    assert messages[0] == messages[1] == ("unreadable", messages[0][1])
    assert messages[0][1]


PAIR = """
def step_forward(x):
    return 2 * x, x

def step_backward(dout, cache):
    return 2 * dout
"""


def test_functions_where_no_task_names_them_are_told_with_the_way_out(tmp_path: Path) -> None:
    task = 'def v1(x: Float[Tensor, "n"]):\n    return 2 * x\n'
    grade = graded_on(BUILT_IN["layer"], f'EXERCISE = "layer"\n\n{task}', PAIR, tmp_path)
    (finding,) = grade.checks[0].result.findings
    assert grade.message
    assert grade.message.endswith("submission; it has `step_forward` and `step_backward`")
    assert 'says CALLS = ("step_forward", "step_backward")' in (finding.hint or "")


TASKS = {
    "no-calls": ("modules", "", LINEAR, "x @ w.t()", "CALLS = () does not say"),
    "two-classes": ("modules", 'CALLS = ("A.forward", "B.backward")', LINEAR, "x @ w.t()", "CALLS = "),
    "calls-no-name": ("modules", 'CALLS = "Linear("', LINEAR, "x @ w.t()", "CALLS = 'Linear('"),
    "calls-a-number": ("modules", "CALLS = 3", LINEAR, "x @ w.t()", "CALLS = 3"),
    "unknown-argument": (
        "value-and-gradient", 'CALLS = "loss(w, z)"', LINEAR, "(x @ w.t()).sum()", "takes 'z', which v1 has not",
    ),
    "makes": ("modules", 'CALLS = "Linear"\nMAKES = "d"', LINEAR, "x @ w.t()", "MAKES = 'd' is no tuple"),
    "holds-no-place": (
        "modules", 'CALLS = "Linear"\nHOLDS = {"w": "self.["}', LINEAR, "x @ w.t()", "HOLDS has ''",
    ),
    "holds-no-tensor": (
        "modules", 'CALLS = "Linear"\nHOLDS = {"v": "self.v"}', LINEAR, "x @ w.t()", "HOLDS has 'v'",
    ),
    "delivers-no-dict": (
        "modules", 'CALLS = "Linear"\nDELIVERS = "self.gradW"', LINEAR, "x @ w.t()", "DELIVERS has ''",
    ),
    "object-of-functions": (
        "dot-g", 'CALLS = ("lin", "lin_grad")\nDELIVERS = {"w": "self.gradW"}', LINEAR, "x @ w.t()",
        "`self.gradW` is in an object, but CALLS names functions",
    ),
    "gradients": (
        "modules", 'CALLS = "Linear"\nGRADIENTS = ("v",)', LINEAR, "x @ w.t()", "GRADIENTS = ('v',) does not name",
    ),
    "no-gradients": ("modules", 'CALLS = "Linear"\nGRADIENTS = ()', LINEAR, "x @ w.t()", "GRADIENTS = ()"),
    "loss-of-many": (
        "value-and-gradient", 'CALLS = "loss"', LINEAR, "x @ w.t()", "returns a tensor of 2 dimensions, no loss",
    ),
}  # fmt: skip
"""Of a task's file the kind, its constants, parameters and value; a part of what is told."""


@pytest.mark.parametrize("name", TASKS)
def test_what_is_told_of_a_task(name: str, tmp_path: Path) -> None:
    kind, constants, parameters, value, told = TASKS[name]
    path = tmp_path / "v1.py"
    words = {"kind": kind, "constants": constants, "parameters": parameters, "value": value}
    path.write_text(HEAD.format(**words), encoding="utf-8")
    with pytest.raises(UsageProblem) as problem:
        read_task(path)
    assert told in problem.value.message, problem.value.message
    assert str(path) in problem.value.message
    assert problem.value.way_out


MISSPELT = {"CALL": "CALLS", "calls": "CALLS", "MAKE": "MAKES", "EXCERCISE": "EXERCISE"}


@pytest.mark.parametrize("name", MISSPELT)
def test_a_constant_that_nobody_reads_is_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / "v1.py"
    constants = f'CALLS = "Linear"\n{name} = "Linear"'
    words = {"kind": "layer", "constants": constants, "parameters": LINEAR, "value": "x @ w.t()"}
    path.write_text(HEAD.format(**words), encoding="utf-8")
    with pytest.raises(UsageProblem, match=f"v1.py:3: {name} says nothing") as problem:
        BUILT_IN["layer"].load_bank(tmp_path)
    assert problem.value.way_out == f"Rename it to {MISSPELT[name]}."


def test_all_that_a_task_may_say_is_one_of_its_constants() -> None:
    """Or one spelt nearly as it would be refused."""
    text = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    calls = re.findall(
        r'\b(?:read_constant|read_table|assigned|_one_of|places)\((?:module, )?(?:path, )?"([A-Z]+)"',
        text,
    )
    assert {"CALLS", "HOLDS", "LAST", "VALUES"} <= {*calls}
    assert {*calls} <= CONSTANTS


SCALED = """
EXERCISE = "layer"
CALLS = ("scale", "scale_backward")

def v1(x: Float[Tensor, "n d"], g: Float[Tensor, "d"], b: Float[Tensor, "d"]):
    return x * g + b
"""
SWAPPED = """
def scale(x, g, b):
    return x * g + b, (x, g)

def scale_backward(dout, cache):
    x, g = cache
    dx = dout.sum(0).expand(x.shape)
    return dx, dout.sum(0), (dout * x).sum(0)
"""


def test_gradients_are_swapped_where_they_agree_as_a_whole(tmp_path: Path) -> None:
    """Each number of dx is one of db's."""
    grade = graded_on(BUILT_IN["layer"], SCALED, SWAPPED, tmp_path)
    hints = {f.name: f.hint for check in grade.checks for f in check.result.findings if f.hint}
    assert hints["g"] == "it is the gradient of b: are they swapped?"
    assert hints["b"] == "it is the gradient of g: are they swapped?"
    assert "swapped" not in hints.get("x", "")
    assert "x" in {f.name for check in grade.checks for f in check.result.findings}

"""Answer keys and templates of `autograd-function`: graded for real, as a student's are."""

from __future__ import annotations

import contextlib
import io
import textwrap
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from _pytest.mark import ParameterSet
from click.testing import CliRunner, Result
from function_oracle import FOLDER
from warm_zygote import warm_zygote

from pytest_backprop.cli import main
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import AUTOGRAD_FUNCTION
from pytest_backprop.exercises.autograd_function.task import FunctionTask
from pytest_backprop.exercises.functions.bank import Bank, Variant
from pytest_backprop.exercises.functions.typed_task import MatrixVariant, TypedLeaf
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade
from pytest_backprop_authoring import functions
from pytest_backprop_authoring.notebooks import answer_text, template_notebook

BANK = AUTOGRAD_FUNCTION.load_bank(FOLDER / "bank")
ND = 'x: Float[Tensor, "n d"]'
TASKS = {
    "chain": (f'def v1({ND}, y: Float[Tensor, "n d"]):', "h = torch.sin(x) * y", "return h.exp() + h"),
    "quotient": (f'def v1({ND}, y: Float[Tensor, "d"]):', "return torch.tanh(x) / (1 + y ** 2)"),
    "sum of rows": (f'def v1({ND}, y: Float[Tensor, "d"]):', "return (x * y + y).sum(dim=0)"),
    "mean to one": (f'def v1({ND}, y: Float[Tensor, "n 1"]):', "return ((x - y) ** 2).mean()"),
    "sum of what is broadcast": (f'def v1({ND}, y: Float[Tensor, "d"]):', "return (x + y).sum()"),
    "number": (f"def v1({ND}, a: float):", "return F.leaky_relu(x, a) * a + torch.cos(x)"),
    "clamp": (f"def v1({ND}):", "return x.clamp(-0.5, 0.5) * x"),
    "columns": (f'def v1({ND}, w: Float[Tensor, "d"]):', "return torch.relu(x @ w)[:, None] * x"),
    "two layers": (
        f'def v1({ND}, w: Float[Tensor, "d c"], v: Float[Tensor, "c"]):',
        "h = torch.sigmoid(x @ w)", "return h @ v",
    ),
    "log of softmax": (f"def v1({ND}):", "return F.log_softmax(x, dim=1)"),
    "gathered": (
        'BELOW = {"i": "c"}',
        'def v1(t: Float[Tensor, "c d"], i: Int[Tensor, "n"], x: Float[Tensor, "n d"]):', "return t[i] * x + t.mean(dim=0)",
    ),
    "twice": ("ORDER = 2", f'def v1({ND}, y: Float[Tensor, "d"]):', "return torch.sqrt(1 + x * x) * y"),
    "twice, by the output": ("ORDER = 2", f"def v1({ND}):", "return torch.tanh(x)"),
    "twice, of sums": ("ORDER = 2", f"def v1({ND}):", "return torch.sin(x).mean(dim=1)"),
    "scaled": (f"def v1({ND}):", "return torch.abs(x) * 3 - x / 2"),
}  # fmt: skip
"""Lines of tasks, from the `def` on indented."""


def task(folder: Path, *lines: str) -> Bank:
    at = next(n for n, line in enumerate(lines) if line.startswith("def "))
    body = textwrap.indent("\n".join(lines[at + 1 :]), "    ")
    text = "\n".join(['EXERCISE = "autograd-function"', *lines[: at + 1], body, ""])
    (folder / "v1.py").write_text(text, encoding="utf-8")
    return AUTOGRAD_FUNCTION.load_bank(folder)


def graded(bank: Bank, name: str, path: Path) -> Grade:
    plan = GradingPlan(name, None, 0, 1024, 5e-5, 1e-7, 60.0, 2**31, exercise=AUTOGRAD_FUNCTION)
    rubric = rubric_of(AUTOGRAD_FUNCTION.name, AUTOGRAD_FUNCTION.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        return grader.grade(path, path.name)


def some(names: Iterable[str], *usual: str) -> list[ParameterSet]:
    """All as parameters, of which `make test` takes some."""
    return [pytest.param(n, marks=() if n in usual else pytest.mark.long) for n in names]


def earns_full_marks(bank: Bank, variant: Variant, folder: Path) -> None:
    path = folder / f"key_{variant.name}.py"
    path.write_text(answer_text(functions, variant), encoding="utf-8")
    grade = graded(bank, variant.name, path)
    faults = [(c.result.id, c.result.message) for c in grade.checks if c.score < c.max_score]
    assert (grade.status, faults) == ("graded", []), path.read_text(encoding="utf-8")
    assert grade.score == grade.max_score > 0


@pytest.mark.parametrize("name", some(BANK.names, "v922", "v923", "v927"))
def test_the_key_of_every_task_earns_full_marks(name: str, tmp_path: Path) -> None:
    earns_full_marks(BANK, BANK.get(name), tmp_path)


@pytest.mark.parametrize("name", some(TASKS, "sum of what is broadcast", "two layers"))
def test_the_key_of_what_a_task_may_be_earns_full_marks(name: str, tmp_path: Path) -> None:
    bank = task(tmp_path, *TASKS[name])
    earns_full_marks(bank, bank.get("v1"), tmp_path)


def test_a_key_saves_rather_than_computes_anew_and_asks_what_is_needed(tmp_path: Path) -> None:
    key = functions.class_text(task(tmp_path, *TASKS["two layers"]).get("v1"))
    assert key.count("sigmoid") == 1
    assert key.count("if ctx.needs_input_grad") == 4
    twice = functions.class_text(task(tmp_path, *TASKS["twice, by the output"]).get("v1"))
    assert "save_for_backward(y)" in twice


# -- what cannot be derived ---------------------------------------------------------------------

REFUSED = {
    "return torch.linalg.norm(x, dim=1)": "torch.linalg.norm(x, dim=1)",
    "return x.cumsum(0) * torch.exp(x)": "x.cumsum(0)",
    "return x ** x": "pow with a tensor as exponent",
    "return torch.amax(x, 1) * x.sum()": "torch.amax(x, 1)",
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_task_that_has_no_key_is_refused_with_what_is_missing(line: str) -> None:
    source = f'def v1(x: Float[Tensor, "n d"]):\n    {line}'
    leaves = (TypedLeaf("x", "weight", False, ("n", "d")),)
    made = FunctionTask("v1", leaves, {}, source, "v1.py", lambda x: x)
    variant = MatrixVariant("v1", ("x",), (), source, None, (), task=made)
    with pytest.raises(UsageProblem) as refused:
        functions.class_text(variant)
    assert REFUSED[line] in refused.value.message
    assert refused.value.way_out


# -- the commands -------------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_the_command_writes_the_key_of_the_kind_that_the_folder_has() -> None:
    python = run("solve", "922", "--variants", FOLDER / "bank")
    assert (python.exit_code, python.output) == (0, answer_text(functions, BANK.get("v922")))
    explained = run("solve", "v927", "--explain", "--variants", FOLDER / "bank").output
    assert len(explained.splitlines()) > len(answer_text(functions, BANK.get("v927")).splitlines())
    there = nbformat.reads(
        run("solve", "v922", "--notebook", "--variants", FOLDER / "bank").output, 4
    )
    space: dict[str, object] = {}
    for cell in there.cells:
        if cell.cell_type == "code":
            exec("import torch.nn.functional as F\n" + cell.source, space)
    assert {"Function", "v922"} <= space.keys()
    assert "there is no variant 'v8'" in run("solve", "v8", "--variants", FOLDER / "bank").output


def test_a_kind_that_nobody_writes_for_is_refused(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text('EXERCISE = "gradient-table"\n', encoding="utf-8")
    for command in ("solve", "template"):
        told = run(command, "v1", "--variants", tmp_path).output
        assert "for the exercise gradient-table" in told


@pytest.mark.parametrize("lang", ["en", pytest.param("ru", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", BANK.names)
def test_a_template_has_the_task_and_its_check_runs_once_the_key_is_in_it(
    name: str, lang: str, tmp_path: Path
) -> None:
    out = tmp_path / f"{name}.ipynb"
    made = run("template", name, "--variants", FOLDER / "bank", "--lang", lang, "--out", out)
    assert (made.exit_code, made.output) == (0, "")
    notebook = nbformat.read(out, 4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    (empty,) = [cell for cell in cells if cell.source.startswith("class Function")]
    with pytest.raises(NotImplementedError):
        run_cells([cell.source for cell in cells[:-1]])
    empty.source = functions.class_text(BANK.get(name))
    told = run_cells([cell.source for cell in cells[:-1]])
    assert "False" not in told
    order = getattr(BANK.get(name).task, "order", 1)  # type: ignore[attr-defined]
    assert told.count("True") >= 2 + order
    assert "EXERCISE" in cells[-1].source


def run_cells(sources: list[str]) -> str:
    """What they print."""
    printed = io.StringIO()
    space: dict[str, object] = {"__name__": "notebook"}
    with contextlib.redirect_stdout(printed):
        for source in sources:
            exec(compile(source, "cell", "exec"), space)
    return printed.getvalue()


def test_an_empty_template_is_told_what_is_missing_and_a_full_one_earns_all(tmp_path: Path) -> None:
    variant = BANK.get("v922")
    notebook = nbformat.reads(template_notebook(functions, variant, "v922.ipynb", False), 4)
    nbformat.write(notebook, tmp_path / "empty.ipynb")
    (cell,) = [c for c in notebook.cells if c.source.startswith("class Function")]
    cell.source = functions.class_text(variant)
    nbformat.write(notebook, tmp_path / "full.ipynb")
    empty, full = (graded(BANK, "v922", tmp_path / f"{n}.ipynb") for n in ("empty", "full"))
    assert empty.score == 0
    assert "forward is not written yet" in empty.checks[0].result.message
    assert full.score == full.max_score

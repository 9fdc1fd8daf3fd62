"""Answer keys and templates of `tape`: graded for real, as a student's are."""

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
from tape_oracle import FOLDER
from warm_zygote import warm_zygote

from pytest_backprop.cli import main
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import TAPE
from pytest_backprop.exercises.functions.bank import Bank, Variant
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade
from pytest_backprop_authoring import tapes
from pytest_backprop_authoring.notebooks import answer_text, template_notebook

BANK = TAPE.load_bank(FOLDER / "bank")
AB = 'a: Float[Tensor, "n"], b: Float[Tensor, "n"]'
ND = 'x: Float[Tensor, "n d"]'
TASKS = {
    "numbers": ("ORDER = 2", f"def v1({AB}):", "return (1 - a) * 2 + b ** 3 / 4 - 0.5 * a"),
    "quotients": ("ORDER = 2", 'POSITIVE = ("b",)', f"def v1({AB}):", "return 2 / b + a / b - b.sqrt()"),
    "functions": ("ORDER = 2", f"def v1({AB}):", "return a.sin() * b.cos() + (a * b).sigmoid() - b.square()"),
    "a number": ("ORDER = 2", f"def v1({AB}, slope: float):", "return a * slope + slope * b * math.pi - b"),
    "kinks": (f"def v1({AB}):", "return a.relu() * b.abs()"),
    "a row for all": ("ORDER = 2", f'def v1({ND}, b: Float[Tensor, "d"]):', "return (x * b).tanh() - b"),
    "a column for all": (f'def v1({ND}, b: Float[Tensor, "n 1"]):', "return x / (b * b + 1)"),
    "sums of rows": ("ORDER = 2", f"def v1({ND}):", "return (x * x).sum(dim=1)"),
    "means kept": (f"def v1({ND}):", "return x - x.mean(dim=1, keepdim=True)"),
    "two layers": (
        "ORDER = 2", f'def v1({ND}, w: Float[Tensor, "d c"], v: Float[Tensor, "c"]):', "return (x @ w).tanh() @ v",
    ),
    "transposed": (f'def v1({ND}, w: Float[Tensor, "d"]):', "return w @ x.T"),
    "an operator": (
        'OPERATOR = "layer"', f'def v1({ND}, w: Float[Tensor, "d c"]):', "h = torch.matmul(x, w)", "return torch.tanh(h) + h",
    ),
}  # fmt: skip
"""Lines of tasks, from the `def` on indented."""


def task(folder: Path, *lines: str) -> Bank:
    at = next(n for n, line in enumerate(lines) if line.startswith("def "))
    body = textwrap.indent("\n".join(lines[at + 1 :]), "    ")
    text = "\n".join(['EXERCISE = "tape"', *lines[: at + 1], body, ""])
    (folder / "v1.py").write_text(text, encoding="utf-8")
    return TAPE.load_bank(folder)


def graded(bank: Bank, name: str, path: Path) -> Grade:
    plan = GradingPlan(name, None, 0, 1024, 5e-5, 1e-7, 60.0, 2**31, exercise=TAPE)
    rubric = rubric_of(TAPE.name, TAPE.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        return grader.grade(path, path.name)


def some(names: Iterable[str], *usual: str) -> list[ParameterSet]:
    """All as parameters, of which `make test` takes some."""
    return [pytest.param(n, marks=() if n in usual else pytest.mark.long) for n in names]


def earns_full_marks(bank: Bank, variant: Variant, folder: Path) -> None:
    path = folder / f"key_{variant.name}.py"
    path.write_text(answer_text(tapes, variant), encoding="utf-8")
    grade = graded(bank, variant.name, path)
    faults = [(c.result.id, c.result.message) for c in grade.checks if c.score < c.max_score]
    assert (grade.status, faults) == ("graded", []), path.read_text(encoding="utf-8")
    assert grade.score == grade.max_score > 0


@pytest.mark.parametrize("name", some(BANK.names, "v941", "v947"))
def test_the_key_of_every_task_earns_full_marks(name: str, tmp_path: Path) -> None:
    earns_full_marks(BANK, BANK.get(name), tmp_path)


@pytest.mark.parametrize("name", some(TASKS, "two layers"))
def test_the_key_of_what_a_task_may_be_earns_full_marks(name: str, tmp_path: Path) -> None:
    bank = task(tmp_path, *TASKS[name])
    earns_full_marks(bank, bank.get("v1"), tmp_path)


def test_a_key_has_the_operators_that_the_task_needs_and_no_others(tmp_path: Path) -> None:
    key = tapes.class_text(task(tmp_path, *TASKS["kinks"]).get("v1"))
    assert [name for name in ("relu", "abs", "expand", "exp", "__neg__", "sum_to") if f"def {name}(" in key] == [
        "relu", "abs", "expand",
    ]  # fmt: skip
    broadcast = tapes.class_text(task(tmp_path, *TASKS["a row for all"]).get("v1"))
    assert "(dL_dr * rhs).sum_to(self.value.shape)" in broadcast
    composed = tapes.class_text(BANK.get("v947"))
    assert composed.endswith("def sigmoid(x):\n    return x.sigmoid()")


@pytest.mark.parametrize("line", ["return x.softmax(1)", "return x.clamp(min=0) * x"])
def test_a_task_that_has_no_key_is_refused(line: str, tmp_path: Path) -> None:
    bank = task(tmp_path, f"def v1({ND}):", line)
    with pytest.raises(UsageProblem) as refused:
        tapes.class_text(bank.get("v1"))
    assert refused.value.way_out


# -- the commands -------------------------------------------------------------------------------


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_the_command_writes_the_key() -> None:
    told = run("solve", "v941", "--variants", FOLDER / "bank")
    assert (told.exit_code, told.output) == (0, answer_text(tapes, BANK.get("v941")))
    explained = run("solve", "v941", "--explain", "--variants", FOLDER / "bank").output
    assert "dL_drhs = dL_dr * self" in explained


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
    *_, last, check, grades = cells
    assert "NotImplementedError" in last.source
    with pytest.raises(NotImplementedError):
        run_cells([cell.source for cell in cells[:-1]])
    last.source = tapes.class_text(BANK.get(name))
    told = run_cells([cell.source for cell in cells[:-1]])
    assert "False" not in told
    assert told.count("True") >= len(BANK.get(name).task.leaves)  # type: ignore[attr-defined]
    assert "EXERCISE" in grades.source
    assert "torch.autograd.grad" in check.source


def run_cells(sources: list[str]) -> str:
    """What they print."""
    printed = io.StringIO()
    space: dict[str, object] = {"__name__": "notebook"}
    with contextlib.redirect_stdout(printed):
        for source in sources:
            exec(compile(source, "cell", "exec"), space)
    return printed.getvalue()


@pytest.mark.parametrize("name", ["v943", pytest.param("v942", marks=pytest.mark.long)])
def test_an_empty_template_is_told_what_is_missing_and_a_full_one_earns_all(
    name: str, tmp_path: Path
) -> None:
    variant = BANK.get(name)
    notebook = nbformat.reads(template_notebook(tapes, variant, f"{name}.ipynb", False), 4)
    nbformat.write(notebook, tmp_path / "empty.ipynb")
    cell = [c for c in notebook.cells if "NotImplementedError" in c.source][-1]
    cell.source = tapes.class_text(variant)
    nbformat.write(notebook, tmp_path / "full.ipynb")
    empty, full = (graded(BANK, name, tmp_path / f"{n}.ipynb") for n in ("empty", "full"))
    assert empty.score < 0.3 * empty.max_score
    assert "is not written yet" in empty.checks[0].result.message
    assert full.score == full.max_score

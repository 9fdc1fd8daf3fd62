"""Answer keys and notebooks to start from: graded for real, as a student's are.

Variants are drawn from one seed, which is printed; `BACKPROP_ACCURACY_SEED` sets another.
`make accuracy` takes a thousand of them.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from answers import Tally, drawn_texts, grade_answer, made_texts
from click.testing import CliRunner, Result
from plugin_samples import run_pytest

from pytest_backprop.cli import main
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Variant, load_bank, parse_variant
from pytest_backprop.exercises.functions.reference import autograd_cost
from pytest_backprop_authoring import answers as homework
from pytest_backprop_authoring.answers import class_text
from pytest_backprop_authoring.answers.derivation import derive, last_uses, peak_of
from pytest_backprop_authoring.answers.nodes import nodes_of
from pytest_backprop_authoring.notebooks import answer_text

COURSE = Path(__file__).parents[2] / "variants"
BANK = load_bank(COURSE)
SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261122)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def variant(*lines: str) -> Variant:
    return parse_variant("\n  ".join(["def v77():", *lines]) + "\n")


def graded(folder: Path, *arguments: str) -> dict[str, dict[str, object]]:
    """Report entries by path, of a run of pytest in a process of its own."""
    run = run_pytest(folder, "--backprop", ".", "--backprop-report=json:report.json", *arguments)
    return {entry["path"]: entry for entry in run.report["submissions"]}


# -- answer keys --------------------------------------------------------------------------------


@pytest.mark.long
def test_every_variant_of_the_course_is_solved() -> None:
    tally = Tally()
    tally.add(variant.source for variant in BANK.values())
    assert len(tally.graded) == len(BANK)
    assert [(g.variant.name, g.faults) for g in tally.graded if g.faults] == []
    assert [g.variant.name for g in tally.graded if g.peak > g.autograd] == []


@pytest.mark.long
def test_answers_that_the_command_wrote_are_graded_in_full_by_pytest(tmp_path: Path) -> None:
    for number, name in enumerate(("v1", "v8", "v10", "v16")):
        form, suffix = (("--notebook", ".ipynb"), ("--py", ".py"))[number % 2]
        result = run("solve", name, form, "--out", tmp_path / f"{name}{suffix}")
        assert (result.exit_code, result.output) == (0, "")
    entries = graded(tmp_path)
    assert {path: entry["score"] for path, entry in entries.items()} == {
        "v1.ipynb": 100, "v8.py": 100, "v10.ipynb": 100, "v16.py": 100,
    }  # fmt: skip
    for entry in entries.values():
        release = next(c for c in entry["checks"] if c["id"] == "release")  # type: ignore[attr-defined]
        assert release["details"]["peak_live"] <= release["details"]["autograd_peak_live"]
        assert release["details"]["late"] == 0


@pytest.fixture(scope="module")
def fresh(request: pytest.FixtureRequest) -> Tally:
    """Fresh variants of both makers, graded. The seed is shown although output is captured."""
    tally = Tally()
    tally.add(drawn_texts(SEED, 10))
    tally.add(made_texts(range(SEED, SEED + 12)))
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\nBACKPROP_ACCURACY_SEED={SEED}\n{tally.table()}")
    return tally


@pytest.mark.long
def test_fresh_variants_are_solved(fresh: Tally) -> None:
    assert len(fresh.graded) >= 15, SEED
    assert [(g.variant.source, g.faults) for g in fresh.graded if g.faults] == [], SEED


@pytest.mark.long
def test_no_answer_keeps_more_values_alive_than_autograd(fresh: Tally) -> None:
    assert [g.variant.source for g in fresh.graded if g.peak > g.autograd] == [], SEED


SPECIAL = (
    "exp(w0 * x1) + log(w1 * w1 + x2) * sqrt(w0 ** 2 + 1)",
    "sin(w0 * x1) * cos(w1 + x2) - tan(0.1 * w0 / (1 + w1 ** 2))",
    "tanh(w0 + x1) / (2 + sigmoid(w1 * x2))",
    "abs(w0 - x1) * relu(w1 * x2 + 3) + w0 * w1",
    "relu(w0 * x1 - w1) + w1",
    "max(w0 * x1, w1) - min(w0, x2 * w1)",
    "torch.maximum(w0, w0) * x1",
    "max(w0 * x1, 2) * w0 + min(3, w1 * w0)",
    "w0 * x1 * exp(2) + max(1, 2) * w1 * x1",
    "2 ** (w0 * x1) * w1",
    "w0 ** (x1 * w1)",
    "(w0 ** 2 + x1 ** 2) ** 1.5 + w1 ** -2",
    "(w0 ** 2 + 1) ** -0.5 * w1 * x1",
    "x1.exp() * w0.square() + pow(w1, 3) - torch.reciprocal(w0 + 2)",
    "w0 + x1",
    "3 * w0 + w1 * x1",
    "(w0 + w1) * x1",
    "+(w0 * x1) - -w1",
    "w0 * x1 + (3 - 1) * w1 / 4",
    "w0 * x1 + x1 ** 0 + 0 * (x1 + 1) + w1 * x1",
    "w2 * w5 / x7",
    "3 * w0 * x1 + exp(w0 - w0) / (w0 + w1)",
    "w0 * x1 + w1 * x1 - (w1 - w1)",
    "w0 * x3",
    "-(w0 * w0) * x1",
    "w0 / x1 / w0 ** 3",
)
"""Each function that a variant may call, and what is easily forgotten."""


@pytest.mark.parametrize(
    "text",
    [pytest.param(t, marks=[pytest.mark.long] if i % 3 else []) for i, t in enumerate(SPECIAL)],
)
def test_what_a_variant_may_be_is_solved(text: str) -> None:
    assert grade_answer(f"def v77():\n  return {text}\n").faults == ()


def test_all_forms_of_statements_are_solved() -> None:
    text = (
        'def v77():\n  """Of several kinds."""\n  a = b = w0 * x1\n  a += w1\n  c: float = a\n'
        "  d = (a\n       + b * exp(c))  # two lines\n  e = d * x2; f = e - w0\n  return f\n"
    )
    assert grade_answer(text).faults == ()
    assert grade_answer("def v77(): return w0 * x1 - w1\n").faults == ()
    named = "def v77():\n  c = 2\n  return max(w0 * x1, c) * w1 + min(w0, -1)\n"
    assert grade_answer(named).faults == ()


def test_an_answer_reads_as_a_students() -> None:
    text = answer_text(homework, BANK.get("v8"))
    assert "        t4 = x3 * t3  # r1\n        t3 = None\n" in text
    assert "        dt12 = -dt14 / w0  # dy/dt12\n" in text
    assert "        self.w.grad = torch.stack([dw0, dw1])\n        return y\n" in text
    assert "        r3 = x3 - (w1 - x2) ** 2 / w0\n" in text
    assert "dx" not in text
    assert compile(text, "v8", "exec")


def test_the_locals_of_the_variant_are_named_in_remarks() -> None:
    made = variant("a = w0 * x1", "b = a + w1; c = b", "d = c * (", "  w0)", "return d / a")
    assert [(node.name, node.local) for node in nodes_of(made)] == [
        ("t1", "a"), ("t2", None), ("t3", None), ("y", None),
    ]  # fmt: skip
    behind_a_comment = parse_variant(
        "# Variant 77\n\ndef v77():\n  r1 = w0 * x1\n  return r1 * w0\n"
    )
    assert [node.local for node in nodes_of(behind_a_comment)] == ["r1", None]
    returned = variant("r1 = w0 * x1", "r2 = r1 + w1", "return r2")
    assert [node.local for node in nodes_of(returned)] == ["r1", "r2"]


def test_explanations_have_the_chain_rule_at_each_node() -> None:
    plain, explained = (answer_text(homework, BANK.get("v8"), explain) for explain in (False, True))
    line = "# t18 = t14 / t17: dy/dt18 = 1; dt18/dt14 = 1 / t17, dt18/dt17 = -t18 / t17"
    assert line in explained
    assert line not in plain
    statements = [s for s in explained.splitlines() if not s.strip().startswith("#")]
    assert statements == [s for s in plain.splitlines() if not s.strip().startswith("#")]


@pytest.mark.parametrize("name", BANK.names)
def test_values_are_released_after_their_last_use_and_not_twice(name: str) -> None:
    derived = derive(BANK.get(name))
    statements = derived.statements
    released: set[str] = set()
    for line, ended in zip(statements, last_uses(statements), strict=True):
        assert not released & set(line.reads)
        released.discard(line.target)
        assert not released & set(ended)
        released |= set(ended)
    made = {line.target for line in statements[:-1]}
    assert made - released == {"y", *derived.gradients}
    assert peak_of(derived)[0] <= autograd_cost(BANK.get(name)).peak_live


def test_a_power_of_a_negative_number_has_no_answer() -> None:
    with pytest.raises(UsageProblem, match="line 2: -2 to the power of a variable"):
        answer_text(homework, variant("return (-2) ** w0 * x1"))


def test_the_answer_of_anothers_bank(tmp_path: Path) -> None:
    (tmp_path / "v1.py").write_text("def v1():\n  return w0 * x1\n")
    result = run("solve", "v1", "--variants", tmp_path)
    assert "        y = w0 * x1\n" in result.output
    assert "        self.w.grad = torch.stack([x1])\n" in result.output


def test_the_form_follows_the_files_name_and_nothing_is_written_over(tmp_path: Path) -> None:
    assert run("solve", "v8", "--out", tmp_path / "a.ipynb").exit_code == 0
    nbformat.validate(nbformat.read(tmp_path / "a.ipynb", 4))
    again = run("solve", "v8", "--out", tmp_path / "a.ipynb")
    assert again.exit_code == 2
    assert "is there already" in again.output
    assert run("solve", "v8", "--py", "--out", tmp_path / "a.ipynb", "--force").exit_code == 0
    assert (tmp_path / "a.ipynb").read_text().startswith("# The answer key")
    assert run("solve", "8").output == answer_text(homework, BANK.get("v8"))
    assert "there is no variant 'v77'" in run("solve", "v77").output
    nowhere = run("solve", "v8", "--out", tmp_path / "a.ipynb" / "b.py")
    assert nowhere.exit_code == 2
    assert "b.py cannot be written" in " ".join(nowhere.output.split())
    assert "another path for --out" in nowhere.output


def test_remarks_are_in_the_language_asked_for() -> None:
    assert "# обратный проход\n" in run("solve", "v8", "--lang", "ru").output
    assert "# backward pass\n" in run("solve", "v8").output


# -- what a student starts from -----------------------------------------------------------------


def template(path: Path, *arguments: object) -> nbformat.NotebookNode:
    result = run("template", "v8", "--out", path, *arguments)
    assert (result.exit_code, result.output) == (0, "")
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    return notebook


def fill_in(path: Path, notebook: nbformat.NotebookNode, solved: Variant) -> None:
    """Writes the answer where the student is to write."""
    (cell,) = [cell for cell in notebook.cells if cell.source.startswith("class Graph")]
    cell.source = class_text(solved)
    nbformat.write(notebook, path)


@pytest.mark.parametrize(("lang", "word"), [("en", "is not written yet"), ("ru", "ещё не написан")])
def test_a_template_is_graded_low_with_what_is_missing_and_its_solution_in_full(
    lang: str, word: str, tmp_path: Path
) -> None:
    template(tmp_path / "empty_v8.ipynb", "--lang", lang)
    notebook = template(tmp_path / "full_v8.ipynb", "--lang", lang)
    fill_in(tmp_path / "full_v8.ipynb", notebook, BANK.get("v8"))
    entries = graded(tmp_path, "--backprop-lang", lang)
    assert entries["full_v8.ipynb"]["score"] == 100
    empty = entries["empty_v8.ipynb"]
    assert (empty["status"], empty["score"]) == ("graded", 0)
    checks = {check["id"]: check for check in empty["checks"]}  # type: ignore[attr-defined]
    for name, method in (("forward", "forward"), ("gradient", "my_forward_backward")):
        assert word in checks[name]["message"]
        assert method in checks[name]["message"]
        assert checks[name]["findings"][0]["cell"] == 5


def self_check(path: Path) -> str:
    """What the notebook's own cell prints when IPython runs it, in the notebook's folder."""
    notebook = nbformat.read(path, 4)
    (cell,) = [cell for cell in notebook.cells if "NOTEBOOK = " in cell.source]
    (path.parent / "cell.ipy").write_text(cell.source, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "cell.ipy"],
        cwd=path.parent, capture_output=True, text=True,
        env=os.environ | {"IPYTHONDIR": str(path.parent / "ipython")},
    )  # fmt: skip
    return done.stdout + done.stderr


def test_the_self_check_cell_grades_the_notebook_itself(tmp_path: Path) -> None:
    path = tmp_path / "my work.ipynb"
    notebook = template(path)
    fill_in(path, notebook, BANK.get("v8"))
    told = self_check(path)
    assert "100/100" in told
    assert "6 passed" in told


@pytest.mark.long
def test_the_self_check_of_a_variant_that_the_plugin_does_not_have(tmp_path: Path) -> None:
    bank, home = tmp_path / "bank", tmp_path / "home"
    bank.mkdir()
    home.mkdir()
    (bank / "v8.py").write_text('def v8():\n  """Ours\\n."""\n  return w0 * x1 / (w1 + x2)\n')
    notebook = template(home / "anna.ipynb", "--variants", bank, "--lang", "ru")
    fill_in(home / "anna.ipynb", notebook, load_bank(bank).get("v8"))
    told = self_check(home / "anna.ipynb")
    assert "100/100" in told
    assert (home / "backprop_variants" / "v8.py").is_file()


def test_a_template_tells_the_task(tmp_path: Path) -> None:
    english, russian = (
        template(tmp_path / f"{lang}.ipynb", "--lang", lang) for lang in ("en", "ru")
    )
    assert "variant v8" in english.cells[0].source
    assert "Save the notebook first" in english.cells[5].source
    assert "вариант v8" in russian.cells[0].source
    assert "Сначала сохраните ноутбук" in russian.cells[5].source
    assert "--backprop-lang ru" in russian.cells[6].source
    assert russian.cells[2].source == english.cells[2].source == BANK.get("v8").source
    assert len({cell.id for cell in english.cells}) == len(english.cells)


def test_a_template_goes_to_stdout_and_never_over_a_students_work(tmp_path: Path) -> None:
    shown = run("template", "v8")
    nbformat.validate(nbformat.reads(shown.output, 4))
    assert '"NOTEBOOK' not in shown.output
    path = tmp_path / "anna.ipynb"
    path.write_text("my work")
    assert "is there already" in run("template", "v8", "--out", path).output
    assert path.read_text() == "my work"
    refused = run("template", "v8", "--out", tmp_path / "anna.txt")
    assert refused.exit_code == 2
    assert "ends in .ipynb" in refused.output

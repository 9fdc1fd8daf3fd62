"""The drawing of real submissions: its graph, lives and counts say what the checks say."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from corpus_text import graded_file
from plugin_samples import RIGHT, VARIANTS
from warm_zygote import warm_zygote

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading import drawing as drawing_module
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Grade, Submission, Unit
from pytest_backprop.model.drawing import Drawing

ROOT = Path(__file__).parents[2]
PLAN = GradingPlan(None, None, 0, 60, 5e-5, 1e-7, 20.0, 2**31, drawing=True)


def made_by(folder: str, plan: GradingPlan, *names: str) -> dict[str, Grade]:
    bank = "variants" if folder == "examples/class" else "tests/submissions/bank"
    grader = Grader(plan, default_rubric(), load_bank(ROOT / bank), warm_zygote())
    try:
        return {name: grader.grade(graded_file(ROOT / folder / name), name) for name in names}
    finally:
        grader.close()


@pytest.fixture(scope="module")
def grades() -> dict[str, Grade]:
    return made_by(
        "examples/class", PLAN, "anna_v8.ipynb", "boris_v10.py", "dasha_v3.py", "vera_v1.ipynb"
    )


@pytest.fixture(scope="module")
def others() -> dict[str, Grade]:
    names = ("wrong/raises_v907.py", "wrong/empty_v902.py",
             "right/relu_if_v901.py", "right/grad_zeros_v907.py", "wrong/endless_v902.py")  # fmt: skip
    return made_by("tests/submissions", msgspec.structs.replace(PLAN, seconds=2.0), *names)


def drawn(grade: Grade) -> Drawing:
    assert grade.drawing is not None
    return grade.drawing


def with_drawing(grades: dict[str, Grade]) -> Iterator[tuple[Grade, Drawing]]:
    for grade in grades.values():
        if grade.drawing is not None and grade.drawing.nodes:
            yield grade, grade.drawing


def test_matrices_are_drawn_as_tensors() -> None:
    name = "right/layers_plain_v912.py"
    plan = msgspec.structs.replace(PLAN, points=256)
    drawing = drawn(made_by("tests/submissions", plan, name)[name])
    assert drawing.leaves == ("w1", "b1", "w2", "b2", "x", "y")
    assert sorted({leaf for node in drawing.nodes for leaf in node.leaves}) == [0, 1, 2, 3, 4, 5]
    told = {label for target in drawing.targets for label in target.label.split(", ")}
    assert told == {"y", "∂y/∂w1", "∂y/∂b1", "∂y/∂w2", "∂y/∂b2"}


def test_no_drawing_unless_asked() -> None:
    plan = msgspec.structs.replace(PLAN, drawing=False)
    assert made_by("examples/class", plan, "boris_v10.py")["boris_v10.py"].drawing is None


def test_it_travels_with_the_grade(grades: dict[str, Grade]) -> None:
    for grade in grades.values():
        assert msgspec.json.decode(msgspec.json.encode(grade), type=Grade) == grade
        assert len(msgspec.json.encode(grade.drawing)) < 20_000


def test_marks_agree_with_the_findings(grades: dict[str, Grade]) -> None:
    """By name and line, for both kinds of findings that a node can have."""
    for grade, made in with_drawing(grades):
        findings = [f for c in grade.checks for f in c.result.findings]
        unused = {(f.name, f.place.line) for f in findings if f.kind == "unused-node" and f.place}
        assert {(n.name, n.at and n.at.line) for n in made.nodes if n.part == "unused"} == unused
        late = sorted(str(f.name) for f in findings if f.kind == "late-release")
        assert sorted(life.label for life in made.lives if life.tail == "late") == late
        assert sum(node.late for node in made.nodes) == len(late)


def test_peaks_are_those_of_the_check(grades: dict[str, Grade]) -> None:
    for grade, made in with_drawing(grades):
        told = next(c.result.details for c in grade.checks if c.result.id == "release")
        assert max(made.live) == told["peak_live"]
        assert made.autograd_peak == told["autograd_peak_live"]


def test_the_graph_is_one(grades: dict[str, Grade], others: dict[str, Grade]) -> None:
    """Edges go forwards to nodes there are; y comes from forward nodes, gradients from others."""
    for _, made in with_drawing(grades | others):
        for number, node in enumerate(made.nodes):
            assert all(0 <= source < number for source in node.sources)
            assert all(0 <= leaf < len(made.leaves) for leaf in node.leaves)
            if node.part == "forward":
                assert all(made.nodes[n].part == "forward" for n in node.sources)
        labels = ", ".join(target.label for target in made.targets)
        assert "y" in labels
        assert labels.count("∂y/∂w") == sum(leaf.startswith("w") for leaf in made.leaves)
        assert all(made.nodes[n].part == "forward" for n in made.targets[0].sources)


def test_lives_lie_in_the_steps(grades: dict[str, Grade], others: dict[str, Grade]) -> None:
    for _, made in with_drawing(grades | others):
        assert len(made.live) == len(made.steps)
        for life in made.lives:
            assert 0 <= life.born <= life.used <= life.ended < len(made.steps)
            assert (life.tail == "none") == (life.used == life.ended)


def test_edges_are_the_names_that_a_line_reads(grades: dict[str, Grade]) -> None:
    """Held against the text: a node reads what its assignment names, by way of ops on its line."""
    made = drawn(grades["boris_v10.py"])
    pass_ = ast.parse("\n".join(made.fragments[0].lines))
    wanted = {
        statement.lineno: {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
        for statement in ast.walk(pass_)
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
    }

    def read(number: int) -> set[str]:
        node = made.nodes[number]
        found = {made.leaves[leaf] for leaf in node.leaves}
        for source in node.sources:
            other = made.nodes[source]
            found |= read(source) if other.at == node.at else {str(other.name)}
        return found

    last_of_line = {node.at.line: n for n, node in enumerate(made.nodes) if node.at is not None}
    checked = {line: read(n) for line, n in last_of_line.items() if line in wanted}
    assert len(checked) > 15
    assert checked == {line: wanted[line] for line in checked}


def test_room_for_results_is_beside_the_data_flow(others: dict[str, Grade]) -> None:
    made = drawn(others["right/grad_zeros_v907.py"])
    assert [node.op for node in made.nodes if node.part == "side"] == ["zeros"]


def test_what_did_not_run_has_its_source_only(others: dict[str, Grade]) -> None:
    for name in ("wrong/raises_v907.py", "wrong/endless_v902.py"):
        made = drawn(others[name])
        assert made.fragments[0].lines[0].startswith(("import", "from", '"""', "#"))
        assert (made.nodes, made.lives) == ((), ())
    assert (
        others["wrong/empty_v902.py"].drawing is None
        or not drawn(others["wrong/empty_v902.py"]).nodes
    )


def test_a_fault_in_the_drawing_costs_no_grade(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Drawing:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr("pytest_backprop.grading.pipeline.draw", broken)
    grade = made_by("examples/class", PLAN, "anna_v8.ipynb")["anna_v8.ipynb"]
    assert (grade.score, grade.status, grade.drawing) == (100, "graded", None)
    assert "ZeroDivisionError: ours" in grade.notes[-1]


BIG = RIGHT.replace(
    "        a = w0 * x1\n",
    "        t = [w0 * x1, w1 * x2, x3 * w0]\n"
    "        for n in range(700):\n"
    "            t.append(t[-1] * t[-3] + t[n // 2])\n"
    "        a = w0 * x1\n",
)
DENSE = BIG.replace("t.append(t[-1]", "t.append(torch.stack(t).sum()").replace("700", "60")


@pytest.mark.parametrize(("text", "ops"), [(BIG, drawing_module.OPS_DRAWN), (DENSE, 100)])
@pytest.mark.long
def test_of_a_large_pass_the_beginning_is_drawn(tmp_path: Path, text: str, ops: int) -> None:
    (tmp_path / "big.py").write_text(text, encoding="utf-8")
    (tmp_path / "v1.py").write_text(VARIANTS["v1.py"], encoding="utf-8")
    plan = msgspec.structs.replace(PLAN, variant="v1")
    grader = Grader(plan, default_rubric(), load_bank(tmp_path), warm_zygote())
    made = drawn(grader.grade(tmp_path / "big.py", "big.py"))
    grader.close()
    assert made.left_out > 100
    assert 50 < len(made.nodes) <= ops
    assert sum(len(n.sources) + len(n.leaves) for n in made.nodes) <= drawing_module.EDGES_DRAWN
    assert all(life.ended < len(made.steps) for life in made.lives)
    assert len(msgspec.json.encode(made)) < 100_000


# -- source ------------------------------------------------------------------------------------


def source(*texts: str) -> tuple[list[tuple[int, int]], int]:
    """(first line, number of lines) of each fragment, and the lines left out."""
    units = tuple(Unit(text, cell=n + 1, original=text) for n, text in enumerate(texts))
    fragments, left_out = drawing_module._source(Submission("a", "ipynb", units))
    return [(f.first, len(f.lines)) for f in fragments], left_out


def test_a_short_submission_is_shown_whole() -> None:
    assert source("a = 1\nb = 2", "c = 3") == ([(1, 2), (1, 1)], 0)


def test_a_long_one_is_shown_from_its_start() -> None:
    shown = drawing_module.LINES_SHOWN
    assert source("x = 1\n" * 90_000, "y") == ([(1, shown)], 90_002 - shown)
    assert source("y", "x\n" * shown) == ([(1, 1), (1, shown - 1)], 2)


def test_long_lines_are_cut() -> None:
    units = (Unit("x" * 5_000_000, original=""),)
    fragments, _ = drawing_module._source(Submission("a", "py", units))
    assert [len(line) for line in fragments[0].lines] == [drawing_module.LINE_LIMIT + 1]

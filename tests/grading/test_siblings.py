"""Submissions of several files: what the graded file imports of the student's folder, and of the course's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from plugin_samples import lay_out, notebook
from several_files import BANK, IMPORT, LAYER_FILE, LINEAR, SUPPORT, TASK
from warm_zygote import warm_zygote

from pytest_backprop.classroom import Planner, Wanted
from pytest_backprop.errors import GraderFault, UsageProblem
from pytest_backprop.exercises.by_hand.forms import LAYER
from pytest_backprop.grading.assignment import Briefs, Part
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Finding, Grade

GradeFiles = Callable[..., Grade]


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Grader, Briefs]]:
    folder = tmp_path_factory.mktemp("bank")
    lay_out(folder, BANK)
    bank = LAYER.load_bank(folder)
    plan = GradingPlan(None, None, 0, 256, 5e-5, 1e-7, 60.0, 2**31, exercise=LAYER)
    rubric = rubric_of(LAYER.name, LAYER.rules, {}, ())
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as made:
        yield made, Briefs((Part(LAYER.name, rubric),), bank, None, None, {})


@pytest.fixture
def graded(grader: tuple[Grader, Briefs], tmp_path: Path) -> GradeFiles:
    """The grade of a student's folder, in a class of two."""

    def grade(files: dict[str, str], task: str = "v1") -> Grade:
        lay_out(tmp_path / "class", {f"anna/{name}": text for name, text in files.items()})
        lay_out(tmp_path / "class", {"ben/other.py": "x = 1\n"})
        (tmp_path / "room").mkdir(exist_ok=True)
        wanted = Wanted(LAYER.pass_names, (("LinearReLU",),), True)
        planner = Planner(tmp_path, tmp_path / "room", lambda _: False, wanted)
        planner.add(tmp_path / "class")
        handed = planner.plan().handed
        (own,) = (each for each in handed.values() if each.place == "class/anna")
        made, briefs = grader
        of_class = Briefs(briefs.parts, briefs.bank, None, task, handed)
        (brief,) = of_class.of(Path(own.path), own.shown)
        return made.grade(Path(own.path), own.shown, brief)

    return grade


def faults(grade: Grade) -> list[Finding]:
    findings = [f for check in grade.checks for f in check.result.findings]
    return [finding for finding in findings if finding.level == "fault"]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_mistake_in_a_sibling_is_told_at_its_line(graded: GradeFiles) -> None:
    wrong = LINEAR.replace("matmul(x.t(), dout)", "matmul(x.t(), dout) * 2")
    grade = graded({"layers.py": LAYER_FILE, "linear.py": wrong})
    assert grade.path == "class/anna/layers.py"
    assert grade.score == 80
    places = [(f.kind, f.place.path, f.place.file, f.place.line) for f in faults(grade) if f.place]
    line = line_of(wrong, "dw =")
    assert ("wrong-gradient", "class/anna/linear.py", "linear.py", line) in places, places


WAYS = {
    "by name": {"layers.py": LAYER_FILE, "linear.py": LINEAR},
    "star": {"layers.py": LAYER_FILE.replace(IMPORT, "from linear import *\n"), "linear.py": LINEAR},
    "whole": {
        "layers.py": LAYER_FILE.replace(IMPORT, "import linear as net\n").replace(" Linear.", " net.Linear."),
        "linear.py": LINEAR,
    },
    "relative": {"layers.py": LAYER_FILE.replace("from linear", "from .linear"), "linear.py": LINEAR},
    "when called": {
        "layers.py": LAYER_FILE.replace(IMPORT, "").replace(
            "    def forward(x, w, b):", "    def forward(x, w, b):\n        global Linear\n        " + IMPORT
        ),
        "linear.py": LINEAR,
    },
    "package": {
        "layers.py": LAYER_FILE.replace("from linear", "from net.parts.linear"),
        "net/__init__.py": "raise_if_run()\n",
        "net/parts/linear.py": LINEAR.replace("from course_helper", "from ..tools"),
        "net/tools.py": "def matmul(a, b):\n    return a.mm(b)\n",
    },
    "reexported": {
        "layers.py": LAYER_FILE.replace("from linear", "from net"),
        "net/__init__.py": "from .linear import *\n",
        "net/linear.py": LINEAR,
    },
    "folder below": {"a3/layers.py": LAYER_FILE, "a3/linear.py": LINEAR},
    "from the top": {
        "a3/layers.py": LAYER_FILE.replace("from linear", "from a3.linear"),
        "a3/linear.py": LINEAR,
    },
    "from folders above": {
        "a3/src/layers/layers.py": LAYER_FILE.replace("from linear", "from ...src.linear"),
        "a3/src/linear.py": LINEAR.replace("from course_helper", "from ..src.tools"),
        "a3/src/tools.py": "def matmul(a, b):\n    return a.mm(b)\n",
    },
    "a module and its class of one name": {
        "layers.py": LAYER_FILE.replace(IMPORT, "import Linear\nfrom Linear import *\n"),
        "Linear.py": LINEAR,
    },
    "backward inherited of a class in a sibling": {
        "layers.py": LAYER_FILE.split("    @staticmethod\n    def backward")[0].replace(
            "import Linear", "import Linear, Backward"
        ).replace("(object)", "(Backward)"),
        "linear.py": LINEAR + LAYER_FILE.replace(IMPORT, "").replace("LinearReLU", "Backward"),
    },
    "the course's helper in a folder": {
        "layers.py": LAYER_FILE,
        "linear.py": LINEAR.replace("from course_helper", "from first.course_helper"),
    },
    "notebook": {"layers.ipynb": notebook(LAYER_FILE), "linear.py": LINEAR},
    "in a circle": {
        "layers.py": LAYER_FILE,
        "linear.py": "import other\n" + LINEAR.replace("(dout, w", "(dout * other.ONE, w"),
        "other.py": "import linear\n\nONE = 1\n",
    },
    "the course's package": {
        "layers.py": LAYER_FILE,
        "linear.py": LINEAR.replace("dout.sum(0)", "total(dout)").replace(
            "import torch", "import torch\nfrom course_tools import total"
        ),
    },
    "a helper that only unused code needs": {
        "layers.py": "from nobodys_helper import *\nfrom nobody import draw\n\ndraw()\n" + LAYER_FILE,
        "linear.py": LINEAR,
    },
    "files of libraries' names": {
        "layers.py": LAYER_FILE,
        "linear.py": "import random\nimport colorsys\n" + LINEAR.replace("dout.sum(0)", "dout.sum(random.randint(0, 0))"),
        "torch.py": "def f(:\n",
        "torch/nn.py": "x = 1 / 0\n",
        "random.py": "def randint(a, b):\n    return 1\n",
    },
    "a file of the helper's name": {
        "layers.py": LAYER_FILE,
        "linear.py": LINEAR,
        "course_helper.py": "def matmul(a, b):\n    return a.mm(b) * 2\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_right_submission_of_several_files(way: str, graded: GradeFiles) -> None:
    grade = graded(WAYS[way])
    assert (grade.status, grade.score) == ("graded", 100), (grade.message, faults(grade))


def test_a_task_may_name_what_stands_in_a_sibling(graded: GradeFiles) -> None:
    grade = graded({"layers.py": LAYER_FILE, "linear.py": LINEAR}, "v2")
    assert grade.score == 100
    assert "Linear is defined in linear.py" in grade.notes


BREACHES = {
    "when it is called": LINEAR.replace(
        "dw = matmul(x.t(), dout)",
        "v = w.clone().requires_grad_()\n"
        "        with torch.enable_grad():\n"
        "            dw = torch.autograd.grad(x.mm(v), v, dout)[0]",
    ),
    "when it is imported": LINEAR.replace(
        "class Linear",
        "v = torch.ones(1, requires_grad=True)\nONE = torch.autograd.grad(v.sum(), v)[0]\n\n\nclass Linear",
    ).replace("matmul(x.t(), dout)", "matmul(x.t(), dout) * ONE"),
    "by the course's helper": LINEAR.replace("import matmul", "import matmul, by_autograd").replace(
        "matmul(x.t(), dout)", "by_autograd(lambda v: x.mm(v), w, dout)"
    ),
}


@pytest.mark.parametrize("when", BREACHES)
def test_a_sibling_is_watched_as_the_graded_file_is(when: str, graded: GradeFiles) -> None:
    grade = graded({"layers.py": LAYER_FILE, "linear.py": BREACHES[when]})
    found = [f for f in faults(grade) if f.kind == "autograd"]
    assert found, faults(grade)
    assert {f.place.file for f in found if f.place} == {"linear.py"}
    assert {f.place.line for f in found if f.place} <= {
        line_of(BREACHES[when], part)
        for part in ("torch.autograd.grad", "by_autograd(lambda")
        if part in BREACHES[when]
    }
    assert grade.score == 30


def test_what_the_course_s_helper_does_by_itself_is_nobody_s_breach(graded: GradeFiles) -> None:
    text = LINEAR.replace("import matmul", "import matmul, SLOPE").replace(
        "dout.sum(0)", "dout.sum(0) * SLOPE"
    )
    grade = graded({"layers.py": LAYER_FILE, "linear.py": text})
    assert grade.score == 100, faults(grade)


PROBLEMS = {
    "it raises": (LINEAR.replace("class Linear", "N = 1 / 0\n\n\nclass Linear").replace("sum(0)", "sum(0) * N"), "N = "),
    "it does not parse": (LINEAR + "\ndef f(:\n", "def f("),
    "its method raises": (LINEAR.replace("dout.sum(0)", "dout.sum(7)"), "db ="),
}  # fmt: skip


@pytest.mark.parametrize("case", PROBLEMS)
def test_what_is_wrong_with_a_sibling_is_told_there(case: str, graded: GradeFiles) -> None:
    text, part = PROBLEMS[case]
    places = [f.place for f in faults(graded({"layers.py": LAYER_FILE, "linear.py": text}))]
    assert places
    assert {(p.path, p.line) for p in places if p} == {
        ("class/anna/linear.py", line_of(text, part))
    }


def test_more_code_than_is_read_is_told(graded: GradeFiles) -> None:
    padding = "# padding\n" * 60_000
    grade = graded({"layers.py": LAYER_FILE + padding, "linear.py": LINEAR + padding})
    assert (grade.status, {f.kind for f in faults(grade)}) == ("unreadable", {"too-large"})


def test_a_file_that_is_not_there_is_asked_for(graded: GradeFiles) -> None:
    grade = graded({"layers.py": LAYER_FILE})
    assert (grade.status, grade.score) == ("not_judged", 0)
    assert "`linear`, which is not here" in grade.message
    assert "one of the student's is handed in as well" in grade.message
    grade = graded({"layers.py": LAYER_FILE.replace("from linear", "from .linear")})
    hints = {f.hint for f in faults(grade) if f.kind == "raises"}
    assert len(hints) == 1
    assert "in one folder" in str(hints)


@pytest.mark.parametrize(
    ("task", "helper", "told"),
    [("v3", "broken_helper", r"broken_helper\.py, line 5"), ("v4", "lacking_helper", "nowhere")],
)
def test_a_helper_of_the_course_s_that_fails_costs_nobody_points(
    task: str, helper: str, told: str, graded: GradeFiles
) -> None:
    text = LINEAR.replace("course_helper", helper)
    with pytest.raises(GraderFault, match=told):
        graded({"layers.py": LAYER_FILE, "linear.py": text}, task)


@pytest.mark.parametrize(
    ("support", "told"),
    [
        ('("nobody.py",)', "nobody.py"),
        ('("bad.py",)', "bad.py"),
        ('("../v1.py",)', "../v1.py"),
        ('("random.py",)', "random.py"),
        ('("notes.txt",)', "notes.txt"),
    ],
)
def test_a_support_file_that_cannot_be_had_is_told(support: str, told: str, tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        {"v1.py": TASK.replace(SUPPORT, support), "bad.py": "def f(:\n", "random.py": "x = 1\n"},
    )
    with pytest.raises(UsageProblem, match=told):
        LAYER.load_bank(tmp_path)

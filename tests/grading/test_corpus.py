"""Every case of the corpus, held to the verdict its file states: through the pipeline, where the
whole grade is compared, and through real runs of pytest, plain and under `-n 2`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus import FOLDER, BadVerdict, Case, cases, faults_of, load_case, notes_of, stated, told
from corpus_text import BLOCKS, HEADING, NAMES, PLACES
from plugin_samples import run_pytest
from sampling import is_sampled
from warm_zygote import warm_zygote

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Grade

VARIANTS = Path(__file__).parents[2] / "variants"
CASES = cases()
QUICK = [
    case
    for case in CASES
    if not case.slow
    and case.class_name is None
    and (not case.of_matrices or case.variant == "v911")
    and is_sampled(case.id, 4)
]
"""What real runs of pytest grade: a quarter, as the pipeline grades all."""
SECONDS = 20.0
MEMORY = 400 * 2**20
POINTS = 4096
"""The option's default: rare points (a kink, a pole) are among so many."""


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course's variants and the corpus's own, in one folder."""
    folder = tmp_path_factory.mktemp("variants")
    for source in (VARIANTS, FOLDER / "bank"):
        for path in source.glob("v*.py"):
            assert not (folder / path.name).exists()
            shutil.copy(path, folder)
    return folder


@pytest.fixture(scope="module")
def grade_case(bank: Path) -> Iterator[Callable[[Case], Grade]]:
    """Grades a case; one grader for all that need no settings of their own."""
    graders: dict[tuple[str | None, float | None], Grader] = {}

    def graded(case: Case) -> Grade:
        key = (case.class_name, case.seconds)
        if key not in graders:
            plan = GradingPlan(
                variant=None, class_name=case.class_name, seed=0, points=POINTS, rtol=5e-5, atol=1e-7,
                seconds=case.seconds or SECONDS, memory=MEMORY,
            )  # fmt: skip
            graders[key] = Grader(plan, default_rubric(), load_bank(bank), warm_zygote())
        return graders[key].grade(case.path, case.id)

    yield graded
    for grader in graders.values():
        grader.close()


def _known(case: Case) -> list[pytest.MarkDecorator]:
    if not case.known_bug:
        return []
    return [pytest.mark.xfail(reason=case.known_bug, strict=True, raises=AssertionError)]


COMPILER = {
    "compiler_disable_v902", "dual_numbers_v907", "func_jvp_v907", "optimizer_zero_grad_v902",
}  # fmt: skip
"""For these torch imports its compiler, which takes each child seconds; `optimizer_in_init` does, too."""


def _long(case: Case) -> list[pytest.MarkDecorator]:
    """`make test` has a twentieth of them, of matrices a fortieth, and all that are known to differ."""
    parts = 40 if case.of_matrices else 20
    some = is_sampled(case.path.name, parts) and case.path.stem not in COMPILER
    return [] if case.known_bug or some else [pytest.mark.long]


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id, marks=[*_known(case), *_long(case)]) for case in CASES]
)
def test_grade_is_the_stated_verdict(case: Case, grade_case: Callable[[Case], Grade]) -> None:
    grade = grade_case(case)
    assert (grade.status, grade.variant) == (case.status, case.variant), grade.message
    assert told(grade) == stated(case)
    faults = faults_of(grade)
    if grade.status == "timeout":  # at whichever line of a loop it was
        assert all(fault.line is not None for fault in faults)
        faults = [fault._replace(line=None) for fault in faults]
    assert faults == sorted(case.faults, key=repr)
    notes = notes_of(grade)
    for note in case.notes:
        assert any(note in text for text in notes), (note, notes)
    assert grade.score == pytest.approx(case.score, abs=1e-5)


def test_right_cases_state_full_points_and_wrong_ones_less() -> None:
    right = [case for case in CASES if case.id.startswith("right/")]
    wrong = [case for case in CASES if case.id.startswith("wrong/")]
    assert len(right) >= 60
    assert len(wrong) >= 60
    assert [case.id for case in right if case.score != 100 or case.status != "graded"] == []
    assert [case.id for case in wrong if case.score == 100] == []
    assert len({case.path.stem for case in CASES}) == len(CASES)


# -- through pytest ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def reports(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Two reports on a part of the corpus, from real runs: plain, and on two workers."""
    found = []
    for extra in ((), ("--backprop-executor=local:2",)):
        folder = tmp_path_factory.mktemp("corpus")
        for case in QUICK:
            path = folder / "class" / case.id
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(case.path, path)
        run = run_pytest(
            folder, "--backprop", "class", f"--backprop-variants={bank}", "-q", "--tb=no",
            f"--backprop-timeout={SECONDS}", "--backprop-memory=400M", "--backprop-points=256",
            "--backprop-report=json:report.json", *extra,
        )  # fmt: skip
        assert run.code == 1, run.out[-2000:] + run.err[-2000:]
        found.append(run.report)
    return found


@pytest.mark.long
def test_pytest_runs_give_the_stated_scores(reports: list[dict[str, Any]]) -> None:
    by_path = {submission["path"]: submission for submission in reports[0]["submissions"]}
    assert sorted(by_path) == sorted(f"class/{case.id}" for case in QUICK)
    for case in QUICK:
        submission = by_path[f"class/{case.id}"]
        scores = {check["id"]: check["score"] for check in submission["checks"]}
        if case.known_bug is None:
            expected = {id: told.score for id, told in stated(case).items()}
            assert scores == pytest.approx(expected, abs=1e-5), case.id
            assert submission["status"] == case.status, case.id


@pytest.mark.long
def test_two_workers_report_what_one_does(reports: list[dict[str, Any]]) -> None:
    plain, shared = [_timeless(report) for report in reports]
    assert plain["submissions"] == shared["submissions"]
    assert plain == shared


@pytest.mark.long
def test_passes_of_thousands_of_ops_are_judged(bank: Path, tmp_path: Path) -> None:
    """A judge has bounds of its own, in seconds and in memory. The usual one of time is enough on a
    machine that does nothing else; here it is of no importance."""
    large = {case.path.name: case for case in CASES if case.path.stem in MANY_OPS}
    for case in large.values():
        shutil.copy(case.path, tmp_path)
    run = run_pytest(
        tmp_path, "--backprop", *large, f"--backprop-variants={bank}", "-q", "--tb=no",
        "--backprop-timeout=120", "--backprop-report=json:report.json",
    )  # fmt: skip
    told = {entry["path"]: (entry["status"], entry["score"]) for entry in run.report["submissions"]}
    assert told == {name: (case.status, case.score) for name, case in large.items()}


MANY_OPS = ("layers_loops_v912", "layers_finite_differences_v912")
MEASURED = ("seconds", "peak_memory")
"""What differs from run to run: time and memory."""


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if key not in MEASURED}
    if isinstance(value, list):
        return [_timeless(item) for item in value]
    return value


# -- the verdicts themselves -------------------------------------------------------------------

GOOD = '# verdict:\n# release = "partial 18: x @A t"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import torch\n", "no verdict"),
        ("# verdict:\n# slow = yes\n", "not TOML"),
        ('# verdict:\n# relase = "partial 18"\n', "unknown key relase"),
        ('# verdict:\n# status = "fine"\n', "there is no status"),
        ('# verdict:\n# status = "unreadable"\n', "must go together"),
        ('# verdict:\n# status = "crashed"\n# release = "partial 18: x"\n', "earns nothing"),
        ('# verdict:\n# release = "partial 20: x"\n', "cannot be partial"),
        ('# verdict:\n# release = "partial"\n', "not `partial`"),
        ('# verdict:\n# release = "partial 18"\n', "must go together"),
        ("# verdict:\n# release = 18\n", "release is not a text"),
        ('# verdict:\n# failed = "release"\n', "must go together"),
        ('# verdict:\n# failed = "relase x"\n', "no check that can have failed"),
        (GOOD + '# failed = "release x"\n', "no check that can have failed"),
        (
            '# verdict:\n# status = "crashed"\n# failed = "release"\n',
            "no check that can have failed",
        ),
        ('# verdict:\n# known_bug = ""\n', "known_bug is not a text"),
        ("# verdict:\n# slow = 1\n", "slow is not of type bool"),
        (GOOD, "there is no line marked @A"),
        (GOOD + "x = 1  # @A\ny = 2  # @A\n", "stands twice"),
        (GOOD + "x = 1  # @A\ny = 2  # @B\n", "no fault is stated at @B"),
        (GOOD.replace("@A t", "@A t u"), "is not `check kind place name`"),
        (GOOD.replace("@A", "1:2:x"), "is no place"),
        ("# verdict:\n#: torch, no_block\n", "there is no block no_block for v1"),
    ],
)
def test_malformed_verdict_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "case_v1.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadVerdict, match=message):
        load_case(path)


def test_mark_gives_the_place(tmp_path: Path) -> None:
    path = tmp_path / "case_v1.py"
    path.write_text(GOOD + "x = 1  # @A\n", encoding="utf-8")
    (fault,) = load_case(path).faults
    assert fault == ("release", "x", None, 3, "t")


def test_a_fault_needs_no_place_and_no_name(tmp_path: Path) -> None:
    path = tmp_path / "case_v1.py"
    path.write_text(
        '# verdict:\n# failed = "gradient x, gradient y 7, release"\n', encoding="utf-8"
    )
    case = load_case(path)
    assert case.faults == (("gradient", "x", None, None, None), ("gradient", "y", None, 7, None))
    assert {id for id, told in case.checks.items() if told == ("failed", 0.0)} == {
        "gradient",
        "release",
    }


def test_the_name_must_say_the_variant(tmp_path: Path) -> None:
    path = tmp_path / "case.py"
    path.write_text("# verdict:\n", encoding="utf-8")
    with pytest.raises(BadVerdict, match="must end in the variant"):
        load_case(path)


# -- the texts of cases ------------------------------------------------------------------------


def test_blocks_are_written_out_for_grading(tmp_path: Path) -> None:
    path = tmp_path / "case_v902.py"
    path.write_text("# verdict:\n#: torch, exercise 2\nx = 1\n", encoding="utf-8")
    graded = load_case(path).path
    assert graded != path
    assert graded.name == path.name
    assert graded.read_text(encoding="utf-8") == "\n".join((
        "# verdict:", "import torch", "from torch import nn", "",
        *(line for n in (0, 1) for line in ("", f"def exercise_{n}(a, b):",
          f'    """Exercise {n} of the seminar."""', f"    return a * {n} + b")),
        "x = 1", "",
    ))  # fmt: skip


def test_a_case_that_names_no_block_is_graded_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "case_v902.py"
    path.write_bytes(b"# verdict:\n#:x\r\n\xff #: torch\n")
    assert load_case(path).path == path


def test_every_block_is_named_somewhere() -> None:
    texts = [
        path.read_bytes()
        for place in (BLOCKS, *PLACES, PLACES[-1] / "given_up")
        for path in place.glob("*.py")
    ]
    named = {word.split()[0] for text in texts for line in NAMES.findall(text)
             for word in line.split(b", ")}  # fmt: skip
    known = {name for path in BLOCKS.glob("*.py") for name in HEADING.findall(path.read_bytes())}
    assert named == known

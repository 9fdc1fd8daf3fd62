"""The corpus of `saved-tensor-hooks`: what the grader says of each file of `submissions_hooks` is
what the file states, and nothing is left on the machine."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import faults_of
from corpus_text import graded_file, variant_of
from stated import Stated, cases_in, named, read_stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises import SAVED_TENSOR_HOOKS
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric, rubric_of

FOLDER = Path(__file__).parent.parent / "submissions_hooks"
POINTS = {
    name: rules.points for name, rules in default_rubric(SAVED_TENSOR_HOOKS.name).rules.items()
}
SECONDS = 60.0
USUAL = """
    note_private_v961 nameless_file_v963 chmod_v963 note_v961 above_not_at_v962
    kept_in_a_list_v961 removed_by_unpack_v963 name_by_id_v963 other_names_v962
    symbolic_link_v961 quota_v966 kept_below_a_size_v961
""".split()
"""Cases that `make test` grades: of each check and kind one."""


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong"), *files("attacks")]


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=SAVED_TENSOR_HOOKS)
    rubric = rubric_of(SAVED_TENSOR_HOOKS.name, SAVED_TENSOR_HOOKS.rules, {}, ())
    bank = SAVED_TENSOR_HOOKS.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        yield grader


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.stem in USUAL else pytest.mark.long) for p in ALL],
    ids=named,
)
def test_the_grader_agrees(
    path: Path, grader: Grader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    verdict = stated(path)
    grade = grader.grade(graded_file(path), path.name)
    assert grade.status == verdict.status, grade.message
    faults = sorted({f"{f.check} {f.kind} {f.line}" for f in faults_of(grade)})
    scores = {check.result.id: round(check.score, 4) for check in grade.checks}
    assert scores == pytest.approx(verdict.earned(POINTS), abs=1e-2), faults
    if grade.status == "graded":
        assert faults == sorted({f"{f.check} {f.kind} {f.line}" for f in verdict.faults})
    left = {path.name for path in tmp_path.glob("backprop-*")}
    assert left == {path.name for path in tmp_path.glob("backprop-corpus-*")}


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    if path.parent.name == "attacks":
        return  # some of them do no harm, and earn what their hooks do
    right = path.parent.name == "right"
    assert right == (verdict.status == "graded" and not verdict.failed and not verdict.partial)
    assert variant_of(path) in {bank.stem for bank in (FOLDER / "bank").glob("*.py")}


def test_each_task_has_its_cases() -> None:
    tasks = {bank.stem for bank in (FOLDER / "bank").glob("*.py")}
    assert (
        {variant_of(p) for p in files("right")} == {variant_of(p) for p in files("wrong")} == tasks
    )
    assert len({path.stem for path in ALL}) == len(ALL)
    assert len(files("right")) >= 40
    assert len(files("wrong")) >= 60
    assert len(files("attacks")) >= 10

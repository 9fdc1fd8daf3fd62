"""The corpus of `accumulation`: what the grader says of each file of `submissions_accumulation` is
what the file states (`test_accumulation_oracle` holds that against plain torch)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from accumulation_oracle import FOLDER
from corpus import faults_of
from corpus_text import graded_file
from stated import named
from test_accumulation_oracle import ALL, GATED, GIVEN_UP, POINTS, stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises import ACCUMULATION
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

SECONDS = 60.0
USUAL = """
    modulo_v965 remainder_v961 rows_v962 sum_v963 each_batch_alike_v964 closure_v961
    seed_clears_at_every_batch_v965 seed_keeps_only_the_last_loss_v965 never_clears_v963
    not_divided_v964 last_group_stepped_v962 losses_summed_v961 history_kept_v965 joined_v961
    no_loss_fn_v961 step_replaced_v961 joined_copy_v961
""".split()
"""Cases that `make test` grades: of each check and task one."""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=ACCUMULATION)
    rubric = rubric_of(ACCUMULATION.name, ACCUMULATION.rules, {}, ())
    bank = ACCUMULATION.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        yield grader


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.stem in USUAL else pytest.mark.long) for p in (*ALL, *GIVEN_UP)],
    ids=named,
)
def test_the_grader_agrees(path: Path, grader: Grader) -> None:
    verdict = stated(path)
    grade = grader.grade(graded_file(path), path.name)
    assert grade.status == verdict.status, grade.message
    assert grade.max_score == sum(POINTS.values())
    faults = sorted((f.check, f.kind, f.line) for f in faults_of(grade))
    scores = {check.result.id: check.score for check in grade.checks}
    assert scores == verdict.earned(POINTS), faults
    if grade.status == "graded":
        gated = GATED if "integrity" in verdict.failed else ()
        expected = {(f.check, f.kind, f.line) for f in verdict.faults}
        assert {fault for fault in faults if fault[0] not in gated} == expected
    else:
        assert {kind for _, kind, _ in faults} == {f.kind for f in verdict.faults}


def test_the_loops_of_the_note_are_told_in_words_of_their_own(grader: Grader) -> None:
    words = {
        "seed_clears_at_every_batch_v965": "the gradient of batch 1 is cleared before step 1 uses it",
        "seed_keeps_only_the_last_loss_v965": "backward runs on the loss of batch 2 alone",
    }
    for name, text in words.items():
        grade = grader.grade(FOLDER / "wrong" / f"{name}.py", f"{name}.py")
        said = [f.message for c in grade.checks for f in c.result.findings]
        assert any(text in each for each in said), said

"""The corpus of `intermediate-gradients`: what the grader says of each file of `submissions_intermediate` is what the
file states (`test_intermediate_oracle` holds that against plain torch)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import Fault, faults_of
from corpus_text import graded_file
from intermediate_oracle import FOLDER
from stated import named
from test_intermediate_oracle import ALL, GATED, POINTS, stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises import INTERMEDIATE_GRADIENTS
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

SECONDS = 60.0


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    exercise = INTERMEDIATE_GRADIENTS
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    bank = exercise.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as made:
        yield made


USUAL = ("retain_v961", "hooks_v962", "grad_v963", "save_grad_v964", "no_retain_v962",
         "leaf_clone_v963", "swapped_v962", "misspelled_key_v961", "double_v961", "summed_v961",
         "sum_for_mean_v963", "no_grad_v961", "default_argument_v962", "global_list_v961",
         "hook_on_a_leaf_v962", "step_v963", "by_hand_v962", "no_weights_v961",
         "engine_times_zero_v962")  # fmt: skip
"""Cases that `make test` grades: of each check and task one."""


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if p.stem in USUAL else pytest.mark.long) for p in ALL],
    ids=named,
)
def test_the_grader_agrees(path: Path, grader: Grader) -> None:
    verdict = stated(path)
    grade = grader.grade(graded_file(path), path.name)
    assert grade.status == verdict.status, grade.message
    assert grade.max_score == sum(POINTS.values())
    faults = faults_of(grade)
    scores = {check.result.id: round(check.score, 4) for check in grade.checks}
    assert scores == pytest.approx(verdict.earned(POINTS), abs=1e-2), faults
    if "integrity" in verdict.failed:
        faults = [fault for fault in faults if fault.check not in GATED]
    readable = verdict.status == "graded"
    assert {places(f, readable) for f in faults} == {places(f, readable) for f in verdict.faults}


def places(fault: Fault, readable: bool) -> tuple[str, ...]:
    check = fault.check if readable else ""  # told once, with the first check
    return check, fault.kind, str(fault.line), str(fault.name)

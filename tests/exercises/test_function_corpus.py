"""The corpus of `autograd-function`: what the grader says of each file of `submissions_function` is what the
file states (`test_function_oracle` holds that against plain torch)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import Fault, faults_of
from corpus_text import variant_of
from function_oracle import FOLDER
from sampling import is_sampled
from stated import Stated, named
from test_function_oracle import ALL, GATED, POINTS, TASKS, stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises import AUTOGRAD_FUNCTION
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

SECONDS = 60.0


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=AUTOGRAD_FUNCTION)
    rubric = rubric_of(AUTOGRAD_FUNCTION.name, AUTOGRAD_FUNCTION.rules, {}, ())
    bank = AUTOGRAD_FUNCTION.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as made:
        yield made


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=() if is_sampled(p.name, 20) else pytest.mark.long) for p in ALL],
    ids=named,
)
def test_the_grader_agrees(path: Path, grader: Grader) -> None:
    verdict = stated(path)
    grade = grader.grade(path, path.name)
    assert grade.status == verdict.status, grade.message
    order = TASKS[variant_of(path)].order
    assert grade.max_score == sum(POINTS.values()) - (20 if order == 1 else 0)
    faults = sorted(f"{f.check} {f.kind} {f.line} {f.name}" for f in faults_of(grade))
    scores = {check.result.id: round(check.score, 4) for check in grade.checks}
    asked = POINTS if order == 2 else POINTS | {"double-backward": 0.0}
    assert scores == pytest.approx(verdict.earned(asked), abs=1e-3), faults
    if grade.status == "graded":
        assert sorted(map(kind_and_place, found(grade, verdict))) == sorted(
            map(kind_and_place, verdict.faults)
        )


def found(grade: object, verdict: Stated) -> list[Fault]:
    """The faults of a grade; of an attack only those that decide."""
    faults = faults_of(grade)  # type: ignore[arg-type]
    if "integrity" in verdict.failed:
        stated_kinds = {fault.kind for fault in verdict.faults if fault.check == "integrity"}
        faults = [
            f for f in faults
            if f.check not in GATED and (f.check != "integrity" or f.kind in stated_kinds)
        ]  # fmt: skip
    return faults


def kind_and_place(fault: Fault) -> tuple[str, ...]:
    return fault.check, fault.kind, str(fault.cell), str(fault.line), str(fault.name)

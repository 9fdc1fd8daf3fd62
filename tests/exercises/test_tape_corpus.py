"""The corpus of `tape`: what the grader says of each file of `submissions_tape` is what the file states
(`test_tape_oracle` holds that against plain torch)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import Fault, faults_of
from corpus_text import graded_file, variant_of
from stated import Stated, named
from tape_oracle import FOLDER, TASKS
from test_tape_oracle import ALL, GATED, POINTS, stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises import TAPE
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade

SECONDS = 60.0


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=TAPE)
    rubric = rubric_of(TAPE.name, TAPE.rules, {}, ())
    bank = TAPE.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as made:
        yield made


USUAL = ("note_v941", "plain_v944", "plain_v945", "operations_v941", "an_object_v942",
         "simple_variable_wrong_v942", "grad_zeros_v946", "div_sign_v943", "reset_keeps_a_history_v941",
         "no_minus_v943", "debug_in_forward_v941", "engine_in_propagate_v948")  # fmt: skip
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
    order = TASKS[variant_of(path)].order
    asked = POINTS if order == 2 else POINTS | {"second-order": 0.0}
    assert grade.max_score == sum(asked.values())
    faults = sorted(f"{f.check} {f.kind} {f.line} {f.name}" for f in faults_of(grade))
    scores = {check.result.id: round(check.score, 4) for check in grade.checks}
    assert scores == pytest.approx(verdict.earned(asked), abs=1e-2), faults
    if grade.status == "graded":
        assert {places(f) for f in found(grade, verdict)} == {places(f) for f in verdict.faults}


def found(grade: Grade, verdict: Stated) -> list[Fault]:
    """The faults of a grade; of an attack only those that decide."""
    faults = faults_of(grade)
    return [f for f in faults if "integrity" not in verdict.failed or f.check not in GATED]


def places(fault: Fault) -> tuple[str, ...]:
    return fault.check, fault.kind, str(fault.line), str(fault.name)

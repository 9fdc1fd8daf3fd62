"""The corpus of `layer`: what the grader says of each file of `submissions_layer` is what the file states
(`test_layer_oracle` holds that against plain torch)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from corpus import Fault, faults_of
from layer_oracle import FOLDER
from sampling import is_sampled
from stated import named
from test_layer_oracle import ALL, CHANGED, GATED, POINTS, stated
from warm_zygote import warm_zygote

from pytest_backprop.exercises.by_hand.forms import LAYER
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

SECONDS = 60.0
USUAL = ("relu_dout_in_place_v802", "linear_two_gradients_v801", "linear_bias_not_summed_v801")
"""Cases that `make test` grades whatever the sample is: what only layers are told."""


@pytest.fixture(scope="module")
def grader() -> Iterator[Grader]:
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, SECONDS, 2**31, exercise=LAYER)
    rubric = rubric_of(LAYER.name, LAYER.rules, {}, ())
    bank = LAYER.load_bank(FOLDER / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as made:
        yield made


def is_short(path: Path) -> bool:
    return path.stem in USUAL or is_sampled(path.name, 10)


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=() if is_short(p) else pytest.mark.long) for p in ALL], ids=named
)
def test_the_grader_agrees(path: Path, grader: Grader) -> None:
    verdict = stated(path)
    grade = grader.grade(path, path.name)
    assert grade.status == verdict.status, grade.message
    assert grade.max_score == sum(POINTS.values())
    scores = {check.result.id: round(check.score, 4) for check in grade.checks}
    shown = sorted(f"{f.check} {f.kind} {f.line} {f.name}" for f in faults_of(grade))
    assert scores == pytest.approx(verdict.earned(POINTS), abs=1e-3), shown
    found = faults_of(grade)
    if "integrity" in verdict.failed:  # what is not counted then is not stated
        found = [fault for fault in found if fault.check not in GATED]
    assert sorted(map(kind_and_place, found)) == sorted(map(kind_and_place, verdict.faults))
    notes = {
        str(finding.name).replace("grad_output", "dout")
        for check in grade.checks
        for finding in check.result.findings
        if finding.kind == "input-changed"
    }
    assert notes == CHANGED.get(path.stem, set())


def kind_and_place(fault: Fault) -> tuple[str, ...]:
    return fault.check, fault.kind, str(fault.cell), str(fault.line), str(fault.name)

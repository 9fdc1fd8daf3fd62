"""Graders that ask for the check `onnx`, and its verdict."""

from __future__ import annotations

from pathlib import Path

from rubrics import load_rubric
from warm_zygote import warm_zygote

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.model import CheckResult, Grade

VARIANTS = Path(__file__).parents[1] / "variants"
MIB = 2**20
RUBRIC = "[checks.onnx]\npoints = 10\n"


def grader_of(folder: Path) -> Grader:
    (folder / "rubric.toml").write_text(RUBRIC)
    plan = GradingPlan(
        variant="v8", class_name=None, seed=0, points=256, rtol=5e-5, atol=1e-7, seconds=4.0,
        memory=300 * MIB,
    )  # fmt: skip
    return Grader(plan, load_rubric(folder / "rubric.toml"), load_bank(VARIANTS), warm_zygote())


def onnx_check(grade: Grade) -> CheckResult:
    assert grade.status == "graded", grade.message
    return next(check.result for check in grade.checks if check.result.id == "onnx")

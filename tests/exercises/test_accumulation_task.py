"""Tasks of the exercise `accumulation`, what is right in their runs, and answers that no child of
ours gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from accumulation_oracle import FOLDER

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import ACCUMULATION
from pytest_backprop.exercises.accumulation import TrainingEvent, TrainingFacts
from pytest_backprop.exercises.accumulation.task import TrainingReference
from pytest_backprop.exercises.base import checks_half
from pytest_backprop.judging.case import Beside, ObservedCase, Tolerance
from pytest_backprop.model import CheckRules, Evidence, Observation
from pytest_backprop.submission import read

MODEL = 'def v1(x: Float[Tensor, "n d"], *, w: Float[Tensor, "d"]):\n    return x @ w\n'
LOSS = "def loss(prediction, target):\n    return (prediction - target).square().mean()\n"


def loaded(folder: Path, text: str) -> TrainingReference:
    (folder / "v1.py").write_text(f'EXERCISE = "accumulation"\n{text}', encoding="utf-8")
    variant = ACCUMULATION.load_bank(folder).get("v1")
    reference: TrainingReference = ACCUMULATION.references(variant)[1]
    return reference


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MODEL, "no function loss"),
        (MODEL + "def loss(prediction):\n    return prediction.mean()\n", "no function loss"),
        (MODEL.replace('"n d"', '"3 d"') + LOSS, "of any number of rows"),
        (MODEL.replace("*, w", "w") + LOSS, "no model of one batch"),
        (f'LAST = "keep"\n{MODEL}{LOSS}', "LAST = 'keep'"),
        (f"WEIGHTED = 3\n{MODEL}{LOSS}", "WEIGHTED = 3"),
        (MODEL + LOSS.replace(", target)", ', target: Int[Tensor, "n"])'), "no bound"),
        (MODEL + LOSS.replace(", target)", ", target: int)"), "target: int"),
        (MODEL + LOSS.replace(".mean()", ".max()"), "neither the mean nor the sum"),
        (MODEL.replace("x @ w", "(x - x.mean(0)) @ w") + LOSS, "neither the mean nor the sum"),
        (MODEL.replace("x @ w", "x @ u") + LOSS, "does not run: NameError"),
        (MODEL.replace("x @ w", "x @ (w - w)") + LOSS, "float32"),
    ],
)
def test_a_task_that_cannot_be_set(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match=message):
        loaded(tmp_path, text)


@pytest.mark.parametrize(
    ("settings", "loss", "groups", "factors"),
    [
        ("", LOSS, 3, {1 / 3, 1.0}),
        ('LAST = "drop"\n', LOSS, 2, {1 / 3, 1.0}),
        ("", LOSS.replace("mean", "sum"), 3, {1.0}),
    ],
)
def test_what_is_right_with_a_group_that_is_not_full(
    settings: str, loss: str, groups: int, factors: set[float], tmp_path: Path
) -> None:
    reference = loaded(tmp_path, f"{settings}{MODEL}{loss}")
    assert reference.setting.batches == 7
    assert len(reference.groups) == len(reference.parameters) == groups
    assert set(reference.factors) == factors


def test_rows_count_alike_where_the_task_says_so(tmp_path: Path) -> None:
    reference = loaded(tmp_path, f"WEIGHTED = True\n{MODEL}{LOSS}")
    for group in reference.groups:
        rows = [len(reference.slopes[at]) for at in group]
        assert [reference.factors[at] for at in group] == [count / sum(rows) for count in rows]
    assert len(set(map(len, reference.slopes))) > 1


HOSTILE = (
    TrainingFacts(),
    TrainingFacts((TrainingEvent("step"),)),
    TrainingFacts((TrainingEvent("backward", number=99, numbers=(1.0,), gradients=(None,)),)),
    TrainingFacts(
        (
            TrainingEvent("forward", rows=((99, 0), (-1, 3)), alive=(7, -2), history=(5,)),
            TrainingEvent("backward", numbers=(1e308, -1e308, float("nan")), gradients=((1e308,),)),
            TrainingEvent("step", gradients=((float("inf"),),), parameters=((1e308,), ())),
        ),
        parameters=((float("nan"),),),
    ),
    TrainingFacts(
        (
            TrainingEvent("forward", rows=((0, 0), (0, 0), (1, 0))),
            TrainingEvent("backward", numbers=(1.0,) * 7),
            *(TrainingEvent("step", parameters=((1.0, 2.0),)) for _ in range(30)),
        )
    ),
)
"""What a child may say that is the submission's alone."""


@pytest.fixture(scope="module")
def references() -> tuple[TrainingReference, ...]:
    task = ACCUMULATION.load_bank(FOLDER / "bank").get("v965")
    return tuple(ACCUMULATION.references(task))


@pytest.mark.parametrize("facts", HOSTILE, ids=range(len(HOSTILE)))
def test_no_answer_is_a_fault_of_ours_or_earns_points(
    facts: TrainingFacts, references: tuple[TrainingReference, ...]
) -> None:
    evidence = Evidence("train", "train", "float32", pass_runs=(Observation(),))
    path = FOLDER / "right" / "modulo_v965.py"
    beside = tuple(Beside(reference, evidence, facts) for reference in references)
    case = ObservedCase(
        evidence=evidence,
        tolerance=Tolerance(5e-5, 1e-7),
        place=lambda span: None,
        exercise=ACCUMULATION,
        submission=read(path, path.name),
        beside=beside,
    )
    checks = checks_half(ACCUMULATION).CHECKS
    results = {id: checks[id](case, CheckRules(points=1)) for id in ACCUMULATION.rules}
    assert results["parameters"].outcome == "failed"
    assert all(result.basis == "observed" for result in results.values())

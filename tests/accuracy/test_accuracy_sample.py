"""A fresh sample of what `make accuracy` measures: right programs pass, faulty ones fail, and the
lines of wasted nodes and late values are exactly the true ones.

The seed is printed, and the same each time, so that a tree gives one answer; others are tried by `make
accuracy`, or with `BACKPROP_ACCURACY_SEED=$RANDOM`.
"""

from __future__ import annotations

import contextlib
import os

import pytest
from measuring import Row, Tally, Task, failed, passed, run_task, unknown

SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261122)
RIGHT, FAULTY = 11, 20
FEW, MANY = range(SEED, SEED + 1), range(SEED + 1, SEED + 7)


@pytest.fixture(
    scope="module",
    params=[FEW, pytest.param(MANY, marks=pytest.mark.long)],
    ids=["one variant", "many variants"],
)
def tally(request: pytest.FixtureRequest) -> Tally:
    """The sample, graded. The seed is shown although output is captured."""
    found = Tally()
    share = 1 if request.param == MANY else 2  # of the programs, in `make test`
    for seed in request.param:
        found.add(run_task(Task(seed, RIGHT // share, FAULTY // share)))
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\nBACKPROP_ACCURACY_SEED={SEED}\n{found.table()}")
    return found


def told(rows: list[Row]) -> str:
    """The seed, and the failing programs in full."""
    parts = [f"BACKPROP_ACCURACY_SEED={SEED}: {len(rows)} programs"]
    parts += [f"--- {r.kind}, variant {r.variant}, seed {r.seed}: {'; '.join(r.problems)}\n{r.text}"
              for r in rows[:5]]  # fmt: skip
    return "\n".join(parts)


def test_the_generator_breaks_nowhere(tally: Tally) -> None:
    assert not tally.broken, f"BACKPROP_ACCURACY_SEED={SEED}: {tally.broken[0]}"
    assert tally.right, SEED
    assert tally.faulty, SEED


@pytest.mark.long
@pytest.mark.parametrize("tally", [MANY], ids=["many variants"], indirect=True)
def test_the_generator_holds_to_its_word(tally: Tally) -> None:
    assert len(tally.right) >= 0.8 * len(MANY) * RIGHT, SEED
    assert len(tally.faulty) >= 0.7 * len(MANY) * FAULTY, SEED


def test_no_right_program_fails(tally: Tally) -> None:
    wrong = [r for r in tally.right if failed(r)]
    assert not wrong, told(wrong)


def test_no_faulty_program_passes(tally: Tally) -> None:
    wrong = [r for r in tally.faulty if passed(r)]
    assert not wrong, told(wrong)


def test_every_check_of_every_program_says_what_is_true(tally: Tally) -> None:
    wrong = [r for r in tally.rows if unknown(r)]
    assert not wrong, told(wrong)


@pytest.mark.parametrize("field", ["unused", "late"])
def test_precision_and_recall_are_one(tally: Tally, field: str) -> None:
    precision, recall, true = tally.precision_recall(field)
    assert true > 0, SEED
    assert (precision, recall) == (1.0, 1.0), SEED


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(Task(500525, 2, 0), id="a sum of the variant's"),
        pytest.param(
            Task(500103, 0, 30), id="a typed-in weight, y homogeneous", marks=pytest.mark.long
        ),
        pytest.param(Task(500171, 0, 20), id="a typed-in weight", marks=pytest.mark.long),
        pytest.param(
            Task(700387, 0, 30),
            id="two paths that nearly cancel, for a factor",
            marks=pytest.mark.long,
        ),
    ],
)
def test_what_was_once_taken_for_finite_differences(task: Task) -> None:
    part = run_task(task)
    wrong = [r for r in part.rows if unknown(r)]
    assert not wrong, told(wrong)
    kinds = {r.kind for r in part.rows}
    assert {"typed-in weights", "factor 1.001"} & kinds or not task.faulty


@pytest.mark.long
@pytest.mark.parametrize("task", [Task(510115, 0, 12), Task(700205, 0, 30)], ids=str)
def test_a_value_that_a_helper_gives_in_vain_is_late_where_the_helper_was_called(
    task: Task,
) -> None:
    wrong = [r for r in run_task(task).rows if unknown(r)]
    assert not wrong, told(wrong)


@pytest.mark.long
def test_a_typed_in_weight_whose_square_torch_refuses_is_no_program() -> None:
    wrong = [r for r in run_task(Task(700125, 0, 6)).rows if unknown(r)]
    assert not wrong, told(wrong)

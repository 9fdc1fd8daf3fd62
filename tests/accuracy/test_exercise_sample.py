"""A fresh sample of what `make accuracy` measures of the exercises beside the homework: right programs pass,
faulty ones fail, and each check says what plain torch says.

The seed is printed, and the same each time; `BACKPROP_ACCURACY_SEED` sets another.
"""

from __future__ import annotations

import contextlib
import os
from typing import ClassVar

import hook_rendering
import intermediate_faults
import pytest
from exercises import GENERATORS, Share, run_share, table
from function_faults import ARITHMETIC
from function_programs import FAULTS, SLIPS
from hook_rendering import FORMS, WRITES
from intermediate_rendering import WAYS
from measuring import Row, Tally, failed, passed

SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261122)
FEW, MANY = range(SEED, SEED + 1), range(SEED + 1, SEED + 14)
LESS = {"saved-tensor-hooks": (1, 2)}
"""Right and faulty programs of each of few tasks, where it is not one and one."""
MORE = {"tape": (3, 6), "intermediate-gradients": (1, 3), "saved-tensor-hooks": (2, 4)}
"""Right and faulty programs of each of many tasks, where it is not twelve; tapes run three times beside the draws,
hooks nine times, each program in a process of its own."""


@pytest.fixture(
    scope="class",
    params=[FEW, pytest.param(MANY, marks=pytest.mark.long)],
    ids=["few tasks", "many tasks"],
)
def tally(request: pytest.FixtureRequest) -> Tally:
    """The sample, graded. The seed is shown although output is captured."""
    kind = request.cls.kind
    found = Tally()
    share = LESS.get(kind, (1, 1)) if request.param == FEW else MORE.get(kind, (6, 12))
    for seed in request.param:
        found.add(run_share(Share(kind, seed, *share)))
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\nBACKPROP_ACCURACY_SEED={SEED} {kind}\n{table(found)}")
    return found


def told(rows: list[Row]) -> str:
    """The seed, and some of the programs in full."""
    parts = [
        f"--- {r.kind}, task {r.variant}, seed {r.seed}: {'; '.join(r.problems)}\n{r.text}"
        for r in rows[:3]
    ]
    return "\n".join([f"BACKPROP_ACCURACY_SEED={SEED}: {len(rows)} programs", *parts])


class OfOneKind:
    """What holds of each exercise's sample; a class each, so that several processes share them."""

    kind: ClassVar[str]

    def test_the_generator_breaks_nowhere(self, tally: Tally) -> None:
        assert not tally.broken, f"BACKPROP_ACCURACY_SEED={SEED}: {tally.broken[0]}"
        assert tally.right, SEED
        assert tally.faulty, SEED

    def test_no_right_program_is_refused(self, tally: Tally) -> None:
        wrong = [row for row in tally.right if failed(row)]
        assert not wrong, told(wrong)

    def test_no_faulty_program_is_paid(self, tally: Tally) -> None:
        wrong = [row for row in tally.faulty if passed(row)]
        assert not wrong, told(wrong)

    def test_every_check_says_what_is_true(self, tally: Tally) -> None:
        wrong = [row for row in tally.rows if row.problems]
        assert not wrong, told(wrong)


class TestFunctions(OfOneKind):
    kind = "autograd-function"


class TestHooks(OfOneKind):
    kind = "saved-tensor-hooks"


class TestIntermediates(OfOneKind):
    kind = "intermediate-gradients"


class TestTape(OfOneKind):
    kind = "tape"


class TestTraining(OfOneKind):
    kind = "accumulation"


def test_each_exercise_has_a_sample() -> None:
    assert {sample.kind for sample in OfOneKind.__subclasses__()} == {*GENERATORS}


def test_all_faults_are_drawn() -> None:
    assert {*ARITHMETIC, *SLIPS} < set(FAULTS)


def test_there_are_many_styles_and_faults() -> None:
    assert (
        min(
            map(
                len,
                (WAYS, intermediate_faults.FAULTS, FORMS + tuple(WRITES), hook_rendering.FAULTS),
            )
        )
        >= 15
    )

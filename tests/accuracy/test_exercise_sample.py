"""A fresh sample of what `make accuracy` measures of the exercises beside the homework: right programs pass,
faulty ones fail, and each check says what plain torch says.

The seed is printed, and the same each time; `BACKPROP_ACCURACY_SEED` sets another.
"""

from __future__ import annotations

import contextlib
import os

import pytest
from exercises import GENERATORS, Share, run_share, table
from function_faults import ARITHMETIC
from function_programs import FAULTS, SLIPS
from measuring import Row, Tally, failed, passed

SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261122)
FEW, MANY = range(SEED, SEED + 2), range(SEED + 2, SEED + 14)


@pytest.fixture(scope="module", params=sorted(GENERATORS))
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(
    scope="module",
    params=[FEW, pytest.param(MANY, marks=pytest.mark.long)],
    ids=["few tasks", "many tasks"],
)
def tally(kind: str, request: pytest.FixtureRequest) -> Tally:
    """The sample, graded. The seed is shown although output is captured."""
    found = Tally()
    share = (1, 3) if request.param == FEW else (6, 12)
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


def test_the_generator_breaks_nowhere(tally: Tally) -> None:
    assert not tally.broken, f"BACKPROP_ACCURACY_SEED={SEED}: {tally.broken[0]}"
    assert tally.right, SEED
    assert tally.faulty, SEED


def test_no_right_program_is_refused(tally: Tally) -> None:
    wrong = [row for row in tally.right if failed(row)]
    assert not wrong, told(wrong)


def test_no_faulty_program_is_paid(tally: Tally) -> None:
    wrong = [row for row in tally.faulty if passed(row)]
    assert not wrong, told(wrong)


def test_every_check_says_what_is_true(tally: Tally) -> None:
    wrong = [row for row in tally.rows if row.problems]
    assert not wrong, told(wrong)


def test_all_faults_are_drawn() -> None:
    assert {*ARITHMETIC, *SLIPS} < set(FAULTS)

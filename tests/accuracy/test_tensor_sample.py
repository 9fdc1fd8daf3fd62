"""A sample of what `make accuracy` measures of the wrong line of passes on tensors."""

from __future__ import annotations

import os

import pytest
from tensor_programs import HELD_OUT, TensorProgram
from tensors import PROGRAMS, TensorRow, drawn, sought, table

SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261128)
COUNT = 36
"""Faults by chance, of which a part is none: it raises, or changes no number."""


@pytest.fixture(scope="module")
def rows() -> list[TensorRow]:
    return [row for pair in drawn(HELD_OUT, COUNT, SEED) if (row := sought(pair)) is not None]


def shown(rows: list[TensorRow]) -> str:
    """The seed, the table, and what was missed."""
    missed = [
        f"{r.verdict}: {r.program}, {r.kind}, {r.told}\n{r.fault.body}"
        for r in rows
        if not r.is_first
    ]
    return "\n".join([f"BACKPROP_ACCURACY_SEED={SEED}", table(rows), *missed])


def test_the_wrong_line_is_named(rows: list[TensorRow]) -> None:
    assert len(rows) >= COUNT // 4, shown(rows)
    assert sum(not row.is_first for row in rows) <= max(3, len(rows) // 4), shown(rows)


def test_a_right_line_is_hardly_ever_named(rows: list[TensorRow]) -> None:
    assert sum(row.verdict == "right line" for row in rows) <= 2, shown(rows)


@pytest.mark.parametrize(
    "program",
    [pytest.param(p, marks=pytest.mark.long) for of in PROGRAMS.values() for p in of],
    ids=lambda p: p.name,
)
def test_the_passes_without_a_fault_are_right(program: TensorProgram) -> None:
    from one_pass import case_of

    from pytest_backprop.judging.compare import judge_output

    case = case_of(program.submission(), program.task)
    assert case.manual.verified.how == "replayable", case.manual.verified.reason
    for output in case.manual.expected.outputs:
        assert judge_output(case.manual, output, case.tolerance).wrong is None, output

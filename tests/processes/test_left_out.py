"""A kind of exercise that this torch cannot have is our fault, told by name, and costs no other kind anything."""

from __future__ import annotations

import contextlib

import pytest

from pytest_backprop.errors import GraderFault
from pytest_backprop.exercises.by_hand.forms.forward_backward import WARM_UP
from pytest_backprop.model import Unit
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.protocol import Limits, Ran, Request

ABSENT = "half_that_is_nowhere"
TEXT, SCENARIO = WARM_UP
REQUEST = Request((Unit(TEXT, None, TEXT),), None, (SCENARIO,), 1, Limits(60, 2**31))


def test_a_half_that_cannot_be_imported_is_told_by_name() -> None:
    asked = contextlib.closing(Zygote(halves=(ABSENT,)))
    with asked as zygote, pytest.raises(GraderFault, match=f"No module named '{ABSENT}'"):
        zygote.run(REQUEST)


def test_one_that_nobody_asks_for_costs_nothing() -> None:
    with contextlib.closing(Zygote()) as zygote:
        outcome = zygote.run(REQUEST)
    assert isinstance(outcome.answer, Ran), outcome
    assert outcome.answer.evidences[0].pass_runs[0].fault is None

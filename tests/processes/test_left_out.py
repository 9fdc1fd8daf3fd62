"""A kind of exercise that this torch cannot have is our fault, told by name, and costs no other kind anything."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest

from pytest_backprop.errors import GraderFault
from pytest_backprop.exercises import FORWARD_BACKWARD, INTERMEDIATE_GRADIENTS
from pytest_backprop.exercises.by_hand.forms.forward_backward import WARM_UP
from pytest_backprop.model import Unit
from pytest_backprop.processes.client import Zygote
from pytest_backprop.processes.protocol import Limits, Ran, Request

ABSENT = "half_that_is_nowhere"
TEXT, SCENARIO = WARM_UP
REQUEST = Request((Unit(TEXT, None, TEXT),), None, (SCENARIO,), 1, Limits(60, 2**31))

LACKING = """
from pytest_backprop.trace import torch_private
torch_private.LACKING["has_hooks"] = "torch.Tensor._backward_hooks"
del torch_private.has_hooks
from pytest_backprop.processes import child
child.warm_up(["{there}"])
child.warm_up(["{lacking}"])
"""


def test_a_half_that_cannot_be_imported_is_told_by_name() -> None:
    asked = contextlib.closing(Zygote(halves=(ABSENT,)))
    with asked as zygote, pytest.raises(GraderFault, match=f"No module named '{ABSENT}'"):
        zygote.run(REQUEST)


def test_one_that_nobody_asks_for_costs_nothing() -> None:
    with contextlib.closing(Zygote()) as zygote:
        outcome = zygote.run(REQUEST)
    assert isinstance(outcome.answer, Ran), outcome
    assert outcome.answer.evidences[0].pass_runs[0].fault is None


def test_a_private_name_that_torch_lacks_costs_the_kinds_that_need_it() -> None:
    code = LACKING.format(there=FORWARD_BACKWARD.child, lacking=INTERMEDIATE_GRADIENTS.child)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr.rstrip().endswith("has no torch.Tensor._backward_hooks")

"""A kind of exercise that this torch cannot have is left out by name, and costs no other kind anything."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys

import pytest
from msgspec.structs import replace

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import FORWARD_BACKWARD, INTERMEDIATE_GRADIENTS
from pytest_backprop.exercises.by_hand.forms.forward_backward import WARM_UP
from pytest_backprop.grading.runs import Runs
from pytest_backprop.model import Submission, Unit
from pytest_backprop.processes.client import Zygote
from pytest_backprop.processes.protocol import BUILT_IN_CHILDREN, Limits, Ran

ABSENT = "half_that_is_nowhere"

LACKING = """
import json
from pytest_backprop.trace import torch_private
torch_private.LACKING["has_hooks"] = "torch.Tensor._backward_hooks"
del torch_private.has_hooks
from pytest_backprop.processes import child
child.warm_up(())
print(json.dumps([child.left_out, list(child._halves)]))
"""


def test_the_asked_kind_is_refused_with_its_reason_and_the_others_run() -> None:
    gone = replace(INTERMEDIATE_GRADIENTS, child=ABSENT)
    limits = Limits(60, 2**31)
    with contextlib.closing(Zygote(halves=(ABSENT,))) as worker:
        with pytest.raises(UsageProblem) as refused:
            Runs(gone, None, limits, worker).check_kind()
        hello = worker.ready()
        assert refused.value.message == (
            f"the kind intermediate-gradients cannot be graded with torch {hello.version}: "
            f"ModuleNotFoundError: No module named '{ABSENT}'"
        )
        assert "the other kinds" in refused.value.way_out
        text, scenario = WARM_UP
        runs = Runs(FORWARD_BACKWARD, None, limits, worker)
        submission = Submission("warm.py", "py", (Unit(text, None, text),))
        outcome = runs.run(submission, [scenario], 1)
        assert isinstance(outcome.answer, Ran), outcome
        assert outcome.answer.evidences[0].pass_runs[0].fault is None


def test_a_private_name_that_torch_lacks_costs_the_kinds_that_need_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LACKING], capture_output=True, text=True, check=True
    )
    left_out, halves = json.loads(done.stdout)
    lacking = INTERMEDIATE_GRADIENTS.child
    assert list(left_out) == [lacking]
    assert left_out[lacking].endswith("has no torch.Tensor._backward_hooks")
    assert halves == [name for name in BUILT_IN_CHILDREN if name != lacking]

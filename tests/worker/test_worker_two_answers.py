"""A pass on vectors after all other runs, in the same child: whatever it does there, the first answer stands, and
what it did before cannot change what is measured."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator

import pytest

from pytest_backprop.grading.outside_memory import LENGTH, SUSPECT
from pytest_backprop.model import Scenario, Unit
from pytest_backprop.worker.child_watch import Outcome
from pytest_backprop.worker.client import Worker
from pytest_backprop.worker.protocol import Limits, LoadProblem, Ran, Request, Weighed

CLASS = """
import os, signal, time
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        return self.w[0] * x1 + self.w[1] * x2

    def my_forward_backward(self, x1, x2):
"""
END = """
self.w.grad = torch.stack([x1, x2])
return self.w[0] * x1 + self.w[1] * x2
"""
ON_VECTORS = "wide = len(x1.detach().numpy().reshape(-1)) > 1000\n"
POINTS = ((0.5, 0.25), (0.75, 0.5)), ((0.3, 0.7), (0.2, 0.1))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker()
    yield made
    made.close()


def run(worker: Worker, body: str, seconds: float = 10.0, end: str = END) -> Outcome:
    text = CLASS + textwrap.indent(textwrap.dedent(body) + end, " " * 8)
    scenario = Scenario(("w0", "w1"), ("x1", "x2"), *POINTS)
    stops = os.urandom(8), os.urandom(8)
    return worker.run(
        Request((Unit(text, original=text),), None, (scenario,), 1, Limits(seconds, 2**30), LENGTH, stops)
    )  # fmt: skip


def ran(outcome: Outcome) -> Ran:
    assert outcome.how == "answered", outcome
    assert isinstance(outcome.answer, Ran)
    (evidence,) = outcome.answer.evidences
    assert [run.fault for run in (*evidence.pass_runs, *evidence.forward_runs)] == [None] * 4
    assert len(evidence.pass_recordings) == 1
    return outcome.answer


def kept(outcome: Outcome) -> float:
    assert outcome.vectors is not None
    assert outcome.vectors.how == "answered", outcome.vectors
    assert isinstance(outcome.vectors.answer, Weighed)
    assert outcome.vectors.weight is not None, outcome.vectors
    return outcome.vectors.weight.kept / (4 * LENGTH)


def test_both_are_answered_and_what_ran_before_weighs_nothing(worker: Worker) -> None:
    for count in (0, 3):
        outcome = run(worker, f"self.kept = [x1 * n for n in range({count})]\n")
        ran(outcome)
        # the value, and a gradient of two
        assert abs(kept(outcome) - 3 - count) < SUSPECT


@pytest.mark.parametrize(
    ("body", "how"),
    {
        "hangs": ("time.sleep(10**6 if wide else 0)", "timeout"),
        "leaves": ("os._exit(0) if wide else None", "crashed"),
        "dies": ("os.abort() if wide else None", "crashed"),
        "stops itself": ("os.kill(os.getpid(), signal.SIGSTOP) if wide else None", "crashed"),
        "takes all memory": ("hold = bytearray(2**31) if wide else None", "out_of_memory"),
        "raises": ("x1 = x1 if not wide else 1 / 0", "answered"),
    }.values(),
)
def test_what_it_does_on_vectors_takes_nothing_from_the_first_answer(
    worker: Worker, body: str, how: str
) -> None:
    # what ends by itself does so in its own time
    outcome = run(worker, ON_VECTORS + body + "\n", seconds=2.0 if how == "timeout" else 30.0)
    ran(outcome)
    assert outcome.vectors is not None
    assert outcome.vectors.how == how
    assert outcome.vectors.weight is None
    ran(run(worker, ""))


@pytest.mark.parametrize(
    "body",
    [
        "os.write(3, b'\\0\\0\\0\\1x')",
        "os.write(3, b'\\0\\0\\0\\1x'); os._exit(0)",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "os._exit(0)",
        "os.abort()",
    ],
)
def test_what_it_does_before_is_its_fault(worker: Worker, body: str) -> None:
    outcome = run(worker, body + "\n", seconds=30.0)
    assert outcome.how == "crashed", outcome
    assert outcome.answer is None
    assert outcome.vectors is None
    ran(run(worker, ""))


def test_a_second_answer_of_its_own_is_none(worker: Worker) -> None:
    """It cannot know when the first is out, and so breaks the order of what is written."""
    outcome = run(worker, ON_VECTORS + "os.write(3, b'\\0\\0\\0\\1x') if wide else None\n")
    assert outcome.how == "crashed" or (
        outcome.vectors is not None and outcome.vectors.how == "crashed"
    )


def test_functions_that_it_replaced_before_do_not_stop_it_otherwise(worker: Worker) -> None:
    outcome = run(
        worker,
        """
        os.kill = lambda *args: None
        os.getpid = lambda: 1
        os.write = lambda *args: 0
        signal.SIGSTOP = 0
        self.kept = x1 * 2
        """,
    )
    assert abs(kept(outcome) - 4) < SUSPECT


def test_it_prints_on_vectors_where_nobody_reads(worker: Worker) -> None:
    outcome = run(worker, ON_VECTORS + "print('wide' if wide else 'narrow', flush=True)\n")
    assert "narrow" in outcome.output
    assert "wide" not in outcome.output


def test_time_begins_anew(worker: Worker) -> None:
    work = "end = time.process_time() + 0.5\nwhile time.process_time() < end: pass\n"
    outcome = run(worker, work, seconds=1.3)  # twice before, once on vectors
    ran(outcome)
    assert outcome.vectors is not None
    assert outcome.vectors.how == "answered"
    assert outcome.seconds + outcome.vectors.seconds > 1.3


def test_what_cannot_be_loaded_is_answered_once(worker: Worker) -> None:
    outcome = run(worker, "return (\n", end="")
    assert isinstance(outcome.answer, LoadProblem)
    assert outcome.vectors is None

"""The pass on long vectors: real children, stopped and read from outside by the real client."""

from __future__ import annotations

import os
import signal
import textwrap
from collections.abc import Iterator

import pytest
import torch

from pytest_backprop.errors import GraderFault
from pytest_backprop.grading.outside_memory import LENGTH, SUSPECT
from pytest_backprop.model import Scenario, Unit
from pytest_backprop.worker.child_watch import Outcome
from pytest_backprop.worker.client import Worker
from pytest_backprop.worker.protocol import COPY, Limits, LoadProblem, Request, Weighed
from pytest_backprop.worker.widening import Widening

LATE = 0.8
"""Vectors by which the kernel may count a peak too low, a little more than was seen."""

STOPS = (b"one", b"another")

CLASS = """
import os, signal
import numpy as np
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.kept = None

    def forward(self, x1, x2):
        return self.w[0] * x1 + self.w[1] * x2

    def my_forward_backward(self, x1, x2):
"""


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Worker, Worker]]:
    elder = Worker()
    elder.ready()
    sibling = Worker(elder=elder)
    sibling.start()
    yield elder, sibling
    elder.close()


def weigh(worker: Worker, body: str, seconds: float = 10.0) -> Outcome:
    text = CLASS + textwrap.indent(textwrap.dedent(body), " " * 8)
    return worker.run(
        Request((Unit(text, original=text),), None,
                (Scenario(("w0", "w1"), ("x1", "x2"), ((0.5, 0.25),), ((0.3, 0.7),)),),
                0, Limits(seconds, 2**30), LENGTH, STOPS)
    )  # fmt: skip


def vectors(outcome: Outcome) -> tuple[float, float, float]:
    assert outcome.weight is not None, outcome
    unit = 4 * LENGTH
    found = outcome.weight
    return found.peak / unit, found.kept / unit, found.kept_by_psutil / unit


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13])
def test_the_kernel_counts_the_values_that_a_pass_keeps(
    pair: tuple[Worker, Worker], count: int
) -> None:
    body = f"""
        values = [x1 * k for k in range({count})]
        y = values[0]
        return y
    """
    peak, kept, by_psutil = vectors(weigh(pair[1], body))
    assert count - LATE < peak < count + SUSPECT
    assert abs(kept - 1) < SUSPECT
    assert abs(by_psutil - 1) < SUSPECT


def test_a_value_that_is_dropped_is_not_counted_again(pair: tuple[Worker, Worker]) -> None:
    body = """
        y = x1 * 2
        for k in range(40):
            y = y + x2
        return y
    """
    peak, kept, _ = vectors(weigh(pair[1], body))
    assert 2 - LATE < peak < 2 + SUSPECT
    assert abs(kept - 1) < SUSPECT


@pytest.mark.parametrize(
    "hide",
    [
        "np.array(x1 * 2)",
        "(x1 * 2).numpy().tobytes()",
        "bytearray((x1 * 2).numpy())",
        "(x1 * 2).untyped_storage()",
        "torch.utils.dlpack.to_dlpack(x1 * 2)",
    ],
)
def test_what_is_kept_without_a_tensor_is_seen(pair: tuple[Worker, Worker], hide: str) -> None:
    _, kept, by_psutil = vectors(weigh(pair[1], f"self.kept = {hide}\nreturn x1 * 2\n"))
    assert abs(kept - 2) < SUSPECT
    assert abs(by_psutil - 2) < SUSPECT


@pytest.mark.parametrize(
    "hide",
    [
        "(x1 * 2).tolist()",
        "[(x1 * 2).tolist()]",
        "torch.stack([x1 * 2]).tolist()",
        "(x1 * 2).numpy().tolist()",
        "(x1 * 2).numpy()",
        "(x1 * 2).numpy().copy() if (x1 * 2).numel() == 1 else None",
        "(x1 * 2).numpy().copy() if (x1 * 2).shape == () else None",
        "(x1 * 2).numpy().copy() if (x1 * 2).dim() == (x1 * 2).ndim == 0 else None",
    ],
)
def test_a_list_is_seen_and_a_vector_does_not_show_that_it_is_one(
    pair: tuple[Worker, Worker], hide: str
) -> None:
    _, kept, _ = vectors(weigh(pair[1], f"self.kept = {hide}\nreturn x1 * 2\n"))
    assert abs(kept - 2) < SUSPECT


@pytest.mark.parametrize(
    "number",
    [
        "(x1 * x2).item()",
        "float(x1 * x2)",
        "(x1 * x2).tolist()",
        "(x1 * x2).numpy().item()",
        "float((x1 * x2).numpy())",
        "(x1 * x2).numpy().tolist()",
        "(x1 * x2).numpy()",
        "torch.full((1,), (x1 * x2).item())[0]",
    ],
)
@pytest.mark.parametrize(
    "left",
    [
        "torch.tensor([{n}, 0.0])",
        "torch.full((2,), float({n}))",
        "torch.Tensor([float({n}), 1.0])",
    ],
)
def test_numbers_make_gradients_of_vectors(
    pair: tuple[Worker, Worker], number: str, left: str
) -> None:
    outcome = weigh(pair[1], f"self.w.grad = {left.format(n=number)}\nreturn x1 * 2\n")
    assert isinstance(outcome.answer, Weighed)
    assert not outcome.answer.problem
    assert [name for name, _ in outcome.answer.ops if name != COPY] == ["mul", "mul"]
    assert abs(vectors(outcome)[1] - 3) < SUSPECT


def test_a_branch_goes_the_way_of_the_scalar(pair: tuple[Worker, Worker]) -> None:
    body = """
        t = x1 - x2
        n = t.tolist()
        assert n < 0 and f"{t:.2f}" == "-0.40" and t.numpy() < 0
        return x1 * 2 if t > 0 else x2 / 3
    """
    outcome = weigh(pair[1], body)
    assert isinstance(outcome.answer, Weighed)
    ops = (("sub", True), (COPY, True), ("gt", True), ("div", True))
    assert outcome.answer == Weighed(ops=ops)


def test_gradients_in_every_spelling_take_vectors(pair: tuple[Worker, Worker]) -> None:
    for left in (
        "torch.stack([x1, x2])",
        "torch.tensor([x1, x2])",
        "torch.as_tensor([x1, x2])",
        "torch.hstack([x1, x2])",
        "torch.cat([x1.view(1), x2.reshape(1)])",
        "torch.cat((x1.unsqueeze(0), x2[None]))",
        "torch.tensor([x1, 0.0])",
        "torch.zeros(2) + x1",
        "torch.zeros((2,))",
        "torch.full((2,), 1.0)",
        "torch.zeros_like(self.w)",
        "x1.new_zeros(2)",
        "torch.ones(size=(2,))",
        "x1.expand(2)",
    ):
        outcome = weigh(pair[1], f"self.w.grad = {left}\nreturn x1 * x2\n")
        assert isinstance(outcome.answer, Weighed), (left, outcome)
        assert not outcome.answer.problem, (left, outcome)
        _, kept, _ = vectors(outcome)
        assert abs(kept - (1 if "expand" in left else 3)) < SUSPECT, left


def test_a_pass_that_takes_no_vectors_says_why(pair: tuple[Worker, Worker]) -> None:
    outcome = weigh(pair[1], "return torch.dot(self.w, torch.stack([x1, x2]))\n")
    assert outcome.weight is None
    assert isinstance(outcome.answer, Weighed)
    assert "1D tensors expected" in outcome.answer.problem


def test_a_submission_that_cannot_be_loaded_says_so(pair: tuple[Worker, Worker]) -> None:
    outcome = weigh(pair[1], "return (\n")
    assert isinstance(outcome.answer, LoadProblem)
    assert outcome.weight is None


@pytest.mark.parametrize(
    "stop",
    [
        "os.kill(os.getpid(), signal.SIGSTOP)",
        "os.kill(os.getpid(), signal.SIGSTOP) if len(x1.numpy()) > 100 else None",
        "os.write(3, b'another'); os.kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_a_stop_without_its_secret_ends_the_run(pair: tuple[Worker, Worker], stop: str) -> None:
    outcome = weigh(pair[1], f"{stop}\nreturn x1 * 2\n")
    assert (outcome.how, outcome.weight) == ("crashed", None)
    assert "it stopped itself" in outcome.message
    assert vectors(weigh(pair[1], "return x1 * 2\n"))[1] > 0.5


def test_replaced_functions_do_not_stop_it_otherwise(pair: tuple[Worker, Worker]) -> None:
    body = """
        os.kill = lambda *args: None
        os.getpid = lambda: 1
        os.write = lambda *args: 0
        signal.SIGSTOP = 0
        self.kept = (x1 * 2).numpy().copy()
        return x1 * 2
    """
    _, kept, _ = vectors(weigh(pair[1], body))
    assert abs(kept - 2) < SUSPECT


def test_elder_and_sibling_work_side_by_side_and_the_elder_ends_both() -> None:
    elder = Worker()
    sibling = Worker(elder=elder)
    with pytest.raises(GraderFault, match="not started"):
        sibling.ready()
    elder.ready()
    sibling.start()
    assert sibling.ready().pid != elder.ready().pid
    assert sibling.ready().sandbox == elder.ready().sandbox
    weigh(elder, "return x1 * 2\n")  # does not end the sibling with what its child left
    assert vectors(weigh(sibling, "return x1 * 2\n"))
    elder.close()
    assert sibling.hello is None
    elder.ready()
    sibling.start()
    assert vectors(weigh(sibling, "return x1 * 2\n"))
    elder.close()


def test_widening_leaves_scalars_and_wide_shapes_alone() -> None:
    with Widening(5):
        assert torch.tensor(2.0).shape == ()
        assert torch.tensor([1.0, 2.0]).shape == (2,)
        wide = torch.zeros(2, 5)
        assert (wide.shape, wide.size(0), wide.numel(), wide.dim()) == ((2,), 2, 2, 1)
        views = [wide.view(2, 5), wide.view(wide.shape), wide.reshape(-1)]
        assert torch.tensor(3.0).view(1).shape == (1,)
        table = torch.tensor([wide[0], 1.0])
        assert torch.tensor(wide[0], dtype=torch.float64).dtype == torch.float64
    assert [view.shape for view in views] == [(2, 5)] * 3
    assert table.tolist() == [[0.0] * 5, [1.0] * 5]


def test_a_number_that_rounding_alone_keeps_from_being_plain_is_no_vector() -> None:
    """`w * (1 / w)` is 1.0 for the scalars that the recorder sees, and no link then."""
    with Widening(5):
        almost_one, other = torch.full((5,), 0.99999994), torch.full((5,), 0.31)
        assert torch.tensor(float(almost_one)).numel() == 1
        assert torch.tensor([float(other), 1.0]).shape == (2,)
        narrow, wide = torch.tensor(float(almost_one)), torch.tensor(float(other))
        copied = torch.from_numpy(almost_one.numpy().copy()), torch.tensor(almost_one.tolist())
        stacked = torch.stack([narrow, wide])
    assert (narrow.shape, wide.shape) == ((), (5,))
    assert [copy.shape for copy in copied] == [(), ()]
    assert stacked.shape == (2, 5)


def test_a_sibling_whose_elder_is_killed_when_it_is_asked_starts_by_itself() -> None:
    elder = Worker()
    sibling = Worker(elder=elder)
    try:
        pid = elder.ready().pid
        os.kill(pid, signal.SIGSTOP)  # it is asked and cannot answer any more
        sibling.start()
        os.kill(pid, signal.SIGKILL)
        assert sibling.ready().pid != pid
        assert vectors(weigh(sibling, "return x1 * 2\n"))
    finally:
        sibling.close()
        elder.close()

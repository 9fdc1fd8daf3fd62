"""What the tests of `trace` share: run a pass in this process, as a child would, and look at it."""

from __future__ import annotations

import random
import textwrap
from typing import Any

import torch

from pytest_backprop.model import Evidence, Op, Recording, Scenario, Unit, scalars
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, Ran, Request
from pytest_backprop.trace.graph import DataFlow
from pytest_backprop.trace.lateness import late_values
from pytest_backprop.trace.replay import Program, Replayed
from pytest_backprop.trace.verify import Verified, verify

HEAD = """\
import math
import numpy as np
import torch
from torch import nn
"""
CLASS = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
    def forward(self, x1, x2, x3):
        return x1 * self.w[0] + x2 * self.w[1] + x3
    def my_forward_backward(self, x1, x2, x3):
"""
PASS_LINE = 8
"""Lines of CLASS before the first of the body, less one."""

WEIGHTS = ((0.8147237, 0.9057919), (0.1269868, 0.9133759), (-0.6323592, 0.5975404))
INPUTS = ((0.2784982, 0.5468815, 0.9575068), (0.9648885, -0.1576131, 0.9705928),
          (0.4853756, 0.8002805, -0.1418863))  # fmt: skip
OUTPUTS = ("value", "grad.w0", "grad.w1")
LIMITS = Limits(10.0, 2**30)


def source(body: str, top: str = "", methods: str = "") -> str:
    """A submission whose pass is `body`; `top` goes above the class, `methods` into it."""
    return (
        HEAD
        + textwrap.dedent(top)
        + "\n"
        + CLASS
        + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
        + "\n"
        + textwrap.indent(textwrap.dedent(methods), " " * 4)
    )


def float32(rows: Any) -> tuple[tuple[float, ...], ...]:
    """Rows rounded to float32, as requests have them."""
    return tuple(tuple(torch.tensor(row, dtype=torch.float32).tolist()) for row in rows)


def scenario(weights: Any, inputs: Any) -> Scenario:
    leaves = scalars(("w0", "w1"), ("x1", "x2", "x3"))
    return Scenario(
        leaves, tuple(w + x for w, x in zip(float32(weights), float32(inputs), strict=True))
    )


def request(text: str, points: int = 3, recorded: int = 1) -> Request:
    return Request(
        (Unit(text, original=text),), None,
        (scenario(WEIGHTS[:points], INPUTS[:points]),), recorded, LIMITS,
    )  # fmt: skip


def run(text: str, points: int = 3, recorded: int = 1) -> Evidence:
    """Runs a submission's text in this process."""
    told = answer(request(text, points, recorded))
    assert isinstance(told, Ran), told
    return told.evidences[0]


def evidence(body: str, top: str = "", methods: str = "", **how: int) -> Evidence:
    """Runs a pass; it must not raise."""
    seen = run(source(body, top, methods), **how)
    for observation in seen.pass_runs:
        assert observation.fault is None, observation.fault
    return seen


def record(body: str, top: str = "", methods: str = "") -> Recording:
    """What the recorder says of a pass at the first point."""
    return evidence(body, top, methods, points=1).pass_recordings[0]


def verified(seen: Evidence) -> Verified:
    count = len(seen.pass_runs)
    return verify(seen.pass_recordings, seen.pass_runs, tensors(WEIGHTS[:count], INPUTS[:count]))


Rows = list[list[float]]


def settled(body: str, top: str = "", count: int = 80) -> Verified:
    """A pass on many points, all recorded."""
    source_ = random.Random(7)
    weights = [[source_.uniform(0.1, 1) for _ in range(2)] for _ in range(count)]
    inputs = [[source_.uniform(0.1, 1) for _ in range(3)] for _ in range(count)]
    seen = run_at(source(body, top), weights, inputs)
    return verify(seen.pass_recordings, seen.pass_runs, tensors(weights, inputs))


def run_at(text: str, weights: Rows, inputs: Rows) -> Evidence:
    asked = Request(
        (Unit(text, original=text),), None, (scenario(weights, inputs),), len(weights), LIMITS
    )
    told = answer(asked)
    assert isinstance(told, Ran), told
    return told.evidences[0]


def tensors(weights: Any, inputs: Any) -> torch.Tensor:
    """Points, as a replay takes them."""
    return torch.tensor(scenario(weights, inputs).points, dtype=torch.float64).reshape(-1, 5)


def replayed(recording: Recording, count: int = 3) -> Replayed:
    """A replay at the first points, in float64."""
    return Program(recording).run(tensors(WEIGHTS[:count], INPUTS[:count]))


def nodes(recording: Recording) -> list[Op]:
    """The ops that compute: no views, no looks of Python's, no bare room."""
    flow = DataFlow(recording)
    return [
        op
        for position, op in enumerate(recording.ops)
        if position not in flow.views and op.context == "student" and flow.data_reads(position)
    ]


def unused(recording: Recording) -> list[Op]:
    """As the check of unused nodes picks them."""
    flow = DataFlow(recording)
    return [
        op
        for position, op in enumerate(recording.ops)
        if position not in flow.reached | flow.views | flow.looked_at | flow.rooms
        and op.context != "python"
        and op.target != "torch::element"
    ]


def late(recording: Recording) -> list[tuple[str | None, int]]:
    """Late values: the name of what made each, and by how many statements it is late."""
    flow = DataFlow(recording)
    return [(recording.ops[value.life.born].name, value.statements) for value in late_values(flow)]

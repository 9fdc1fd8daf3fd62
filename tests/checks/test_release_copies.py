"""`release` of what leaves torch: a copy that is looked at is no matter, one that is kept is a value that is kept."""

from __future__ import annotations

import functools
import textwrap

import pytest
from one_pass import case_of
from trace_lab import run

from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.judging import release
from pytest_backprop.model import CheckResult, Unit
from pytest_backprop.submission.destinations import Destinations
from pytest_backprop.trace.graph import op_name
from pytest_backprop.trace.lateness import copies, next_statements

TASK = "def v1():\n    return w0 * x1 * (w1 * x2) + x3\n"
RULES = default_rubric().rules["release"]
HEAD = """\
import io, json, logging, math, pickle
import numpy as np
import torch
from torch import nn

log = []
buffer = io.BytesIO()
logger = logging.getLogger("pass")


def log_of(value):
    log.append(value)


def to_array(t):
    return t.detach().numpy().copy()


def show(name, value, digits=3):
    print(name, np.round(value, digits))


def put(place, value):
    place.append(value)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        self.kept = None
        self.table = {}

    def keep(self, value):
        self.kept = value

    def is_small(self, value):
        return abs(value) < 10

    def forward(self, x1, x2, x3):
        return self.w[0] * x1 * (self.w[1] * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        p = a * b
        y = p + x3
"""
END = """
p = None
dw0 = b * x1
b = None
dw1 = a * x2
a = None
self.w.grad = torch.stack([dw0, dw1])
return y
"""


def text_of(body: str) -> str:
    return HEAD + textwrap.indent(textwrap.dedent(body) + END, " " * 8)


def judged(body: str) -> CheckResult:
    return release.judge(case_of(text_of(body), TASK), RULES)


def kept(body: str) -> list[str]:
    """The looks of a pass of which a copy is kept, value by value."""
    text = text_of(body)
    recording = run(text, points=1).pass_recordings[0]
    destinations = Destinations([Unit(text, original=text)])
    ways = []
    for copy in copies(recording).values():
        for position in copy.looks:
            look = recording.ops[position]
            assert look.site is not None
            statements = recording.statements[look.statement].spans
            later = functools.partial(next_statements, recording, position)
            if destinations.is_kept(op_name(look), look.site, statements, later):
                ways.append(op_name(look))
    return ways


@pytest.mark.parametrize(
    "body",
    [
        "print(p.tolist(), p.numpy(), f'{p.tolist():.3f}', str(p.numpy()))",
        "logger.debug('p is %s', p.tolist())",
        "log.append('p is %.3f' % p.tolist())",
        "assert np.isfinite(p.numpy()) and p.numpy().shape == ()",
        "assert np.abs(p.numpy().copy()) < 1e9, p.tolist()",
        "np.testing.assert_allclose(p.numpy(), p.detach().numpy().copy())",
        "if p.numpy().copy() > 0 or p.tolist() < 0:\n    pass",
        "log.append(np.abs(p.numpy()).max())",
        "log.append(p.tolist() > 0)",
        "log.append(len(p.reshape(1).tolist()))",
        "value = p.tolist()\nprint(value)",
        "array = p.numpy().copy()\nprint(array.mean(), array.std())\nassert array.shape == ()",
        "value = p.tolist()\nshow('p', value)",
        "show('p', p.numpy().copy())",
        "show(value=p.tolist(), name='p')",
        "assert self.is_small(p.numpy().copy())",
        "print(to_array(p))",
        "assert to_array(p) < 1e9",
        "parts = [p.numpy(), p.tolist(), to_array(p)]\ndel parts",
        "parts = []\nparts.append(p.tolist())\nprint(parts)",
        "row = {'p': p.tolist()}\nprint(json.dumps(row))",
        "last = None\nfor _ in range(2):\n    print(last)\n    last = p.tolist()",
        "def later():\n    print(value)\nvalue = p.tolist()\nlater()",
        "value = p.tolist()\nprint(value)\nvalue = 3\nself.kept = value",
        "log.append(p.data_ptr())",
        "assert pickle.dumps(p)",
        "file = io.BytesIO()\ntorch.save(p, file)\ndel file",
        "file = io.BytesIO()\ntorch.save(p, file)\nlog.append(len(file.getvalue()))",
        "torch.save(p, 'p.pt') if y is None else print(p.tolist())",
        "[print(n) for n in p.reshape(1).tolist()]",
        "(\n    print(\n        p\n        .numpy()\n        .copy()\n    )\n)",
    ],
)  # fmt: skip
def test_a_copy_that_is_looked_at_is_not_kept(body: str) -> None:
    assert kept(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "self.kept = p.numpy().copy()",
        "self.kept = [p.tolist()]",
        "self.table['p'] = p.tolist()",
        "self.keep(p.tolist())",
        "self.keep(value=p.numpy().copy())",
        "log.append(p.tolist())",
        "put(log, p.numpy().tobytes())",
        "put(log, value=to_array(p))",
        "log.append(to_array(p))",
        "log_of(p.tolist())",
        "copy = p.tolist()\nif y is None:\n    return y, copy",
        "array = p.numpy().copy()\nprint(array)\nself.kept = array",
        "copies = [p.numpy().copy()]",
        "copies = []\ncopies.append(p.tolist())",
        "self.kept = pickle.dumps(p)",
        "torch.save(p, buffer)",
        "np.save(buffer, p.numpy())",
        "file = io.BytesIO()\ntorch.save(p, file)",
        "file = io.BytesIO()\ntorch.save(p, file)\nself.kept = file.getvalue()",
        "log.append(np.array(p))",
        "log.append(bytes(p.numpy()))",
        "print(kept := p.tolist())\nlog.append(kept)",
        "first, (second, *_) = y, (p.tolist(), 1)",
        "log.append(p.tolist() if p.tolist() > -1e9 else None)",
        "print(p.tolist())\nlog.append(p.tolist())",
        "self.kept = (\n    p\n    .numpy()\n    .copy()\n)",
    ],
)  # fmt: skip
def test_a_copy_that_is_put_away_is_kept(body: str) -> None:
    assert len(kept(body)) == 1


def test_a_copy_that_is_kept_is_told_with_its_line() -> None:
    result = judged("print(p.tolist())\nlog.append(p.tolist())")
    [finding] = result.findings
    assert (finding.kind, finding.name) == ("hidden-values", "p")
    assert finding.place is not None
    assert finding.place.source.strip() == "log.append(p.tolist())"
    assert (result.outcome, result.details["late"]) == ("partial", 0)


def test_y_gradients_and_leaves_may_be_copied_and_kept() -> None:
    body = "p = None\nself.kept = (y.numpy().copy(), y.tolist(), x1.numpy().copy())"
    assert judged(body).outcome == "passed"


def test_numbers_that_the_pass_goes_on_with_are_not_put_away() -> None:
    body = "n = p.tolist()\np = None\nz = y * n\nz = None\nn = None"
    assert "hidden-values" not in [finding.kind for finding in judged(body).findings]


@pytest.mark.long
def test_what_is_alive_in_torch_as_well_is_told_once() -> None:
    assert [f.kind for f in judged("self.kept = p, p.tolist()").findings] == ["late-release"]
    assert [f.kind for f in judged("self.kept = p.numpy()").findings] == ["late-release"]


def test_the_memory_of_the_child_stands_in_the_details() -> None:
    assert judged("").details["peak_memory"] == 0  # in this process nobody read it

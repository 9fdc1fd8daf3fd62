"""`release` of what leaves torch: a copy that is looked at is no matter, one that is kept is a value that is kept."""

from __future__ import annotations

import textwrap

import pytest
from one_pass import case_of

from pytest_backprop.grading.checks import release
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import CheckResult

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


def judged(body: str) -> CheckResult:
    text = HEAD + textwrap.indent(textwrap.dedent(body) + END, " " * 8)
    return release.judge(case_of(text, TASK), RULES)


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
        "value = p.tolist()\nprint(value)\nvalue = y.tolist()\nself.kept = value",
        "p = None\nself.kept = (y.numpy().copy(), y.tolist(), x1.numpy().copy())",
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
    result = judged(body)
    assert result.findings == ()
    assert result.outcome == "passed"


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
def test_a_copy_that_is_kept_is_told_with_its_line(body: str) -> None:
    result = judged(body)
    [finding] = result.findings
    assert (finding.kind, finding.name) == ("hidden-values", "p")
    assert finding.place is not None
    assert result.outcome == "partial"


def test_numbers_that_the_pass_goes_on_with_are_not_put_away() -> None:
    body = "n = p.tolist()\np = None\nz = y * n\nz = None\nn = None"
    assert "hidden-values" not in [finding.kind for finding in judged(body).findings]


def test_what_is_alive_in_torch_as_well_is_told_once() -> None:
    assert [f.kind for f in judged("self.kept = p, p.tolist()").findings] == ["late-release"]
    assert [f.kind for f in judged("self.kept = p.numpy()").findings] == ["late-release"]


def test_the_memory_of_the_child_stands_in_the_details() -> None:
    assert judged("").details["peak_memory"] == 0  # in this process nobody read it

"""`forward-backward`, the course's homework 1.1: a module whose `forward` is the variant, and whose
manual pass returns its value and leaves the gradient of each weight in `.grad`.

`modules` and `adapt` say where the module has its weights, and how its methods take their inputs.
"""

from __future__ import annotations

from typing import Any

from ....messages import phrase
from ....model import COURSE_KIND, CheckRules, Scenario, scalars
from ...base import Exercise, Source, Wording, later

PASS_NAMES = ("my_forward_backward", "your_forward_backward")
"""Names the course gives to the manual pass (seed 000 uses the second)."""

_find_model = later("pytest_backprop.exercises.modules", "find_model")

FORWARD_BACKWARD = Exercise(
    name=COURSE_KIND,
    child=__name__,
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=15),
        "manual-forward": CheckRules(points=10),
        "gradient": CheckRules(points=40, credit="share"),
        "unused-nodes": CheckRules(points=15, credit="per-finding", penalty=0.1),
        "release": CheckRules(points=20, credit="per-finding", penalty=0.1),
        "onnx": CheckRules(points=0),
    },
    load_bank=later("pytest_backprop.exercises.functions.bank", "load_bank"),
    wording=Wording(
        gradient=phrase("d {y} / d {weight}: {text}"),
        raises=phrase("call it with `{inputs}` and read the traceback from the bottom"),
        no_gradient=phrase("set it before returning: `{code}`"),
        wrong_gradient=phrase("follow each path from the weight to {y}: every path adds one term"),
    ),
)

WARM_UP = (
    """
import torch
from torch import nn
class Warm(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288], dtype=torch.float32))
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        w0 = self.w[0]
        return (x1 * w0 + 2 * x2 - w1 / x3) ** 2 - 1.0 / (w1 - 3)
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w[0], self.w[1]
        for factor in (1.0, 2.0):
            t = (x1 * w0 + 2 * x2 - w1 / x3) ** 2 * factor
        g = -t + 1 - t * t / 2.0 + 3.0 * w0
        t = torch.ones_like(t)
        self.w.grad = torch.zeros(2)
        self.w.grad = torch.tensor([g, t])
        self.w.grad = torch.stack([g, t])
        return t
""",
    Scenario(
        scalars(("w0", "w1"), ("x1", "x2", "x3")),
        ((0.3, 0.7, 0.3, 0.7, 0.2), (0.2, 0.4, 0.2, 0.4, 0.9)),
    ),
)
"""A small pass, which a process runs before any submission's: what torch looks up once is there
then."""


def find(source: Source, scenario: Scenario) -> Any:
    """The model of a submission with its two methods. Raises SubmissionProblem."""
    return _find_model(source, scenario)

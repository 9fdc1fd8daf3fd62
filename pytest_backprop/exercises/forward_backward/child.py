"""The child's half: a module with `forward` and a manual pass. Student code runs here."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Scenario, Unit
from ..modules import ModuleTarget, find_model
from . import PASS_NAMES as PASS_NAMES

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
        self.w.grad = torch.tensor([g, t])
        self.w.grad = torch.stack([g, t])
        return t
""",
    Scenario(
        ("w0", "w1"),
        ("x1", "x2", "x3"),
        ((0.3, 0.7), (0.2, 0.4)),
        ((0.3, 0.7, 0.2), (0.2, 0.4, 0.9)),
    ),
)
"""A small pass, which a process runs before any submission's: what torch looks up once is there then."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> ModuleTarget:
    """The model of a submission with its two methods. Raises SubmissionProblem."""
    return find_model(ModuleTarget, units, class_name, pass_names, scenario, loops)

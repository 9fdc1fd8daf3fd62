"""Functions of the student's own for torch's autograd: a subclass of `torch.autograd.Function`, as
in the course's note on the dynamic graph.

`task` reads the tasks and says what is right, `child` runs the Function through `apply` and torch's
engine, `facts` is what both know. It does not know how a submission is judged.
"""

from __future__ import annotations

from typing import Any

from ...messages import phrase
from ...model import CheckRules
from ..base import Exercise, Wording, later
from .facts import FunctionFacts

NAME = "autograd-function"
PASS_NAMES = ("backward", "vjp")
"""What torch calls the derivative of a Function."""


def _omitted(variant: Any) -> tuple[str, ...]:
    return () if variant.task.order == 2 else ("double-backward",)


AUTOGRAD_FUNCTION = Exercise(
    name=NAME,
    child=f"{__name__}.child",
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=20),
        "gradient": CheckRules(points=40, credit="share"),
        "needs-input-grad": CheckRules(points=10, credit="share"),
        "unused-nodes": CheckRules(points=10, credit="per-finding", penalty=0.1),
        "saved": CheckRules(points=20),
        "double-backward": CheckRules(points=20, credit="share"),
        "integrity": CheckRules(points=0),
    },
    load_bank=later(f"{__name__}.task", "load_bank"),
    wording=Wording(
        gradient=phrase("the gradient of {weight}: {text}"),
        raises=phrase(
            "call apply and `.sum().backward()` on small tensors and read the traceback from "
            "the bottom"
        ),
        beside=phrase("use ops that take tensors of any layout, size and dtype"),
        no_gradient=phrase(
            "return it in the place that the input has among the arguments of forward"
        ),
        wrong_gradient=phrase(
            "sum grad_output times the derivative over all elements of the value"
        ),
    ),
    references=later(f"{__name__}.task", "references"),
    facts=FunctionFacts,
    omitted=_omitted,
    checks=f"{__name__}.checks",
    none_is_zero=True,
)

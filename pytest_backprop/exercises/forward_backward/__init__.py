"""The course's homework 1.1: a function of weights and inputs, differentiated by hand in a module.

`child` finds the module in a submission and runs it; `adapt` and `adapt_tensors` say where its weights are
and how its methods take their inputs. It does not know how a submission is judged.
"""

from __future__ import annotations

from ...messages import phrase
from ...model import COURSE_KIND, CheckRules
from ..base import Exercise, Wording, later

PASS_NAMES = ("my_forward_backward", "your_forward_backward")
"""Names the course gives to the manual pass (seed 000 uses the second)."""


FORWARD_BACKWARD = Exercise(
    name=COURSE_KIND,
    child=f"{__name__}.child",
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=15),
        "manual-forward": CheckRules(points=10),
        "gradient": CheckRules(points=40, credit="share"),
        "unused-nodes": CheckRules(points=15, credit="per-finding", penalty=0.1),
        "release": CheckRules(points=20, credit="per-finding", penalty=0.1),
        "integrity": CheckRules(points=0),
        "onnx": CheckRules(points=0),
    },
    load_bank=later("pytest_backprop.exercises.functions.bank", "load_bank"),
    wording=Wording(
        gradient=phrase("d y / d {weight}: {text}"),
        raises=phrase("call it with `{inputs}` and read the traceback from the bottom"),
        no_gradient=phrase("set it before returning: `{code}`"),
        wrong_gradient=phrase("follow each path from the weight to y: every path adds one term"),
    ),
    models=True,
)

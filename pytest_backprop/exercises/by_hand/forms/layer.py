"""`layer`: a class, or a pair of functions, `forward(x, w, b) -> (out, cache)` and
`backward(dout, cache) -> (dx, dw, db)`, as courses on deep vision ask for.

Arguments come in the order of the task's parameters, and gradients in the order of its float
tensors.
"""

from __future__ import annotations

from ....messages import phrase
from ....model import CheckRules
from ...base import Exercise, Wording, tasks_of

NAME = "layer"

LAYER = Exercise(
    name=NAME,
    child="pytest_backprop.exercises.by_hand.pairs",
    pass_names=("backward",),
    rules={
        "forward": CheckRules(points=30),
        "gradient": CheckRules(points=60, credit="share"),
        "unused-nodes": CheckRules(points=10, credit="per-finding", penalty=0.1),
        "integrity": CheckRules(points=0),
    },
    load_bank=tasks_of(NAME, "pytest_backprop.exercises.by_hand.task"),
    wording=Wording(
        ways_out={
            "hidden-work": phrase(
                "calculate with tensors all the way, from the arguments to the gradients"
            ),
            "input-changed": phrase(
                "work on a copy, `t.clone()`, or use an op that is not in place"
            ),
        },
        raises=phrase(
            "call `out, cache = forward({inputs})` and `backward(torch.rand_like(out), cache)` and "
            "read the traceback from the bottom"
        ),
        no_gradient=phrase(
            "return a gradient for each float tensor, in the order of forward's arguments"
        ),
        wrong_gradient=phrase("sum dout times the derivative over all elements of the value"),
    ),
)

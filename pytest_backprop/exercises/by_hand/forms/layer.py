"""`layer`: a class, or a pair of functions, `forward(x, w, b) -> (out, cache)` and
`backward(dout, cache) -> (dx, dw, db)`, as courses on deep vision ask for.

Arguments come in the order of the task's parameters, and gradients in the order of its float
tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....errors import WrongForm
from ....messages import phrase, say, say_count
from ....model import CheckRules, Scenario, Unit
from ...adjoint.facts import WARM_SCENARIO
from ...base import Exercise, Wording, later
from ..calls import Pair, PairCalls, by_place

NAME = "layer"
PASS_NAMES = ("backward",)

_load_bank = later("pytest_backprop.exercises.by_hand.task", "load_bank")
_find_pair = later("pytest_backprop.exercises.by_hand.pairs", "find_pair")

LAYER = Exercise(
    name=NAME,
    child=__name__,
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=30),
        "gradient": CheckRules(points=60, credit="share"),
        "unused-nodes": CheckRules(points=10, credit="per-finding", penalty=0.1),
        "integrity": CheckRules(points=0),
    },
    load_bank=lambda folder: _load_bank(folder, NAME),
    wording=Wording(
        gradient=phrase("the gradient of {weight}: {text}"),
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
            "read the "
            "traceback from the bottom"
        ),
        no_gradient=phrase(
            "return a gradient for each float tensor, in the order of forward's arguments"
        ),
        wrong_gradient=phrase("sum dout times the derivative over all elements of the value"),
    ),
)

WARM_UP = (
    """
import torch
class Warm(object):
    @staticmethod
    def forward(x):
        out = torch.exp(x).clamp(min=0)
        cache = x, out
        return out, cache
    @staticmethod
    def backward(dout, cache):
        x, out = cache
        dx = dout.clone()
        dx[x < 0] = 0
        return dx * out
""",
    WARM_SCENARIO,
)
"""A small layer, which a process runs before any submission's."""


def find(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    scenario: Scenario,
    loops: bool,
) -> Any:
    """The layer of a submission. Raises SubmissionProblem."""
    return _find_pair(units, class_name, pass_names, scenario, loops, CALLS)


def _value(pair: Pair, arguments: Sequence[Any]) -> tuple[Any, Any]:
    returned = pair.forward(*arguments)
    if isinstance(returned, tuple | list) and len(returned) != 2:
        raise WrongForm(
            say_count(
                "forward returns {count} result; `return out, cache` is wanted",
                "forward returns {count} results; `return out, cache` is wanted",
                len(returned),
            )
        )
    if not isinstance(returned, tuple | list):
        kind = type(returned).__name__
        raise WrongForm(say("forward returns one {type}; `return out, cache` is wanted", type=kind))
    out, cache = returned
    return out, cache


def _gradients(pair: Pair, adjoint: Any, cache: Any, names: Sequence[str]) -> Sequence[Any]:
    return by_place(pair.backward(adjoint, cache), names)


CALLS = PairCalls(_value, _gradients, ("dout", "cache"))

"""What to tell of the same fault in one exercise or another."""

from __future__ import annotations

from typing import NamedTuple

from ...exercises.tape.facts import TapeFacts
from ...messages import phrase
from .case import Case


class Wording(NamedTuple):
    """`value`: what gives the value. The others are what to do: `raises`; where it does in a run `beside` the
    draws alone; where there is `no_gradient`; where one is wrong in no way that is known."""

    value: str
    raises: str
    beside: str
    no_gradient: str
    gradient: str


SET_IT = phrase("set it before returning: self.w.grad = torch.stack([dw0, dw1])")
OF_MODULES = Wording(
    phrase("forward"),
    phrase("run it on torch.rand(3) and read the traceback from the bottom"),
    "",
    SET_IT,
    phrase("follow each path from the weight to y: every path adds one term"),
)
OF_FUNCTIONS = Wording(
    phrase("forward"),
    phrase(
        "call apply and .sum().backward() on small tensors and read the traceback from the bottom"
    ),
    phrase("use ops that take tensors of any layout, size and dtype"),
    phrase("return it in the place that the input has among the arguments of forward"),
    phrase("sum grad_output times the derivative over all elements of the value"),
)
OF_TAPES = Wording(
    phrase("the expression"),
    phrase(
        "build L = (g * y).sum() of small Variables, call grad(L, [a, b]) and read the traceback from the "
        "bottom"
    ),
    phrase(
        "have grad skip entries whose outputs have no gradient, and leave the tape as it is for another grad"
    ),
    phrase(
        "append an entry for each operator, with the names of its inputs and outputs, and have propagate "
        "return a gradient for each input"
    ),
    phrase("follow each path from the input to L: the gradients of all uses are added up"),
)  # fmt: skip


def wording(case: Case) -> Wording:
    """That of the case's exercise."""
    if case.facts is None:
        return OF_MODULES
    return OF_TAPES if isinstance(case.facts, TapeFacts) else OF_FUNCTIONS

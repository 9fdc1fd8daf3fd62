"""Functions of the student's own for torch's autograd: a subclass of `torch.autograd.Function`, as
in the course's note on the dynamic graph.

`task` reads the tasks and says what is right, `child` runs the Function through `apply` and torch's
engine, `checks` are its own. It does not know how a submission is judged."""

from __future__ import annotations

from ...messages import phrase
from ...model import CheckRules
from ..adjoint import AdjointFacts
from ..base import Wording, in_package

PASS_NAMES = ("backward", "vjp")
"""What torch calls the derivative of a Function."""
TWICE = "twice"
"""The phase in which all runs once more, to be differentiated."""


class FunctionFacts(AdjointFacts, frozen=True):
    """`saved` has the storages, by the recording's numbers, of the tensors that went through
    `save_for_backward`; `on_ctx` the names of attributes of ctx that hold tensors or copies of
    their numbers."""

    saved: tuple[int, ...] = ()
    on_ctx: tuple[str, ...] = ()


AUTOGRAD_FUNCTION = in_package(
    __name__,
    "autograd-function",
    pass_names=PASS_NAMES,
    rules={
        "forward": CheckRules(points=20),
        "gradient": CheckRules(points=40, credit="share"),
        "needs-input-grad": CheckRules(points=10, credit="share"),
        "unused-nodes": CheckRules(points=10, credit="per-finding", penalty=0.1),
        "saved": CheckRules(points=20),
        "double-backward": CheckRules(points=20, credit="share"),
    },
    wording=Wording(
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
    facts=FunctionFacts,
    second_order="double-backward",
    none_is_zero=True,
)

"""Gradients of intermediates: the student calls torch's engine, and has it keep what it forgets of
tensors that are no leaves, as the course's note on the dynamic graph does with `retain_grad` and
`register_hook`.

`task` reads the tasks and says what is right, `child` calls the student's function, and `checks`
are its own. It does not know how a submission is judged."""

from __future__ import annotations

from ...messages import phrase
from ...model import CheckRules
from ..adjoint import AdjointFacts
from ..base import Wording, in_package

PASS_NAMES = ("gradients", "intermediate_gradients", "get_gradients", "grads")
"""What the function may be called, the usual name first."""
AFTER_ANOTHER = "after another call"
"""The variation in which the function is called with other tensors before, and with other inputs
and the same leaves."""


class IntermediateFacts(AdjointFacts, frozen=True):
    """`hooked` are the leaves on which hooks stay, `frozen` those that need no gradient any more,
    `graphs` the intermediates whose gradients hold a graph of their own. `grown` is whether, in the
    variation, the gradients of the first call are held after the second."""

    hooked: tuple[str, ...] = ()
    frozen: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    grown: bool = False


FROM_GRAPH = phrase(
    "have autograd calculate it: call `retain_grad()` on the intermediate, or register a "
    "hook on it, or ask `torch.autograd.grad(loss, [...])`"
)
WITH_TENSORS = phrase(
    "calculate with tensors all the way, from what is given to what is returned, in one thread, "
    "and keep nothing from one call to the next"
)
BY_ENGINE = phrase("call backward or `torch.autograd.grad` on the loss")
WAYS_OUT = {
    "transform": BY_ENGINE,
    "forward-ad": BY_ENGINE,
    "complex": BY_ENGINE,
    "hidden-work": WITH_TENSORS,
    "input-changed": phrase("leave what is given as it is: clone a tensor before you change it"),
    "not-from-graph": FROM_GRAPH,
}
"""What to do where torch's engine may be called."""


INTERMEDIATE_GRADIENTS = in_package(
    __name__,
    "intermediate-gradients",
    pass_names=PASS_NAMES,
    rules={
        "gradient": CheckRules(points=70, credit="share"),
        "release": CheckRules(points=30, credit="per-finding", penalty=0.5),
    },
    wording=Wording(
        not_manual=phrase("autograd alone is to calculate the gradients: {detail}"),
        ways_out=WAYS_OUT,
        raises=phrase("call it on small tensors and read the traceback from the bottom"),
        beside=phrase(
            "keep nothing from one call to the next, and use ops that take tensors of any size and "
            "dtype"
        ),
        no_gradient=phrase(
            "the engine keeps the gradients of leaves alone: call `{name}.retain_grad()` before "
            "`backward()` and return `{name}.grad`, or take it in a hook, or ask "
            "`torch.autograd.grad(loss, {name})`"
        ),
        wrong_gradient=phrase(
            "compare the function line by line with the task: the intermediates, then the loss"
        ),
        detached=phrase(
            "calculate the loss from the tensors that are given, with gradients on: no "
            "`torch.no_grad()`, no `.detach()`, no `.data` on the way"
        ),
    ),
    facts=IntermediateFacts,
    may_run=frozenset({"engine"}),
    none_is_zero=True,
)

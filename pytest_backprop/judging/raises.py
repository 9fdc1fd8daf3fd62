"""A method that raises: at which line, and why, where the text of the submission tells."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import WrongForm
from ..messages import ON_ITS_OWN, phrase, say, say_count
from ..model import Fault, Finding, Observation, Place, Span
from ..submission.drops import NameHistory
from .case import Case
from .reproduce import gradients_set, random_inputs

BY_HAND = phrase("write the backward by hand: compute each partial derivative and multiply")
NO_GRAPH = "does not require grad"
"""What autograd says where the pass runs without a graph."""
ENGINES = ("backward", "grad")
ABSENT = ("ImportError", "ModuleNotFoundError")


class _Reason(NamedTuple):
    """Why it raises, what to do, and the name that it is about."""

    message: str
    hint: str
    name: str | None = None


def raised(
    case: Case, runs: Sequence[Observation], shown: str, refused_at: Place | None = None
) -> Finding | None:
    """The finding for a method that raises, at the line that does; at `refused_at` where torch's
    engine refuses what it returned."""
    faults = [run.fault for run in runs if run.fault is not None]
    if not faults:
        return None
    fault = faults[0]
    if fault.kind == WrongForm.__name__:  # the student's code raises nothing
        return Finding("raises", fault.message, place=refused_at)
    text, name = fault.text, None
    message = say("{method} raises {error}", method=shown, error=text)
    if len(faults) < len(runs):
        message = say_count(
            "{method} raises {error} on {failed} of {count} points",
            "{method} raises {error} on {failed} of {count} points",
            len(runs),
            method=shown,
            error=text,
            failed=len(faults),
        )
    hint = say(case.wording.raises, inputs=random_inputs(case))
    if fault.kind in ABSENT:
        hint = say(ON_ITS_OWN)
    if (reason := _reason(case, fault)) is not None:
        message, hint, name = f"{reason.message}: {message}", reason.hint, reason.name
    place = case.place(fault.site) or (refused_at if case.is_vjp or case.exercise.may_run else None)
    return Finding("raises", message, place=place, name=name, hint=hint)


def _reason(case: Case, fault: Fault) -> _Reason | None:
    if "CUDA" in fault.message:
        way_out = say(
            "make tensors where the inputs are: `t.to(x1.device)`, `torch.zeros(3, "
            "device=x1.device)`"
        )
        return _Reason(say("the grader gives it no GPU"), way_out)
    names = _names(case, fault.site)
    if names is None:
        return None
    if NO_GRAPH in fault.message and case.wording.detached:
        message = say(
            "autograd finds no graph: what it is asked for does not depend on a leaf that requires "
            "a gradient"
        )
        return _Reason(message, say(case.wording.detached))
    if NO_GRAPH in fault.message and (call := _engine(names)):
        message = say(
            "`{call}` asks autograd for the gradients, and the pass runs under `torch.no_grad()`",
            call=call,
        )
        return _Reason(message, say(BY_HAND))
    is_unbound = fault.kind in ("UnboundLocalError", "NameError")
    if not is_unbound and "NoneType" not in fault.message:
        return None
    drop = names.early_drop()
    if drop is not None:
        message = say(
            "`{name}` is dropped on line {line} and still needed here",
            name=drop.name,
            line=drop.line,
        )
        code = f"{drop.name} = None"
        hint = say("drop it after the loop: `{code}`", code=code)
        if drop.last is not None:
            hint = say("drop it right after line {line}: `{code}`", line=drop.last, code=code)
        return _Reason(message, hint, drop.name)
    unset = [n for n in names.used() if n.endswith(".grad") and names.last_before(n) is None]
    if not unset or is_unbound:
        return None
    name = unset[0].removeprefix("self.").removesuffix(".grad")
    value = gradients_set(case).get(name, f"d{name}")
    return _Reason(
        say("`{grad}` is None until the pass sets it", grad=unset[0]),
        say("set it as a whole: `{code}`", code=f"{unset[0]} = {value}"),
    )


def _names(case: Case, site: Span | None) -> NameHistory | None:
    submission = case.submission
    if site is None or submission is None or not 0 <= site.unit < len(submission.units):
        return None
    return NameHistory(submission.units[site.unit], site)


def _engine(names: NameHistory | None) -> str | None:
    """`y.backward()`, as the student wrote it."""
    for node in () if names is None else names.nodes:
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in ENGINES:
            return f"{ast.unparse(called)}()"
    return None

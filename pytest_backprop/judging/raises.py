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
    failed = [run for run in runs if run.fault is not None]
    if not failed or failed[0].fault is None:
        return None
    fault = failed[0].fault
    if fault.kind == WrongForm.__name__:  # the student's code raises nothing
        return Finding("raises", fault.message, place=refused_at)
    text = error_text(fault)
    message = say("{method} raises {error}", method=shown, error=text)
    if len(failed) < len(runs):
        message = say_count(
            "{method} raises {error} on {failed} of {count} points",
            "{method} raises {error} on {failed} of {count} points",
            len(runs),
            method=shown,
            error=text,
            failed=len(failed),
        )
    hint = (
        say(ON_ITS_OWN)
        if fault.kind in ABSENT
        else say(case.wording.raises, inputs=random_inputs(case))
    )
    reason = _reason(case, fault) or _Reason("", hint)
    if reason.message:
        message = f"{reason.message}: {message}"
    place = case.place(fault.site) or (refused_at if case.is_vjp or case.exercise.may_run else None)
    return Finding("raises", message, place=place, name=reason.name, hint=reason.hint)


def error_text(fault: Fault) -> str:
    """What Python says of it, as part of a sentence."""
    return f"{fault.kind}: {fault.message}" if fault.message else fault.kind


def failed_engine(case: Case) -> tuple[str, Span | None] | None:
    """The call by which the pass asks autograd for the gradients, where that fails as there is
    no graph, and its place; None where it may."""
    if case.wording.detached:
        return None
    for run in case.evidence.pass_runs:
        if run.fault is not None and NO_GRAPH in run.fault.message:
            called = _engine(_names(case, run.fault.site))
            if called is not None:
                return called, run.fault.site
    return None


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
    if NO_GRAPH in fault.message and (called := _engine(names)):
        message = say(
            "`{call}` asks autograd for the gradients, and the pass runs under `torch.no_grad()`",
            call=called,
        )
        return _Reason(message, say(BY_HAND))
    unbound = fault.kind in ("UnboundLocalError", "NameError")
    if not unbound and "NoneType" not in fault.message:
        return None
    drop = names.early_drop()
    if drop is not None:
        message = say(
            "`{name}` is dropped on line {line} and still needed here",
            name=drop.name,
            line=drop.line,
        )
        code = f"{drop.name} = None"
        hint = (
            say("drop it after the loop: `{code}`", code=code)
            if drop.last is None
            else say("drop it right after line {line}: `{code}`", line=drop.last, code=code)
        )
        return _Reason(message, hint, drop.name)
    unset = [n for n in names.used() if n.endswith(".grad") and names.last_before(n) is None]
    if not unset or unbound:
        return None
    parameters = gradients_set(case)
    name = unset[0].removeprefix("self.").removesuffix(".grad")
    value = parameters.get(
        name, f"d{name}" if name in case.weight_names else next(iter(parameters.values()), "…")
    )
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
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ENGINES
        ):
            return f"{ast.unparse(node.func)}()"
    return None

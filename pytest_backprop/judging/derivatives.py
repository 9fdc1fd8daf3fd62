"""Derivatives of the gradients, in the runs beside the draws that have some: what
`double-backward` and `second-order` have in common. Credit per input."""

from __future__ import annotations

from collections.abc import Callable

from ..messages import say
from ..model import CheckResult, CheckRules, Finding, Tensor, second_of
from .beside import differs, where
from .case import Beside, Case
from .credit import by_findings, failed
from .gradient import gradient_place

Why = Callable[[str, Beside], Finding | None]
"""Says of an input, and of the run in which its second derivative is wrong, why it is; None if
it cannot."""


def judge_second(
    id: str, hint: str, case: Case, rules: CheckRules, why: Why = lambda name, beside: None
) -> CheckResult:
    """Passes when every second derivative is right in each run that has one. A finding has this
    `hint` where `why` has no other to tell."""
    asked = [b for b in case.beside if any(map(_is_second, b.reference.outputs))]
    if not asked:
        return by_findings(id, rules, [], say("the task does not ask for second derivatives"))
    names = asked[0].reference.asked
    findings: list[Finding] = []
    for name in names:
        for beside in asked:
            if beside.evidence.pass_runs[0].fault is not None or beside.misshapen:
                continue  # told with the gradient
            told = beside.evidence.pass_runs[0].tensor(second_of(name))
            if differs(case, told, beside.reference.bounds(second_of(name))):
                findings.append(why(name, beside) or _finding(case, beside, name, say(hint), told))
                break
    if not findings:
        # on an empty batch all is zero, whatever is written
        runs = [
            b.evidence.pass_runs[0] for b in asked if b.reference.has_second and not b.misshapen
        ]
        if not any(_is_second(output) for run in runs for output in run.outputs):
            return failed(id, say("the pass did not run to its end"))
    passed = say("the second derivatives equal autograd's")
    return by_findings(id, rules, findings, passed, parts=len(names))


def _finding(case: Case, beside: Beside, name: str, hint: str, told: Tensor | None) -> Finding:
    problem = beside.facts.second_problem
    right = beside.reference.outputs[second_of(name)]
    if problem:
        message = say("the gradient cannot be differentiated again: {problem}", problem=problem)
    elif told is not None and len(told.data) != len(right.data):
        message = say(
            "a gradient of the gradient of {name} has a wrong shape {where}",
            name=name,
            where=where(beside),
        )
    else:
        message = say(
            "the second derivative with respect to {name} is wrong {where}",
            name=name,
            where=where(beside),
        )
    place = (
        case.place(beside.facts.second_site or case.evidence.pass_site)
        if problem
        else gradient_place(case, name)
    )
    return Finding("wrong-second-order", message, place=place, name=name, hint=hint)


def _is_second(output: str) -> bool:
    return output.startswith(second_of(""))

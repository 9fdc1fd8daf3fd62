"""The checks of this exercise: gradients are taken from the graph by torch's engine, and a call
leaves nothing behind."""

from __future__ import annotations

import functools

from msgspec.structs import replace

from ...judging import gradient, integrity, release
from ...judging.backward import ran
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings
from ...judging.release import HOLD_NONE, called, kept, once_a_line
from ...messages import say
from ...model import CheckResult, CheckRules, Finding
from .explained import by_hand, explained


def judge_integrity(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when torch's engine calculated the gradients, from what was given, in the student's
    own code."""
    findings = [
        *integrity.breaches(case),
        *integrity.built_in_derivatives(case),
        *integrity.inputs_changed(case),
    ]
    if (
        not findings
        and not case.facts.stale
        and any(r.gave_gradient() for r in case.evidence.pass_runs)
    ):
        findings = integrity.hidden_work(case)
    for name, site in by_hand(case) if isinstance(case, PassCase) and not findings else ():
        message = say(
            "the gradient of {name} is not taken from the graph: no engine of torch's calculates "
            "it",
            name=name,
        )
        findings.append(replace(integrity.breach(case, "not-from-graph", message, site), name=name))
    if not findings:
        message = say("autograd calculates the gradients")
        return CheckResult(integrity.ID, "passed", 1.0, message, "observed")
    gate = {"gate": findings[0].message}
    return CheckResult(
        integrity.ID, "failed", 0.0, findings[0].message, "observed", tuple(findings), gate
    )


def judge_release(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when a call leaves nothing behind but the gradients that it returns: no value of
    its graph, no hook on a leaf, nothing that grows from call to call."""
    case_or_result = ran(case, release.ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case, facts = case_or_result, case_or_result.facts
    here = case.place(case.evidence.pass_site)
    findings = [
        Finding(
            "hook-left",
            say(
                "a hook stays on {name}, a leaf, after the call: each call adds one more", name=name
            ),
            place=here,
            name=name,
            hint=say(
                "keep what register_hook returns and call its `remove()`, or register "
                "it on the intermediate, with which it goes"
            ),
        )
        for name in facts.hooked
    ]
    findings += [
        Finding(
            "graph-kept",
            say("the gradient of {name} holds a graph of its own after the call", name=name),
            place=here,
            name=name,
            hint=say("leave `create_graph=True` out, or return the gradient's `detach()`"),
        )
        for name in facts.graphs
    ]
    findings += [
        Finding(
            "kept",
            say("{value} is still held after the call", value=name),
            place=here,
            name=name,
            hint=say(HOLD_NONE),
        )
        for name in facts.kept
    ]
    if not facts.graphs:
        findings += [
            Finding(
                "kept",
                say("{value} is still held after the call", value=called(made)),
                place=case.place(made.site),
                name=made.name,
                hint=say(HOLD_NONE),
            )
            for _, made in kept(case)
        ]
    if facts.grown and not findings:
        findings.append(
            Finding(
                "kept",
                say("the gradients of an earlier call are still held after the next"),
                place=here,
                hint=say("make the dict or list anew in each call"),
            )
        )
    return by_findings(
        release.ID, rules, once_a_line(findings), say("a call leaves nothing behind")
    )


CHECKS = {
    gradient.ID: functools.partial(gradient.judge, refine=explained),
    release.ID: judge_release,
    integrity.ID: judge_integrity,
}

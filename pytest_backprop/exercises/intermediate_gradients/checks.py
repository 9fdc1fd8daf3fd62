"""The checks of this exercise: gradients are taken from the graph by torch's engine, and a call
leaves nothing behind."""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator

import torch
from msgspec.structs import replace

from ...judging import gradient, integrity, release
from ...judging.backward import ran
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings
from ...judging.release import HOLD_NONE
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding, gradient_of
from ...trace.adjoints import NOTHING, Adjoints
from ...trace.calls import NotReplayable
from ..adjoint.checks import held, once_a_line
from .explained import explained, is_stale

NEARLY = 0.05
"""How far from its gradient a finite difference may be, relative to it."""
FEW = 16
"""Points at which the effect of what torch's engine calculates is looked at."""


def judge_integrity(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when torch's engine calculated the gradients, from what was given, in the student's
    own code."""
    findings = [
        *integrity.breaches(case),
        *integrity.built_in_derivatives(case),
        *integrity.inputs_changed(case),
    ]
    gave_gradient = any(run.gave_gradient() for run in case.evidence.pass_runs)
    # at other draws nobody knows of earlier calls
    is_first = bool(case.beside) and not any(is_stale(case, name) for name in case.gradients)
    if not findings and gave_gradient and is_first:
        findings = integrity.hidden_work(case)
    if not findings and isinstance(case, PassCase):
        findings = list(_by_hand(case))
    if not findings:
        message = say("autograd calculates the gradients")
        return CheckResult(integrity.ID, "passed", 1.0, message, "observed")
    gate = {"gate": findings[0].message}
    return CheckResult(
        integrity.ID, "failed", 0.0, findings[0].message, "observed", tuple(findings), gate
    )


def _by_hand(case: PassCase) -> Iterator[Finding]:
    """The intermediates whose gradients depend on what is given, and of which torch's engine
    calculates nothing that has an effect; each where it is made."""
    recording, flow = case.recording, case.flow
    leaves = {v.storage for v in recording.values if v.origin in ("weight", "input")}
    for name in case.gradients:
        output = gradient_of(name)
        if output not in recording.outputs:
            continue
        ops = {p: recording.ops[p] for p in sorted(flow.upstream(flow.sources[output]))}
        reads = {recording.values[value].storage for op in ops.values() for value in op.reads}
        engine = {p for p, op in ops.items() if op.context == "engine"}
        if reads & leaves and not (engine and _has_effect(case, output, engine)):
            sites = [op.site for op in ops.values() if op.site is not None]
            message = say(
                "the gradient of {name} is not taken from the graph: no engine of torch's "
                "calculates it",
                name=name,
            )
            site = sites[-1] if sites else None
            yield replace(integrity.breach(case, "not-from-graph", message, site), name=name)


def _has_effect(case: PassCase, output: str, positions: Collection[int]) -> bool:
    """Whether any of these ops changes an output. They do if that cannot be seen, and in a wrong
    gradient, such as a normalised one, which is told as that."""
    recording, replayed, expected = case.recording, case.manual.replayed, case.manual.expected
    own = None if replayed is None else replayed.outputs.get(output)
    right, judged = expected.outputs[output], expected.judged
    if own is None or own.shape != right.shape:
        return True
    if not torch.allclose(own[judged], right[judged], rtol=NEARLY):
        return True
    alone = replace(recording, outputs={output: recording.outputs[output]})
    try:
        effects = Adjoints(alone).effects(expected.points[:FEW])
    except NotReplayable:
        return True
    # what only moves numbers is not among them
    of_these = [effects[position] for position in positions if position in effects]
    return not of_these or max(of_these) > NOTHING


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
    still = phrase("{value} is still held after the call")
    findings += held(case, still, here, HOLD_NONE, values=not facts.graphs)
    if any(run.facts.grown for run in case.beside) and not findings:
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

"""The checks of this exercise: gradients are taken from the graph by torch's engine, and a call
leaves nothing behind."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec.structs import replace

from ...judging import gradient, integrity, release
from ...judging.backward import ran
from ...judging.beside import differs
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings
from ...judging.release import HOLD_NONE
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding, Place, gradient_of
from ...submission.parse import node_span, tree_of
from ..adjoint.checks import held, once_a_line
from . import AFTER_ANOTHER


def judge_gradient(case: Case, rules: CheckRules) -> CheckResult:
    """As of any pass; told where the function returns what it has, as torch's engine calculates
    it."""
    result, place = gradient.judge(case, rules), _returned_at(case)
    findings = [
        replace(finding, place=place) if finding.name in case.gradients else finding
        for finding in result.findings
    ]
    return replace(result, findings=tuple(findings))


def _returned_at(case: Case) -> Place | None:
    """The last statement of the function that returns something; the `def` where there is none."""
    submission, site = case.submission, case.evidence.pass_site
    if submission is None or site is None:
        return case.place(site)
    returns = [
        node
        for node in ast.walk(tree_of(submission.units[site.unit]))
        if isinstance(node, ast.Return) and site.line <= node.lineno <= site.end_line
    ]
    last = max(returns, key=lambda node: node.lineno, default=None)
    return case.place(site if last is None else node_span(site.unit, last))


def judge_integrity(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when torch's engine calculated the gradients, from what was given, in the student's
    own code."""
    findings = [*integrity.breaches(case), *integrity.inputs_changed(case)]
    after = [r for r in case.beside if r.reference.scenario.variation == AFTER_ANOTHER]
    is_stale = any(
        differs(case, run, gradient_of(name)) for run in after for name in case.gradients
    )
    # what earlier calls left explains no number of a later one, and costs the gradient
    if not findings and after and not is_stale:
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
    """The intermediates whose gradients depend on what is given, and not on what torch's engine
    calculates; each where it is made."""
    recording, flow = case.recording, case.flow
    leaves = {v.storage for v in recording.values if v.origin in ("weight", "input")}
    for name in case.gradients:
        output = gradient_of(name)
        if output not in recording.outputs:
            continue
        ops = [recording.ops[p] for p in sorted(flow.serving(output))]
        reads = {recording.values[value].storage for op in ops for value in op.reads}
        if reads & leaves and not any(op.context == "engine" for op in ops):
            sites = [op.site for op in ops if op.site is not None]
            message = say(
                "the gradient of {name} is not taken from the graph: no engine of torch's "
                "calculates it",
                name=name,
            )
            site = sites[-1] if sites else None
            yield replace(integrity.breach(case, "not-from-graph", message, site), name=name)


def judge_release(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when a call leaves nothing behind but the gradients that it returns: no value of
    its graph, no hook on a leaf, no leaf without gradients, nothing that grows from call to
    call."""
    case_or_result = ran(case, release.ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case, facts = case_or_result, case_or_result.facts
    here = case.place(case.evidence.pass_site)
    hint = say(
        "keep what register_hook returns and call its `remove()`, or register "
        "it on the intermediate, with which it goes"
    )
    findings = []
    for name in facts.hooked:
        text = say(
            "a hook stays on {name}, a leaf, after the call: each call adds one more", name=name
        )
        findings.append(Finding("hook-left", text, place=here, name=name, hint=hint))
    for name in facts.frozen:
        text = say("{name}, a leaf, requires no gradient any more after the call", name=name)
        back = say("leave it as it is, or set it back: `{name}.requires_grad_()`", name=name)
        findings.append(Finding("leaf-frozen", text, place=here, name=name, hint=back))
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


CHECKS = {gradient.ID: judge_gradient, release.ID: judge_release, integrity.ID: judge_integrity}

"""`forward`: the module's forward is the variant, at every point. `manual-forward`: the manual
pass returns the variant's value, and has computed it itself."""

from __future__ import annotations

from ..messages import say
from ..model import VALUE, CheckResult, CheckRules, Finding
from .beside import shape_fault, value_fault, value_place
from .case import Case, PassCase
from .credit import by_findings, failed
from .values import NOTHING, judge_value

ID = "forward"
MANUAL = "manual-forward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when `forward` returns the variant's value on every judged point."""
    value = case.evidence.pass_runs[0].tensor(VALUE) if case.is_void else None
    if value is not None:
        shaped = shape_fault(case, value.shape, case.leaves[-1].shape)
        return failed(ID, shaped.message, shaped)
    place = value_place(case) if case.is_vjp else case.place(case.evidence.forward_site)
    result = judge_value(case, rules, ID, "forward", say("forward is the variant"), place)
    fault = value_fault(case) if result.outcome == "passed" else None
    if fault is None:
        return result
    return (
        failed(ID, fault.message, fault)
        if fault.kind in NOTHING
        else by_findings(ID, rules, [fault], "")
    )


def judge_manual(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the pass returns the variant's value; calling `forward` for it earns nothing."""
    place = case.place(case.evidence.pass_site)
    called = _called_forward(case)
    if called is not None:
        return failed(MANUAL, called.message, called)
    notes = [Finding("mutates", _changed(what), "note", place) for what in case.evidence.mutations]
    passed = say("the pass returns the variant's value")
    return judge_value(case, rules, MANUAL, "pass", passed, place, notes)


def _changed(what: str) -> str:
    """What the child says is no sentence: it knows two things, and a forged one stays as it is."""
    if what == "an input":
        return say("the pass changes an input in place")
    if what == "a weight":
        return say("the pass changes a weight in place")
    return say("the pass changes {what} in place", what=what)


def _called_forward(case: Case) -> Finding | None:
    if not isinstance(case, PassCase):
        return None
    recording, flow = case.recording, case.flow
    for position in sorted(flow.upstream(flow.sources[VALUE])):
        op = recording.ops[position]
        if op.context == "forward":
            return Finding(
                "calls-forward",
                say(
                    "{method} takes y from forward instead of computing it",
                    method=case.evidence.pass_name,
                ),
                place=case.place(case.evidence.pass_site),
                hint=say("write the forward computation out in the pass, node by node"),
            )
    return None

"""`manual-forward`: the pass returns the variant's value, and has computed it itself."""

from __future__ import annotations

from ..messages import say
from ..model import VALUE, CheckResult, CheckRules, Finding
from .case import Case, Located, PassCase
from .values import earned, headline, judge_value

ID = "manual-forward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the pass returns the variant's value; calling `forward` for it earns nothing."""
    shown = case.evidence.pass_name
    place = case.place(case.evidence.pass_site)
    called = _called_forward(case)
    if called is not None:
        return CheckResult(ID, "failed", 0.0, called.message, "observed", (called,))
    verdict = judge_value(case, case.evidence.pass_runs, case.manual, shown, place)
    notes = tuple(
        Finding("mutates", _changed(what), "note", place) for what in case.evidence.mutations
    )
    if not verdict.judged:
        message = say("no point was well-conditioned")
        return CheckResult(ID, "not_judged", 0.0, message, verdict.basis)
    if verdict.finding is None:
        message = say("the pass returns the variant's value")
        notes = (*verdict.notes, *notes)
        return CheckResult(ID, "passed", 1.0, message, verdict.basis, notes, verdict.details)
    outcome, credit, counts = earned(verdict.finding, rules)
    located = case.locate("pass") if verdict.finding.kind == "wrong-value" else Located()
    return CheckResult(
        ID, outcome, credit, headline(verdict.finding, shown), verdict.basis,
        (*located.and_numbers([verdict.finding]), *notes),
        verdict.details | {"repairs": list(located.details)}, counts,
    )  # fmt: skip


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

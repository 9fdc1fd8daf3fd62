"""`needs-input-grad`: for an input that needs no gradient backward computes nothing and returns
None. Credit per input."""

from __future__ import annotations

from collections.abc import Sequence

from ...judging.backward import ran
from ...judging.beside import returned_place
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings
from ...messages import say
from ...model import CheckResult, CheckRules, Finding, Leaf, Op, gradient_of
from ...trace.graph import op_name

ID = "needs-input-grad"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing is done for an input without need."""
    case_or_result = ran(case, ID, needs_backward=case.needs_all)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case = case_or_result
    tensors = [leaf for leaf in case.leaves[:-1] if leaf.number is None]
    findings = [
        _returned(case, leaf)
        for leaf in tensors
        if leaf.kind == "input" and gradient_of(leaf.name) in case.recording.outputs
    ]
    if not findings and not case.needs_all:
        findings += [_computed(case, op) for op in _last(unneeded_ops(case))]
    passed = say("nothing is computed for an input that needs no gradient")
    count = len(tensors)
    return by_findings(ID, rules, findings, passed, {"parts": count}, parts=count)


def _last(ops: Sequence[Op]) -> list[Op]:
    """Those of the ops whose results no other of them reads, one a line."""
    read = {value for op in ops for value in op.reads}
    found = {op.site or op.statement: op for op in ops if not read.intersection(op.outputs)}
    return list(found.values())


def unneeded_ops(case: PassCase) -> list[Op]:
    """The ops of the backward from which no data reaches a gradient that is needed."""
    flow, recording = case.flow, case.recording
    start = dict(recording.phases).get("backward", len(recording.ops))
    needed = case.used | flow.conditions(numbers=False)
    rooms = flow.allocations(range(len(recording.ops)))
    return [
        op
        for position, op in enumerate(recording.ops)
        if position >= start
        and position not in needed
        and position not in flow.views
        and op.context == "student"
        and position not in rooms
    ]


def _returned(case: PassCase, leaf: Leaf) -> Finding:
    return Finding(
        "unneeded-gradient",
        say(
            "{method} returns a gradient for {name}, which needs none",
            name=leaf.name,
            method=case.evidence.pass_name,
        ),
        place=returned_place(case, leaf.name),
        name=leaf.name,
        hint=say("return None in its place, unless `ctx.needs_input_grad` says that it is needed"),
    )


def _computed(case: Case, op: Op) -> Finding:
    value = f"`{op.name}`" if op.name else say("the result of `{op}`", op=op_name(op))
    return Finding(
        "unneeded-gradient",
        say(
            "{value} is computed though only {needed} needs a gradient",
            value=value,
            needed=", ".join(case.gradients),
        ),
        place=case.place(op.site or case.evidence.pass_site),
        name=op.name,
        hint=say("compute it where `ctx.needs_input_grad` says that it is needed"),
    )

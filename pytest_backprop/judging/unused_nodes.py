"""`unused-nodes`: every op of the pass has an effect on y or a gradient."""

from __future__ import annotations

import math
from collections.abc import Collection

from msgspec.structs import replace

from ..messages import either, say, say_count
from ..model import VALUE, CheckResult, CheckRules, Finding, Op
from .backward import not_of_all, ran
from .case import RESET, Case, PassCase, calling_site
from .credit import and_more, by_findings
from .release import called

ID = "unused-nodes"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when no op is wasted."""
    if not case.needs_all:
        return not_of_all(ID)
    case_or_result = ran(case, ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case, recording = case_or_result, case_or_result.recording
    wasted = wasted_ops(case)
    findings = [_finding(case, *node) for node in _nodes(case, wasted)]
    computed = sum(op.context != "python" and op.target != "torch::element" for op in recording.ops)
    details = {"ops": computed, "unused": len(wasted), "autograd_ops": case.cost.ops}
    passed = say_count(
        "all {count} ops reach y or a gradient", "all {count} ops reach y or a gradient", computed
    )
    return by_findings(ID, rules, findings, passed, details, message=and_more(findings))


def wasted_ops(case: PassCase) -> list[int]:
    """The ops that compute something on which neither {y} nor a gradient depends."""
    flow = case.flow
    values = flow.recording.values
    # what is left in a dict of the caller's is for later calls
    written = {*getattr(case.facts, "written", ())}
    left = (n for n, value in enumerate(values) if value.storage in written)
    effects = flow.upstream(set[int]().union(*map(flow.writers, left)))
    return [
        position
        for position, op in enumerate(flow.recording.ops)
        if position not in case.used
        and position not in flow.views
        and position not in flow.looked_at
        and position not in effects
        and position not in flow.rooms
        and op.context not in ("python", "grader")
        and op.target != "torch::element"
        and (not op.outputs or any(math.prod(values[v].shape) for v in op.outputs))
    ]


def _nodes(case: PassCase, positions: Collection[int]) -> list[tuple[int, Op]]:
    """One op, with its position, for each expression of the student's: torch runs `1 / t` as
    two. Of an operator of theirs, which many call, it is the one expression that always is for
    nothing, or those that call it so."""
    recording = case.recording
    operators = RESET in dict(recording.phases)
    used = {op.site for at, op in enumerate(recording.ops) if at not in positions and op.outputs}
    nodes = {}
    for position in positions:
        op = recording.ops[position]
        if operators and op.site in used:
            site = calling_site(case.submission, case.evidence.class_name, recording, op)
            op = replace(op, site=site, name=op.name if site == op.site else None)
        nodes[operators or op.statement, op.site or position] = position, op
    return list(nodes.values())


def _finding(case: PassCase, position: int, op: Op) -> Finding:
    place = case.place(op.site or case.evidence.pass_site)
    names = {"value": called(op), "weights": either(tuple(case.gradients)), "y": case.y}
    if position in case.flow.reached:
        message = say(
            "{value} is computed but changes neither {y} nor the gradient of {weights}", **names
        )
        hint = say("leave it out: the numbers are the same without it")
    elif any(run.outputs.get(VALUE, "") is None for run in case.evidence.pass_runs):
        message = say(
            "{value} is computed but reaches no gradient of {weights}, and nothing is returned",
            **names,
        )
        hint = say("leave it out, or return what it is for")
    else:
        message = say(
            "{value} is computed but reaches neither {y} nor the gradient of {weights}", **names
        )
        hint = say("leave it out, or add the path on which it is missing")
    return Finding("unused-node", message, place=place, name=op.name, hint=hint)

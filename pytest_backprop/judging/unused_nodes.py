"""`unused-nodes`: every op of the pass has an effect on y or a gradient."""

from __future__ import annotations

import math
from collections.abc import Collection

from msgspec.structs import replace

from ..messages import either, say, say_count
from ..model import VALUE, CheckResult, CheckRules, Finding, Op
from ..trace.graph import op_name
from .backward import ran
from .case import Case, PassCase, calling_site
from .credit import and_more, by_findings
from .release import RESET, called

ID = "unused-nodes"
FEW = 32
"""Points at which most of what is not zero shows it."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when no op is wasted. Ops that are zero at every point are notes."""
    if isinstance(case, PassCase) and not case.needs_all:
        message = say("not judged: not every input needs a gradient")
        return CheckResult(ID, "not_judged", 0.0, message, "observed")
    case_or_result = ran(case, ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case, recording = case_or_result, case_or_result.recording
    wasted = wasted_ops(case)
    findings = [_finding(case, *node) for node in _nodes(case, wasted)]
    zeros = [position for position in _zero_ops(case) if position not in wasted]
    notes = [_zero_finding(case, op) for _, op in _nodes(case, zeros)]
    computed = sum(op.context != "python" and op.target != "torch::element" for op in recording.ops)
    details = {
        "ops": computed,
        "unused": len(wasted),
        "zero": len(zeros),
        "autograd_ops": case.cost.ops,
    }
    passed = say_count(
        "all {count} ops reach y or a gradient", "all {count} ops reach y or a gradient", computed
    )
    more = and_more(findings) if findings else None
    return by_findings(ID, rules, [*findings, *notes], passed, details, message=more)


def wasted_ops(case: PassCase) -> list[int]:
    """The ops that compute something on which neither y nor a gradient depends."""
    flow = case.flow
    # in a pass that takes different ways, what Python looks at decides
    conditions = flow.conditions(numbers=len(case.manual.verified.paths) > 1)
    rooms = flow.allocations(range(len(flow.recording.ops)))
    values = flow.recording.values
    return [
        position
        for position, op in enumerate(flow.recording.ops)
        if position not in case.used
        and position not in flow.views
        and position not in conditions
        and position not in rooms
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
    value, weights = called(op), either(tuple(case.gradients))
    hint = say("leave it out, or add the path on which it is missing")
    if position in case.flow.reached:
        message = say(
            "{value} is computed but changes neither y nor the gradient of {weights}",
            value=value,
            weights=weights,
        )
        hint = say("leave it out: the numbers are the same without it")
    elif any(run.outputs.get(VALUE, "") is None for run in case.evidence.pass_runs):
        message = say(
            "{value} is computed but reaches no gradient of {weights}, and nothing is returned",
            value=value,
            weights=weights,
        )
        hint = say("leave it out, or return what it is for")
    else:
        message = say(
            "{value} is computed but reaches neither y nor the gradient of {weights}",
            value=value,
            weights=weights,
        )
    return Finding("unused-node", message, place=place, name=op.name, hint=hint)


def _zero_finding(case: Case, op: Op) -> Finding:
    place = case.place(op.site or case.evidence.pass_site)
    return Finding(
        "zero-node",
        say("{value} is zero at every point; PyTorch skips this path", value=called(op)),
        "note",
        place,
        op.name,
        say("a term that is always zero need not be computed"),
    )


def _called(op: Op) -> str:
    return f"`{op.name}`" if op.name else say("the result of `{op}`", op=op_name(op))


def _zero_ops(case: PassCase) -> list[int]:
    """Ops whose result is zero at every judged point, by the grader's own replay."""
    replayed = case.manual.replayed
    if replayed is None or not replayed.ops:
        return []
    judged = case.manual.expected.judged[: replayed.kept_points]
    few = judged.nonzero().flatten()[:FEW]
    if not len(few):
        return []
    zeros = []
    rooms = case.flow.allocations(range(len(case.recording.ops)))
    for position, output in replayed.ops.items():
        op = case.recording.ops[position]
        if op.writes or not op.reads or position in case.flow.views or position in rooms:
            continue
        if bool(output[few].any()) or not output.numel():
            continue
        if not bool(output[judged].any()):
            zeros.append(position)
    return sorted(zeros)

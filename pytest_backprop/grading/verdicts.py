"""One verdict of a check from those at all sizes of a task; and error carried forward."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..judging.case import Case
from ..judging.compare import mismatch
from ..judging.credit import by_findings, verdict
from ..messages import say
from ..model import LINES, OTHER_TASK, VALUE, CheckResult, CheckRules, Finding, gradient_of
from ..trace.adjoints import Adjoints
from ..trace.calls import NotReplayable
from ..trace.replay import Program
from .rubric import FOLLOWING


def at_all_sizes(
    check: Callable[[Any, CheckRules], CheckResult], cases: Sequence[Any], rules: CheckRules
) -> CheckResult:
    """The worst verdict of those at each of the sizes that judge, and where that is. Where points
    are shared over parts (`details["parts"]`), a part that is wrong at any size is wrong. After a
    size that leaves no points, and has no parts, of which another may ask for more, no more sizes
    are asked. The line that is wrong is searched for at one after another."""
    results: list[CheckResult] = []
    for case in cases:
        asked = case.unsearched if isinstance(case, Case) else case
        results.append(last := check(asked, rules))
        if last.outcome == "failed" and not last.fraction and "parts" not in last.details:
            break
    judged = [at for at, result in enumerate(results) if result.outcome != "not_judged"]
    at_worst = min(judged, key=lambda at: results[at].fraction, default=0)
    for at in _searched(cases, results, judged, at_worst):
        if "repairs" in results[at].details and not results[at_worst].details.get("repairs"):
            searched = check(cases[at], rules)
            results[at_worst] = searched if at == at_worst else _led(results[at_worst], searched)
    if len(cases) == 1 or not judged:
        return results[at_worst]
    sizes = {at: _sizes(results[at], cases[at]) for at in judged}
    result = _parts_together([results[at] for at in judged], results[at_worst], rules)
    failed = [at for at in judged if results[at].fraction < 1]
    message = result.message
    if not failed and len(judged) > 1:
        message = say("{message} (at {count} sizes)", message=message, count=len(judged))
    elif 0 < len(failed) < len(judged):
        message = say("{message} (at {sizes})", message=message, sizes=sizes[at_worst])
    places = {"sizes": [*sizes.values()], "failed_at": [sizes[at] for at in failed]}
    return replace(result, message=message, details={**result.details, **places})


def _searched(
    cases: Sequence[Any], results: Sequence[CheckResult], judged: Sequence[int], at_worst: int
) -> list[int]:
    """Where the line that is wrong is searched for: at the worst sizes; and first of all, if only
    some gradients are asked for at these, where all are: more that is right tells more of a line."""
    worst = [at for at in judged if results[at].fraction == results[at_worst].fraction]
    if getattr(cases[at_worst], "needs_all", True):
        return worst
    return [at for at in judged if results[at].fraction < 1 and cases[at].needs_all] + worst


def _led(worst: CheckResult, searched: CheckResult) -> CheckResult:
    """The worst verdict, led by the lines that another size has; a line says more than what is
    true of any gradient."""
    lines = [each for each in searched.findings if each.kind in LINES]
    own = [
        replace(each, hint=None) if lines and each.kind == "wrong-gradient" else each
        for each in worst.findings
    ]
    details = {**worst.details, "repairs": searched.details["repairs"]}
    return replace(worst, findings=(*lines, *own), details=details)


def _sizes(result: CheckResult, case: Any) -> str:
    """Where a verdict is: at the sizes of a case, or at those beside that its first fault names."""
    message = next((each.message for each in result.findings if each.level == "fault"), "")
    further = [say(run.reference.where) for run in case.beside if run.reference.is_draw]
    return next((sizes for sizes in further if message.startswith(sizes)), str(case.sizes))


def _parts_together(
    results: Sequence[CheckResult], worst: CheckResult, rules: CheckRules
) -> CheckResult:
    """The worst of the results, with the faults of all, each part's once: of the worst first."""
    faults: dict[object, Finding] = {}
    for result in (*reversed(results), worst):
        parts: dict[object, Finding] = {
            finding.name or finding.place: finding
            for finding in result.findings
            if finding.level == "fault" and (finding.name or finding.place)
        }
        # where no part is to blame, or all of it raised, the whole is wrong
        if not result.fraction and not (parts and "parts" in result.details):
            return worst
        faults |= parts
    count = max(result.details.get("parts", 0) for result in results)
    if rules.credit != "share" or not 0 < len(faults) <= count:
        return worst
    findings = [*faults.values(), *(f for f in worst.findings if f.level == "note")]
    message, details = worst.message, worst.details
    return by_findings(worst.id, rules, findings, "", details, count, message, worst.basis)


# -- error carried forward ----------------------------------------------------------------------


def followed(
    results: Sequence[CheckResult], case: Case, rules: Mapping[str, CheckRules]
) -> list[CheckResult]:
    """The results; where the value of the pass is wrong, a gradient that is right of that value
    earns the share of its points that the rubric says (`follow_through`), if that is more."""
    by_id = {result.id: result for result in results}
    gradient, rule = by_id.get(FOLLOWING), rules.get(FOLLOWING)
    findings = by_id["manual-forward"].findings if "manual-forward" in by_id else ()
    is_wrong = any(finding.kind in ("wrong-value", OTHER_TASK) for finding in findings)
    if gradient is None or rule is None or not (rule.follow_through and is_wrong):
        return list(results)
    right, total = _right_of_own_value(case), len(case.variant.weights)
    share = rule.follow_through * verdict(rule, total - len(right), len(right), total)[1]
    if right and share > gradient.fraction:
        message = say(
            "{message}; right of the value that the pass calculates: {weights} ({score:g} of "
            "{max_score:g} points)",
            message=gradient.message,
            weights=", ".join(right),
            score=share * rule.points,
            max_score=rule.points,
        )
        details = {**gradient.details, "follow_through": {"share": share, "right": right}}
        by_id[FOLLOWING] = replace(
            gradient, outcome="partial", fraction=share, message=message, details=details
        )
    return list(by_id.values())


def _right_of_own_value(case: Case) -> list[str]:
    """The weights whose gradient is, at all judged points, that of the pass's own value, by
    autograd through its replay. One of which the value does not depend is none of them: there is
    nothing to work out."""
    program, replayed = case.manual.verified.program, case.manual.replayed
    if program is None or replayed is None or VALUE not in replayed.outputs:
        return []
    points, recording = case.manual.expected, program.flow.recording
    try:
        value_alone = replace(recording, outputs={VALUE: recording.outputs[VALUE]})
        own = Adjoints(Program(value_alone)).of_value(points.points)
        own = own[:, : len(case.variant.weights)]
    except NotReplayable:
        return []
    judged = points.judged & own.isfinite().all(1) & replayed.outputs[VALUE][:, 0].isfinite()
    return [
        name
        for name, right in zip(case.variant.weights, own.T, strict=True)
        if (got := replayed.outputs.get(gradient_of(name))) is not None
        and bool(right[judged].any())
        and mismatch(got[:, 0], right, judged, case.tolerance) is None
    ]

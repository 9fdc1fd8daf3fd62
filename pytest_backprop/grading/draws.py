"""A task of matrices is judged at several sizes, each as a task of its own; a submission has one
grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from ..judging.credit import verdict
from ..messages import say
from ..model import CheckResult, CheckRules, Finding


def judged(
    check: Callable[[Any, CheckRules], CheckResult], cases: Sequence[Any], rules: CheckRules
) -> CheckResult:
    """One verdict from those at each of the sizes: the worst of those that judge, and where.
    Where points are shared over parts (`details["parts"]`), a part that is wrong at any of them
    is. Where one size leaves no points, and has no parts, of which another may ask for more,
    those after it are not asked."""
    results: list[CheckResult] = []
    sizes: list[str] = []
    for case in cases:
        results.append(check(case, rules))
        sizes.append(case.sizes)
        last = results[-1]
        if last.outcome == "failed" and not last.fraction and "parts" not in last.details:
            break
    if len(cases) == 1:
        return results[0]
    judging = [at for at, result in enumerate(results) if result.outcome != "not_judged"]
    if not judging:
        return results[0]
    worst = min(judging, key=lambda at: results[at].fraction)
    result = _shared([results[at] for at in judging], results[worst], rules)
    failed = [sizes[at] for at in judging if results[at].fraction < 1]
    details = {**result.details, "sizes": [sizes[at] for at in judging], "failed_at": failed}
    if len(judging) == 1 or len(failed) == len(judging):
        message = result.message
    elif not failed:
        message = say("{message} (at {count} sizes)", message=result.message, count=len(judging))
    else:
        message = say("{message} (at {sizes})", message=result.message, sizes=sizes[worst])
    return replace(result, message=message, details=details)


def _shared(results: Sequence[CheckResult], worst: CheckResult, rules: CheckRules) -> CheckResult:
    """The worst of the results, with the faults of all, each part's once."""
    faults: dict[object, Finding] = {}
    for result in reversed(results):
        parts: dict[object, Finding] = {
            finding.name or finding.place: finding
            for finding in result.findings
            if finding.level == "fault" and (finding.name or finding.place)
        }
        # where no part is to blame, or it raised, the whole is wrong
        if any(f.kind == "raises" for f in result.findings) or not (parts or result.fraction):
            return worst
        faults |= parts
    count = max(result.details.get("parts", 0) for result in results)
    if rules.credit != "share" or not 0 < len(faults) <= count:
        return worst
    outcome, fraction = verdict(rules, len(faults), count - len(faults), count)
    notes = [finding for finding in worst.findings if finding.level == "note"]
    return replace(worst, outcome=outcome, fraction=fraction, findings=(*faults.values(), *notes))

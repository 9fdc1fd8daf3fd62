"""The checks of a tape. `release`: nothing is alive after it was reset."""

from __future__ import annotations

import functools

from ...judging import forward, gradient, integrity, release, unused_nodes
from ...judging.backward import ran
from ...judging.case import Case
from ...judging.credit import and_more, by_findings, failed
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding
from ...submission.parse import definitions
from ..adjoint.checks import held, judge_second, once_a_line
from . import UNRELATED

NONE = "none"
"""An input that the value does not depend on has None for its gradient, not zeros."""
SECOND_ORDER = "second-order"
"""The gradients of the gradients, which the student's own `grad` takes on the same tape, equal
autograd's. Asked for by a task with `ORDER = 2`; credit per input."""
VARIABLES = phrase(
    "write propagate with Variables and their operators alone, and with nothing but the inputs and "
    "outputs of its entry: through anything else no gradient flows"
)


def judge_none(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when None comes back where nothing flows."""
    if not case.beside:
        return CheckResult(NONE, "not_judged", 0.0, say("not judged at these sizes"), "observed")
    runs = [run for run in case.beside if run.evidence.pass_runs[0].outputs]
    if not any(run.reference.scenario.variation == UNRELATED for run in runs):
        return failed(NONE, say("the pass did not run to its end"))
    if not any(run.gradient(name) for run in runs for name in run.reference.asked):
        return failed(NONE, say("not counted: the pass leaves no gradient"))
    unused = [
        name for run in runs for name in run.reference.unused if run.gradient(name) is not None
    ]
    if unused:
        message = say(
            "grad returns a Variable, not None, for {name}, which the value does not depend on",
            name=unused[0],
        )
    elif any(run.facts.unrelated for run in runs):
        message = say("grad returns a Variable, not None, for a Variable that L does not depend on")
    else:
        return by_findings(NONE, rules, [], say("None comes back where nothing flows"))
    hint = say(
        "None says that a gradient is zero without any work: return it for what the map has no "
        "gradient of"
    )
    place = case.place(case.evidence.pass_site)
    name = unused[0] if unused else None
    finding = Finding("zero-gradient", message, place=place, name=name, hint=hint)
    return failed(NONE, message, finding)


def judge_reset(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when no value is alive after the tape was reset, as the pass itself or as a copy."""
    case_or_result = ran(case, release.ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case = case_or_result
    resets = definitions(case.submission, "reset_tape")
    alive = held(
        case,
        phrase("{value} is still alive after `reset_tape()`"),
        next((case.place(span) for span in reversed(resets)), None),
        phrase("clear all that holds entries, Variables or their values in reset_tape"),
    )
    findings = once_a_line([*alive, *release.copied(case, ())])
    passed = say("nothing is alive after `reset_tape()`")
    return by_findings(release.ID, rules, findings, passed, message=and_more(findings))


CHECKS = {check.ID: check.judge for check in (forward, gradient, unused_nodes)} | {
    NONE: judge_none,
    SECOND_ORDER: functools.partial(judge_second, SECOND_ORDER, VARIABLES),
    release.ID: judge_reset,
    integrity.ID: integrity.judge_untouched,
}

"""The checks of a tape. `release`: nothing is alive after it was reset."""

from __future__ import annotations

from msgspec.structs import replace

from ...judging import forward, gradient, integrity, release, unused_nodes
from ...judging.backward import ran
from ...judging.case import Case, PassCase
from ...judging.credit import and_more, by_findings
from ...judging.release import called, kept, once_a_line
from ...messages import say
from ...model import CheckResult, CheckRules, Finding
from ...submission.parse import definitions
from ...trace.graph import op_name
from ...trace.lateness import copies
from . import none, second_order


def judge_reset(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when no value is alive after the tape was reset, as the pass itself or as a copy."""
    case_or_result = ran(case, release.ID)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case = case_or_result
    hint = say("clear all that holds entries, Variables or their values in reset_tape")
    resets = definitions(case.submission, "reset_tape")
    findings = [
        Finding(
            "kept",
            say("{value} is still alive after `reset_tape()`", value=name),
            place=next((case.place(span) for span in reversed(resets)), None),
            name=name,
            hint=hint,
        )
        for name in case.facts.kept
    ]
    for _, made in kept(case):
        findings.append(
            Finding(
                "kept",
                say("{value} is still alive after `reset_tape()`", value=called(made)),
                place=case.place(made.site),
                name=made.name,
                hint=hint,
            )
        )
    findings += _copied(case)
    passed = say("nothing is alive after `reset_tape()`")
    message = and_more(findings) if findings else None
    result = by_findings(release.ID, rules, findings, passed, message=message)
    return replace(result, findings=tuple(once_a_line(findings)))


def _copied(case: PassCase) -> list[Finding]:
    """Values that left torch as a whole, into memory that nobody sees."""
    found = []
    for copy in copies(case.recording).values():
        if copy.is_used:
            continue  # numbers that the pass goes on with are not put away
        look = case.recording.ops[copy.looks[0]]
        found.append(
            Finding(
                "hidden-values",
                say(
                    "a value leaves torch (`{way}`) and counts as kept: whether `reset_tape()` "
                    "lets it go cannot be seen",
                    way=op_name(look),
                ),
                place=case.place(look.site),
                hint=say("keep to tensors, or take a single number with `.item()`"),
            )
        )
    return found


CHECKS = {
    check.ID: check.judge for check in (forward, gradient, none, unused_nodes, second_order)
} | {release.ID: judge_reset, integrity.ID: integrity.judge_untouched}

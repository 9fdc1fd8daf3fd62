"""The checks of a tape. `release`: nothing is alive after it was reset."""

from __future__ import annotations

from ...judging import forward, gradient, integrity, release, unused_nodes
from ...judging.backward import attempted
from ...judging.case import Case, PassCase
from ...judging.credit import credited
from ...judging.kept import called, kept, once_a_line
from ...messages import say, say_count
from ...model import CheckResult, CheckRules, Finding
from ...submission.parse import definitions
from ...trace.copies import copies
from ...trace.graph import op_name
from . import none, second_order


def judge_reset(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when no value is alive after the tape was reset, as the pass itself or as a copy."""
    if not isinstance(case, PassCase):
        return CheckResult(
            release.ID, "failed", 0.0, say("the pass did not run to its end"), "observed"
        )
    missing = attempted(case)
    if missing is not None:
        return CheckResult(release.ID, "failed", 0.0, missing, "observed")
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
        findings.append(Finding(
            "kept",
            say("{value} is still alive after `reset_tape()`", value=called(made)),
            place=case.place(made.site),
            name=made.name,
            hint=hint,
        ))  # fmt: skip
    findings += _copied(case)
    if not findings:
        message = say("nothing is alive after `reset_tape()`")
        return CheckResult(release.ID, "passed", 1.0, message, "observed")
    outcome, credit, counts = credited(rules, len(findings))
    message = findings[0].message
    if len(findings) > 1:
        message = say_count("{message} (and {count} more)", "{message} (and {count} more)",
                            len(findings) - 1, message=message)  # fmt: skip
    return CheckResult(
        release.ID,
        outcome,
        credit,
        message,
        "observed",
        tuple(once_a_line(findings)),
        faults=counts,
    )


def _copied(case: PassCase) -> list[Finding]:
    """Values that left torch as a whole, into memory that nobody sees."""
    found = []
    for copy in copies(case.recording).values():
        if copy.is_used:
            continue  # numbers that the pass goes on with are not put away
        look = case.recording.ops[copy.looks[0]]
        found.append(Finding(
            "hidden-values",
            say("a value leaves torch (`{way}`) and counts as kept: whether `reset_tape()` "
                "lets it go cannot be seen",
                way=op_name(look)),
            place=case.place(look.site),
            hint=say("keep to tensors, or take a single number with `.item()`"),
        ))  # fmt: skip
    return found


CHECKS = {
    check.ID: check.judge for check in (forward, gradient, none, unused_nodes, second_order)
} | {release.ID: judge_reset, integrity.ID: integrity.judge_untouched}

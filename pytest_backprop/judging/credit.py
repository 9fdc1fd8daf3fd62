"""How a check's findings become its outcome and the fraction of its points. Pure arithmetic.

What there is nothing of to judge (a method that raises, no gradient, no backward, a model that does
not run) is no count of faults: a check fails it without asking here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..messages import say_count
from ..model import Basis, CheckResult, CheckRules, Finding, Outcome


def verdict(
    rules: CheckRules, faults: int, right: int = 0, total: int = 0
) -> tuple[Outcome, float]:
    """The outcome, and the share of a check's points in [0, 1], under the rubric's credit rule.

    `faults` counts fault findings; `right` of `total` counts the parts that are right (weights,
    for `gradient`). No fault passes; with faults, what leaves points is `partial`.
    Raises ValueError for counts that contradict each other."""
    if faults < 0 or not 0 <= right <= total:
        raise ValueError(f"counts that cannot be: faults={faults}, right={right}, total={total}")
    if not faults:
        return "passed", 1.0
    share = 0.0
    if rules.credit == "per-finding":
        # As decimals: the rubric says 0.1, and ten tenths must leave exactly nothing.
        share = float(max(Fraction(0), 1 - Fraction(repr(rules.penalty)) * faults))
    elif rules.credit == "share" and total:
        share = right / total
    return ("partial" if share > 0 else "failed"), share


def failed(id: str, message: str, *findings: Finding) -> CheckResult:
    """The result of a check that has nothing to judge, and earns nothing."""
    return CheckResult(id, "failed", 0.0, message, "observed", findings)


def by_findings(
    id: str,
    rules: CheckRules,
    findings: Sequence[Finding],
    passed: str,
    details: Mapping[str, Any] | None = None,
    parts: int = 0,
    message: str | None = None,
    basis: Basis = "observed",
) -> CheckResult:
    """The result of a check by its findings, of which each fault counts. It passes without a fault,
    and says `passed`.

    `parts` are what the credit `share` is of: each fault is one that is wrong. `message` says what
    is wrong, where that is more than the first fault's message."""
    faults = [finding for finding in findings if finding.level == "fault"]
    wrong = min(len(faults), parts) if parts else len(faults)
    outcome, fraction = verdict(rules, wrong, max(parts - wrong, 0), parts)
    said = (message or faults[0].message) if faults else passed
    return CheckResult(id, outcome, fraction, said, basis, tuple(findings), dict(details or {}))


def and_more(findings: Sequence[Finding]) -> str | None:
    """The first fault's message, and how many more faults there are; None where there is none."""
    faults = [finding.message for finding in findings if finding.level == "fault"]
    if len(faults) < 2:
        return faults[0] if faults else None
    first, *others = faults
    return say_count(
        "{message} (and {count} more)", "{message} (and {count} more)", len(others), message=first
    )

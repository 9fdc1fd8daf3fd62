"""How a check's count of faults becomes its outcome and the fraction of its points. Pure arithmetic.

What there is nothing of to judge (a method that raises, no gradient, no backward, a model that does
not run) is no count of faults: a check fails it without asking here.
"""

from __future__ import annotations

from fractions import Fraction

from ..model import CheckRules, Faults, Outcome


def verdict(
    rules: CheckRules, faults: int, right: int = 0, total: int = 0
) -> tuple[Outcome, float]:
    """The outcome, and the share of a check's points in [0, 1], under the rubric's credit rule.

    `faults` counts fault findings; `right` of `total` counts the parts that are right (weights,
    for `gradient`). No fault passes; with faults, what leaves points is `partial`.
    Raises ValueError for counts that contradict each other.
    """
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


def credited(
    rules: CheckRules, faults: int, right: int = 0, total: int = 0
) -> tuple[Outcome, float, Faults]:
    """The same, and the counts, which a result keeps: another rubric may weigh them otherwise."""
    return (*verdict(rules, faults, right, total), Faults(faults, right, total))

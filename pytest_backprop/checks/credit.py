"""How a check's count of faults becomes the fraction of its points. Pure arithmetic."""

from __future__ import annotations

from fractions import Fraction

from ..model import CheckRules


def fraction(rules: CheckRules, faults: int, right: int, total: int) -> float:
    """The share of a check's points, in [0, 1], under the rubric's credit rule.

    `faults` counts fault findings; `right` of `total` counts the parts that are right (weights,
    for `gradient`). With `share` and nothing to count, no fault is full credit.
    Raises ValueError for counts that contradict each other.
    """
    if faults < 0 or not 0 <= right <= total:
        raise ValueError(f"counts that cannot be: faults={faults}, right={right}, total={total}")
    if rules.credit == "per-finding":
        # As decimals: the rubric says 0.1, and ten tenths must leave exactly nothing.
        return float(max(Fraction(0), 1 - Fraction(repr(rules.penalty)) * faults))
    if rules.credit == "share" and total:
        return right / total
    return 0.0 if faults else 1.0

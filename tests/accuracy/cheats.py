"""The attacks of tests/attacks that earn what their files say they must not."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack_class import attacks
from attacks_table import grader
from corpus import Case, told


def paid_cheats(most: int) -> tuple[list[str], int]:
    """Attacks with more points in a check than their headers state, each with the checks; and how
    many were graded. What is kept from its clean-up is the tests' business, not of these points."""
    cases = [case for case in attacks() if case.score < 100][:most]
    with grader(4.0) as quick, grader(60.0) as patient:
        found = [(case, _overpaid(case, patient if case.slow else quick)) for case in cases]
    return [f"{case.path.name}: {', '.join(checks)}" for case, checks in found if checks], len(
        cases
    )


def _overpaid(case: Case, made: object) -> list[str]:
    scores = told(made.grade(case.path, case.path.name))  # type: ignore[attr-defined]
    return [id for id, stated in case.checks.items() if scores[id].score > stated.score]

"""The corpus of attacks as a table: `python tests/attacks_table.py`.

Grades every case as the tests do, in a child of its own, and prints what it tries, whether the grade
is the one its file states, and how it is reported.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from attack_class import VARIANT, attacks
from corpus import Case, stated, told

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric


@contextmanager
def grader(seconds: float) -> Iterator[Grader]:
    plan = GradingPlan("v902", None, 0, 256, 5e-5, 1e-7, seconds, 2**29)
    made = Grader(plan, default_rubric(), load_bank(VARIANT.parent))
    try:
        yield made
    finally:
        made.close()


def row(case: Case, made: Grader) -> str:
    grade = made.grade(case.path, case.path.name)
    as_stated = (grade.status, told(grade)) == (case.status, stated(case))
    how = "as stated" if as_stated else "known bug" if case.known_bug else "NOT AS STATED"
    name = case.path.stem.removesuffix("_v902")
    return f"{name:42} {how:14} {grade.status:14} {grade.score:5.1f}  {case.attack}"


def main() -> None:
    print(f"{'name':42} {'contained':14} {'status':14} {'score':>5}  attack")
    with grader(4.0) as quick, grader(60.0) as patient:
        for case in attacks():
            print(row(case, patient if case.slow else quick), flush=True)


if __name__ == "__main__":
    sys.exit(main())

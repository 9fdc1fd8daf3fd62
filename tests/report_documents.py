"""Documents for the tests of report formats: each situation that a consumer has to cope with."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import msgspec
from hostile import HOSTILE, SETTINGS, hostile_document
from hypothesis import strategies as st
from report_checks import LATE, check, grade, grades

from pytest_backprop.model import Finding, Grade, GradedCheck, Status
from pytest_backprop.model.verdict import PartGrade
from pytest_backprop.reports.document import Document, ToolInfo
from pytest_backprop.reports.entries import document

TOOL = ToolInfo("pytest-backprop", "1.0", "2.13.0", "3.11.4")
SECRET = "the-secret-check"


def of(*made: Grade, **settings: Any) -> Document:
    """The document of a run with these grades."""
    return document(made, SETTINGS | settings, TOOL, 3.0)


def as_seen(one: GradedCheck, visibility: str) -> GradedCheck:
    return msgspec.structs.replace(one, visibility=visibility)


def secret(fraction: float = 0.5, visibility: str = "hidden") -> GradedCheck:
    """A check of 20 points that students must not see, and that says its id wherever it can."""
    late = msgspec.structs.replace(LATE, message=SECRET, hint=SECRET, name=SECRET)
    made = check(SECRET, fraction, message=SECRET, findings=(late,), details={"reproducer": SECRET})
    return as_seen(made, visibility)


def one(**changes: Any) -> Grade:
    """A grade of 88 of 100, with a finding."""
    checks = (check("forward", of=80), check("release", 0.4, findings=(LATE,)))
    return grade("a.ipynb", *checks, student_id="7", email="ann@uni.example", **changes)


def not_judged(path: str = "b.py", status: Status = "grader_error", **changes: Any) -> Grade:
    """A grade that a fault of ours, or what whoever grades has to mend, kept from being one."""
    lost = check("forward", 0.0, 100, outcome="not_judged", message="not judged: no luck")
    return grade(path, lost, status=status, message="no luck", **changes)


def unreadable(path: str = "c.py") -> Grade:
    """A student's 0."""
    lost = check("forward", 0.0, 100, message="line 3 is not Python")
    return grade(path, lost, status="unreadable", message="line 3 is not Python")


def of_parts() -> Grade:
    """An assignment: a part lost half of its 40 points, one could not be read, one was not judged."""
    lost = check("tape/gradient", 0.0, 20, outcome="not_judged", message="not judged: no luck")
    parts = (
        PartGrade("linear", "v1", "graded", "", 20.0, 40.0),
        PartGrade("conv", "v2", "unreadable", "no class Conv", 0.0, 40.0),
        PartGrade("tape", "v3", "grader_error", "no luck", 0.0, 20.0),
    )
    made = [
        check("linear/forward", of=10),
        check("linear/gradient", 1 / 3, 30, findings=(LATE,)),
        check(
            "conv/forward",
            0.0,
            40,
            message="no class Conv",
            findings=(Finding("no-class", "no class Conv"),),
        ),
        check("conv/integrity", 0.0, 0, message="no class Conv"),
        lost,
    ]
    return grade("parts.py", *made, parts=parts, variant=None, variant_source=None)


SITUATIONS: dict[str, Callable[[], Document]] = {
    "plain": lambda: of(one()),
    "hostile": lambda: hostile_document(HOSTILE),
    "megabytes": lambda: hostile_document(HOSTILE * 10_000),
    "hidden": lambda: of(
        grade("a.py", check("forward", of=80), secret(), notes=(f"about {SECRET}",))
    ),
    "all hidden": lambda: of(grade("a.py", secret(1.0))),
    "after due date": lambda: of(
        grade("a.py", check("forward", of=80), secret(1.0, "after_due_date"))
    ),
    "extra credit": lambda: of(grade("a.py", check("forward", of=80), score=120.0)),
    "nothing to earn": lambda: of(grade("a.py", check("integrity", of=0))),
    "parts": lambda: of(of_parts()),
    "zero": lambda: of(grade("a.py", check("forward", 0.0, 100))),
    "unreadable": lambda: of(unreadable()),
    "not Latin": lambda: of(
        grade("Иванов/решение.py", check("forward"), student="Ёжиков Пётр 李明")
    ),
    "grader error": lambda: of(not_judged()),
    "not judged": lambda: of(not_judged(status="not_judged")),
    "nothing": lambda: of(),
}
"""Documents on one submission or none; of `zero`, `unreadable`, `nothing`, 0 is the student's own."""


@functools.cache
def situation(name: str) -> Document:
    """One of them; that of megabytes takes a second."""
    return SITUATIONS[name]()


MANY = of(one(), not_judged(), unreadable())

single_documents = st.builds(of, grades)
documents = st.lists(grades, max_size=3).map(lambda made: of(*made))

"""`[late]` of a rubric: what it says, when something was handed in, and what is left of its points."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from report_checks import check, grade
from rubrics import load_rubric

from pytest_backprop.classroom import HandIn
from pytest_backprop.classroom.roster_file import load_roster
from pytest_backprop.errors import UsageProblem
from pytest_backprop.grading.grades import deducted, lateness_of, read_time
from pytest_backprop.grading.rubric import Rubric
from pytest_backprop.model import Grade, Lateness, LateRules

DUE = datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=3)))
RULES = LateRules(due=DUE, penalty=0.1, grace=15.0, free_days=1, cap=0.5)


def rubric_of(tmp_path: Path, text: str) -> Rubric:
    path = tmp_path / "rubric.toml"
    path.write_text(text)
    return load_rubric(path)


def of_time(rules: LateRules, text: str) -> Lateness:
    late = lateness_of(rules, None, HandIn("a.py", "a.py", "a.py", "a.py", submitted=text), "a.py")
    assert late is not None
    return late


def late_by(rules: LateRules = RULES, **time: float) -> Lateness:
    return of_time(rules, (rules.due + timedelta(**time)).isoformat())


# -- the table ------------------------------------------------------------------------------------


def test_a_rubric_says_what_lateness_costs(tmp_path: Path) -> None:
    text = "[late]\ndue = 2026-11-20T23:59:00+03:00\npenalty = 0.1\n"
    assert rubric_of(tmp_path, text).late == LateRules(due=DUE, penalty=0.1)
    text += "grace = 15\nfree_days = 1\ncap = 0.5\n"
    assert rubric_of(tmp_path, text).late == RULES
    assert rubric_of(tmp_path, "name = 'no late'").late is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("late = 3", "got `int` - at `$.late`"),
        ("[late]\npenalty = 0.1", "missing required field `due`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z", "missing required field `penalty`"),
        ("[late]\ndue = 2026-11-20T23:59:00\npenalty = 0.1", "a timezone component - at `$.late.due`"),
        ("[late]\ndue = 'Friday'\npenalty = 0.1", "at `$.late.due`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = 10", "<= 1.0 - at `$.late.penalty`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = nan", "at `$.late.penalty`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = true", "got `bool` - at `$.late.penalty`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = 0.1\ncap = 0", "> 0.0 - at `$.late.cap`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = 0.1\ngrace = -1", "at `$.late.grace`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = 0.1\nfree_days = 1.5", "`$.late.free_days`"),
        ("[late]\ndue = 2026-11-20T23:59:00Z\npenalty = 0.1\nfree = 1", "unknown field `free`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_key_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageProblem) as raised:
        rubric_of(tmp_path, text)
    assert str(tmp_path / "rubric.toml") in raised.value.message
    assert told in raised.value.message
    assert "docs/rubric.md" in raised.value.way_out


# -- the time -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-20T23:59:00+03:00", DUE),
        ("2026-11-20T20:59:00Z", DUE),
        ("2026-11-20 20:59:00 UTC", DUE),
        ("2026-11-20 12:59:00 -0800", DUE),
        ("2026-11-20 12:59:00.000000000 -08:00", DUE),
        ("2026-11-20 23:59", DUE),
        (" Friday, 20 November 2026, 11:59 PM ", DUE),
        ("Friday, 20 November 2026, 23:59", DUE),
        ("2026-11-20", DUE.replace(hour=0, minute=0)),
        ("20.11.2026", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_times_as_they_are_written(text: str, time: datetime | None) -> None:
    assert read_time(text, DUE.tzinfo) == time


@given(st.text(max_size=40))
def test_any_text_is_a_time_or_none(text: str) -> None:
    found = read_time(text, UTC)
    assert found is None or found.tzinfo is not None
    assert of_time(RULES, text).share <= RULES.cap


ROSTER = """student,submission,variant,Submission Time,free_days
Ann,a.py,v1,2026-11-22 12:00:00 +0300,
Bob,b.py,v1,2026-11-22 12:00:00 +0300,5
Eve,c.py,v1,soon,
Yan,d.py,v1,-,
"""


def of_roster(tmp_path: Path, name: str, text: str = ROSTER) -> Lateness:
    (tmp_path / "roster.csv").write_text(text)
    handed = HandIn(name, name, name, name, submitted="2026-11-21T12:00:00Z")
    late = lateness_of(RULES, load_roster(tmp_path / "roster.csv"), handed, name)
    assert late is not None
    return late


def test_the_time_is_the_rosters_or_else_an_lms_s(tmp_path: Path) -> None:
    assert of_roster(tmp_path, "a.py").days == 2
    assert (of_roster(tmp_path, "b.py").free_days, of_roster(tmp_path, "b.py").share) == (2, 0)
    assert of_roster(tmp_path, "d.py").submitted == "2026-11-21 12:00:00+00:00"
    assert lateness_of(None, None, None, "a.py") is None


def test_what_nobody_understands_costs_nothing_and_is_told(tmp_path: Path) -> None:
    late = of_roster(tmp_path, "c.py")
    assert (late.share, late.submitted) == (0.0, None)
    assert late.problem == "'soon' is no time that is understood"
    lost = lateness_of(RULES, None, None, "x.py")
    assert lost is not None
    assert (lost.share, lost.problem) == (0.0, "no time is told")


def test_free_days_that_are_no_number_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="line 3: free_days is 'five'"):
        of_roster(tmp_path, "a.py", ROSTER.replace(",5", ",five"))


# -- what it costs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "days", "share"),
    [
        ({"days": -3}, 0, 0.0),
        ({"minutes": 15}, 0, 0.0),
        ({"minutes": 15.1}, 1, 0.0),
        ({"days": 1}, 1, 0.0),
        ({"days": 1, "seconds": 1}, 2, 0.1),
        ({"days": 4}, 4, 0.3),
        ({"days": 60}, 60, 0.5),
    ],
)
def test_each_day_begun_costs_its_share(time: dict[str, float], days: int, share: float) -> None:
    late = late_by(**time)
    assert (late.days, late.share) == (days, share)


LATE_RULES = st.builds(
    LateRules,
    due=st.just(DUE),
    penalty=st.floats(0.001, 1),
    grace=st.floats(0, 2_000),
    free_days=st.integers(0, 5),
    cap=st.floats(0.001, 1),
)


def a_grade(score: float, notes: tuple[str, ...] = ()) -> Grade:
    return grade("a.py", check("forward", score / 100, of=100), notes=notes)


@given(LATE_RULES, st.floats(0, 100), st.floats(-1e6, 1e8), st.floats(0, 1e8))
def test_never_below_zero_never_more_than_before_and_never_better_for_more(
    rules: LateRules, score: float, seconds: float, more: float
) -> None:
    whole = a_grade(score)
    one = deducted(whole, late_by(rules, seconds=seconds))
    other = deducted(whole, late_by(rules, seconds=seconds + more))
    assert 0 <= other.score <= one.score <= whole.score
    assert one.late is not None
    assert one.late.deduction == whole.score - one.score
    if seconds <= rules.grace * 60 - 1:  # what isoformat has no digits for is rounded
        assert one.score == whole.score


def test_a_student_is_told_what_it_costs() -> None:
    told = deducted(a_grade(94), late_by(days=2, hours=1))
    assert told.notes == (
        "late: day 3 (1 free), 18.8 of 94 points off; due 2026-11-20 23:59+03:00",
    )
    strict = replace(RULES, free_days=0)
    assert deducted(a_grade(94), late_by(strict, days=2)).notes == (
        "late: day 2 (0 free), 18.8 of 94 points off; due 2026-11-20 23:59+03:00",
    )
    free = deducted(a_grade(94), late_by(hours=2))
    assert free.notes == ("late: day 1 (1 free), 0 of 94 points off; due 2026-11-20 23:59+03:00",)
    assert deducted(a_grade(94), late_by(days=-1)).notes == ()


# -- more time ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("due", "days"),
    [
        ("", 3),
        ("2026-11-22T23:59:00+03:00", 1),
        ("2026-11-22 12:59:00 -0800", 1),  # the same moment and an hour, at Gradescope's place
        ("2026-11-30", 0),
        ("2026-11-01", 3),  # never less than the rubric gives
    ],
)
def test_who_was_given_more_time_is_late_from_then_on(tmp_path: Path, due: str, days: int) -> None:
    rows = (
        f"student,submission,variant,submitted,due\nAnn,ann.py,v1,2026-11-23T23:00:00+03:00,{due}\n"
    )
    (tmp_path / "roster.csv").write_text(rows, encoding="utf-8")
    late = lateness_of(RULES, load_roster(tmp_path / "roster.csv"), None, "ann.py")
    assert late is not None
    assert (late.days, late.problem) == (days, None)


def test_a_time_to_hand_in_that_nobody_can_read_costs_nothing(tmp_path: Path) -> None:
    rows = "student,submission,variant,submitted,due\nAnn,a.py,v1,2027-01-01,when it is done\n"
    late = of_roster(tmp_path, "a.py", rows)
    assert late.share == 0
    assert late.problem == "'when it is done' is no time that is understood"

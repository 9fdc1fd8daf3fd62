from __future__ import annotations

import math
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, strategies as st
from rubrics import load_rubric

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import BUILT_IN, FORWARD_BACKWARD
from pytest_backprop.grading.assignment import Assigned
from pytest_backprop.grading.grades import grade, without_grade
from pytest_backprop.grading.rubric import (
    GATED,
    Rubric,
    default_rubric,
    planned,
    rubric_of as made_rubric,
)
from pytest_backprop.judging.credit import verdict
from pytest_backprop.model import (
    CHECK_IDS,
    NO_GRADE,
    CheckResult,
    CheckRules,
    Finding,
    Grade,
    Status,
)

COURSE = tuple(id for id in CHECK_IDS if id in {*FORWARD_BACKWARD.rules, "integrity"})
PLANNED = COURSE[:-1]


def rubric_of(tmp_path: Path, text: str | bytes) -> Rubric:
    path = tmp_path / "rubric.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_rubric(path)


def result(id: str, fraction: float = 1.0, **changes: object) -> CheckResult:
    outcome = "passed" if fraction == 1 else "failed" if fraction == 0 else "partial"
    fields = {
        "id": id,
        "outcome": outcome,
        "fraction": fraction,
        "message": f"{id} says",
        "basis": "replayed",
        **changes,
    }
    return CheckResult(**fields)  # type: ignore[arg-type]


ASSIGNED = Assigned("v8", "roster")


def graded(results: list[CheckResult], rubric: Rubric | None = None) -> Grade:
    return grade("a.py", ASSIGNED, results, rubric or default_rubric(), ("seen",))


# -- the default, and reading --------------------------------------------------------------------


def test_default_is_out_of_100_in_the_order_of_reports() -> None:
    rules = default_rubric().rules
    assert tuple(rules) == COURSE
    assert {id: (r.points, r.credit) for id, r in rules.items()} == {
        "forward": (15, "all-or-nothing"),
        "manual-forward": (10, "all-or-nothing"),
        "gradient": (40, "share"),
        "unused-nodes": (15, "per-finding"),
        "release": (20, "per-finding"),
        "integrity": (0, "all-or-nothing"),
        "onnx": (0, "all-or-nothing"),
    }
    assert all(r.penalty == 0.1 for r in rules.values())


def test_file_changes_what_it_names_and_keeps_the_rest(tmp_path: Path) -> None:
    rubric = rubric_of(
        tmp_path,
        """
        name = "homework 3"
        [checks.gradient]
        points = 50
        credit = "share"
        [checks.release]
        penalty = 0.25
        [checks.unused-nodes]
        visibility = "hidden"
        [checks.forward]
        points = 7.5
        """,
    )
    want = dict(default_rubric().rules)
    want["gradient"] = CheckRules(points=50, credit="share")
    want["release"] = CheckRules(points=20, credit="per-finding", penalty=0.25)
    want["unused-nodes"] = CheckRules(points=15, credit="per-finding", visibility="hidden")
    want["forward"] = CheckRules(points=7.5)
    assert rubric.rules == want
    assert tuple(rubric.rules) == COURSE
    assert rubric.name == "homework 3"
    assert rubric.source == str(tmp_path / "rubric.toml")


@pytest.mark.parametrize("text", ["", "\ufeff[checks.gradient]\npoints = 40\n"])
def test_empty_file_and_byte_order_mark(tmp_path: Path, text: str) -> None:
    rubric = rubric_of(tmp_path, text)
    assert rubric.rules == default_rubric().rules
    assert rubric.name == "rubric"


@pytest.mark.parametrize(
    ("text", "told", "way_out"),
    [
        ("[checks.gradiant]\npoints = 1", "[checks.gradiant]: unknown", "known: forward, manual"),
        ("[checks.release]\npenaly = 1", "[checks.release]: Object contains unknown field `penaly`", ""),
        ("[check.release]\npenalty = 1", "unknown field `check`", ""),
        ("checks = 3", "got `int` - at `$.checks`", ""),
        ("name = 3", "got `int` - at `$.name`", ""),
        ("[checks]\nrelease = 3", "got `int` - at `$.checks", ""),
        ("[checks.release]\npoints = -1", "[checks.release]: Expected `float` >= 0.0 - at `$.points`", ""),
        ("[checks.release]\npoints = nan", "at `$.points`", ""),
        ("[checks.release]\npoints = inf", "at `$.points`", ""),
        ("[checks.release]\npoints = 1" + "0" * 400, "at `$.points`", ""),
        ("[checks.release]\npoints = true", "got `bool` - at `$.points`", ""),
        ("[checks.release]\npoints = '20'", "got `str` - at `$.points`", ""),
        ("[checks.release]\npoints = [20]", "got `array` - at `$.points`", ""),
        ("[checks.release]\npenalty = 0", "> 0.0 - at `$.penalty`", ""),
        ("[checks.release]\npenalty = 1.5", "<= 1.0 - at `$.penalty`", ""),
        ("[checks.release]\npenalty = true", "got `bool` - at `$.penalty`", ""),
        ("[checks.release]\npenalty = nan", "at `$.penalty`", ""),
        ("[checks.gradient]\nfollow_through = 1.5", "<= 1.0 - at `$.follow_through`", ""),
        ("[checks.gradient]\nfollow_through = true", "got `bool` - at `$.follow_through`", ""),
        ("[checks.forward]\nfollow_through = 1", "[checks.forward]: follow_through has no effect",
         "take follow_through out"),
        ("[checks.release]\ncredit = 'half'", "'half' - at `$.credit`", ""),
        ("[checks.release]\ncredit = ['share']", "at `$.credit`", ""),
        ("[checks.release]\ncredit = 'share'", "[checks.release]: credit has no effect",
         "take credit out"),
        ("[checks.integrity]\ncredit = 'per-finding'", "[checks.integrity]: credit has no effect",
         "take credit out"),
        ("[checks.gradient]\npenalty = 0.5", "[checks.gradient]: penalty has no effect",
         "take penalty out"),
        ("[checks.onnx]\ncredit = 'share'", "[checks.onnx]: credit has no effect", "take credit"),
        ("[checks\n", "not TOML", "toml.io"),
        ("a = 1\na = 2\n", "line 2", "toml.io"),
        ("[" * 100_000, "not TOML", "toml.io"),
        (b"name = '\xcf\xf0'", "not UTF-8", "UTF-8"),
        (
            "".join(f"[checks.{id}]\npoints = 0\n" for id in COURSE),
            "every check is worth 0",
            "more than 0",
        ),
    ],
)  # fmt: skip
def test_wrong_rubric_names_file_key_and_way_out(
    tmp_path: Path, text: str | bytes, told: str, way_out: str
) -> None:
    with pytest.raises(UsageProblem) as caught:
        rubric_of(tmp_path, text)
    assert str(tmp_path / "rubric.toml") in caught.value.message
    assert told in caught.value.message
    assert (way_out or "docs/rubric.md has every key") in caught.value.way_out
    assert len(caught.value.message) < len(str(tmp_path)) + 200


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(UsageProblem, match="cannot be read"):
            load_rubric(path)


def test_onnx_is_planned_when_it_is_worth_something(tmp_path: Path) -> None:
    assert planned(rubric_of(tmp_path, "[checks.onnx]\npoints = 5")) == COURSE
    assert planned(rubric_of(tmp_path, "[checks.onnx]\npoints = 0")) == PLANNED


def test_planned_is_everything_but_onnx() -> None:
    assert planned(default_rubric()) == PLANNED


def test_check_worth_nothing_is_still_planned(tmp_path: Path) -> None:
    assert planned(rubric_of(tmp_path, "[checks.forward]\npoints = 0")) == PLANNED


# -- grading -------------------------------------------------------------------------------------


def test_scores_are_fraction_times_points() -> None:
    fractions = {"forward": 1, "manual-forward": 0, "gradient": 0.5, "unused-nodes": 0.7,
                 "release": 0.9, "integrity": 1}  # fmt: skip
    results = [result(id, value) for id, value in fractions.items()]
    final = graded(results)
    assert [(c.result.id, c.score, c.max_score) for c in final.checks] == [
        ("forward", 15, 15),
        ("manual-forward", 0, 10),
        ("gradient", 20, 40),
        ("unused-nodes", 10.5, 15),
        ("release", 18, 20),
        ("integrity", 0, 0),
    ]
    assert (final.score, final.max_score) == (63.5, 100)
    assert (final.path, final.student, final.variant, final.variant_source) == (
        "a.py", None, "v8", "roster",
    )  # fmt: skip
    assert (final.status, final.message, final.notes) == ("graded", "", ("seen",))


def test_what_is_not_judged_earns_nothing_and_is_said() -> None:
    lost = ("gradient", "release")
    final = graded(
        [result(id, 0, outcome="not_judged") if id in lost else result(id) for id in PLANNED]
    )
    outcomes = {c.result.id: (c.result.outcome, c.score, c.max_score) for c in final.checks}
    assert outcomes["gradient"] == ("not_judged", 0, 40)
    assert outcomes["release"] == ("not_judged", 0, 20)
    assert (final.score, final.max_score) == (40, 100)
    assert final.notes == (
        "seen",
        "not judged, so without points here: gradient, release (60 points)",
    )


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -0.1, 1.1])
def test_impossible_fraction_is_our_fault(wrong: float) -> None:
    final = graded([result(id, wrong if id == "gradient" else 1) for id in PLANNED])
    assert final.checks[2].result.outcome == "not_judged"
    assert f"{wrong}" in final.checks[2].result.message
    assert final.score == 60


@pytest.mark.parametrize("outcome", ["failed", "not_judged"])
def test_an_outcome_that_contradicts_its_fraction_is_our_fault(outcome: str) -> None:
    final = graded([result(id, outcome=outcome) for id in PLANNED])
    assert final.score == 0
    assert {c.result.outcome for c in final.checks} == {"not_judged"}
    told = {c.result.message for c in final.checks}
    assert told == {f"not judged: {outcome} with a fraction of 1"}


def test_breach_zeroes_what_needs_a_manual_pass_and_keeps_findings() -> None:
    finding = Finding(kind="late-release", message="t9 kept")
    results = [result(id, findings=(finding,)) for id in PLANNED if id != "integrity"]
    final = graded([*results, result("integrity", 0)])
    for check in final.checks:
        if check.result.id in GATED:
            assert check.result.outcome == "failed"
            assert check.score == 0
            assert check.result.message == (
                f"not counted: the pass is not manual; {check.result.id} says"
            )
        elif check.result.id != "integrity":
            assert check.score == check.max_score
            assert check.result.message == f"{check.result.id} says"
        if check.result.id != "integrity":
            assert check.result.findings == (finding,)
    assert final.score == 25


def test_integrity_that_was_not_judged_gates_nothing() -> None:
    results = [result(id) for id in PLANNED if id != "integrity"]
    final = graded([*results, result("integrity", 0, outcome="not_judged")])
    assert final.score == 100
    assert final.notes == ("seen",)


def test_what_did_not_run_to_its_end_tells_its_finding_once_and_blames_no_breach() -> None:
    rubric = default_rubric()
    finding = Finding(kind="timeout", message="stopped in line 3")
    reason = "took more than 20 s"
    final = without_grade(rubric, "a.py", "timeout", reason, ASSIGNED, finding)
    assert [c.result.id for c in final.checks] == list(PLANNED)
    assert [c.result.findings for c in final.checks] == [(finding,)] + [()] * 5
    assert {c.result.message for c in final.checks} == {reason}
    assert {c.result.outcome for c in final.checks} == {"failed"}
    assert (final.score, final.max_score, final.notes) == (0, 100, ())
    assert (final.variant, final.variant_source) == ("v8", "roster")
    unfound = without_grade(rubric, "a.py", "unreadable", "no file")
    assert unfound.checks[0].result.findings == ()
    assert (unfound.variant, unfound.variant_source) == (None, None)


@pytest.mark.parametrize("status", NO_GRADE)
def test_where_there_is_no_grade_nothing_is_judged(status: Status) -> None:
    final = without_grade(default_rubric(), "a.py", status, "disk full")
    assert {c.result.outcome for c in final.checks} == {"not_judged"}
    assert {c.result.message for c in final.checks} == {"not judged: disk full"}
    assert (final.score, final.max_score) == (0, 100)
    assert final.notes == ()  # the message says it


@given(st.fixed_dictionaries(dict.fromkeys(PLANNED, st.floats(0, 1))))
def test_any_results_give_every_planned_check_and_a_score_in_range(
    fractions: dict[str, float],
) -> None:
    final = graded([result(id, fractions[id]) for id in PLANNED])
    assert tuple(c.result.id for c in final.checks) == PLANNED
    assert 0 <= final.score <= final.max_score == 100
    assert final.score == math.fsum(c.score for c in final.checks)


# -- credit --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("credit", "penalty", "faults", "right", "total", "want"),
    [
        ("all-or-nothing", 0.1, 0, 3, 3, 1.0),
        ("all-or-nothing", 0.1, 1, 2, 3, 0.0),
        ("share", 0.1, 1, 1, 2, 0.5),
        ("share", 0.1, 1, 2, 3, 2 / 3),
        ("share", 0.1, 0, 0, 0, 1.0),
        ("share", 0.1, 2, 0, 0, 0.0),
        ("per-finding", 0.1, 0, 0, 0, 1.0),
        ("per-finding", 0.1, 3, 0, 0, 0.7),
        ("per-finding", 0.1, 9, 0, 0, 0.1),
        ("per-finding", 0.1, 10, 0, 0, 0.0),
        ("per-finding", 0.1, 11, 0, 0, 0.0),
        ("per-finding", 1, 1, 0, 0, 0.0),
        ("per-finding", 1e-05, 2, 0, 0, 0.99998),
    ],
)
def test_verdict(
    credit: str, penalty: float, faults: int, right: int, total: int, want: float
) -> None:
    rules = CheckRules(points=1, credit=credit, penalty=penalty)  # type: ignore[arg-type]
    outcome = "passed" if not faults else "partial" if want else "failed"
    assert verdict(rules, faults, right, total) == (outcome, want)


@pytest.mark.parametrize("counts", [(-1, 0, 0), (0, 2, 1), (0, -1, 1)])
def test_verdict_refuses_counts_that_cannot_be(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="counts"):
        verdict(CheckRules(points=1), *counts)


# -- who may see what ------------------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["visible", "hidden", "after_due_date", "after_published"])
def test_a_check_has_the_visibility_of_the_rubric(tmp_path: Path, visibility: str) -> None:
    rubric = rubric_of(tmp_path, f'[checks.release]\nvisibility = "{visibility}"\n')
    made = graded([result(id) for id in PLANNED], rubric)
    found = {check.result.id: check.visibility for check in made.checks}
    assert found == dict.fromkeys(PLANNED, "visible") | {"release": visibility}
    assert made.score == 100  # hiding costs nothing


@pytest.mark.parametrize("value", ['"secret"', "true", "1", '["hidden"]'])
def test_a_visibility_that_is_none(tmp_path: Path, value: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        rubric_of(tmp_path, f"[checks.release]\nvisibility = {value}\n")
    assert "[checks.release]: " in caught.value.message
    assert "at `$.visibility`" in caught.value.message


def test_what_was_not_judged_keeps_its_visibility(tmp_path: Path) -> None:
    rubric = rubric_of(tmp_path, '[checks.forward]\nvisibility = "hidden"\n')
    made = without_grade(rubric, "a.py", "grader_error", "")
    assert made.checks[0].visibility == "hidden"


# -- checks and kinds of plugins -----------------------------------------------------------------

NAMING = CheckRules(points=5, credit="share")
KIND = {"gradient": CheckRules(points=60), "naming": CheckRules(points=40)}


def test_checks_of_plugins_come_after_the_others(tmp_path: Path) -> None:
    rubric = made_rubric("default", FORWARD_BACKWARD.rules, {"naming": NAMING}, ())
    assert planned(rubric) == (*PLANNED, "naming")
    path = tmp_path / "rubric.toml"
    path.write_text('[checks.naming]\npoints = 8\nvisibility = "hidden"\n', encoding="utf-8")
    read = load_rubric(path, rubric)
    assert read.rules == rubric.rules | {
        "naming": CheckRules(points=8, credit="share", visibility="hidden")
    }
    assert tuple(read.rules) == (*COURSE, "naming")
    path.write_text("[checks.namin]\n", encoding="utf-8")
    with pytest.raises(UsageProblem, match=r"\[checks\.namin\]: unknown check"):
        load_rubric(path, rubric)


def test_a_kind_judges_what_it_has_rules_for_and_integrity() -> None:
    rubric = made_rubric("relu", KIND, {"naming": NAMING, "other": CheckRules(points=0)}, ())
    assert {id: rule.points for id, rule in rubric.rules.items()} == {
        "gradient": 60, "integrity": 0, "naming": 40, "other": 0,
    }  # fmt: skip
    assert tuple(rubric.rules) == ("gradient", "integrity", "naming", "other")
    with pytest.raises(UsageProblem, match="relu has rules for the unknown check 'naming'"):
        made_rubric("relu", KIND, {}, ())


@pytest.mark.parametrize("gated", [(), ("naming",)])
def test_a_check_of_a_plugin_is_gated_if_it_asks_for_it(gated: tuple[str, ...]) -> None:
    rubric = made_rubric("relu", KIND, {"naming": NAMING}, gated)
    made = graded([result("gradient"), result("naming"), result("integrity", 0)], rubric)
    assert {c.result.id: c.score for c in made.checks} == {
        "gradient": 0, "integrity": 0, "naming": 0 if gated else 40,
    }  # fmt: skip
    assert made.max_score == 100


def test_default_rules_have_values_that_a_rubric_may_have() -> None:
    for exercise in BUILT_IN.values():
        for rules in exercise.rules.values():
            assert msgspec.convert(msgspec.structs.asdict(rules), CheckRules) == rules

"""A rubric that changed: the grade from the verdicts that stand is the one that grading anew gives."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from corpus_text import FOLDER, graded_file, variant_of
from hypothesis import HealthCheck, given, settings, strategies as st
from msgspec.structs import replace
from warm_zygote import warm_zygote

from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.functions.bank import Bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.reweighing import JUDGING, reweighed
from pytest_backprop.grading.rubric import Rubric, grade, rubric_of
from pytest_backprop.model import CheckResult, CheckRules, Faults, Grade, Visibility

CASES = {
    "forward-backward": (
        "submissions",
        "right/course_v8_v8.py", "right/grad_clone_v907.py", "wrong/calls_self_v902.py",
        "wrong/late_by_one_v907.py", "wrong/dropped_path_computed_v907.py", "wrong/backward_v907.py",
        "wrong/init_needs_weights_v902.py", "wrong/bad_utf8_v902.py", "wrong/factor_2_v907.py",
        "wrong/kept_on_self_v907.py", "wrong/layers_b1_not_summed_v912.py", "wrong/init_raises_v902.py",
    ),
    "autograd-function": (
        "submissions_function",
        "right/swish_input_v923.py", "wrong/linear_computes_all_v925.py",
        "wrong/relu_saved_twice_v921.py",
    ),
    "tape": ("submissions_tape", "right/plain_v944.py", "wrong/div_sign_v943.py",
             "wrong/debug_in_forward_v941.py"),
    "accumulation": ("submissions_accumulation", "right/rows_v962.py", "wrong/off_by_one_v965.py"),
    "saved-tensor-hooks": ("submissions_hooks", "right/plain_v962.py", "wrong/identity_v961.py",
                           "wrong/numpy_kept_v963.py"),
    "intermediate-gradients": ("submissions_intermediate", "right/grad_v961.py",
                               "wrong/retain_on_loss_v962.py"),
}  # fmt: skip
"""Submissions by kind of exercise: the folder of its corpus, and some of each end there is."""
COURSE = "forward-backward"


@functools.cache
def bank_of(kind: str) -> Bank:
    return BUILT_IN[kind].load_bank(FOLDER.parent / CASES[kind][0] / "bank")


class Graders:
    """Graders under any rubric; what is right of each task is worked out once a kind."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._worker = stack.enter_context(contextlib.closing(warm_zygote()))
        self._first: dict[str, Grader] = {}

    def grade(self, kind: str, case: str, rubric: Rubric) -> Grade:
        folder = FOLDER.parent / CASES[kind][0]
        exercise = BUILT_IN[kind]
        path = graded_file(folder / case)
        plan = GradingPlan(
            variant_of(path), None, 0, 256, 5e-5, 1e-7, 60.0, 2**31, exercise=exercise
        )
        made = Grader(plan, rubric, bank_of(kind), self._worker)
        if kind in self._first:
            made._tasks = self._first[kind]._tasks
        self._first.setdefault(kind, made)
        self._stack.callback(made.close)
        return made.grade(path, path.name)

    @functools.cache  # noqa: B019  # of one module's tests
    def usual(self, kind: str, case: str) -> Grade:
        return self.grade(kind, case, usual_rubric(kind))


@pytest.fixture(scope="module")
def graders() -> Iterator[Graders]:
    with contextlib.ExitStack() as stack:
        yield Graders(stack)


def usual_rubric(kind: str) -> Rubric:
    return rubric_of(kind, BUILT_IN[kind].rules, {}, ())


@st.composite
def changed_rules(draw: st.DrawFn, id: str, rules: CheckRules, whole: bool) -> CheckRules:
    """Rules as a file could have them: points, visibility and credit; `whole`: with all other keys."""
    own: dict[str, Any] = {
        "points": rules.points and draw(st.sampled_from([0.5, 1.0, 7.25, 40.0, rules.points])),
        "visibility": draw(st.sampled_from(get_args(Visibility))),
    }
    if id == "onnx":
        return replace(rules, visibility=own["visibility"])
    if id != "integrity":
        credits = ["all-or-nothing", "per-finding"]
        own["credit"] = draw(st.sampled_from([*credits, *["share"] * (rules.credit == "share")]))
        own["penalty"] = draw(st.sampled_from([0.1, 0.25, 1 / 3, 1.0]))
    if whole:
        own["points"] = draw(st.sampled_from([0.0, 3.0, own["points"]]))
        if id == "gradient":
            own["follow_through"] = draw(st.sampled_from([0.0, 0.5]))
    return replace(rules, **own)


@st.composite
def rubrics(draw: st.DrawFn, kind: str) -> Rubric:
    usual = usual_rubric(kind)
    whole = draw(st.integers(0, 3)) == 0
    rules = {id: draw(changed_rules(id, own, whole)) for id, own in usual.rules.items()}
    return replace(usual, rules=rules)


def unmeasured(grade: Grade) -> Grade:
    """Without what differs from run to run: seconds, and bytes measured from outside."""
    measured = ("peak_memory", "memory")
    checks = [
        replace(c, result=replace(
            c.result, details={k: v for k, v in c.result.details.items() if k not in measured}
        ))
        for c in grade.checks
    ]  # fmt: skip
    return replace(grade, checks=tuple(checks), seconds=0.0)


@pytest.mark.parametrize("kind", CASES)
@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_grade_from_the_journal_is_the_one_of_grading_anew(
    graders: Graders, kind: str, data: st.DataObject
) -> None:
    case = data.draw(st.sampled_from(CASES[kind][1:]))
    first, second = data.draw(rubrics(kind)), data.draw(rubrics(kind))
    if data.draw(st.booleans()):
        first, old = usual_rubric(kind), graders.usual(kind, case)
    else:
        old = graders.grade(kind, case, first)
    made = reweighed(old, first.rules, second)
    if made is not None:
        assert unmeasured(made) == unmeasured(graders.grade(kind, case, second))


@pytest.mark.parametrize("kind", CASES)
def test_points_visibility_credit_and_penalty_need_no_run(graders: Graders, kind: str) -> None:
    """So that the property above says something; several sizes are the exception (`sizes`)."""
    usual = usual_rubric(kind)
    rules = {
        id: replace(own, points=own.points / 2, visibility="hidden", penalty=0.75,
                    credit=own.credit if id in ("integrity", "onnx") else "per-finding")
        for id, own in usual.rules.items()
    }  # fmt: skip
    for case in CASES[kind][1:]:
        old = graders.usual(kind, case)
        if any("sizes" in c.result.details and c.result.outcome != "passed" for c in old.checks):
            rules = {id: replace(own, points=own.points / 2) for id, own in usual.rules.items()}
        made = reweighed(old, usual.rules, replace(usual, rules=rules))
        assert made is not None, case
        assert made.max_score == pytest.approx(old.max_score / 2), case
        assert all(0 <= c.score <= c.max_score for c in made.checks), case


# -- what another run alone can tell ---------------------------------------------------------------


def passed(id: str, **fields: Any) -> CheckResult:
    return CheckResult(**({"id": id, "outcome": "passed", "fraction": 1.0, "message": "",
                           "basis": "replayed"} | fields))  # fmt: skip


def made_grade(*changed: CheckResult, status: str = "graded") -> Grade:
    usual = usual_rubric(COURSE)
    own = {result.id: result for result in changed}
    results = [own.get(id) or passed(id) for id in usual.rules if id != "onnx"]
    return grade("a.py", None, None, status, "", results, usual, 1.0)  # type: ignore[arg-type]


LATE = passed("release", outcome="partial", fraction=0.9, faults=Faults(1))
SIZES = passed("gradient", details={"sizes": ["n=1", "n=2"]}, outcome="partial", fraction=0.5)


@pytest.mark.parametrize(
    ("id", "changes", "old", "again"),
    [
        ("onnx", {"points": 5.0}, made_grade(), True),
        ("release", {"points": 0.0}, made_grade(), True),
        ("release", {"points": 0.5, "penalty": 0.3}, made_grade(LATE), False),
        ("gradient", {"follow_through": 0.5}, made_grade(), True),
        ("gradient", {"credit": "per-finding"}, made_grade(SIZES), True),
        ("gradient", {"points": 4.0, "visibility": "hidden"}, made_grade(SIZES), False),
    ],
)
def test_when_a_run_is_needed(id: str, changes: dict[str, Any], old: Grade, again: bool) -> None:
    usual = usual_rubric(COURSE)
    rubric = replace(usual, rules=usual.rules | {id: replace(usual.rules[id], **changes)})
    assert (reweighed(old, usual.rules, rubric) is None) == again


def test_a_share_that_follows_through_is_judged_again() -> None:
    """Its message tells points."""
    usual = usual_rubric(COURSE)
    before = usual.rules | {"gradient": replace(usual.rules["gradient"], follow_through=0.5)}
    after = before | {"gradient": replace(before["gradient"], points=1.0)}
    wrong = made_grade(passed("gradient", outcome="partial", fraction=0.5, faults=Faults(2, 2, 4)))
    for old, again in ((made_grade(), False), (wrong, True)):
        assert (reweighed(old, before, replace(usual, rules=after)) is None) == again


def test_every_rule_says_what_it_decides() -> None:
    weighing = set(CheckRules.__struct_fields__) - set(JUDGING)
    assert weighing == {"points", "credit", "penalty", "visibility"}


@pytest.mark.parametrize(
    ("rules", "outcome", "score"),
    [
        ({"credit": "all-or-nothing"}, "failed", 0.0),
        ({"credit": "share"}, "partial", 20.0),
        ({"credit": "per-finding", "penalty": 0.25}, "partial", 20.0),
        ({"credit": "per-finding", "penalty": 0.1, "points": 10.0}, "partial", 8.0),
        ({"credit": "per-finding", "penalty": 1.0}, "failed", 0.0),
    ],
)
def test_faults_are_weighed_by_the_new_credit(
    rules: dict[str, Any], outcome: str, score: float
) -> None:
    usual = usual_rubric(COURSE)
    old = made_grade(passed("gradient", outcome="failed", fraction=0.0, faults=Faults(2, 2, 4)))
    own = replace(usual.rules["gradient"], **rules)
    made = reweighed(old, usual.rules, replace(usual, rules=usual.rules | {"gradient": own}))
    assert made is not None
    (found,) = [check for check in made.checks if check.result.id == "gradient"]
    assert found.result.outcome == outcome
    assert found.score == pytest.approx(score)
    assert made.score == pytest.approx(60 + score)

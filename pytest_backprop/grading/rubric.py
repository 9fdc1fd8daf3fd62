"""What each check is worth, and how verdicts become a grade.

The denominator is fixed here, by `planned`, before anything runs: every planned check ends in
every grade, and what could not be judged earns nothing *and says so*.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Struct

from ..errors import GraderFault, UsageProblem
from ..exercises import FORWARD_BACKWARD
from ..messages import say, say_count
from ..model import (
    CHECK_IDS,
    NO_GRADE,
    CheckResult,
    CheckRules,
    Finding,
    Grade,
    GradedCheck,
    LateRules,
    Status,
    VariantSource,
    Visibility,
)
from ..model.verdict import in_order
from .late_days import read_late
from .rubric_file import known, read_toml, wrong

MAX_FINDINGS = 200
"""Findings of one check that a grade keeps; reports say how many more there were."""
CREDITS = ("all-or-nothing", "share", "per-finding")
FOLLOWING = ("gradient",)
"""The checks of which error may be carried forward."""
VISIBILITIES: tuple[str, ...] = get_args(Visibility)
MAX_POINTS = 1_000_000
"""More than any course gives; keeps sums and reports far from overflow."""

GATED = (
    "gradient", "needs-input-grad", "none", "unused-nodes", "release", "saved", "double-backward",
    "second-order", "parameters", "zeroing", "scaling", "threshold", "files",
)  # fmt: skip
"""The checks that count only when the pass is manual."""


class Rubric(Struct, frozen=True):
    """The rules of every check, in report order: that of `model.CHECK_IDS`, then those of plugins.

    `source` is the file as it was given, None for the default rubric. `gated` are the checks that
    count only when the pass is manual. `late` is what lateness costs, None for nothing.
    """

    name: str
    source: str | None
    rules: dict[str, CheckRules]
    gated: tuple[str, ...] = GATED
    late: LateRules | None = None

    def points(self, check: str) -> float:
        """What a check is worth; nothing if it is not planned."""
        rules = self.rules.get(check)
        return 0.0 if rules is None else rules.points


def default_rubric() -> Rubric:
    """The rubric of the course's homework, out of 100 points."""
    return rubric_of("default", FORWARD_BACKWARD.rules, {}, ())


def rubric_of(
    name: str,
    rules: Mapping[str, CheckRules],
    extra: Mapping[str, CheckRules],
    gated: Collection[str],
) -> Rubric:
    """The default rubric of an exercise: its `rules` of the checks that it asks for; `extra` are checks of
    plugins, those in `gated` count only when the pass is manual.

    `integrity` is judged in any case: it is a gate. Raises UsageProblem for a check there is not.
    """
    own = dict(rules)
    own.setdefault("integrity", CheckRules(points=0))
    order = [id for id in CHECK_IDS if id in own] + list(extra)
    for id in own:
        if id not in order:
            known = ", ".join(dict.fromkeys((*CHECK_IDS, *extra)))
            raise UsageProblem(f"{name} has rules for the unknown check {id!r}", f"known: {known}")
    return Rubric(
        name=name,
        source=None,
        rules={id: own.get(id) or extra[id] for id in order},
        gated=(*GATED, *(id for id in extra if id in gated)),
    )


def planned(rubric: Rubric) -> tuple[str, ...]:
    """Ids of the checks that every submission is judged on, in report order.

    `integrity` is a gate and is judged at 0 points too; `onnx` only when it is worth something.
    """
    return tuple(id for id, rules in rubric.rules.items() if id != "onnx" or rules.points > 0)


def without(rubric: Rubric, omitted: Iterable[str]) -> Rubric:
    """The rubric, in which the checks that a task does not ask for are worth nothing."""
    own = {
        id: msgspec.structs.replace(rubric.rules[id], points=0.0)
        for id in omitted
        if id in rubric.rules
    }
    return msgspec.structs.replace(rubric, rules=rubric.rules | own)


# -- reading ------------------------------------------------------------------------------------


def load_rubric(path: Path, default: Rubric | None = None) -> Rubric:
    """Read a rubric from TOML; what it does not say keeps its default, the course's if None.

    Raises UsageProblem naming the file and the key: not readable, not TOML, unknown check or key,
    a value of the wrong type or range, a key the check has no use for, nothing worth any points.
    """
    default = default_rubric() if default is None else default
    table = read_toml(path)
    known(path, "", table, ("name", "checks", "late"))
    name = table.get("name", path.stem)
    if not isinstance(name, str):
        raise wrong(path, "name", name, "a text")
    checks = table.get("checks", {})
    if not isinstance(checks, dict):
        raise wrong(path, "checks", checks, "a table, as in [checks.gradient]")
    known(path, "checks.", checks, default.rules, what="check")
    rules = {
        id: _rules(path, id, checks.get(id, {}), own, default.rules)
        for id, own in default.rules.items()
    }
    if not any(rule.points > 0 for rule in rules.values()):
        raise UsageProblem(
            f"rubric {path}: every check is worth 0 points",
            "give at least one check more than 0 points",
        )
    late = read_late(path, table["late"]) if "late" in table else None
    return Rubric(name=name, source=str(path), rules=rules, gated=default.gated, late=late)


def _rules(
    path: Path, id: str, table: object, default: CheckRules, planned_with: Collection[str]
) -> CheckRules:
    where = f"checks.{id}"
    if not isinstance(table, dict):
        raise wrong(path, where, table, f"a table, as in [{where}]")
    known(path, f"{where}.", table, CheckRules.__struct_fields__)
    rules = default
    for key, value in table.items():
        wanted = wanted_value(key, value)
        if wanted is not None:
            raise wrong(path, f"{where}.{key}", value, wanted)
        if key in ("points", "penalty", "follow_through"):
            value = float(value)
        rules = msgspec.structs.replace(rules, **{key: value})
    # A key without effect is a mistake that would show only in the grades.
    if "follow_through" in table and id == "gradient" and "manual-forward" not in planned_with:
        raise UsageProblem(
            f"rubric {path}: {where}.follow_through has no effect: this exercise has no check manual-forward",
            "take the line out",
        )
    if rules.credit == "share" and id != "gradient" and default.credit != "share":
        raise UsageProblem(
            f"rubric {path}: {where}.credit is 'share', but {id} has no parts to share points over",
            "use 'all-or-nothing' or 'per-finding'; 'share' is for gradient",
        )
    if rules.credit != "all-or-nothing" and id == "integrity":
        raise UsageProblem(
            f"rubric {path}: {where}.credit is {rules.credit!r}, but integrity is a gate: a pass is "
            "manual or it is not",
            "use 'all-or-nothing', or take the line out",
        )
    if "penalty" in table and rules.credit != "per-finding":
        raise UsageProblem(
            f"rubric {path}: {where}.penalty has no effect with credit '{rules.credit}'",
            f"set {where}.credit to 'per-finding', or take the penalty out",
        )
    if "follow_through" in table and id not in FOLLOWING:
        belongs = ", ".join(f"[checks.{each}]" for each in FOLLOWING)
        raise UsageProblem(
            f"rubric {path}: {where}.follow_through has no effect",
            f"follow_through belongs to {belongs}",
        )
    return rules


def wanted_value(key: str, value: object) -> str | None:
    """What would be a value of a rule of that name, if `value` is none. A bool is not a number."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if key == "points":
        # Written so that NaN fails.
        if not (number and 0 <= value <= MAX_POINTS):  # type: ignore[operator]
            return f"a number from 0 to {MAX_POINTS:,}"
    elif key == "penalty":
        if not (number and 0 < value <= 1):  # type: ignore[operator]
            return "a number above 0 and at most 1"
    elif key == "follow_through":
        if not (number and 0 <= value <= 1):  # type: ignore[operator]
            return "a number from 0 to 1"
    else:
        allowed = {"credit": CREDITS, "visibility": VISIBILITIES}[key]
        if value not in allowed:
            return "one of " + ", ".join(map(repr, allowed))
    return None


# -- grading ------------------------------------------------------------------------------------


def grade(
    path: str,
    variant: str | None,
    variant_source: VariantSource | None,
    status: Status,
    message: str,
    results: Sequence[CheckResult],
    rubric: Rubric,
    seconds: float,
    notes: Sequence[str] = (),
) -> Grade:
    """Weigh the verdicts on one submission. `seconds` is wall time.

    A planned check without a usable result is not judged; so is every check when `status` is
    one of NO_GRADE. Failed integrity zeroes the gated checks of a submission that ran to its end
    (`graded`); of one that did not, every check failed for that reason and keeps its message.
    Scores are not rounded. Raises GraderFault for a result of a check that was not planned.
    """
    order = planned(rubric)
    given: dict[str, list[CheckResult]] = {id: [] for id in order}
    for result in results:
        if result.id not in given:
            raise GraderFault(f"{path}: a result of {result.id!r}, which was not planned")
        given[result.id].append(result)
    final = {id: _usable(id, given[id]) for id in order}
    if status in NO_GRADE:
        final = {
            id: result if result.outcome == "not_judged" else not_judged(id, message)
            for id, result in final.items()
        }
    elif status == "graded" and final["integrity"].outcome == "failed":
        reason = str(final["integrity"].details.get("gate") or say("the pass is not manual"))
        final |= {id: _uncounted(final[id], reason) for id in rubric.gated if id in final}
    checks = weighed(final.values(), rubric)
    unjudged = unjudged_note(status, checks)
    if unjudged:
        notes = (*notes, unjudged)
    return Grade(
        path=path,
        student=None,
        variant=variant,
        variant_source=variant_source,
        status=status,
        message=message,
        checks=checks,
        score=math.fsum(check.score for check in checks),
        max_score=math.fsum(check.max_score for check in checks),
        seconds=seconds,
        notes=tuple(notes),
    )


def weighed(results: Iterable[CheckResult], rubric: Rubric) -> tuple[GradedCheck, ...]:
    """Verdicts and what each earns, by its fraction."""
    return tuple(
        GradedCheck(
            result=result,
            score=result.fraction * rubric.rules[result.id].points,
            max_score=rubric.rules[result.id].points,
            visibility=rubric.rules[result.id].visibility,
        )
        for result in results
    )


def unjudged_note(status: Status, checks: Iterable[GradedCheck]) -> str | None:
    """What is told of the points that nobody could earn; None if there are none, or the submission's message says it
    of all."""
    if status in NO_GRADE:
        return None
    unjudged = [c for c in checks if c.result.outcome == "not_judged" and c.max_score > 0]
    if not unjudged:
        return None
    names = ", ".join(c.result.id for c in unjudged)
    lost = math.fsum(c.max_score for c in unjudged)
    return say("not judged, so without points here: {checks} ({points:g} points)",
               checks=names, points=lost)  # fmt: skip


def uniform_failure(
    rubric: Rubric, message: str, finding: Finding | None = None
) -> tuple[CheckResult, ...]:
    """Every planned check failed for one reason (unreadable, timed out, crashed).

    The finding stands on the first check only, so that it is told once.
    """
    return tuple(
        CheckResult(
            id=id,
            outcome="failed",
            fraction=0.0,
            message=message,
            basis="observed",
            findings=(finding,) if finding is not None and place == 0 else (),
        )
        for place, id in enumerate(planned(rubric))
    )


def not_judged_all(rubric: Rubric, reason: str) -> tuple[CheckResult, ...]:
    """Every planned check not judged, for a reason that is ours."""
    return tuple(not_judged(id, reason) for id in planned(rubric))


def _usable(id: str, results: list[CheckResult]) -> CheckResult:
    if not results:
        return not_judged(id, say("the check gave no result"))
    if len(results) > 1:
        count = len(results)
        reason = say_count("the check gave {count} result", "the check gave {count} results", count)
        return not_judged(id, reason)
    result = results[0]
    # Written so that NaN fails.
    if not 0 <= result.fraction <= 1:
        reason = say("the check gave a fraction of {fraction}", fraction=result.fraction)
        return not_judged(id, reason)
    if result.fraction and result.outcome in ("failed", "not_judged"):
        # Two words for one thing: to take the zero would be to choose against the student in silence.
        reason = say(
            "{outcome} with a fraction of {fraction:g}",
            outcome=result.outcome,
            fraction=result.fraction,
        )
        return not_judged(id, reason)
    return _kept(result)


def _kept(result: CheckResult) -> CheckResult:
    """The verdict with at most MAX_FINDINGS findings: a loop may make one of every op, and each is in the
    journal and in the memory of pytest's process."""
    left_out = len(result.findings) - MAX_FINDINGS
    if left_out <= 0:
        return result
    kept = tuple(in_order(result.findings)[:MAX_FINDINGS])
    return msgspec.structs.replace(result, findings=kept, left_out=left_out)


def not_judged(id: str, reason: str) -> CheckResult:
    """The verdict that a check could not be judged, for a reason that is not the student's."""
    return CheckResult(
        id=id,
        outcome="not_judged",
        fraction=0.0,
        message=say("not judged: {reason}", reason=reason),
        basis="observed",
        details={"reason": reason},
    )


def _uncounted(result: CheckResult, reason: str) -> CheckResult:
    return msgspec.structs.replace(
        result,
        outcome="failed",
        fraction=0.0,
        message=say("not counted: {reason}; {message}", reason=reason, message=result.message)
        if result.message
        else say("not counted: {reason}", reason=reason),
    )

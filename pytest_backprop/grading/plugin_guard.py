"""What plugins add to grading, kept from doing harm: nothing that a plugin does, raises or returns
ends a run or costs a student points in silence. What it does wrong is told with its name.
"""

from __future__ import annotations

import math
import traceback
from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points
from ..extension import ExtraCheck, Judge, Loader
from ..messages import say
from ..model import CheckResult, CheckRules, Grade, Submission
from ..submission.read import check_amount
from .rubric import not_judged

if TYPE_CHECKING:
    from ..judging.case import Case

FindPoints = Callable[[Variant, int], Iterable[Points]]
"""A variant and the seed of the run -> points of plugins, one `Points` a plugin."""


def _none(variant: Variant, seed: int) -> Iterable[Points]:
    return ()


class Additions(Struct, frozen=True):
    """What grading asks besides its own: loaders by suffix, checks by id, further points."""

    loaders: Mapping[str, Loader] = {}
    checks: Mapping[str, Judge] = {}
    points: FindPoints = _none


def account_of(error: BaseException) -> str:
    """An error of a plugin for whoever mends it: `ValueError: no such thing (naming.py, line 12)`."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # an exception class may be broken itself
        text = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    return f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


# -- loaders --------------------------------------------------------------------------------------


def guarded_loader(plugin: str, load: Loader) -> Loader:
    """The loader, whose result is a submission as ours are, or SubmissionProblem. Whatever else it
    does is a GraderFault."""

    def guarded(path: Path, shown: str) -> Submission:
        try:
            made = load(path, shown)
        except KeyboardInterrupt:
            raise
        except SubmissionProblem as problem:
            told = (str(problem.kind), str(problem.message), str(problem.way_out))
            raise SubmissionProblem(*told) from None
        except BaseException as error:
            raise GraderFault(_failed(plugin, error)) from None
        try:
            made = msgspec.json.decode(msgspec.json.encode(made), type=Submission)
        except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
            raise GraderFault(
                say("the plugin {plugin} gave no submission: {reason}", plugin=plugin, reason=error)
            ) from None
        units = tuple(
            msgspec.structs.replace(unit, original=unit.original or unit.text)
            for unit in made.units
        )
        if not any(unit.text.strip() for unit in units):
            raise SubmissionProblem(
                "no-code",
                say("{name} has no code in it", name=shown),
                say("save your work, check that the file opens with it, and hand it in again"),
            )
        check_amount(sum(len(unit.original) for unit in units), shown)
        return Submission(shown, made.kind, units)

    return guarded


# -- checks ---------------------------------------------------------------------------------------


def guarded_judge(plugin: str, check: ExtraCheck) -> Judge:
    """The check's `judge`; `not_judged`, with the plugin's name, if it raises or gives no verdict."""

    def guarded(case: Case, rules: CheckRules) -> CheckResult:
        try:
            made = check.judge(case, rules)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return not_judged(check.id, _failed(plugin, error))
        wrong = _no_verdict(check.id, made)
        if wrong is None:
            return made
        return not_judged(
            check.id,
            say("the plugin {plugin} gave no verdict: {reason}", plugin=plugin, reason=wrong),
        )

    return guarded


def _no_verdict(id: str, made: object) -> str | None:
    """Why what a check returned is no verdict of it; None if it is."""
    if not isinstance(made, CheckResult):
        return say("it is of type {type} and no CheckResult", type=type(made).__name__)
    try:  # as it will go to the report, from another process and into the journal
        made = msgspec.json.decode(msgspec.json.encode(made), type=CheckResult)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        return str(error)
    if made.id != id:
        return say("it is for the check {id!r}", id=made.id)
    agrees = {"passed": made.fraction == 1, "partial": True}.get(made.outcome, not made.fraction)
    if not 0 <= made.fraction <= 1 or not agrees:
        return say(
            "{outcome} with a fraction of {fraction:g}",
            outcome=made.outcome,
            fraction=made.fraction,
        )
    return None


def _failed(plugin: str, error: BaseException) -> str:
    return say("the plugin {plugin} failed: {fault}", plugin=plugin, fault=account_of(error))


# -- points ---------------------------------------------------------------------------------------


def joined(first: Points, others: Iterable[Points]) -> Points:
    """The points of all, in order."""
    parts = [first, *others]
    return Points(
        tuple(row for part in parts for row in part.weights),
        tuple(row for part in parts for row in part.inputs),
        tuple(regime for part in parts for regime in part.regimes),
    )


def usable_points(plugin: str, given: object, variant: Variant) -> Points:
    """Points that a plugin gave for a variant, as float32 has them. `given` is a `Points`, or rows of
    (weights, inputs), whose regime is then the plugin's name.

    Raises UsageProblem that names the plugin and the point.
    """
    about = f"plugin {plugin}, points for {variant.name}"
    rows_wanted = (
        f"give (weights, inputs) for each point: {len(variant.weights)} and {len(variant.inputs)} "
        "finite numbers, in the order of variant.weights and variant.inputs"
    )
    if isinstance(given, Points):
        rows: list[Any] = list(zip(given.weights, given.inputs, strict=False))
        regimes = tuple(given.regimes)
        if not len(given.weights) == len(given.inputs) == len(regimes) or not all(
            isinstance(regime, str) for regime in regimes
        ):
            raise UsageProblem(
                f"{about}: weights, inputs and regimes differ in length", rows_wanted
            )
    else:
        try:
            rows = list(given)  # type: ignore[call-overload]
        except TypeError:
            raise UsageProblem(
                f"{about}: a {type(given).__name__} is no list", rows_wanted
            ) from None
        regimes = (plugin,) * len(rows)
    weights, inputs = [], []
    for number, row in enumerate(rows, 1):
        try:
            of_weights, of_inputs = row
            weights.append(_float32(of_weights))
            inputs.append(_float32(of_inputs))
        except (TypeError, ValueError, OverflowError) as error:
            raise UsageProblem(
                f"{about}: point {number} is no point: {error}", rows_wanted
            ) from None
        for what, found, wanted in (
            ("weights", weights[-1], variant.weights),
            ("inputs", inputs[-1], variant.inputs),
        ):
            if len(found) != len(wanted) or not all(map(math.isfinite, found)):
                shown = ", ".join(f"{value:g}" for value in found[:6])
                raise UsageProblem(f"{about}: point {number} has the {what} ({shown})", rows_wanted)
    return Points(tuple(weights), tuple(inputs), regimes)


def _float32(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(array("f", [float(value) for value in values]))


# -- grades ---------------------------------------------------------------------------------------

CHANGEABLE = ("score", "message", "notes")


def usable_grade(plugin: str, given: object, grade: Grade) -> Grade:
    """The grade as a plugin changed it, with a note on a new score; or as it was, with a note on why,
    if the change is none that a plugin may make."""
    wrong = _no_change(given, grade)
    if wrong is not None or not isinstance(given, Grade):
        return _noted(
            grade,
            say(
                "the plugin {plugin} gave no grade, so this one is as it was: {reason}",
                plugin=plugin,
                reason=wrong,
            ),
        )
    changed = msgspec.structs.replace(
        grade, score=float(given.score), message=given.message, notes=tuple(given.notes)
    )
    if changed.score == grade.score:
        return changed
    return _noted(
        changed,
        say(
            "the plugin {plugin} changed the score from {old:g} to {new:g}",
            plugin=plugin,
            old=grade.score,
            new=changed.score,
        ),
    )


def failed_grade(plugin: str, error: BaseException, grade: Grade) -> Grade:
    """The grade as it was, with a note that the plugin failed to change it."""
    return _noted(grade, _failed(plugin, error))


def _no_change(given: object, grade: Grade) -> str | None:
    if not isinstance(given, Grade):
        return say("it is of type {type} and no Grade", type=type(given).__name__)
    for name in grade.__struct_fields__:
        if name not in CHANGEABLE and getattr(given, name) != getattr(grade, name):
            return say("{field} is not for a plugin to change", field=name)
    score = given.score
    number = isinstance(score, int | float) and not isinstance(score, bool)
    if not number or not 0 <= score < math.inf:
        return say("the score is {score}", score=repr(score)[:40])
    notes = given.notes
    texts = [given.message, *notes] if isinstance(notes, list | tuple) else [notes]
    if not all(isinstance(text, str) and _is_unicode(text) for text in texts):
        return say("message and notes are not texts")
    return None


def _is_unicode(text: str) -> bool:
    try:
        return text.encode() is not None
    except UnicodeEncodeError:  # half of a surrogate pair: no report can carry it
        return False


def _noted(grade: Grade, note: str) -> Grade:
    return msgspec.structs.replace(grade, notes=(*grade.notes, note))

"""What plugins add to grading, kept from doing harm: nothing that a plugin does, raises or returns
ends a run or costs a student points in silence. What it does wrong is told with its name.

One rule holds for all that a plugin's function returns: it is what JSON makes of it, read back as
the type that it should have. So it goes to other processes, into the journal and into reports.
"""

from __future__ import annotations

import math
import traceback
from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points
from ..extension import ExtraCheck, Judge, Loader
from ..messages import say
from ..model import CheckResult, CheckRules, Grade, Submission
from ..submission.read import check_amount
from .rubric import contradiction, not_judged

if TYPE_CHECKING:
    from ..judging.case import Case

FindPoints = Callable[[Variant, int], Iterable[Points]]
"""A variant and the seed of the run -> points of plugins, one `Points` a plugin."""
T = TypeVar("T")


def _none(variant: Variant, seed: int) -> Iterable[Points]:
    return ()


class Additions(Struct, frozen=True):
    """What grading asks besides its own: loaders by suffix, checks by id, further points."""

    loaders: Mapping[str, Loader] = {}
    checks: Mapping[str, Judge] = {}
    points: FindPoints = _none


def account_of(error: BaseException) -> str:
    """An error of a plugin for whoever mends it: `ValueError: no such thing (naming.py, line
    12)`."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # an exception class may be broken itself
        text = type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return text
    return f"{text} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"


def _failed(plugin: str, error: BaseException) -> str:
    return say("the plugin {plugin} failed: {fault}", plugin=plugin, fault=account_of(error))


def _read_back(value: object, kind: type[T]) -> T:
    """The value as JSON has it. Raises ValueError that says why it is none of its kind."""
    try:
        return msgspec.json.decode(msgspec.json.encode(value), type=kind)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(str(error)) from None


def guarded_loader(plugin: str, load: Loader) -> Loader:
    """The loader, whose result is a submission as ours are, or SubmissionProblem. Whatever else it
    does is a GraderFault."""

    def guarded(path: Path, shown: str) -> Submission:
        try:
            answer = load(path, shown)
        except (KeyboardInterrupt, SubmissionProblem):
            raise
        except BaseException as error:
            raise GraderFault(_failed(plugin, error)) from None
        try:
            submission = _read_back(answer, Submission)
        except ValueError as reason:
            raise GraderFault(
                say(
                    "the plugin {plugin} gave no submission: {reason}", plugin=plugin, reason=reason
                )
            ) from None
        units = tuple(
            msgspec.structs.replace(unit, original=unit.original or unit.text)
            for unit in submission.units
        )
        if not any(unit.text.strip() for unit in units):
            raise SubmissionProblem(
                "no-code",
                say("{name} has no code in it", name=shown),
                say("save your work, check that the file opens with it, and hand it in again"),
            )
        check_amount(sum(len(unit.original) for unit in units), shown)
        return Submission(shown, submission.kind, units)

    return guarded


def guarded_judge(plugin: str, check: ExtraCheck) -> Judge:
    """The check's `judge`; `not_judged`, with the plugin's name, if it raises or gives no
    verdict."""

    def guarded(case: Case, rules: CheckRules) -> CheckResult:
        try:
            answer = check.judge(case, rules)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return not_judged(check.id, _failed(plugin, error))
        try:
            result = _read_back(answer, CheckResult)
            reason = contradiction(result)
            if result.id != check.id:
                reason = say("it is for the check {id!r}", id=result.id)
        except ValueError as error:
            reason = str(error)
        if reason is None:
            return result
        return not_judged(
            check.id,
            say("the plugin {plugin} gave no verdict: {reason}", plugin=plugin, reason=reason),
        )

    return guarded


# -- points ---------------------------------------------------------------------------------------


def joined(first: Points, others: Iterable[Points]) -> Points:
    """The points of all, in order."""
    parts = [first, *others]
    return Points(
        tuple(row for part in parts for row in part.weights),
        tuple(row for part in parts for row in part.inputs),
        tuple(regime for part in parts for regime in part.regimes),
    )


def usable_points(plugin: str, points: object, variant: Variant) -> Points:
    """Points that a plugin gave for a variant, as float32 has them: a `Points`, or rows of
    (weights, inputs), whose regime is then the plugin's name.

    Raises UsageProblem that names the plugin and the point.
    """

    def problem(reason: str) -> UsageProblem:
        return UsageProblem(
            f"plugin {plugin}, points for {variant.name}: {reason}",
            f"give (weights, inputs) for each point: {len(variant.weights)} and "
            f"{len(variant.inputs)} finite numbers, in the order of variant.weights and "
            "variant.inputs",
        )

    if isinstance(points, Points):
        if not len(points.weights) == len(points.inputs) == len(points.regimes):
            raise problem("weights, inputs and regimes differ in length")
        rows, regimes = list(zip(points.weights, points.inputs, strict=True)), points.regimes
    elif isinstance(points, Iterable):
        rows = list(points)
        regimes = (plugin,) * len(rows)
    else:
        raise problem(f"a {type(points).__name__} is no list")
    weights, inputs = [], []
    for number, row in enumerate(rows, 1):
        try:
            of_weights, of_inputs = (tuple(array("f", map(float, part))) for part in row)
        except (TypeError, ValueError, OverflowError) as error:
            raise problem(f"point {number} is no point: {error}") from None
        for what, values, names in (
            ("weights", of_weights, variant.weights),
            ("inputs", of_inputs, variant.inputs),
        ):
            if len(values) != len(names) or not all(map(math.isfinite, values)):
                shown = ", ".join(f"{value:g}" for value in values[:6])
                raise problem(f"point {number} has the {what} ({shown})")
        weights.append(of_weights)
        inputs.append(of_inputs)
    return Points(tuple(weights), tuple(inputs), tuple(regimes))


# -- grades ---------------------------------------------------------------------------------------


class GradeChange(Struct, frozen=True):
    """What a plugin may change of a grade: all else of the one that it gives is not looked at."""

    score: Annotated[float, Meta(ge=0)]
    message: str
    notes: tuple[str, ...]


def usable_grade(plugin: str, answer: object, grade: Grade) -> Grade:
    """The grade as a plugin changed it, with a note on a new score; or as it was, with a note on
    why, if the change is none that a plugin may make."""
    try:
        change = _read_back(answer, GradeChange)
    except ValueError as reason:
        return _noted(
            grade,
            say(
                "the plugin {plugin} gave no grade, so this one is as it was: {reason}",
                plugin=plugin,
                reason=reason,
            ),
        )
    changed = msgspec.structs.replace(grade, **msgspec.structs.asdict(change))
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


def _noted(grade: Grade, note: str) -> Grade:
    return msgspec.structs.replace(grade, notes=(*grade.notes, note))

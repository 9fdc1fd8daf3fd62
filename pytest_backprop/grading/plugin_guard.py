"""What plugins add to grading, kept from doing harm: nothing that a plugin does, raises or returns
ends a run or costs a student points in silence. What it does wrong is told with its name.

One rule holds for all that a plugin's function returns: it is what JSON makes of it, read back as
the type that it should have. So it goes to other processes, into the journal and into reports.
"""

from __future__ import annotations

import functools
import math
import traceback
from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points
from ..extension import ExtraCheck, Judge, Loader
from ..messages import phrase, say
from ..model import CheckResult, CheckRules, Grade, Submission
from ..submission.read import check_amount
from .grades import contradiction, unjudged

if TYPE_CHECKING:
    from ..judging.case import Case

FindPoints = Callable[[Variant, int], Iterable[Points]]
"""A variant and the seed of the run -> points of plugins, one `Points` a plugin."""
T = TypeVar("T")


class Additions(Struct, frozen=True):
    """What grading asks besides its own: loaders by suffix, checks by id, further points."""

    loaders: Mapping[str, Loader] = {}
    checks: Mapping[str, Judge] = {}
    points: FindPoints = lambda variant, seed: ()


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


NO_SUBMISSION = phrase("the plugin {plugin} gave no submission: {reason}")
NO_VERDICT = phrase("the plugin {plugin} gave no verdict: {reason}")
NO_CHANGE = phrase("the plugin {plugin} gave no grade, so this one is as it was: {reason}")


def _answer(
    plugin: str,
    call: Callable[[], object],
    kind: type[T],
    refusal: str,
    passes: type[BaseException] = KeyboardInterrupt,
) -> T:
    """What a plugin's function gives, as JSON has it. `passes` is what it may raise.

    Raises GraderFault for all else that it raises, and where the answer is none of its kind, which
    `refusal` says.
    """
    try:
        answer = call()
    except (KeyboardInterrupt, passes):
        raise
    except BaseException as error:
        raise GraderFault(
            say("the plugin {plugin} failed: {fault}", plugin=plugin, fault=account_of(error))
        ) from None
    try:
        return msgspec.json.decode(msgspec.json.encode(answer), type=kind)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise GraderFault(say(refusal, plugin=plugin, reason=error)) from None


def guarded_loader(plugin: str, load: Loader) -> Loader:
    """The loader, whose result is a submission as ours are, or SubmissionProblem. Whatever else it
    does is a GraderFault."""

    def guarded(path: Path, shown: str) -> Submission:
        call = functools.partial(load, path, shown)
        submission = _answer(plugin, call, Submission, NO_SUBMISSION, SubmissionProblem)
        units = tuple(
            replace(unit, original=unit.original or unit.text) for unit in submission.units
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
            call = functools.partial(check.judge, case, rules)
            result = _answer(plugin, call, CheckResult, NO_VERDICT)
        except GraderFault as fault:
            return unjudged(check.id, str(fault))
        reason = contradiction(result)
        if result.id != check.id:
            reason = say("it is for the check {id!r}", id=result.id)
        if reason is None:
            return result
        return unjudged(check.id, say(NO_VERDICT, plugin=plugin, reason=reason))

    return guarded


class GradeChange(Struct, frozen=True):
    """What a plugin may change of a grade: all else of the one that it gives is not looked at."""

    score: Annotated[float, Meta(ge=0)]
    message: str
    notes: tuple[str, ...]


def changed_grade(plugin: str, change: Callable[[], object], grade: Grade) -> Grade | None:
    """The grade as a plugin changes it, with a note on a new score; as it was, with a note, where
    the plugin fails or the change is none that it may make; None if it has nothing to say."""
    kind: Any = GradeChange | None
    try:
        changes = _answer(plugin, change, kind, NO_CHANGE)
    except GraderFault as fault:
        return replace(grade, notes=(*grade.notes, str(fault)))
    if changes is None:
        return None
    changed = replace(grade, **msgspec.structs.asdict(changes))
    if changed.score == grade.score:
        return changed
    note = say(
        "the plugin {plugin} changed the score from {old:g} to {new:g}",
        plugin=plugin,
        old=grade.score,
        new=changed.score,
    )
    return replace(changed, notes=(*changed.notes, note))


# -- points ---------------------------------------------------------------------------------------


def joined(first: Points, others: Iterable[Points]) -> Points:
    """The points of all, in order."""
    parts = [first, *others]
    return Points(
        tuple(row for part in parts for row in part.weights),
        tuple(row for part in parts for row in part.inputs),
        tuple(regime for part in parts for regime in part.regimes),
    )


def usable_points(plugin: str, points: Any, variant: Variant) -> Points:
    """Points that a plugin gave for a variant, as float32 has them: a `Points`, or rows of
    (weights, inputs), whose regime is then the plugin's name.

    Raises UsageProblem that names the plugin and the point.
    """
    counts = len(variant.weights), len(variant.inputs)
    regimes, number, rows = None, 0, []
    try:
        if isinstance(points, Points):
            regimes = points.regimes
            points = [p[:2] for p in zip(points.weights, points.inputs, regimes, strict=True)]
        for number, (weights, inputs) in enumerate(points, 1):  # noqa: B007
            row = tuple(tuple(array("f", map(float, part))) for part in (weights, inputs))
            if tuple(map(len, row)) != counts or not all(map(math.isfinite, (*row[0], *row[1]))):
                raise ValueError(f"it is {row}"[:200])
            rows.append(row)
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageProblem(
            f"plugin {plugin}, points for {variant.name}: point {number}: {error}",
            f"give (weights, inputs) for each point: {counts[0]} and {counts[1]} finite numbers, "
            "in the order of variant.weights and variant.inputs",
        ) from None
    return Points(
        tuple(weights for weights, _ in rows),
        tuple(inputs for _, inputs in rows),
        (plugin,) * len(rows) if regimes is None else regimes,
    )

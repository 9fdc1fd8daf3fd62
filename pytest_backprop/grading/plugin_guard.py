"""What plugins add to grading, kept from doing harm: nothing that a plugin does ends a run or costs
a student points in silence. What its functions return is what JSON makes of it, read back as the
type that it should have, as it goes to other processes, into the journal and into reports.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
from msgspec.structs import replace

from ..errors import GraderFault, SubmissionProblem
from ..extension import ExtraCheck, Judge, Loader
from ..messages import phrase, say
from ..model import CheckResult, CheckRules, Submission
from ..submission.read import check_amount
from .grades import contradiction, unjudged

if TYPE_CHECKING:
    from ..judging.case import Case

T = TypeVar("T")


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


def _answer(
    plugin: str, kind: type[T], refusal: str, function: Callable[..., object], *arguments: object
) -> T:
    """What a plugin's function gives, as JSON has it.

    Raises SubmissionProblem as a loader does; GraderFault for all else that the function raises,
    and where the answer is none of its kind, which `refusal` says.
    """
    try:
        answer = function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if kind is Submission and isinstance(error, SubmissionProblem):
            raise
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
    refusal = phrase("the plugin {plugin} gave no submission: {reason}")

    def guarded(path: Path, shown: str) -> Submission:
        submission = _answer(plugin, Submission, refusal, load, path, shown)
        units = tuple(
            replace(unit, original=unit.original or unit.text) for unit in submission.units
        )
        check_amount(sum(len(unit.original) for unit in units), shown)
        return Submission(shown, submission.kind, units)

    return guarded


def guarded_judge(plugin: str, check: ExtraCheck) -> Judge:
    """The check's `judge`; `not_judged`, with the plugin's name, if it raises or gives no
    verdict."""
    refusal = phrase("the plugin {plugin} gave no verdict: {reason}")

    def guarded(case: Case, rules: CheckRules) -> CheckResult:
        try:
            result = _answer(plugin, CheckResult, refusal, check.judge, case, rules)
        except GraderFault as fault:
            return unjudged(check.id, str(fault))
        reason = contradiction(result)
        if result.id != check.id:
            reason = say("it is for the check {id!r}", id=result.id)
        if reason is None:
            return result
        return unjudged(check.id, say(refusal, plugin=plugin, reason=reason))

    return guarded

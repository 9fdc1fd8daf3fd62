"""Asks other plugins what they add to a run, through the hooks of `hookspecs`, and checks it.

Every answer belongs to a plugin, and whatever is wrong with one is told with that plugin's name:
when the run starts, as a usage error; later, as a note or `not_judged`. Nothing that a plugin does
while it grades ends a run or costs a student points in silence. What its functions return then is
what JSON makes of it, read back as the type that it should have, as it goes to other processes,
into the journal and into reports."""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import sys
import traceback
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from operator import itemgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from ..classroom.names import SUBMISSIONS
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises import BUILT_IN, Exercise
from ..exercises.functions.bank import Bank
from ..extension import ExtraCheck, Judge, Loader, Renderer
from ..grading.assignment import Part, read_parts
from ..grading.grades import contradiction, unjudged
from ..grading.rubric import Rubric, rubric_of
from ..messages import phrase, say
from ..model import CHECK_IDS, COURSE_KIND, PLUGGED_NAME, CheckResult, CheckRules, Submission
from ..model.formats import FORMATS
from ..options import Settings
from ..reports.document import Document
from ..resume import code_digest
from ..submission import check_amount

if TYPE_CHECKING:
    from ..judging.case import Case

T = TypeVar("T")


class Contributions:
    """What the plugins of one process add.

    Raises UsageProblem for an answer that cannot be used, and for two plugins that claim one name.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        loaders = self._by_name("loaders", "suffix", SUBMISSIONS)
        self.loaders = {
            suffix: _guarded_loader(plugin, load) for suffix, (plugin, load) in loaders.items()
        }
        self.suffixes = (*SUBMISSIONS, *loaders)
        """How names of submissions end."""
        self._checks = self._by_name("checks", "check", CHECK_IDS)
        self.judges = {
            id: _guarded_judge(plugin, check) for id, (plugin, check) in self._checks.items()
        }
        self._exercises = self._by_name("exercises", "kind of exercise", BUILT_IN)
        formats = self._by_name("report_formats", "report format", FORMATS)
        self.formats: dict[str, Renderer] = {
            name: functools.partial(_rendered, plugin, name, render)
            for name, (plugin, render) in formats.items()
        }
        """Report formats by name; each gives text, or raises UsageProblem."""

    # -- asking -----------------------------------------------------------------------------

    def _implementations(self, hook: str) -> Iterator[tuple[str, Any]]:
        """Who implements a hook, as pluggy has it, each with the name of its plugin, in the order
        in which pluggy calls them."""
        caller = getattr(self._config.pluginmanager.hook, f"pytest_backprop_{hook}")
        for each in reversed(caller.get_hookimpls()):
            # one that is registered without a name has a number
            is_named = not each.plugin_name.isdigit()
            yield each.plugin_name if is_named else type(each.plugin).__qualname__, each

    def _by_name(self, hook: str, what: str, ours: Collection[str]) -> dict[str, tuple[str, Any]]:
        """What plugins add by a hook: its name -> the plugin's name, and the thing itself."""
        is_suffix = hook == "loaders"
        pattern, dot = (r"\.[a-z0-9]+", "a dot, ") if is_suffix else (PLUGGED_NAME, "")
        added: dict[str, tuple[str, Any]] = {}
        for plugin, implementation in self._implementations(hook):
            with _blamed(plugin, f"pytest_backprop_{hook}"):
                # as pluggy does: with the arguments that it names, of which there is one
                answer = implementation.function(*[self._config] * len(implementation.argnames))
                for name, thing in () if answer is None else _items(plugin, hook, answer):
                    if not re.fullmatch(pattern, name):
                        reason = f"{name!r} is no name of a {what}"
                        _refuse(plugin, reason, f"use {dot}a-z, 0-9 and dashes")
                    if name in ours or name in added:
                        owner = "pytest-backprop" if name in ours else added[name][0]
                        reason = f"the {what} {name!r} is {owner}'s already"
                        _refuse(plugin, reason, "give it another name")
                    added[name] = plugin, thing
        return added

    # -- what a run takes from it -----------------------------------------------------------

    def exercise(self, name: str) -> Exercise:
        """The kind of exercise of that name. Raises UsageProblem if there is none."""
        if name in BUILT_IN:
            return BUILT_IN[name]
        if name not in self._exercises:
            kinds = ", ".join((*BUILT_IN, *self._exercises))
            raise UsageProblem(
                f"there is no kind of exercise {name!r}, as --backprop-kind or EXERCISE says",
                f"known: {kinds}; install the plugin that adds it, or name it with -p",
            )
        exercise: Exercise = self._exercises[name][1]
        return exercise

    def _owner_blamed(self, exercise: Exercise, what: str) -> AbstractContextManager[None]:
        if exercise.name in BUILT_IN:
            return contextlib.nullcontext()
        return _blamed(self._exercises[exercise.name][0], f"{what} of {exercise.name}")

    def rubric(self, exercise: Exercise) -> Rubric:
        """The default rubric of an exercise, with the checks of plugins."""
        extra = {id: check.rules for id, (_, check) in self._checks.items()}
        gated = [id for id, (_, check) in self._checks.items() if check.gated]
        name = "default" if exercise.name == COURSE_KIND else exercise.name
        with self._owner_blamed(exercise, "the rubric"):
            return rubric_of(name, exercise.rules, extra, gated)

    def parts(self, settings: Settings) -> tuple[Part, ...]:
        """What is asked of submissions. Raises UsageProblem."""
        return read_parts(
            settings.variants,
            settings.kind,
            lambda kind: self.rubric(self.exercise(kind)),
            settings.assignment,
            settings.rubric,
        )

    def bank(self, exercise: Exercise, folder: Path) -> Bank:
        """The tasks in a folder, as the exercise reads them. Raises UsageProblem."""
        with self._owner_blamed(exercise, "load_bank"):
            return exercise.load_bank(folder)

    @property
    def versions(self) -> dict[str, str | None]:
        """Digests of the code of the plugins that may change a grade, by name."""
        hooks = ("loaders", "checks", "exercises")
        graders = [each for hook in hooks for each in self._implementations(hook)]
        return {name: _code_of(each.plugin) for name, each in sorted(graders, key=itemgetter(0))}

    def judging(self, exercise: Exercise) -> list[str]:
        """The plugins whose functions the judge calls, by name, with an exercise of a plugin's."""
        hooks = ("loaders", "checks")
        names = [name for hook in hooks for name, _ in self._implementations(hook)]
        return names if exercise.name in BUILT_IN else [*names, exercise.name]


def _code_of(plugin: object) -> str:
    """Digest of the code of a plugin's module, or of the whole package that the module lies in."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    top = sys.modules.get(name.partition(".")[0])
    files = [
        path for folder in getattr(top, "__path__", ()) for path in Path(folder).rglob("*.py")
    ] or [Path(str(getattr(top, "__file__", None)))]
    return code_digest(path for path in files if path.is_file())


# -- checking ---------------------------------------------------------------------------------


def _items(plugin: str, hook: str, answer: Any) -> Iterator[tuple[str, Any]]:
    """What an answer has, by name. The rules that come with a check or an exercise are looked
    at."""
    if hook not in ("checks", "exercises"):
        yield from answer.items()
        return
    for thing in answer:
        is_check = hook == "checks"
        name = thing.id if is_check else thing.name
        for id, own in ({name: thing.rules} if is_check else thing.rules).items():
            try:
                msgspec.convert(msgspec.structs.asdict(own), CheckRules)
            except msgspec.ValidationError as error:
                _refuse(plugin, f"the rules of the check {id}: {error}")
        yield name, thing


@contextlib.contextmanager
def _blamed(plugin: str, what: str) -> Iterator[None]:
    """Whatever is raised here is told as a UsageProblem with the plugin's name."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except UsageProblem as problem:
        owner = f"plugin {plugin}: "
        message = owner + problem.message.removeprefix(owner)
        raise UsageProblem(message, problem.way_out) from None
    except BaseException as error:
        _refuse(plugin, f"{what} failed: {_account_of(error)}")


def _refuse(plugin: str, why: str, way_out: str = "mend it") -> NoReturn:
    raise UsageProblem(f"plugin {plugin}: {why}", f"{way_out}, or leave the plugin out") from None


def _rendered(plugin: str, name: str, render: Renderer, document: Document) -> str:
    """A plugin's report as text. Raises UsageProblem if the plugin fails."""
    with _blamed(plugin, f"the report {name}"):
        text = render(copy.deepcopy(document))
        if not isinstance(text, str):
            raise TypeError(f"it gave a {type(text).__name__} and not a text")
        text.encode()
    return text


# -- what plugins add to grading ------------------------------------------------------------------


def _account_of(error: BaseException) -> str:
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
    and where the answer is none of its kind, which `refusal` says."""
    try:
        answer = function(*arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if kind is Submission and isinstance(error, SubmissionProblem):
            raise
        raise GraderFault(
            say("the plugin {plugin} failed: {fault}", plugin=plugin, fault=_account_of(error))
        ) from None
    try:
        return msgspec.json.decode(msgspec.json.encode(answer), type=kind)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise GraderFault(say(refusal, plugin=plugin, reason=error)) from None


def _guarded_loader(plugin: str, load: Loader) -> Loader:
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


def _guarded_judge(plugin: str, check: ExtraCheck) -> Judge:
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

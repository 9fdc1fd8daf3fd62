"""Asks other plugins what they add to a run, through the hooks of `hookspecs`, and checks it.

Every answer belongs to a plugin, and whatever is wrong with one is told with that plugin's name:
when the run starts, as a usage error; later, in `additions`, as a note or `not_judged`.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import msgspec
import pytest

from ..errors import UsageProblem
from ..exercises import BUILT_IN, Exercise
from ..exercises.functions.bank import Bank, Variant
from ..exercises.functions.bank.library import kinds_in
from ..exercises.functions.scenarios import Points
from ..extension import Renderer
from ..grading.plugin_guard import (
    Additions,
    account_of,
    changed_grade,
    guarded_judge,
    guarded_loader,
    usable_points,
)
from ..grading.rubric import Rubric, rubric_of
from ..model import CHECK_IDS, COURSE_KIND, NO_GRADE, PLUGGED_NAME, CheckRules, Grade
from ..model.formats import FORMATS
from ..options import Settings
from ..reports.document import Document
from ..resume import code_digest

SUFFIXES = (".py", ".ipynb")
"""What is read without a plugin."""
GRADING = ("loaders", "checks", "points", "grade", "exercises")
"""Hooks that may change a grade."""
JUDGING = ("loaders", "checks", "points")
"""Those that give functions for the judge."""


class Contributions:
    """What the plugins of one process add.

    Raises UsageProblem for an answer that cannot be used, and for two plugins that claim one name.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        loaders = self._by_name("loaders", "suffix", SUFFIXES)
        self._loaders = {
            suffix: guarded_loader(plugin, load) for suffix, (plugin, load) in loaders.items()
        }
        self.suffixes = (*SUFFIXES, *loaders)
        """How names of submissions end."""
        self._checks = self._by_name("checks", "check", CHECK_IDS)
        self._exercises = self._by_name("exercises", "kind of exercise", BUILT_IN)
        self.formats: dict[str, Renderer] = {
            name: functools.partial(_rendered, plugin, name, render)
            for name, (plugin, render) in self._by_name(
                "report_formats", "report format", FORMATS
            ).items()
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

    def _answers(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """The answers to a hook one by one, each with the name of its plugin."""
        for plugin, implementation in self._implementations(hook):
            with _blamed(plugin, f"pytest_backprop_{hook}"):
                answer = _call(implementation, config=self._config, **arguments)
            if answer is not None:
                yield plugin, answer

    def _by_name(self, hook: str, what: str, ours: Collection[str]) -> dict[str, tuple[str, Any]]:
        """What plugins add by a hook: its name -> the plugin's name, and the thing itself."""
        pattern = r"\.[a-z0-9]+" if hook == "loaders" else PLUGGED_NAME
        added: dict[str, tuple[str, Any]] = {}
        for plugin, answer in self._answers(hook):
            with _blamed(plugin, f"pytest_backprop_{hook}"):
                for name, thing in _items(plugin, hook, answer):
                    if not re.fullmatch(pattern, name):
                        dot = "a dot, " if hook == "loaders" else ""
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
                f"--backprop-kind: there is no kind of exercise {name!r}",
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

    def bank(self, exercise: Exercise, folder: Path) -> Bank:
        """The tasks in a folder, as the exercise reads them. Raises UsageProblem."""
        with self._owner_blamed(exercise, "load_bank"):
            return exercise.load_bank(folder)

    def additions(self) -> Additions:
        """What grading takes."""
        judges = {id: guarded_judge(plugin, check) for id, (plugin, check) in self._checks.items()}
        return Additions(self._loaders, judges, self._points)

    def _points(self, variant: Variant, seed: int) -> Iterable[Points]:
        answers = self._answers("points", variant=variant, seed=seed)
        return [usable_points(plugin, points, variant) for plugin, points in answers]

    def changed(self, grade: Grade) -> Grade:
        """The grade as the first plugin that has something to say changes it; one that was not
        judged stays as it is."""
        if grade.status in NO_GRADE:
            return grade
        for plugin, implementation in self._implementations("grade"):
            call = functools.partial(_call, implementation, config=self._config, grade=grade)
            if (changed := changed_grade(plugin, call, grade)) is not None:
                return changed
        return grade

    @property
    def versions(self) -> dict[str, str | None]:
        """Versions of the plugins that may change a grade, by name."""
        manager = self._config.pluginmanager
        installed = {id(plugin): dist.version for plugin, dist in manager.list_plugin_distinfo()}
        graders = [each for hook in GRADING for each in self._implementations(hook)]
        return {
            name: _version(each.plugin, installed.get(id(each.plugin)))
            for name, each in sorted(graders, key=lambda grader: grader[0])
        }

    def judging(self, exercise: Exercise) -> list[str]:
        """The plugins whose functions the judge calls, by name, with an exercise of a plugin's."""
        names = [name for hook in JUDGING for name, _ in self._implementations(hook)]
        return names if exercise.name in BUILT_IN else [*names, exercise.name]


def kind_of(settings: Settings) -> str:
    """The kind of exercise: what was asked for, or else what all tasks in the folder are.

    Raises UsageProblem where these are of several kinds, none of them the usual one.
    """
    kinds = kinds_in(settings.variants)
    if settings.kind != COURSE_KIND or not kinds or COURSE_KIND in kinds:
        return settings.kind
    if len(kinds) > 1:
        names = ", ".join(sorted(kinds))
        raise UsageProblem(
            f"the tasks in {settings.variants.name}/ are of several kinds: {names}",
            "grade one of them with --backprop-kind, or give each a folder of its own",
        )
    return kinds.pop()


def _call(implementation: Any, **arguments: Any) -> Any:
    """Calls one plugin's function as pluggy does: with the arguments that it names."""
    return implementation.function(*(arguments[name] for name in implementation.argnames))


def _version(plugin: object, installed: str | None) -> str:
    """The version of a pytest plugin: `installed`, if it came with a package, and a digest of the
    code of its module, or of the whole package that the module lies in."""
    name = plugin.__name__ if isinstance(plugin, ModuleType) else type(plugin).__module__
    top = sys.modules.get(name.partition(".")[0])
    files = [
        path for folder in getattr(top, "__path__", ()) for path in Path(folder).rglob("*.py")
    ] or [Path(str(getattr(top, "__file__", None)))]
    digest = code_digest(path for path in files if path.is_file())
    return digest if installed is None else f"{installed}+{digest}"


# -- checking ---------------------------------------------------------------------------------


def _items(plugin: str, hook: str, answer: Any) -> Iterator[tuple[str, Any]]:
    """What an answer has, by name."""
    if hook == "checks":
        for check in answer:
            _check_rules(plugin, {check.id: check.rules})
            yield check.id, check
    elif hook == "exercises":
        for exercise in answer:
            _check_rules(plugin, exercise.rules)
            yield exercise.name, exercise
    else:
        yield from answer.items()


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
        _refuse(plugin, f"{what} failed: {account_of(error)}")


def _refuse(plugin: str, why: str, way_out: str = "mend it") -> NoReturn:
    raise UsageProblem(f"plugin {plugin}: {why}", f"{way_out}, or leave the plugin out") from None


def _check_rules(plugin: str, rules: Mapping[str, CheckRules]) -> None:
    for id, own in rules.items():
        try:
            msgspec.convert(msgspec.structs.asdict(own), CheckRules)
        except msgspec.ValidationError as error:
            _refuse(plugin, f"the rules of the check {id}: {error}")


def _rendered(plugin: str, name: str, render: Renderer, document: Document) -> str:
    """A plugin's report as text. Raises UsageProblem if the plugin fails."""
    try:
        text = render(copy.deepcopy(document))
        if isinstance(text, str):
            text.encode()
            return text
        why = f"it gave a {type(text).__name__} and not a text"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        why = account_of(error)
    raise UsageProblem(
        f"the report {name} is not written: the plugin {plugin} failed: {why}",
        "mend the plugin; the same command with --backprop-resume grades nothing again",
    )

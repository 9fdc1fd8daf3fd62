"""Asks other plugins what they add to a run, through the hooks of `hookspecs`, and checks it.

Every answer belongs to a plugin, and whatever is wrong with one is told with that plugin's name:
when the run starts, as a usage error; later, in `additions`, as a note or `not_judged`.
"""

from __future__ import annotations

import copy
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import pytest

from ..errors import UsageProblem
from ..exercises import BUILT_IN, Exercise
from ..exercises.functions.bank import Bank, Variant
from ..exercises.functions.bank.library import kinds_in
from ..exercises.functions.scenarios import Points
from ..extension import ExtraCheck, Loader, Renderer
from ..grading.plugin_guard import (
    Additions,
    account_of,
    failed_grade,
    guarded_judge,
    guarded_loader,
    usable_grade,
    usable_points,
)
from ..grading.rubric import Rubric, rubric_of
from ..grading.rubric_file import wanted_value
from ..model import CHECK_IDS, COURSE_KIND, NO_GRADE, PLUGGED_NAME, CheckRules, Grade
from ..model.formats import FORMATS
from ..options import Settings
from ..reports.document import Document
from ..resume.fingerprint import plugin_version

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
        self._owners: dict[tuple[str, str], str] = {}
        self._loaders: dict[str, Loader] = {}
        self._checks: dict[str, tuple[str, ExtraCheck]] = {}
        self._exercises: dict[str, tuple[str, Exercise]] = {}
        self.formats: dict[str, Renderer] = {}
        """Report formats by name; each gives text, or raises UsageProblem."""
        for plugin, given in self._asked("loaders"):
            for suffix, load in self._pairs(plugin, "loaders", given):
                self._loaders[self._suffix(plugin, suffix)] = guarded_loader(plugin, load)
        for plugin, given in self._asked("checks"):
            for check in self._listed(plugin, "checks", given, ExtraCheck):
                self._claim(plugin, "check", check.id, CHECK_IDS)
                self._check_rules(plugin, {check.id: check.rules})
                self._checks[check.id] = (plugin, check)
        for plugin, given in self._asked("report_formats"):
            for name, render in self._pairs(plugin, "report_formats", given):
                self._claim(plugin, "report format", name, FORMATS)
                self.formats[name] = _guarded_renderer(plugin, name, render)
        for plugin, given in self._asked("exercises"):
            for exercise in self._listed(plugin, "exercises", given, Exercise):
                self._claim(plugin, "kind of exercise", exercise.name, BUILT_IN)
                self._check_exercise(plugin, exercise)
                self._exercises[exercise.name] = (plugin, exercise)

    # -- what a run takes from it -----------------------------------------------------------

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How names of submissions end."""
        return (*SUFFIXES, *self._loaders)

    def exercise(self, name: str) -> Exercise:
        """The kind of exercise of that name. Raises UsageProblem if there is none."""
        if name in BUILT_IN:
            return BUILT_IN[name]
        if name not in self._exercises:
            known = ", ".join((*BUILT_IN, *self._exercises))
            raise UsageProblem(
                f"--backprop-kind: there is no kind of exercise {name!r}",
                f"known: {known}; install the plugin that adds it, or name it with -p",
            )
        return self._exercises[name][1]

    def rubric(self, exercise: Exercise) -> Rubric:
        """The default rubric of an exercise, with the checks of plugins."""
        extra = {id: check.rules for id, (_, check) in self._checks.items()}
        gated = [id for id, (_, check) in self._checks.items() if check.gated]
        if exercise.name == COURSE_KIND:
            return rubric_of("default", exercise.rules, extra, gated)
        try:
            return rubric_of(exercise.name, exercise.rules, extra, gated)
        except UsageProblem as problem:
            owner = f"plugin {self._owner(exercise)}: kind of exercise {exercise.name}"
            raise UsageProblem(f"{owner}: {problem.message}", problem.way_out) from None

    def bank(self, exercise: Exercise, folder: Path) -> Bank:
        """The tasks in a folder, as the exercise reads them. Raises UsageProblem."""
        if exercise.name in BUILT_IN:
            return exercise.load_bank(folder)
        plugin, name = self._owner(exercise), exercise.name
        try:
            bank = exercise.load_bank(folder)
        except UsageProblem:
            raise
        except Exception as error:
            _refuse(plugin, f"load_bank of {name} failed: {account_of(error)}")
        if not isinstance(bank, Bank) or not len(bank):
            _refuse(plugin, f"load_bank of {name} gave {type(bank).__name__}, no variants")
        return bank

    def _owner(self, exercise: Exercise) -> str:
        return self._exercises[exercise.name][0]

    def additions(self) -> Additions:
        """What grading takes."""
        judges = {id: guarded_judge(plugin, check) for id, (plugin, check) in self._checks.items()}
        return Additions(self._loaders, judges, self._points)

    def changed(self, grade: Grade) -> Grade:
        """The grade as the first plugin that has something to say changes it; one that was not
        judged stays as it is."""
        if grade.status in NO_GRADE:
            return grade
        answers = self._asked("grade", grade=grade)
        while True:
            try:
                plugin, given = next(answers, (None, None))
            except _Failed as failed:
                return failed_grade(failed.plugin, failed.error, grade)
            if plugin is None:
                return grade
            if given is not None:
                return usable_grade(plugin, given, grade)

    @property
    def changes_grades(self) -> bool:
        """Whether a plugin has a say in finished grades."""
        return bool(self._config.pluginmanager.hook.pytest_backprop_grade.get_hookimpls())

    @property
    def versions(self) -> dict[str, str | None]:
        """Versions of the plugins that may change a grade, by name."""
        manager = self._config.pluginmanager
        packages = manager.list_plugin_distinfo()
        found: dict[str, str | None] = {}
        for hook in GRADING:
            for implementation in getattr(manager.hook, f"pytest_backprop_{hook}").get_hookimpls():
                plugin = implementation.plugin
                name = _name(implementation.plugin_name, plugin)
                installed = next((str(d.version) for each, d in packages if each is plugin), None)
                found[name] = plugin_version(plugin, installed)
        return dict(sorted(found.items()))

    def judging(self, exercise: Exercise) -> list[str]:
        """The plugins whose functions the judge calls, by name, with an exercise of a plugin's."""
        hooks = (getattr(self._config.pluginmanager.hook, f"pytest_backprop_{n}") for n in JUDGING)
        found = [each for hook in hooks for each in hook.get_hookimpls()]
        names = [_name(each.plugin_name, each.plugin) for each in found]
        return names if exercise.name in BUILT_IN else [*names, exercise.name]

    # -- asking -----------------------------------------------------------------------------

    def _asked(self, hook: str, **others: Any) -> Iterator[tuple[str, Any]]:
        """The answers to a hook one by one, each with the name of its plugin, in pluggy's order.

        Raises _Failed, or UsageProblem where the run has not started.
        """
        manager = self._config.pluginmanager
        name = f"pytest_backprop_{hook}"
        plain = [
            each
            for each in getattr(manager.hook, name).get_hookimpls()
            if not (each.wrapper or each.hookwrapper)
        ]
        for chosen in reversed(plain):
            plugin = _name(chosen.plugin_name, chosen.plugin)
            rest = [each.plugin for each in plain if each.plugin is not chosen.plugin]
            try:
                given = manager.subset_hook_caller(name, rest)(config=self._config, **others)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                if hook == "grade":
                    raise _Failed(plugin, error) from None
                if isinstance(error, UsageProblem):
                    raise UsageProblem(f"plugin {plugin}: {error.message}", error.way_out) from None
                _refuse(plugin, f"{name} failed: {account_of(error)}")
            for answer in [given] if hook == "grade" else given:
                yield plugin, answer

    def _points(self, variant: Variant, seed: int) -> Iterable[Points]:
        return [
            usable_points(plugin, given, variant)
            for plugin, given in self._asked("points", variant=variant, seed=seed)
        ]

    # -- checking ---------------------------------------------------------------------------

    def _pairs(
        self, plugin: str, hook: str, given: object
    ) -> Iterator[tuple[str, Callable[..., Any]]]:
        if not isinstance(given, Mapping):
            _refuse(plugin, f"pytest_backprop_{hook} gave a {type(given).__name__}, not a mapping")
        for name, function in given.items():
            if not isinstance(name, str) or not callable(function):
                _refuse(plugin, f"pytest_backprop_{hook} has {name!r}: {function!r}, no function")
            yield name, function

    def _listed(self, plugin: str, hook: str, given: object, kind: type[Any]) -> Iterator[Any]:
        if isinstance(given, kind):
            given = [given]
        if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
            _refuse(plugin, f"pytest_backprop_{hook} gave a {type(given).__name__}, not a list")
        for item in given:
            if not isinstance(item, kind):
                _refuse(plugin, f"pytest_backprop_{hook} has {item!r}, no {kind.__name__}")
            yield item

    def _claim(self, plugin: str, what: str, name: object, taken: Iterable[str]) -> None:
        if not isinstance(name, str) or not re.fullmatch(PLUGGED_NAME, name):
            _refuse(plugin, f"{name!r} is no name of a {what}", "use a-z, 0-9 and dashes")
        owner = "pytest-backprop" if name in taken else self._owners.get((what, name))
        if owner is not None:
            _refuse(plugin, f"the {what} {name!r} is {owner}'s already", "give it another name")
        self._owners[what, name] = plugin

    def _suffix(self, plugin: str, suffix: str) -> str:
        if not re.fullmatch(r"\.[a-z0-9]+", suffix):
            _refuse(plugin, f"{suffix!r} is no suffix of a file", "write it as '.md', lower-case")
        owner = "pytest-backprop" if suffix in SUFFIXES else self._owners.get(("suffix", suffix))
        if owner is not None:
            _refuse(plugin, f"{suffix} files are read by {owner} already", "take it out")
        self._owners["suffix", suffix] = plugin
        return suffix

    def _check_rules(self, plugin: str, rules: Mapping[str, CheckRules]) -> None:
        for id, own in rules.items():
            if not isinstance(own, CheckRules):
                _refuse(plugin, f"the rules of {id} are {own!r}", "make them CheckRules(points=…)")
            for key in CheckRules.__struct_fields__:
                wanted = wanted_value(key, getattr(own, key))
                if wanted is not None:
                    value = getattr(own, key)
                    _refuse(plugin, f"{key} of the check {id} is {value!r}", f"make it {wanted}")

    def _check_exercise(self, plugin: str, exercise: Exercise) -> None:
        names = exercise.pass_names
        if not isinstance(names, tuple) or not names or not all(map(_is_method, names)):
            _refuse(
                plugin,
                f"pass_names of {exercise.name} are {names!r}",
                "give a tuple of names of methods; forward is not one of them",
            )
        self._check_rules(plugin, exercise.rules)
        try:
            found = importlib.util.find_spec(exercise.child)
        except (ImportError, ValueError, AttributeError, TypeError):
            found = None
        if found is None:
            _refuse(
                plugin,
                f"child of {exercise.name} is {exercise.child!r}, which is no module",
                "name the module with its `find`",
            )


def kind_of(settings: Settings) -> str:
    """The kind of exercise: what was asked for, or else what all tasks in the folder are. Raises UsageProblem
    where these are of several kinds, none of them the usual one."""
    kinds = kinds_in(settings.variants)
    if settings.kind != COURSE_KIND or not kinds or COURSE_KIND in kinds:
        return settings.kind
    if len(kinds) > 1:
        raise UsageProblem(
            f"the tasks in {settings.variants.name}/ are of several kinds: {', '.join(sorted(kinds))}",
            "grade one of them with --backprop-kind, or give each a folder of its own",
        )
    return kinds.pop()


class _Failed(Exception):
    """A hook raised while grades are made."""

    def __init__(self, plugin: str, error: BaseException) -> None:
        super().__init__(plugin)
        self.plugin = plugin
        self.error = error


def _is_method(name: object) -> bool:
    return isinstance(name, str) and name.isidentifier() and name != "forward"


def _name(registered: str, plugin: object) -> str:
    """A plugin as a person knows it: one that is registered without a name has a number."""
    return type(plugin).__qualname__ if registered.isdigit() else registered


def _refuse(plugin: str, why: str, way_out: str = "mend it") -> NoReturn:
    raise UsageProblem(f"plugin {plugin}: {why}", f"{way_out}, or leave the plugin out") from None


def _guarded_renderer(plugin: str, name: str, render: Renderer) -> Renderer:
    def guarded(document: Document) -> str:
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

    return guarded

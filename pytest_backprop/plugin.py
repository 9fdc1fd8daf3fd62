"""Hook implementations. Without `--backprop` nothing here imports torch or changes anything."""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Generator

import pytest

from .errors import UsageProblem
from .messages import bear_console, use_language
from .options import chosen_python, pytest_addoption as pytest_addoption, settings as read_settings


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from . import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """A conftest.py or pytest.ini among submissions is a student's: pytest would obey it."""
    if not _wanted(early_config):
        return
    from .session.class_paths import check_ini, forget_folders, graded_folders

    options = early_config.known_args_namespace
    start = early_config.invocation_params.dir
    folders = graded_folders(options.file_or_dir or ["."], start)
    options.noconftest = True
    forget_folders(folders)
    try:
        check_ini(early_config.inipath, folders, start, chosen=bool(options.inifilename))
    except UsageProblem as problem:
        raise pytest.UsageError(problem.wrapped()) from None


@pytest.hookimpl(wrapper=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, object, object]:
    """Another Python may go on in the place of this one. `-n N` of pytest-xdist says how many
    submissions are graded at a time, and xdist itself starts nothing."""
    if _wanted(config):
        _hand_over(config)
    option = config.option
    if _wanted(config) and hasattr(option, "numprocesses"):
        if isinstance(option.numprocesses, int) and option.numprocesses > 0:
            option.backprop_executor = option.backprop_executor or f"local:{option.numprocesses}"
        option.numprocesses, option.dist, option.tx = None, "no", []
    return (yield)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if not _wanted(config):
        return
    bear_console()
    from .session.class_paths import class_plan
    from .session.grading_session import SESSION, GradingSession
    from .session.plugins import Contributions
    from .session.report_targets import check_report_targets, inputs_of
    from .session.reporter import Reporter, interrupt_by_sigterm, tell

    grading = not (config.option.collectonly or config.option.help)
    try:
        contributions = Contributions(config)
        settings = read_settings(config, contributions.formats)
        use_language(settings.lang)
        check_report_targets(settings, inputs_of(settings, config), contributions.suffixes)
        parts = contributions.parts(settings)
        exercises = {part.kind: contributions.exercise(part.kind) for part in parts}
        session = GradingSession(
            settings,
            contributions,
            parts,
            exercises,
            class_plan(config, settings, exercises.values(), contributions.suffixes),
            functools.partial(tell, config),
            grading,
        )
    except UsageProblem as problem:
        raise pytest.UsageError(problem.wrapped()) from None
    config.stash[SESSION] = session
    # not by `from .session import`: pytester takes modules out of sys.modules, not out of packages
    collect = importlib.import_module(".session.collect", __package__)
    config.pluginmanager.register(collect, "backprop-collect")
    if grading:
        interrupt_by_sigterm(config)
        try:
            session.start()
        except UsageProblem as problem:
            session.close()
            raise pytest.UsageError(problem.wrapped()) from None
    for name in ("python", "doctest"):  # they would import submissions
        if (importer := config.pluginmanager.get_plugin(name)) is not None:
            config.pluginmanager.unregister(importer)
    config.pluginmanager.register(Reporter(config, session), "backprop-reporter")


def _hand_over(config: pytest.Config) -> None:
    """Does not return where another Python is asked for."""
    try:
        if asked := chosen_python(config):
            from .session.interpreter import become, other_python

            if (python := other_python(asked)) is not None:
                arguments = map(str, config.invocation_params.args)
                become([python, "-P", "-m", "pytest", *arguments], os.environ)
    except UsageProblem as problem:
        raise pytest.UsageError(problem.wrapped()) from None


def _wanted(config: pytest.Config) -> bool:
    early = getattr(config, "known_args_namespace", None)
    if getattr(config.option, "backprop", None) or getattr(early, "backprop", None):
        return True
    try:
        return bool(config.getini("backprop"))
    except (ValueError, TypeError, pytest.UsageError):
        return True  # a value that is neither true nor false: `settings` says so

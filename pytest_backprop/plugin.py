"""Hook implementations. Without `--backprop` nothing here imports torch or changes anything."""

from __future__ import annotations

import functools
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from .errors import UsageProblem
from .messages import say, use_language
from .options import Settings, add_options, settings as read_settings

SETTINGS = pytest.StashKey[Settings]()


def pytest_addoption(parser: pytest.Parser) -> None:
    add_options(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    from . import hookspecs

    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """A conftest.py or pytest.ini among submissions is a student's: pytest would obey it."""
    if not _wanted(early_config):
        return
    from .session.isolation import check_ini, forget_folders, graded_folders

    known = early_config.known_args_namespace
    start = early_config.invocation_params.dir
    folders = graded_folders(known.file_or_dir or ["."], start)
    known.noconftest = True
    forget_folders(folders)
    try:
        check_ini(early_config.inipath, folders, start, chosen=bool(known.inifilename))
    except UsageProblem as problem:
        raise pytest.UsageError(str(problem)) from None


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    if not _wanted(config):
        return
    from .session.class_paths import class_plan
    from .session.grading_session import SESSION, GradingSession
    from .session.plugins import Contributions, kind_of
    from .session.report_targets import check_report_targets, inputs_of
    from .session.reporter import Reporter, tell
    from .session.writing import interrupt_by_sigterm

    grading = not (config.option.collectonly or config.option.help)
    try:
        contributions = Contributions(config)
        settings = read_settings(config, contributions.formats)
        use_language(settings.lang)
        check_report_targets(settings, inputs_of(settings, config), contributions.suffixes)
        exercise = contributions.exercise(kind_of(settings))
        session = GradingSession(
            settings,
            contributions,
            exercise,
            class_plan(config, exercise.pass_names),
            functools.partial(tell, config),
            ahead=grading and not (_distributes(config) or settings.resume),
        )
    except UsageProblem as problem:
        raise pytest.UsageError(str(problem)) from None
    config.stash[SETTINGS] = settings = session.settings
    config.stash[SESSION] = session
    if grading:
        if not hasattr(config, "workerinput"):
            config.add_cleanup(interrupt_by_sigterm())
        try:
            if not hasattr(config, "workerinput"):
                session.open_journal()
            session.start(grading=not _distributes(config))
        except UsageProblem as problem:
            session.close()
            raise pytest.UsageError(str(problem)) from None
    if (doctest := config.pluginmanager.get_plugin("doctest")) is not None:
        config.pluginmanager.unregister(doctest)  # it would import submissions
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(config, settings, session), "backprop-reporter")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    # an xdist worker whose controller is gone gets no further than this
    if SETTINGS in session.config.stash and hasattr(session.config, "workerinput"):
        pytest_unconfigure(session.config)


def pytest_unconfigure(config: pytest.Config) -> None:
    if SETTINGS in config.stash:
        from .session.grading_session import SESSION

        config.stash[SESSION].close()
        use_language("en")  # pytest may run again in this process


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if SETTINGS not in parent.config.stash:
        return None
    from .session.collect import Folder, collected

    return collected(parent, path) or Folder.below(parent, path)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if SETTINGS not in parent.config.stash:
        return None
    from .session.collect import collected

    return collected(parent, file_path)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(
    module_path: Path, parent: pytest.Collector
) -> pytest.Collector | None:
    if SETTINGS not in parent.config.stash:
        return None
    from .session.collect import NoTests

    return NoTests.from_parent(parent, name=module_path.name, nodeid=f"{module_path}::none")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # an xdist worker does not know which of the items will be its own
    if SETTINGS in config.stash and not hasattr(config, "workerinput"):
        from .session.collect import submissions_of
        from .session.grading_session import SESSION

        if not config.option.collectonly:
            try:
                config.stash[SESSION].prepare(submissions_of(items))
            except UsageProblem as problem:
                raise pytest.UsageError(str(problem)) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if SETTINGS in item.config.stash:
        from .session.collect import attach

        attach(item, report)
    return report


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """All checks of a submission go to one worker, which grades it once."""
    if SETTINGS not in config.stash or config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    return LoadFileScheduling(config, log)


def pytest_report_header(config: pytest.Config) -> list[str] | None:
    if SETTINGS not in config.stash:
        return None
    from .session.grading_session import SESSION
    from .session.roster_report import arrival_lines

    settings = config.stash[SETTINGS]
    head = say(
        "backprop: sandbox {level}; variants {bank}; seed {seed}",
        level=config.stash[SESSION].sandbox_level(),
        bank=settings.typed["variants"],
        seed=settings.seed,
    )
    return [head, *arrival_lines(config.stash[SESSION].classes, config.stash[SESSION].roster)]


def _wanted(config: pytest.Config) -> bool:
    known = getattr(config, "known_args_namespace", None)
    if getattr(config.option, "backprop", None) or getattr(known, "backprop", None):
        return True
    try:
        return bool(config.getini("backprop"))
    except (ValueError, TypeError, pytest.UsageError):
        return True  # a value that is neither true nor false: `settings` says so


def _distributes(config: pytest.Config) -> bool:
    """Whether this process hands the work to xdist workers and runs no item itself."""
    return bool(getattr(config.option, "tx", None)) and not hasattr(config, "workerinput")

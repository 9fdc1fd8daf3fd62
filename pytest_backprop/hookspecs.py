"""Hooks that other plugins may implement. Each is called by the grader, never in a submission's
process, and only under `--backprop`.

A plugin is an installed package with a `pytest11` entry point (`examples/plugin` is one), or a
module that is named: `backprop grade submissions/ -p my_plugin`. Under `--backprop` pytest loads
no conftest.py. What a plugin builds on is in `pytest_backprop.extension`. A plugin that should also
load where this one is not installed marks its hooks with `@pytest.hookimpl(optionalhook=True)`.

Each docstring ends in an example: a whole plugin, to be copied. The tests run them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .extension import Exercise, ExtraCheck, Loader, Renderer


@pytest.hookspec
def pytest_backprop_loaders(config: pytest.Config) -> Mapping[str, Loader]:
    """How to read submissions of further types: suffix -> a function of the file's path and its
    name in reports.

    Files with such a suffix are then collected in folders like `.py` and `.ipynb`, whose own
    readers cannot be replaced. `Unit.original` is what findings show, line for line.
    SubmissionProblem says what the student should mend and is graded 0; any other error is a fault
    of the plugin, and the submission is not judged. The function may be called in a thread of its
    own.

        from pytest_backprop.extension import Submission, SubmissionProblem, Unit, read_bytes

        def pytest_backprop_loaders(config):
            return {".md": read_markdown}

        def read_markdown(path, shown):
            lines = read_bytes(path, shown).decode("utf-8", "replace").splitlines()
            code, inside = [], False
            for line in lines:
                fence = line.startswith("```")
                code.append(line if inside and not fence else "")
                inside = line.startswith("```python") if fence else inside
            if not any(code):
                way_out = "Put the class between ```python and ```."
                raise SubmissionProblem("no-code", f"{shown} has no block of Python", way_out)
            return Submission(shown, "py", (Unit("\\n".join(code), None, "\\n".join(lines)),))
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_backprop_checks(config: pytest.Config) -> Iterable[ExtraCheck]:
    """Further checks. Each becomes a pytest item of every submission and stands in all reports,
    after the built-in ones; a rubric has its points and rules under `[checks.ID]`.

    `judge` gets the submission as it ran (`Case`: recording, data flow, expected values, text) and
    the rubric's rules, and returns a CheckResult. If it raises or returns anything else, the check
    is `not_judged`, with the plugin's name, and the run goes on.

        from pytest_backprop.extension import CheckResult, CheckRules, ExtraCheck, Finding

        def pytest_backprop_checks(config):
            return [ExtraCheck("few-ops", few_ops, CheckRules(points=5))]

        def few_ops(case, rules):
            ops = len(case.recording.ops) if case.recording else 0
            if 0 < ops <= 3 * case.cost.ops:
                return CheckResult("few-ops", "passed", 1.0, f"{ops} ops", "observed")
            fault = Finding(
                "many-ops", f"{ops} ops, autograd {case.cost.ops}", hint="compute each value once"
            )
            return CheckResult("few-ops", "failed", 0.0, fault.message, "observed", (fault,))
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_backprop_report_formats(config: pytest.Config) -> Mapping[str, Renderer]:
    """Further formats of `--backprop-report NAME:PATH`: name -> a function of the report that
    returns the text of the file.

    The report is a `Document`, as the JSON report has it. One that raises loses its own report
    only; the terminal says so, and the exit code is that of a report that could not be written.

        def pytest_backprop_report_formats(config):
            return {"tsv": tab_separated}

        def tab_separated(document):
            rows = [(entry.path, f"{entry.score:g}") for entry in document.submissions]
            return "".join("\\t".join(row) + "\\n" for row in rows)
    """
    raise NotImplementedError


@pytest.hookspec
def pytest_backprop_exercises(config: pytest.Config) -> Iterable[Exercise]:
    """Further kinds of exercise, for `--backprop-kind NAME` and the `EXERCISE` of a task's file.

    An `Exercise` has the default rubric, how the folder of tasks is read, what the judged method
    may be called, and the name of the module with its other half: the `find` that runs in the
    process of a submission. That module must be installed, or lie where the plugin does; it is
    imported there before any submission comes. Most kinds are the course's homework with something
    changed:

        from msgspec.structs import replace

        from pytest_backprop.extension import FORWARD_BACKWARD, CheckRules

        def pytest_backprop_exercises(config):
            rules = {
                "manual-forward": CheckRules(points=30),
                "gradient": CheckRules(points=70, credit="share"),
            }
            names = ("backprop_by_hand",)
            return [replace(FORWARD_BACKWARD, name="by-hand", pass_names=names, rules=rules)]
    """
    raise NotImplementedError

"""Hooks that other plugins and conftests may implement. Each is called by the grader, never by a
submission's process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .model import Grade


@pytest.hookspec
def pytest_backprop_graded(config: pytest.Config, grade: Grade) -> None:
    """Called once a submission, when its grade is known, in the process that writes reports.

    For example, in a plugin of your own (`pytest -p my_plugin --backprop submissions/`):

        def pytest_backprop_graded(config, grade):
            print(grade.path, grade.score)
    """

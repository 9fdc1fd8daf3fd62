"""Another Python that grades in the place of this one: the same command, run by it. The newest
reads the files of a whole class, which is why a run has one Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import version
from typing import NoReturn

from ..errors import UsageProblem
from ..messages import say
from .option_values import PYTHON_VERSION

PROBE = """import importlib.util, os, sys
print(os.path.realpath(sys.prefix))
names = "torch", "pytest", "pytest_backprop"
print(", ".join(name for name in names if importlib.util.find_spec(name) is None))"""
"""Tells where a Python is installed, and what it lacks of what grades."""


def other_python(asked: str) -> str | None:
    """The path of the Python of a version or at a path; None where it is this one. Raises
    UsageProblem for one that is not there or cannot grade."""
    if asked == f"{sys.version_info.major}.{sys.version_info.minor}":
        return None
    is_version = PYTHON_VERSION.fullmatch(asked)
    path = shutil.which(f"python{asked}" if is_version else asked) or asked
    try:
        # not in the folder of the command: what is graded lies there
        output = subprocess.check_output(
            [path, "-c", PROBE], cwd=sys.prefix, stderr=subprocess.DEVNULL, text=True
        )
        prefix, missing = output.splitlines()
    except (OSError, ValueError, subprocess.CalledProcessError):
        raise UsageProblem(
            say("--backprop-python: {asked} is no Python that runs here", asked=asked),
            say(
                "give a version that the path has, as 3.12, or the path of an interpreter, as "
                "venv312/bin/python"
            ),
        ) from None
    if missing:
        raise UsageProblem(
            say("--backprop-python: {path} has no {names}", path=path, names=missing),
            say(
                "install it there: {path} -m pip install {wheel}",
                path=path,
                wheel=f"pytest_backprop-{version('pytest-backprop')}-py3-none-any.whl",
            ),
        )
    return None if prefix == os.path.realpath(sys.prefix) else path


def become(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Runs a command in the place of this process: output, signals and exit code are its own."""
    if os.name == "nt":  # which has no exec: the shell would go on at once, and split paths
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)
    os.execve(command[0], command, environment)

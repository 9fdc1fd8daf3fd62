"""Other Pythons of this machine, for tests: those on the path, and pyenv's."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

READ = (
    "import ast, sys, warnings; warnings.simplefilter('ignore'); ast.parse(sys.stdin.buffer.read())"
)


@functools.cache
def interpreter(version: str) -> str | None:
    """The one of a version, as 3.12, that runs; None where there is none."""
    if version == f"3.{sys.version_info.minor}":
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in (
        shutil.which(f"python{version}"),
        *map(str, pyenv.glob(f"{version}.*/bin/python")),
    ):
        if place and subprocess.run([place, "-c", ""], capture_output=True).returncode == 0:
            return place
    return None


def reads(version: str, text: str) -> bool | None:
    """Whether the grammar of a version has a text; None where that Python is not installed."""
    python = interpreter(version)
    if python is None:
        return None
    done = subprocess.run([python, "-c", READ], input=text.encode(), capture_output=True)
    return done.returncode == 0

"""Submissions and runs for the tests of the plugin.

Grading costs seconds (two processes import torch), so `grade_folder` runs pytest once, in a process
of its own, and many tests look at what came of it. The function v1 is small on purpose.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from launcher import Launcher
from report_checks import check_report
from warm_zygote import warm_link

VARIANTS = {
    "v1.py": "def v1():\n  r1 = w0 * x1\n  r2 = w1 * x2\n  return r1 * r2 + x3\n",
    "v2.py": "def v2():\n  return w0 * x1 + w1 * x2 * x3\n",
}

CHECKS = ("forward", "manual-forward", "gradient", "unused-nodes", "release", "integrity")

RIGHT = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
"""

WRONG = RIGHT.replace("dw1 = a * x2", "dw1 = a * x3").replace("        del a\n", "")
"""Half the gradient, and one value kept: 78 of 100."""
CLOSE = RIGHT.replace("dw0 = b * x1", "dw0 = b * x1 * 1.0002")
"""Right to three digits: the default tolerances are tighter."""
TWO_CLASSES = RIGHT + "\n\n" + WRONG.partition("nn\n\n\n")[2].replace("Net", "Other")
"""`Other`, the last one, is WRONG."""
ENDLESS = RIGHT.replace(
    "        a = w0 * x1\n", "        import time\n        while True:\n            time.sleep(1)\n"
)
"""A loop that leaves the processor to others: `wrong/endless_v902.py` is one that does not."""
BOMB = RIGHT.replace(
    "        a = w0 * x1\n",
    "        kept = [torch.ones(10**7) for _ in range(1000)]\n        a = w0 * x1 * len(kept)\n",
)
OWN_DEF = RIGHT + "\n\n" + VARIANTS["v1.py"]


APART = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
"""How all our runs begin: they leave no cache, and load no plugin of another package's tests."""


def notebook(*cells: str) -> str:
    """A notebook of code cells."""
    made: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": cell,
        }
        for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


def lay_out(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes files, given by relative path."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def bank() -> dict[str, str | bytes]:
    """The variants, for the root directory, where they are found unasked."""
    return {f"variants/{name}": text for name, text in VARIANTS.items()}


@dataclass(frozen=True)
class Run:
    """A finished pytest: exit code, output, and the report at `report.json`, if it wrote one."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def told(self) -> str:
        """All that it told, in one line."""
        return " ".join((self.out + self.err).split())

    @property
    def report(self) -> dict[str, Any]:
        """The report; `check_report` has passed it."""
        return check_report((self.folder / "report.json").read_text(encoding="utf-8"))

    @property
    def by_name(self) -> dict[str, dict[str, Any]]:
        """The report's submissions by file name."""
        return {Path(s["path"]).name: s for s in self.report["submissions"]}

    def check(self, name: str, id: str) -> dict[str, Any]:
        """One check of a submission, as the report has it."""
        found: dict[str, Any] = next(c for c in self.by_name[name]["checks"] if c["id"] == id)
        return found

    def section(self, title: str) -> list[str]:
        """The lines under a `=== title ===` line of pytest's."""
        lines = self.out.split("\n")
        heads = [n for n, line in enumerate(lines) if line.startswith("==")]
        start = next(n for n in heads if lines[n].strip("= ") == title)
        return lines[start + 1 : next((n for n in heads if n > start), len(lines))]


def timeless(run: Run) -> dict[str, Any]:
    """The report without what the clock, the kernel and the folder of this test decide, and without where
    grades were."""
    text = json.dumps(run.report).replace(str(run.folder), "")
    made: dict[str, Any] = json.loads(text)
    for part in (made["summary"], *made["submissions"]):
        part.pop("seconds")
        part.pop("taken_from", None)
    for check in (check for submission in made["submissions"] for check in submission["checks"]):
        check["details"].pop("peak_memory", None)
    return made


def environment(folder: Path) -> dict[str, str]:
    """80 columns, no colour asked for, plugins of the folder importable, none of the outer run's."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "COV_"))}
    for name in ("FORCE_COLOR", "PY_COLORS", "NO_COLOR", "CI"):
        inherited.pop(name, None)
    return inherited | {"COLUMNS": "80", "PYTHONPATH": str(folder / "plugins"), "LC_ALL": "C.UTF-8"}


def pytest_command(*arguments: str) -> list[str]:
    """How pytest is started: not by -m, which would put the current folder on the path; and with
    Ctrl-C in force, which shells turn off for what they start in the background."""
    start = (
        "import signal, sys; sys.path[0:1] = []; "
        "signal.signal(signal.SIGINT, signal.default_int_handler); "
        "import pytest; sys.exit(pytest.main())"
    )
    return [sys.executable, "-c", start, *APART, *arguments]


@functools.cache
def launcher() -> Launcher:
    """That of this process."""
    return Launcher(environment(Path("/nowhere")), warm_link)


def run_pytest(folder: Path, *arguments: str, interpreter: bool = False) -> Run:
    """Runs pytest in `folder`: forked with torch imported, or in an `interpreter` of its own."""
    if not interpreter:
        words = (*APART, *arguments)
        return Run(*launcher().run(words, folder, environment(folder)), folder)
    done = subprocess.run(
        pytest_command(*arguments),
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        check=False,
    )
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return Run(done.returncode, out, err, folder)


def grade_folder(
    folder: Path,
    submissions: Mapping[str, str | bytes],
    *arguments: str,
    interpreter: bool = False,
    **others: str,
) -> Run:
    """Grades `submissions` as the folder `class`, with a report; `others` are plugins, by name."""
    lay_out(folder, bank())
    lay_out(folder / "class", submissions)
    lay_out(
        folder / "plugins", {f"{name}.py": textwrap.dedent(text) for name, text in others.items()}
    )
    plugins = [word for name in others for word in ("-p", name)]
    return run_pytest(
        folder, "--backprop", "class", "--backprop-report=json:report.json", *plugins, *arguments,
        interpreter=interpreter,
    )  # fmt: skip

"""What pytest, its items and reports cost a submission of a large class: nothing is graded, all grades
are in the journal of an earlier run.

    python benchmarks/class_size.py [submissions ...]

For each size (100, 1,000 and 10,000 by default) a run of pytest with `--backprop-resume` and a JSON report,
and one on a file of as many trivial tests as the class has checks. Seconds are those of the
processor, user and system, which others on the machine change little; memory is what the process
had at most.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from pytest_backprop.resume import Entry, Journal

ROOT = Path(__file__).resolve().parent.parent
CLASS = ROOT / "examples" / "class"
SIZES = (100, 1_000, 10_000)
ROUNDS = 3
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
"""Bytecode is kept, as where the package is installed."""


class Cost(NamedTuple):
    """Processor seconds, and bytes of memory at most."""

    seconds: float
    memory: int


def run(arguments: list[str], folder: Path) -> Cost:
    """Runs pytest; checks of the example class fail, so it may end with 1."""
    # what our tests have besides, and graders have not, would be measured with it
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:hypothesispytest",
    ]
    with (folder / "output.txt").open("wb") as output:
        process = subprocess.Popen(
            [*command, *arguments], cwd=folder, env=ENVIRONMENT, stdout=output, stderr=output
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit((folder / "output.txt").read_text(errors="replace"))
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def graded_class(folder: Path, submissions: int) -> list[str]:
    """Makes a class out of the example class, over and over, with a journal of its grades; what pytest is
    to be called with."""
    (folder / "class").mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\n")
    ours = ["--backprop", "class", "--backprop-variants", str(ROOT / "variants"),
            "--backprop-report", "json:report.json"]  # fmt: skip
    for path in CLASS.iterdir():
        if path.is_file():
            shutil.copy(path, folder / "class" / f"00000-{path.name}")
    run(ours, folder)
    journal = Journal(folder / "report.json.journal")
    entries = sorted(journal.entries().values(), key=lambda entry: entry.grade.path)
    for number in range(len(entries), submissions):
        before = entries[number % len(entries)]
        path = Path(before.grade.path)
        shown = str(path.with_name(f"{number:05}{path.name.removeprefix('00000')}"))
        shutil.copy(folder / path, folder / shown)
        # alike to nobody: what comparing the passes of a class takes is another matter
        grade = replace(before.grade, path=shown, traits=())
        journal.write(Entry(replace(before.key, submission=shown), grade))
    return [*ours, "--backprop-resume"]


def plain_tests(folder: Path, tests: int) -> list[str]:
    """A file of trivial tests."""
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_plain.py").write_text(
        "import pytest\n\n"
        f"@pytest.mark.parametrize('number', range({tests}))\n"
        "def test_plain(number):\n    pass\n"
    )
    return ["test_plain.py"]


def main(sizes: Sequence[int]) -> None:
    """Prints the cost of a class and of its tests, size by size, and what one more submission adds."""
    with tempfile.TemporaryDirectory() as folder:
        classes = [graded_class(Path(folder) / f"class-{size}", size) for size in sizes]
        checks = checks_in(Path(folder) / f"class-{sizes[0]}" / "report.json")
        tests = [plain_tests(Path(folder) / f"tests-{size}", size * checks) for size in sizes]
        costs: dict[str, list[Cost]] = {}
        for _ in range(ROUNDS):
            for size, grading, testing in zip(sizes, classes, tests, strict=True):
                for what, arguments in (("class", grading), ("tests", testing)):
                    name = f"{what}-{size}"
                    costs.setdefault(name, []).append(run(arguments, Path(folder) / name))
    middle = {
        name: Cost(*map(statistics.median, zip(*each, strict=True))) for name, each in costs.items()
    }
    before = 0, Cost(0.0, 0), Cost(0.0, 0)
    for size in sizes:
        ours, theirs = middle[f"class-{size}"], middle[f"tests-{size}"]
        print(f"{size:6} submissions {ours.seconds:7.2f} s {ours.memory / 2**20:6.0f} MiB   "
              f"{size * checks:6} trivial tests {theirs.seconds:7.2f} s {theirs.memory / 2**20:6.0f} MiB   "
              f"ratio {ours.seconds / theirs.seconds:5.2f}")  # fmt: skip
        if before[0]:
            more = size - before[0]
            told = [
                f"{1e3 * (now.seconds - then.seconds) / more:5.2f} ms "
                f"{(now.memory - then.memory) / more / 1e3:6.1f} KB"
                for now, then in ((ours, before[1]), (theirs, before[2]))
            ]
            print(f"       one more submission {told[0]}, its {checks} trivial tests {told[1]}")
        before = size, ours, theirs


def checks_in(report: Path) -> int:
    """How many checks a submission has."""
    return len(json.loads(report.read_text())["submissions"][0]["checks"])


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)

"""The disk is full: the class is graded to its end, what was there stays, and the exit code and
the last lines say what is missing."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from plugin_samples import (
    RIGHT,
    WRONG,
    Run,
    bank,
    environment,
    grade_folder,
    lay_out,
    pytest_command,
    run_pytest,
    timeless,
)

from pytest_backprop.resume import Journal

CLASS: dict[str, str | bytes] = {
    f"{letter}_v1.py": RIGHT if letter in "ace" else WRONG for letter in "abcdef"
}
GRADE = ("--backprop", "class", "--tb=no", "-rN", "--backprop-report=json:disk/report.json")
OLD = '{"schema_version": 1, "tool": {"name": "pytest-backprop"}, "submissions": []}'
REPORTED = "ERROR: report "
JOURNALED = "ERROR: the journal disk/report.json.journal could not take "

LIMITED = """
import os, resource

if not os.path.exists("roomy.txt"):
    # every file alike; Python has SIGXFSZ ignored, so that a write fails as on a full disk
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, resource.RLIM_INFINITY))
"""
SCRIPT = """
set -e
mkdir -p disk
mount -t tmpfs -o size=64k none disk
echo mounted > mounted.txt
cp report.old disk/report.json
head -c 48k /dev/zero > disk/filler
{command} || echo $? > first.code
cp -r disk/report.json disk/report.json.journal first/
ls -A disk > first/names.txt
rm disk/filler
mount -o remount,size=1m disk
{command} --backprop-resume || echo $? > second.code
cp -r disk/report.json disk/report.json.journal second/
"""


class Filled:
    """Two runs of one class: with no room for all of its journal nor for its report, and resumed
    when there is room again. `first` and `second` hold what each left on the disk."""

    def __init__(self, folder: Path, first: Run, second: Run) -> None:
        self.folder, self.first, self.second = folder, first, second


def by_limit(folder: Path) -> Filled:
    """Files may not grow over 4 kB: EFBIG where a full disk gives ENOSPC."""
    lay_out(folder, {"disk/report.json": OLD, "plugins/limited.py": LIMITED})
    first = run_pytest(folder, *GRADE, "-p", "limited")
    shutil.copytree(folder / "disk", folder / "first")
    names = sorted(path.name for path in (folder / "disk").iterdir())
    lay_out(folder, {"first/names.txt": "\n".join(names), "roomy.txt": ""})
    second = run_pytest(folder, *GRADE, "-p", "limited", "--backprop-resume")
    shutil.copytree(folder / "disk", folder / "second")
    return Filled(folder, first, second)


def by_small_disk(folder: Path) -> Filled | None:
    """A tmpfs of 64 kB, 48 of them taken; None where nobody lets us mount one."""
    lay_out(folder, {"report.old": OLD, "first/empty": "", "second/empty": ""})
    grade = (
        "grade() { n=$((${n:-0} + 1)); "
        + shlex.join(pytest_command(*GRADE))
        + ' "$@" > out$n.txt 2> err$n.txt; }\n'
    )
    done = subprocess.run(
        [
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "bash",
            "-c",
            grade + SCRIPT.replace("{command}", "grade"),
        ],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        check=False,
    )
    if not (folder / "mounted.txt").exists():
        return None
    assert done.returncode == 0, done.stderr.decode()
    made = []
    for number, name in (("1", "first"), ("2", "second")):
        code = folder / f"{name}.code"
        made.append(
            Run(
                int(code.read_text()) if code.exists() else 0,
                (folder / f"out{number}.txt").read_text(),
                (folder / f"err{number}.txt").read_text(),
                folder,
            )
        )
    return Filled(folder, *made)


@pytest.fixture(
    scope="module", params=["limit", pytest.param("small disk", marks=pytest.mark.long)]
)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    folder = tmp_path_factory.mktemp("filled")
    lay_out(folder, bank())
    lay_out(folder / "class", CLASS)
    made = by_small_disk(folder) if request.param == "small disk" else None
    return made or by_limit(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(tmp_path_factory.mktemp("whole"), CLASS)


def test_the_class_is_graded_to_its_end(filled: Filled, whole: Run) -> None:
    shown, expected = filled.first.section("backprop"), whole.section("backprop")
    assert shown[: expected.index("")] == expected[: expected.index("")]
    assert "graded 6 of 6, mean 89, median 89" in shown


def test_the_end_says_what_is_missing(filled: Filled) -> None:
    shown = filled.first.section("backprop")
    assert filled.first.code == pytest.ExitCode.USAGE_ERROR
    assert len([line for line in shown if line.startswith(JOURNALED)]) == 1
    assert re.search(r" grades?: (No space left on device|File too large) make", filled.first.told)
    assert "  make room on that disk, then run again with --backprop-resume" in shown
    assert [line for line in shown if line.startswith(REPORTED)] != []
    assert "Traceback" not in filled.first.out + filled.first.err


def test_what_was_there_before_stays(filled: Filled) -> None:
    assert (filled.folder / "first/report.json").read_text() == OLD
    names = (filled.folder / "first/names.txt").read_text().split()
    assert set(names) - {"filler"} == {"report.json", "report.json.journal"}


def test_the_journal_has_whole_grades_as_far_as_there_was_room(filled: Filled) -> None:
    journal = filled.folder / "first/report.json.journal"
    assert 0 < len(Journal(journal).entries()) < len(CLASS)
    assert len(Journal(journal).entries()) == len({*journal.iterdir()} - {journal / "lock"})


def test_with_room_the_next_run_goes_on(filled: Filled, whole: Run) -> None:
    lay_out(filled.folder, {"report.json": (filled.folder / "second/report.json").read_bytes()})
    assert timeless(filled.second) == timeless(whole)
    kept = len(Journal(filled.folder / "first/report.json.journal").entries())
    shown = "\n".join(filled.second.section("backprop"))
    assert f"{kept} grade" in shown
    assert "taken from the journal disk/report.json.journal" in shown
    assert len(Journal(filled.folder / "second/report.json.journal").entries()) == len(CLASS)


def test_a_full_device_as_one_of_the_reports(tmp_path: Path) -> None:
    """ENOSPC on every machine: /dev/full is a device, so it is written to as it is."""
    run = grade_folder(tmp_path, {"a_v1.py": RIGHT}, "--backprop-report=json:/dev/full")
    assert run.code == pytest.ExitCode.USAGE_ERROR
    shown = run.section("backprop")
    assert "ERROR: report /dev/full cannot be written: No space left on device" in shown
    assert json.loads((tmp_path / "report.json").read_text())["summary"]["graded"] == 1
    assert len(Journal(tmp_path / "report.json.journal").entries()) == 1

"""The journal: what is in it survives any end of the process that writes it."""

from __future__ import annotations

import os
import resource
import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st
from report_checks import check, grade

from pytest_backprop import resume as module
from pytest_backprop.errors import UsageProblem
from pytest_backprop.model import Grade, Lateness
from pytest_backprop.options import ReportTarget
from pytest_backprop.resume import Entry, Journal, Key, reasons
from pytest_backprop.session.report_targets import journal_path

NAMES = ("class/a.py", "class/b.ipynb", "Ёлкин c.py")


def key(name: str = "class/a.py", **changes: Any) -> Key:
    fields: dict[str, Any] = {
        "submission": name,
        "content": "c0",
        "variant": "v0",
        "student": "Ann",
        "rubric": "r0",
        "settings": {"timeout": 20.0, "seed": 0, "torch": "2.9.0"},
    }
    return Key(**(fields | changes))


def graded(name: str = "class/a.py", fraction: float = 1.0) -> Grade:
    return grade(name, check("forward", fraction, of=80.0))


def entry(name: str = "class/a.py", fraction: float = 1.0) -> Entry:
    return Entry(key(name), graded(name, fraction))


def fill(path: Path, *names: str, fraction: float = 1.0) -> None:
    journal = Journal(path)
    journal.lock()
    for name in names:
        journal.write(entry(name, fraction))
    journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "grades.json.journal"


def held(path: Path) -> dict[str, float]:
    """Scores by submission."""
    return {name: entry.grade.score for name, entry in Journal(path).entries().items()}


# -- reading and writing ------------------------------------------------------------------------


def test_what_was_written_is_read(path: Path) -> None:
    fill(path, *NAMES)
    journal = Journal(path)
    assert journal.entries() == {name: entry(name) for name in NAMES}
    assert [journal.read(name) for name in NAMES] == [entry(name) for name in NAMES]
    assert journal.read("class/z.py") is None


def test_visibility_and_whose_it_is_come_back(path: Path) -> None:
    hidden = msgspec.structs.replace(check("release"), visibility="hidden")
    whole = grade("a.py", hidden, student_id="7", email="ann@uni.example")
    journal = Journal(path)
    journal.lock()
    journal.write(Entry(key("a.py"), whole))
    read = journal.read("a.py")
    assert read is not None
    assert read.grade == whole


def test_it_is_the_owners_alone_and_a_file_a_grade(path: Path) -> None:
    fill(path, *NAMES)
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    files = [msgspec.json.decode(file.read_bytes()) for file in path.glob("*.json")]
    assert {file["grade"]["path"] for file in files} == set(NAMES)
    fill(path, *NAMES, fraction=0.5)
    assert len(list(path.glob("*.json"))) == len(NAMES)
    assert held(path) == dict.fromkeys(NAMES, 40)


def test_a_name_may_be_as_long_as_a_path(path: Path) -> None:
    name = "/".join(["Ё" * 120] * 20)
    fill(path, name)
    assert held(path) == {name: 80}


def test_folders_are_made(tmp_path: Path) -> None:
    fill(tmp_path / "out/of/here.journal", *NAMES)
    assert len(held(tmp_path / "out/of/here.journal")) == 3


def test_none_is_empty(path: Path) -> None:
    assert held(path) == {}


# -- damage -------------------------------------------------------------------------------------


def file_of(path: Path, name: str) -> Path:
    """The file that has the grade of a submission."""
    (file,) = (f for f in path.glob("*.json") if msgspec.json.encode(name) in f.read_bytes())
    return file


@pytest.mark.parametrize("size", [0, 1, 200, -1])
def test_a_file_that_is_cut_is_as_if_it_were_not_there(path: Path, size: int) -> None:
    fill(path, *NAMES)
    file = file_of(path, NAMES[1])
    file.write_bytes(file.read_bytes()[:size])
    assert set(held(path)) == {NAMES[0], NAMES[2]}
    assert Journal(path).read(NAMES[1]) is None
    fill(path, NAMES[1])
    assert set(held(path)) == set(NAMES)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "drawn.journal"
    fill(path, NAMES[0])
    file_of(path, NAMES[0]).write_bytes(data)
    assert Journal(path).read(NAMES[0]) is None
    fill(path, NAMES[0])


FORGED = {
    "an unknown key": {"more": 1},
    "a score that is text": {"grade": msgspec.to_builtins(graded()) | {"score": "100"}},
    "no key": {"key": None},
    "a grade of another": msgspec.to_builtins(entry("class/b.ipynb")),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_has_the_wrong_form_is_as_if_it_were_not_there(path: Path, what: str) -> None:
    fill(path, NAMES[0])
    forged = msgspec.to_builtins(entry()) | FORGED[what]
    file_of(path, NAMES[0]).write_bytes(msgspec.json.encode(forged))
    assert Journal(path).read(NAMES[0]) is None


# -- one at a time ------------------------------------------------------------------------------


def test_a_second_run_is_told_to_wait(path: Path) -> None:
    first = Journal(path)
    first.lock()
    second = Journal(path)
    with pytest.raises(UsageProblem) as told:
        second.lock()
    assert str(path) in told.value.message
    assert "another --backprop-report" in told.value.way_out
    first.write(entry())
    first.close()
    second.lock()
    assert second.read(NAMES[0]) == entry()
    second.close()


@pytest.mark.parametrize("what", ["file", "device", "pipe"])
def test_what_is_no_folder_is_refused(path: Path, what: str) -> None:
    if what == "file":
        path.touch()
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    with pytest.raises(UsageProblem, match="cannot be used"):
        Journal(path).lock()
    assert held(path) == {}


def test_it_lies_beside_the_first_report_that_goes_to_no_device(tmp_path: Path) -> None:
    there = tmp_path / "there.json"
    there.write_text("{}")
    assert journal_path([]) is None
    report, device = ReportTarget("json", there), ReportTarget("json", Path(os.devnull))
    assert journal_path([device]) is None
    assert journal_path([device, report]) == tmp_path / "there.json.journal"
    new = ReportTarget("csv", tmp_path / "new.csv")
    assert journal_path([new, report]) == tmp_path / "new.csv.journal"
    # a folder that is there or is not: the next run looks in the same place
    pages = ReportTarget("html", tmp_path / "pages")
    for _ in range(2):
        assert journal_path([pages, report]) == tmp_path / "pages.journal"
        pages.path.mkdir(exist_ok=True)


# -- a process that ends at any moment ----------------------------------------------------------

Act = Callable[[], None]


def at_line(count: int, act: Act) -> Callable[[], int]:
    """Does `act` at the `count`-th line of the journal's module that runs from now on; what comes
    back tells how many have run."""
    seen = 0

    def local(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal seen
        if event == "line":
            seen += 1
            if seen == count:
                act()
        return local

    def begin(frame: FrameType, event: str, argument: Any) -> Any:
        return local if frame.f_code.co_filename == module.__file__ else None

    sys.settrace(begin)
    return lambda: seen


def in_fork(work: Callable[[int], None]) -> tuple[int, bytes]:
    """Runs `work` in a forked process: its wait status, and what it wrote to the pipe."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(reader)
            work(writer)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writer)
    with open(reader, "rb") as pipe:
        told = pipe.read()
    return os.waitpid(pid, 0)[1], told


@pytest.mark.long
def test_killed_at_every_line_it_keeps_what_was_written(path: Path) -> None:
    moment, status = 0, -1
    while status != 0:  # until it lives to the end
        moment += 1
        fill(path, *NAMES, fraction=0.5)

        def work(writer: int, moment: int = moment) -> None:
            at_line(moment, lambda: os.kill(os.getpid(), signal.SIGKILL))
            journal = Journal(path)
            journal.lock()
            for number, name in enumerate(NAMES):
                journal.write(entry(name))
                os.write(writer, bytes([number]))
            journal.close()

        status, written = in_fork(work)
        expected = dict.fromkeys(NAMES, 40.0) | {NAMES[number]: 80.0 for number in written}
        late = NAMES[len(written)] if len(written) < len(NAMES) else None
        if late is not None and held(path)[late] == 80:  # it was on the disk, and not told yet
            expected[late] = 80.0
        assert held(path) == expected
        fill(path, *NAMES)  # the next run goes on
        assert held(path) == dict.fromkeys(NAMES, 80)
        assert len(list(path.glob("*.json"))) == len(NAMES)
    assert moment > 30


def test_interrupted_at_every_line_of_a_write_the_next_one_works(path: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    moment, done = 0, False
    while not done:
        moment += 1
        fill(path, *NAMES, fraction=0.5)
        journal = Journal(path)
        journal.lock()
        at_line(moment, interrupt)
        try:
            journal.write(entry(NAMES[1]))
            done = True
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        assert held(path)[NAMES[1]] in (40, 80)
        journal.write(entry(NAMES[2]))
        journal.close()
        assert held(path) | {NAMES[1]: 0} == {NAMES[0]: 40, NAMES[1]: 0, NAMES[2]: 80}
        assert len(list(path.glob("*.json"))) == len(NAMES)
    assert moment > 5


# -- a full disk --------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [0, 1, 500])
def test_a_grade_that_finds_no_room_leaves_the_older_one(path: Path, most: int) -> None:
    fill(path, *NAMES)

    def work(writer: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
        journal = Journal(path)
        journal.lock()
        for name in NAMES[1:]:
            try:
                journal.write(entry(name, 0.0))
            except OSError:
                os.write(writer, b"!")
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))  # somebody makes room
        journal.write(entry(NAMES[1], 0.5))
        journal.close()

    assert in_fork(work) == (0, b"!!")
    assert held(path) == {NAMES[0]: 80, NAMES[1]: 40, NAMES[2]: 80}
    assert len(list(path.glob("*.json"))) == len(NAMES)


# -- what a grade stands for --------------------------------------------------------------------

CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "content": ({"content": "c1"}, "the file changed"),
    "variant": ({"variant": "v1"}, "the variant changed"),
    "student": ({"student": None}, "the roster names another student"),
    "rubric": ({"rubric": "r1"}, "the rubric changed"),
    "late": ({"late": Lateness("2026-11-20", None)}, "how late it is, or what that costs, changed"),
    "settings": (
        {"settings": {"timeout": 21.5, "seed": 0, "torch": "2.9.0"}},
        "timeout went from 20 to 21.5",
    ),
    "new": (
        {"settings": {"timeout": 20.0, "seed": 0, "torch": "2.9.0", "a": 1}},
        "a went from None to 1",
    ),
    "versions": (
        {"settings": {"timeout": 20.0, "seed": 0, "torch": "2.9.1"}},
        "torch went from 2.9.0 to 2.9.1",
    ),
}


@pytest.mark.parametrize("part", CHANGES)
def test_a_change_of_any_part_is_graded_again_and_named(part: str) -> None:
    change, told = CHANGES[part]
    assert entry().holds_for(key())
    assert not entry().holds_for(key(**change))
    assert reasons(key(), key(**change)) == (told,)


def test_every_part_of_a_key_is_tried() -> None:
    changed = {name for change, _ in CHANGES.values() for name in change}
    assert changed | {"submission"} == set(Key.__struct_fields__)


def test_a_fault_of_ours_does_not_stand() -> None:
    fault = grade("class/a.py", status="grader_error")
    assert not Entry(key(), fault).holds_for(key())

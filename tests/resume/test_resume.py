"""The journal's file: what is in it survives any end of the process that writes it."""

from __future__ import annotations

import os
import resource
import signal
import stat
import sys
from collections.abc import Callable, Iterator
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
from pytest_backprop.resume import Entries, Entry, Journal, Key, reasons
from pytest_backprop.session.report_targets import journal_path

NAMES = ("class/a.py", "class/b.ipynb", "Ёлкин c.py")


def key(name: str = "class/a.py", **changes: Any) -> Key:
    fields: dict[str, Any] = {
        "submission": name,
        "content": "c0",
        "variant": "v0",
        "student": "Ann",
        "rubric": "r0",
        "settings": {"timeout": 20.0, "seed": 0},
        "versions": {"torch": "2.9.0", "pytest-backprop": "0.1.0+0"},
    }
    return Key(**(fields | changes))


def graded(name: str = "class/a.py", fraction: float = 1.0) -> Grade:
    return grade(name, check("forward", fraction, of=80.0))


def fill(path: Path, *names: str, fraction: float = 1.0) -> None:
    journal = Journal(path)
    for name in names:
        journal.append(key(name), graded(name, fraction))
    journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "grades.json.journal"


def held(path: Path) -> dict[str, float]:
    """Scores by submission."""
    return {name: entry.grade.score for name, entry in Entries(path).items()}


# -- reading and writing ------------------------------------------------------------------------


def test_what_was_appended_is_read(path: Path) -> None:
    fill(path, *NAMES)
    contents = Entries(path)
    assert contents == {name: Entry(key(name), graded(name)) for name in NAMES}
    assert (contents.damaged, contents.whole) == (0, True)


def test_visibility_and_whose_it_is_come_back(path: Path) -> None:
    hidden = msgspec.structs.replace(check("release"), visibility="hidden")
    whole = grade("a.py", hidden, student_id="7", email="ann@uni.example")
    journal = Journal(path)
    journal.append(key("a.py"), whole)
    journal.close()
    assert Entries(path)["a.py"].grade == whole


def test_it_is_the_owners_alone_and_a_line_a_grade(path: Path) -> None:
    fill(path, *NAMES)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    lines = path.read_bytes().splitlines()
    assert [msgspec.json.decode(line)["entry"]["grade"]["path"] for line in lines] == list(NAMES)


def test_folders_are_made(tmp_path: Path) -> None:
    fill(tmp_path / "out/of/here.journal", *NAMES)
    assert len(held(tmp_path / "out/of/here.journal")) == 3


def test_none_is_empty(path: Path) -> None:
    assert held(path) == {}


def test_the_last_grade_holds_and_the_file_does_not_grow_for_ever(path: Path) -> None:
    for _ in range(4):
        fill(path, *NAMES, fraction=0.5)
        fill(path, *NAMES)
    assert held(path) == dict.fromkeys(NAMES, 80)
    assert len(path.read_bytes().splitlines()) == 6
    Journal(path).close()
    assert len(path.read_bytes().splitlines()) == 3
    assert held(path) == dict.fromkeys(NAMES, 80)
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_what_was_taken_from_it_is_not_written_again(path: Path) -> None:
    fill(path, *NAMES)
    before = path.read_bytes()
    fill(path, *NAMES)
    assert path.read_bytes() == before


# -- damage -------------------------------------------------------------------------------------


def test_cut_at_any_byte_it_loses_the_last_line_alone(path: Path) -> None:
    fill(path, *NAMES)
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        assert set(held(path)) == set(NAMES[:2])
        assert Entries(path).damaged == 0
        if size % 50 == 0:  # opening syncs the disk
            fill(path, NAMES[2])
            assert path.read_bytes() == whole


def test_a_changed_byte_is_noticed_wherever_it_is(path: Path) -> None:
    fill(path, *NAMES)
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    for position in range(start, whole.index(b"\n", start)):
        changed = bytearray(whole)
        changed[position] ^= 0x01
        path.write_bytes(changed)
        contents = Entries(path)
        # a line break in the middle makes two of one
        assert contents.damaged in (1, 2)
        assert set(contents) == {NAMES[0], NAMES[2]}


def parsed(factory: pytest.TempPathFactory, data: bytes) -> Entries:
    """A journal of these bytes, as read."""
    place = factory.getbasetemp() / "drawn.journal"
    place.write_bytes(data)
    return Entries(place)


@given(data=st.binary(max_size=200))
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    contents = parsed(tmp_path_factory, data)
    assert contents == {}
    assert contents.damaged == data.count(b"\n")


FORGED = {
    "an unknown key": {"more": 1},
    "a grade of another": {"grade": msgspec.to_builtins(graded("class/b.ipynb"))},
    "a score that is text": {"grade": msgspec.to_builtins(graded()) | {"score": "100"}},
    "no key": {"key": None},
}


@pytest.mark.parametrize("what", FORGED)
def test_a_line_with_the_right_sum_and_the_wrong_form_is_left_out(path: Path, what: str) -> None:
    entry = msgspec.to_builtins(Entry(key(), graded())) | FORGED[what]
    body = msgspec.json.encode(entry)
    line = {"checksum": module._checksum(body), "entry": msgspec.Raw(body)}
    path.write_bytes(msgspec.json.encode(line) + b"\n")
    assert (held(path), Entries(path).damaged) == ({}, 1)


entries = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from([0.0, 0.5, 1.0])), max_size=9)


@given(drawn=entries, cut=st.integers(0, 300))
def test_the_last_of_each_holds_in_any_order(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, float]], cut: int
) -> None:
    lines = [module.line_of(Entry(key(name), graded(name, part))) for name, part in drawn]
    torn = lines[-1][: min(cut, len(lines[-1]) - 1)] if lines else b""
    contents = parsed(tmp_path_factory, b"".join(lines) + torn)
    assert {name: e.grade.score for name, e in contents.items()} == {
        name: 80 * part for name, part in drawn
    }
    assert contents.damaged == 0
    assert contents.whole == (not torn and len(contents) == len(drawn))


def test_entries_are_as_of_when_they_were_read(path: Path) -> None:
    """A run holds earlier grades against its own."""
    fill(path, *NAMES)
    journal = Journal(path)
    contents = Entries(path)
    for name in NAMES:
        journal.append(key(name), graded(name, 0.5))
    journal.close()
    assert {entry.grade.score for entry in contents.values()} == {80}
    assert {entry.grade.score for entry in journal.entries.values()} == {80}
    assert held(path) == dict.fromkeys(NAMES, 40)


# -- one at a time ------------------------------------------------------------------------------


def test_a_second_run_is_told_to_wait(path: Path) -> None:
    first = Journal(path)
    with pytest.raises(UsageProblem) as told:
        Journal(path)
    assert str(path) in told.value.message
    assert "another --backprop-report" in told.value.way_out
    first.append(key(), graded())
    first.close()
    Journal(path).close()
    assert held(path) == {NAMES[0]: 80}


def test_a_tidied_journal_is_locked_as_well(path: Path) -> None:
    fill(path, *NAMES)
    fill(path, *NAMES, fraction=0.5)
    first = Journal(path)
    with pytest.raises(UsageProblem):
        Journal(path)
    first.close()


@pytest.mark.parametrize("what", ["folder", "device", "pipe"])
def test_what_is_no_file_is_refused(path: Path, what: str) -> None:
    if what == "folder":
        path.mkdir()
    elif what == "device":
        path.symlink_to("/dev/zero")
    else:
        os.mkfifo(path)
    with pytest.raises(UsageProblem, match="cannot be used"):
        Journal(path)
    with pytest.raises(UsageProblem, match="cannot be used"):
        Entries(path)


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


@pytest.fixture
def old(path: Path) -> Iterator[bytes]:
    """A journal that will be tidied when it is opened: an old grade of each, and a torn line."""
    fill(path, *NAMES, fraction=0.5)
    fill(path, NAMES[0], fraction=0.0)
    with open(path, "ab") as file:
        file.write(b'{"checksum":"12')
    yield path.read_bytes()
    sys.settrace(None)


@pytest.mark.long
def test_killed_at_every_line_it_keeps_what_was_appended(path: Path, old: bytes) -> None:
    moment, status = 0, -1
    while status != 0:  # until it lives to the end
        moment += 1
        path.write_bytes(old)

        def work(writer: int, moment: int = moment) -> None:
            at_line(moment, lambda: os.kill(os.getpid(), signal.SIGKILL))
            journal = Journal(path)
            for number, name in enumerate(NAMES):
                journal.append(key(name), graded(name))
                os.write(writer, bytes([number]))
            journal.close()

        status, appended = in_fork(work)
        expected = dict(zip(NAMES, (0.0, 40.0, 40.0), strict=True))
        expected |= {NAMES[number]: 80.0 for number in appended}
        found = held(path)
        late = NAMES[len(appended)] if len(appended) < len(NAMES) else None
        if late is not None and found[late] == 80:  # it was on the disk, and not told yet
            expected[late] = 80.0
        assert found == expected
        assert Entries(path).damaged == 0
        fill(path, *NAMES)  # the next run goes on
        assert held(path) == dict.fromkeys(NAMES, 80)
        assert [other.name for other in path.parent.iterdir()] == [path.name]
    assert moment > 80


def test_interrupted_at_every_line_of_an_append_the_next_one_works(path: Path) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    moment, done = 0, False
    while not done:
        moment += 1
        path.unlink(missing_ok=True)
        journal = Journal(path)
        journal.append(key(NAMES[0]), graded(NAMES[0]))
        at_line(moment, interrupt)
        try:
            journal.append(key(NAMES[1]), graded(NAMES[1]))
            done = True
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        journal.append(key(NAMES[2]), graded(NAMES[2]))
        journal.close()
        assert {NAMES[0], NAMES[2]} <= set(held(path))
        assert Entries(path).damaged == 0
    assert moment > 10


# -- a full disk --------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 1, 500, 1_500])
def test_a_file_that_cannot_grow_keeps_what_it_has(path: Path, room: int) -> None:
    fill(path, NAMES[0])
    whole = path.read_bytes()

    def work(writer: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        most = len(whole) + room
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
        journal = Journal(path)
        for name in NAMES[1:]:
            try:
                journal.append(key(name), graded(name))
            except OSError:
                os.write(writer, b"!")
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))  # somebody makes room
        journal.append(key(NAMES[1]), graded(NAMES[1], 0.5))
        journal.close()

    status, told = in_fork(work)
    fitting = room // len(whole)
    assert (status, told) == (0, b"!" * (2 - min(2, fitting)))
    assert path.read_bytes().startswith(whole)
    assert held(path) | {NAMES[2]: 80} == {NAMES[0]: 80, NAMES[1]: 40, NAMES[2]: 80}
    assert Entries(path).damaged == 0


def test_a_journal_that_cannot_be_tidied_is_used_as_it_is(path: Path, old: bytes) -> None:
    whole = old[: old.rindex(b"\n") + 1]

    def work(writer: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        journal = Journal(path)
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        journal.append(key(NAMES[1]), graded(NAMES[1]))
        journal.close()

    assert in_fork(work)[0] == 0
    assert path.read_bytes().startswith(whole)
    assert held(path) == {NAMES[0]: 0, NAMES[1]: 80, NAMES[2]: 40}
    assert [other.name for other in path.parent.iterdir()] == [path.name]


# -- what a grade stands for --------------------------------------------------------------------

CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "content": ({"content": "c1"}, "the file changed"),
    "variant": ({"variant": "v1"}, "the variant changed"),
    "student": ({"student": None}, "the roster names another student"),
    "rubric": ({"rubric": "r1"}, "the rubric changed"),
    "late": (
        {"late": Lateness("2026-11-20", None)},
        "how late it is, or what that costs, changed",
    ),
    "settings": ({"settings": {"timeout": 21.5, "seed": 0}}, "timeout went from 20 to 21.5"),
    "new": ({"settings": {"timeout": 20.0, "seed": 0, "a": 1}}, "a went from None to 1"),
    "versions": (
        {"versions": {"torch": "2.9.1", "pytest-backprop": "0.1.0+0"}},
        "torch went from 2.9.0 to 2.9.1",
    ),
}


@pytest.mark.parametrize("part", CHANGES)
def test_a_change_of_any_part_is_graded_again_and_named(part: str) -> None:
    change, told = CHANGES[part]
    entry = Entry(key(), graded())
    assert entry.holds_for(key())
    assert not entry.holds_for(key(**change))
    assert reasons(key(), key(**change)) == (told,)


def test_every_part_of_a_key_is_tried() -> None:
    changed = {name for change, _ in CHANGES.values() for name in change}
    assert changed | {"submission"} == set(Key.__struct_fields__)


def test_a_fault_of_ours_does_not_stand() -> None:
    fault = grade("class/a.py", status="grader_error")
    assert not Entry(key(), fault).holds_for(key())

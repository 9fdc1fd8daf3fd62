from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from rubrics import load_rubric

from pytest_backprop.classroom import HandIn, Person
from pytest_backprop.classroom.roster import Roster, RosterEntry
from pytest_backprop.classroom.roster_file import load_roster
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.reports.gradebook import read_gradebook

PLAIN = "student,submission,variant\nAnn,ann.py,v8\nBob,bob.ipynb,v9\n"
WANT = (RosterEntry("Ann", "ann.py", "v8", 2), RosterEntry("Bob", "bob.ipynb", "v9", 3))


def roster_of(tmp_path: Path, text: str | bytes) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_roster(path)


def roster(*submissions: str, folder: str = "/uni/class") -> Roster:
    """Paths are relative to /uni."""
    rows = (RosterEntry(f"s{n}", text, "v1", n) for n, text in enumerate(submissions, 2))
    return Roster(source="roster.csv", entries=tuple(rows), top="/uni", folder=folder)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        PLAIN.replace(",", ";"),
        PLAIN.replace(",", "\t"),
        "\ufeff" + PLAIN,
        PLAIN.replace("student,submission,variant", " Student , SUBMISSION,Variant"),
        PLAIN.encode("utf-16"),
        PLAIN.replace("v8", "8").replace("v9", " V09 "),
        PLAIN.replace("Ann", '"Ann"'),
    ],
)
def test_forms_of_the_same_roster(tmp_path: Path, text: str | bytes) -> None:
    read = roster_of(tmp_path, text)
    assert read.entries == WANT
    assert read.notes == ()


def test_extra_columns_blank_lines_quotes_and_excel_mark(tmp_path: Path) -> None:
    text = (
        'sep=;\nid;variant;group;student;submission\n\n1;v8;x;"Ann; the ""first""\nof her name"'
        ";ann.py\n;;;;\n2;v9;x;Bob;bob.ipynb\n"
    )
    assert roster_of(tmp_path, text).entries == (
        RosterEntry('Ann; the "first"\nof her name', "ann.py", "v8", 4, "1"),
        RosterEntry("Bob", "bob.ipynb", "v9", 7, "2"),
    )


def test_id_and_email_may_be_there_and_are_nobody_elses(tmp_path: Path) -> None:
    head = "student,submission,variant,Id,Email\n"
    read = roster_of(tmp_path, head + "Ann,a.py,v8,7,ann@x.org\nBob,b.py,v9,,\nEve,e.py,v9,,\n")
    assert [(entry.id, entry.email) for entry in read.entries] == [
        ("7", "ann@x.org"),
        ("", ""),
        ("", ""),
    ]
    for again in ("Bob,b.py,v9,7,", "Bob,b.py,v9,8,ANN@x.org"):
        with pytest.raises(UsageProblem, match="is on line 2 too"):
            roster_of(tmp_path, head + f"Ann,a.py,v8,7,ann@x.org\n{again}\n")


def test_russian_excel_is_read_with_a_note(tmp_path: Path) -> None:
    text = "student;submission;variant\nИванов Пётр;иванов.ipynb;8\n"
    read = roster_of(tmp_path, text.encode("cp1251"))
    assert read.entries == (RosterEntry("Иванов Пётр", "иванов.ipynb", "v8", 2),)
    assert "read as cp1251" in read.notes[0]
    assert roster_of(tmp_path, text).notes == ()


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("Müller", "latin-1"), ("É. Dupont", "latin-1"), ("ÖÄÜ", "latin-1"), ("Michał Żak", "cp1250"),
     ("Иванов Пётр", "koi8-r"), ("Иванов", "cp866"), ("Иванов", "mac_cyrillic"), ("דוד", "cp1255")],
)  # fmt: skip
def test_no_other_encoding_is_taken_for_cp1251(tmp_path: Path, name: str, encoding: str) -> None:
    with pytest.raises(UsageProblem, match="is not UTF-8 text") as caught:
        roster_of(tmp_path, PLAIN.replace("Ann", name).encode(encoding))
    assert "save it as CSV UTF-8" in caught.value.way_out


def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path) -> None:
    """A roster, a rubric and a task are read in one way; none waits, none takes all memory."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "large").write_bytes(b"x" * 32_000_001)
    for path, reason in (
        (tmp_path / "fifo", "it is not an ordinary file"),
        (Path("/dev/zero"), "it is not an ordinary file"),
        (tmp_path, "it is a folder"),
        (tmp_path / "large", "it has 32.0 MB, and at most"),
    ):
        for what, read in (
            ("roster", load_roster),
            ("rubric", load_rubric),
            ("gradebook", lambda path: read_gradebook(path, None)),
            ("task", lambda path: task_in(tmp_path / "tasks", path)),
        ):
            with pytest.raises(UsageProblem) as caught:
                read(path)
            assert f"{what} {path} cannot be read: {reason}" in caught.value.message.replace(
                str(tmp_path / "tasks/v1.py"), str(path)
            )
            assert caught.value.way_out


def task_in(folder: Path, leads_to: Path) -> None:
    """Reads a folder of tasks, of which one leads somewhere else."""
    folder.mkdir(exist_ok=True)
    (folder / "v1.py").unlink(missing_ok=True)
    (folder / "v1.py").symlink_to(leads_to)
    load_bank(folder)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("student,submission,variant\n", "no rows"),
        ("student,submission\nAnn,a.py\n", "no column 'variant'"),
        ("student,submission,variant,Variant\nA,a,8,9\n", "more than one column 'variant'"),
        (PLAIN + "Ann,other.py,v1\n", "line 4: student 'Ann' is on line 2 too"),
        (PLAIN + "Cem,./ann.py,v1\n", "line 4: submission 'ann.py' is on line 2 too"),
        (PLAIN + "Cem,c.py,\n", "line 4: the variant is empty in ['Cem', 'c.py', '']"),
        (PLAIN + "Cem,c.py\n", "line 4: the variant is empty in ['Cem', 'c.py']"),
        (PLAIN + ",c.py,v1\n", "line 4: the student is empty"),
        (PLAIN + "Cem,,v1\n", "line 4: the submission is empty"),
        (PLAIN + "Cem,/,v1\n", "line 4: '/' is no submission"),
        (PLAIN + "Cem,c.py,vier\n", "line 4: 'vier' is no variant"),
        (PLAIN + "Cem,c.py,v1.5\n", "line 4: 'v1.5' is no variant"),
        (PLAIN + "Cem,c.py,v\u0663\n", "is no variant"),
        (PLAIN + 'Cem,"c.py,v1\n', "line 4: not CSV"),
        (PLAIN + "Cem\0,c.py,v1\n", "line 4: not text"),
        (b"\x98\xff", "not UTF-8 text (byte 0)"),
        (b"PK\x03\x04xlsx", "spreadsheet"),
    ],
)
def test_wrong_roster_names_line_and_value(tmp_path: Path, text: str | bytes, says: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        roster_of(tmp_path, text)
    assert says in caught.value.message
    assert str(tmp_path / "roster.csv") in caught.value.message
    assert caught.value.way_out


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="cannot be read"):
        load_roster(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ("hw1/ann.py", "class/hw1/ann.py"),
        ("class/hw1/ann.py", "class/hw1/ann.py"),
        ("hw1\\ann.py", "/uni/class/hw1/ann.py"),
        ("ann.py", "class/ann.py"),
        ("uni/class/ann.py", "class/ann.py"),
        ("ann", "class/ann.ipynb"),
        ("class/ann.ipynb", "class/ann.py"),
        ("hw1/ann", "class/hw1/ann.py"),
        ("ann", "class/ann/homework.py"),
        ("group/ann", "class/group/ann/homework.py"),
        ("v1.2", "class/v1.2.py"),
        (
            unicodedata.normalize("NFD", "Андрей.py"),
            unicodedata.normalize("NFC", "class/Андрей.py"),
        ),
        (unicodedata.normalize("NFC", "Андрей"), unicodedata.normalize("NFD", "class/Андрей.py")),
    ],
)
def test_row_matches_path(row: str, path: str) -> None:
    entries = roster("other.py", row)
    assert entries.entry_for(path) == entries.entries[1]
    assert entries.entry_for(Path(path)) == entries.entries[1]


@pytest.mark.parametrize(
    ("row", "path"),
    [
        ("ann.py", "class/joann.py"),
        ("hw1/ann.py", "class/hw2/ann.py"),
        ("hw1/ann.py", "class/ann.py"),
        ("hw1/ann.py", "class/xhw1/ann.py"),
        ("ann", "class/ann/deeper/homework.py"),
        ("ann.py", "class/ann.py/homework.txt/x.py"),
        ("an", "class/ann.py"),
    ],
)
def test_row_does_not_match_path(row: str, path: str) -> None:
    assert roster(row).entry_for(path) is None


@pytest.mark.parametrize(
    ("row", "path", "need"),
    [
        ("ann.py", "class/bob/ann.py", "bob/ann.py"),
        ("ann", "class/bob/ann.ipynb", "bob/ann.ipynb"),
        ("ann", "class/bob/ann/hw.py", "bob/ann/hw.py"),
        ("ann/hw.py", "class/bob/ann/hw.py", "bob/ann/hw.py"),
    ],
)
def test_no_row_is_a_file_in_a_folder_of_another(row: str, path: str, need: str) -> None:
    """Bob may call a file in his folder what Ann calls hers."""
    assert roster(row).entry_for(path) is None
    assert roster(row, need).entry_for(path).student == "s3"  # type: ignore[union-attr]


def test_a_folder_given_alone_is_not_another_students() -> None:
    """Graded from within, `bob/hw.py` is not Ann's `ann/hw.py`; and `*` gives no folder as the class."""
    assert roster("ann/hw.py", folder="/uni/class/bob").entry_for("class/bob/hw.py") is None
    own = roster("ann", "bob", folder="/uni/class/bob").entry_for("class/bob/hw.py")
    assert own is not None
    assert own.student == "s3"


def test_better_match_wins() -> None:
    rows = roster("class/hw.py", "ann/hw.py", "ann", "task.py", "x/task")
    assert rows.entry_for("class/ann/hw.py").submission == "ann/hw.py"  # type: ignore[union-attr]
    assert rows.entry_for("class/ann/other.py").submission == "ann"  # type: ignore[union-attr]
    assert rows.entry_for("class/x/task.ipynb").submission == "x/task"  # type: ignore[union-attr]


def test_tie_is_an_error_naming_both_rows() -> None:
    with pytest.raises(UsageProblem, match="matches line 2"):
        roster("hw.py", "hw").entry_for("class/hw.ipynb")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda s: PLAIN.encode() + s.encode()))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, raw: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(raw)
    try:
        read = load_roster(path)
    except UsageProblem:
        return
    assert all(e.student and e.submission and e.variant for e in read.entries)


# -- ids and e-mails that an LMS gives ------------------------------------------------------------


def handed(shown: str, *people: Person, place: str = "") -> dict[str, HandIn]:
    return {shown: HandIn(shown, "/" + shown, "hw.py", place or shown, people)}


def known(tmp_path: Path, rows: str, *submissions: dict[str, HandIn]) -> Roster:
    path = tmp_path / "roster.csv"
    path.write_text("student,id,email,submission,variant\n" + rows, encoding="utf-8")
    read = load_roster(path, handed={k: v for one in submissions for k, v in one.items()})
    return replace(read, top="/", folder="/class")


def test_submission_may_be_left_out_where_there_is_an_id_or_email(tmp_path: Path) -> None:
    text = "student,variant,id\nAnn,v1,7\nBob,v2,8\n"
    assert [e.submission for e in roster_of(tmp_path, text).entries] == ["", ""]
    with pytest.raises(UsageProblem, match="line 3: the submission is empty"):
        roster_of(tmp_path, text.replace("8", ""))
    with pytest.raises(UsageProblem, match="line 2: the variant is empty"):
        roster_of(tmp_path, text.replace("v1", ""))


@pytest.mark.parametrize(
    ("person", "student"),
    [
        (Person("Bob", "7"), "Ann"),  # the name of a profile is nothing to go by
        (Person("", "12"), "Bob"),
        (Person("", "", "ANN@X.ORG"), "Ann"),
        (Person("", "7", "ann@x.org"), "Ann"),
        (Person("Ann", "70"), None),
        (Person("Ann", "", ""), None),
        (Person("Ann", "", "nn@x.org"), None),
    ],
)
def test_a_row_matches_by_id_or_email(tmp_path: Path, person: Person, student: str | None) -> None:
    rows = "Ann,7,ann@x.org,,v1\nBob,Participant 12,,,v2\n"
    entry = known(tmp_path, rows, handed("class/x/hw.py", person)).entry_for("class/x/hw.py")
    assert (entry and entry.student) == student


def test_an_id_and_a_path_that_disagree_are_an_error(tmp_path: Path) -> None:
    rows = "Ann,7,,,v1\nBob,8,,x/hw.py,v2\n"
    submission = handed("class/x/hw.py", Person("", "7"))
    with pytest.raises(UsageProblem, match="line 2 by its id or e-mail, and of line 3"):
        known(tmp_path, rows, submission).entry_for("class/x/hw.py")


def test_a_group_has_the_rows_of_all_its_students(tmp_path: Path) -> None:
    rows = "Ann,7,,,v1\nBob,8,,,v2\nEve,9,eve@x,,v1\n"
    both = handed("class/x/hw.py", Person("", "9"), Person("", "7"))
    found = known(tmp_path, rows, both).entries_for("class/x/hw.py")
    assert [row.student for row in found] == ["Ann", "Eve"]
    one = handed("class/x/hw.py", Person("", "7"), Person("", "80"))
    assert known(tmp_path, rows, one).entry_for("class/x/hw.py").student == "Ann"  # type: ignore[union-attr]


def test_a_group_on_two_variants_and_one_of_two_rows_are_errors(tmp_path: Path) -> None:
    rows = "Ann,7,,,v1\nBob,8,,,v2\nEve,9,eve@x,,v1\n"
    both = handed("class/x/hw.py", Person("", "7"), Person("", "8"))
    with pytest.raises(UsageProblem, match="Ann on v1, Bob on v2"):
        known(tmp_path, rows, both).entry_for("class/x/hw.py")
    crossed = handed("class/x/hw.py", Person("", "7", "eve@x"))
    with pytest.raises(UsageProblem, match=r"line 2 \(Ann\) and of line 4 \(Eve\)"):
        known(tmp_path, rows, crossed).entry_for("class/x/hw.py")


def test_a_path_gives_nobody_what_is_elsewhere(tmp_path: Path) -> None:
    """`hw.py` is Ann's name of her file, and a stranger's name of theirs."""
    rows = "Ann,7,,a/hw.py,v1\n"
    ann = handed("class/a/hw.py", Person("", "7"))
    stranger = handed("class/b/hw.py", Person("", "99"))
    roster = known(tmp_path, rows, ann, stranger)
    assert roster.entry_for("class/a/hw.py").student == "Ann"  # type: ignore[union-attr]
    assert roster.entry_for("class/b/hw.py") is None


@pytest.mark.parametrize("row", ["ann", "class/ann", "ann/src/hw.py"])
def test_a_row_names_the_folder_of_a_student_at_any_depth(tmp_path: Path, row: str) -> None:
    submission = handed("class/ann/src/hw.py", place="class/ann")
    roster = known(tmp_path, f"Ann,,,{row},v1\n", submission)
    assert roster.entry_for("class/ann/src/hw.py").student == "Ann"  # type: ignore[union-attr]


@pytest.mark.parametrize("row", ["ann", "ann.zip", "ann.ipynb"])
def test_a_row_names_a_zip(tmp_path: Path, row: str) -> None:
    submission = handed("class/ann.zip/src/hw.py", place="class/ann.zip")
    roster = known(tmp_path, f"Ann,,,{row},v1\n", submission)
    assert roster.entry_for("class/ann.zip/src/hw.py").student == "Ann"  # type: ignore[union-attr]

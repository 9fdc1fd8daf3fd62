"""Moodle's grading worksheet held against a roster of the university's."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pytest_backprop.classroom import HandIn, Person
from pytest_backprop.classroom.roster import Roster
from pytest_backprop.classroom.roster_file import join_worksheets, load_roster, read_worksheet
from pytest_backprop.errors import UsageProblem

HEAD = "Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade\n"
ROSTER = "student,id,email,variant\nPetrov Ivan,U-1,ivan@uni.example,v1\nAnn Lee,U-2,,v2\nEve Doe,U-3,,v3\n"


def joined(tmp_path: Path, roster: str, *sheets: str) -> tuple[Roster, tuple[str, ...]]:
    """The roster of a class in which participants 1 to 9 handed in, and what it was joined by."""
    (tmp_path / "roster.csv").write_text(roster, encoding="utf-8")
    for number, text in enumerate(sheets):
        (tmp_path / f"sheet{number}.csv").write_text(text, encoding="utf-8-sig")
    paths = [str(tmp_path / f"sheet{number}.csv") for number in range(len(sheets))]
    handed = {f"{n}/hw.py": HandIn(f"{n}/hw.py", "", "hw.py", f"{n}", (Person("?", str(n)),))
              for n in range(1, 10)}  # fmt: skip
    read = load_roster(tmp_path / "roster.csv", handed=handed)
    lines, notes = join_worksheets(read.entries, paths, {str(n) for n in range(1, 10)})
    return replace(read, participants=lines), notes


def students(roster: Roster) -> dict[int, str]:
    rows = {n: roster.entry_for(f"{n}/hw.py") for n in range(1, 10)}
    return {n: row.student for n, row in rows.items() if row is not None}


def test_by_email_by_id_number_and_by_moodles_number(tmp_path: Path) -> None:
    sheet = (
        HEAD + "Participant 7,Ivan Petrov,,IVAN@uni.example,,,100\n"
        "Participant 8,A. Lee,U-2,,,,100\nУчастник 9,Eve Doe,,eve@home.example,,,100\n"
        "Participant 5,Zed Zed,U-9,zed@uni.example,,,100\n"
    )
    roster, made = joined(tmp_path, ROSTER.replace("U-3", "Participant 9"), sheet)
    assert students(roster) == {7: "Petrov Ivan", 8: "Ann Lee", 9: "Eve Doe"}
    (note,) = made
    assert "3 of 3 students are in Moodle's worksheet sheet0.csv" in note
    for how in ("1 by e-mail", "1 by id number", "1 by Moodle's number"):
        assert how in note


def test_russian_columns(tmp_path: Path) -> None:
    sheet = "Идентификатор;Полное имя;Индивидуальный номер;Оценка\nУчастник 7;Иван;u-7;\n"
    roster, _ = joined(tmp_path, "student;id;variant\nФедоров Иван;U-7;v1\n", sheet)
    assert students(roster) == {7: "Федоров Иван"}


def test_a_name_matches_nobody(tmp_path: Path) -> None:
    """It is what a profile says, and another student may call themselves so."""
    roster, made = joined(tmp_path, ROSTER, HEAD + "Participant 8,Ann Lee,,mallory@x,,,\n")
    assert students(roster) == {}
    assert "0 of 3 students" in made[0]


def test_a_number_of_moodles_is_no_id_number(tmp_path: Path) -> None:
    """Ann's id number is Moodle's number of somebody else: neither gets the other's grade."""
    rows = "student,id,variant\nAnn,7,v1\n"
    sheet = HEAD + "Participant 7,Bob,12,,,,\nParticipant 8,Ann,7,,,,\n"
    roster, made = joined(tmp_path, rows, sheet)
    assert students(roster) == {}
    assert "0 of 1 students" in made[0]
    # its own form, with the word, is no id number
    roster, _ = joined(tmp_path, rows.replace("7", "Participant 8"), sheet)
    assert students(roster) == {8: "Ann"}


def test_keys_that_disagree_are_told(tmp_path: Path) -> None:
    sheet = HEAD + "Participant 7,Ivan Petrov,U-2,ivan@uni.example,,,\n"
    roster, _ = joined(tmp_path, ROSTER, sheet)
    with pytest.raises(UsageProblem, match=r"line 2 \(Petrov Ivan\) and of line 3 \(Ann Lee\)"):
        roster.entry_for("7/hw.py")


def test_the_worksheet_of_another_assignment_is_passed_by(tmp_path: Path) -> None:
    """It lies beside, with the same students and other numbers."""
    sheet = HEAD + "Participant 7,Ivan Petrov,,ivan@uni.example,,,\n"
    roster, made = joined(tmp_path, ROSTER, sheet, sheet.replace("7", "71"), sheet + "\n")
    assert students(roster) == {7: "Petrov Ivan"}
    assert "sheet0.csv, sheet2.csv (1 by e-mail)" in made[0]


def test_other_files_are_no_worksheets(tmp_path: Path) -> None:
    for text in (b"", ROSTER.encode(), b"Identifier\nParticipant 7\n", b"\xff\x00", b'a,"b'):
        (tmp_path / "x.csv").write_bytes(text)
        assert read_worksheet(tmp_path / "x.csv") == []
    assert read_worksheet(tmp_path) == read_worksheet(Path("/dev/zero")) == []
    assert joined(tmp_path, ROSTER)[1] == ()

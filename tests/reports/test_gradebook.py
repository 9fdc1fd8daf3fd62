"""An exported gradebook, filled in by id: the LMS takes it back, and nobody's grade is another's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from consumers import lms
from hypothesis import given, strategies as st
from report_checks import check, grade
from report_documents import not_judged, of, one

from pytest_backprop.errors import UsageProblem
from pytest_backprop.model import GroupMember
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.document import Document
from pytest_backprop.reports.gradebook import fill, read_gradebook

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework 2 (11),Homework 3 (12),Current Score\r\n"
    "    Points Possible,,,,,10,100,(read only)\r\n"
    '"Ann, O\'Neil",101,7,ann@uni.example,"One, and Two",5,,50.00\r\n'
    "Ёжиков Пётр,102,S8,petr@uni.example,One,,33,\r\n"
    '"=HYPERLINK(""x"")",103,S9,vera@uni.example,One,6,,\r\n'
    '"Student, Test",104,,,One,,,\r\n'
)
STUDENTS = (
    {"name": "Ann, O'Neil", "id": "101", "sis": "7", "login": "ann@uni.example"},
    {"name": "Ёжиков Пётр", "id": "102", "sis": "S8", "login": "petr@uni.example"},
    {"name": '=HYPERLINK("x")', "id": "103", "sis": "S9", "login": "vera@uni.example"},
    {"name": "Student, Test", "id": "104"},
)
ASSIGNMENTS = {"11": "Homework 2", "12": "Homework 3"}
MOODLE = (
    "First name,Last name,ID number,Email address,Assignment: Homework 3 (Real),Course total (Real)\n"
    "Ann,O'Neil,7,ann@uni.example,-,-\n"
    "Пётр,Ёжиков,S8,petr@uni.example,-,12.5\n"
)
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    "Participant 7,Ann,ann@uni.example,Submitted,,100.00,Yes,-,-,\n"
    "Participant 8,Пётр,petr@uni.example,Submitted,,100.00,Yes,-,-,\n"
)


class Filling:
    """A gradebook filled in: its text, and what is told of it."""

    def __init__(self, text: str, remarks: list[str]) -> None:
        self.text, self.remarks = text, remarks
        self.filled = int(remarks[0].partition(" ")[0])
        self.empty = self._after("no new grade in the gradebook: ")
        left = self._after("not in the gradebook: ")
        self.left = dict(line[:-1].split(" (", 1) for line in left)

    def _after(self, head: str) -> list[str]:
        return [line.removeprefix(head) for line in self.remarks if line.startswith(head)]


def filled(
    tmp_path: Path, text: str | bytes, document: Document, column: str | None = None
) -> Filling:
    path = tmp_path / "export.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return Filling(*fill(read_gradebook(path, column), document))


def by(path: str, score: float = 0.5, **who: Any) -> Any:
    return grade(path, check("forward", score, 100), **who)


CLASS = of(
    one(),
    by("p.py", 0.5, email="PETR@uni.example"),
    by("stranger.py", 1.0, student_id="99"),
    by("nobody.py", 1.0),
)


def test_canvas_takes_its_gradebook_back(tmp_path: Path) -> None:
    made = filled(tmp_path, CANVAS, CLASS, "Homework 3")
    found = lms.canvas(made.text, STUDENTS, ASSIGNMENTS)
    assert found["new assignments"] == found["new students"] == []
    assert found["grades"]["Homework 3"] == {"Ann, O'Neil": "88", "Ёжиков Пётр": "50"}
    assert found["grades"]["Homework 2"] == {"Ann, O'Neil": "5", '=HYPERLINK("x")': "6"}
    assert found["possible"] == {"Homework 2": "10", "Homework 3": "100"}
    assert made.filled == 2
    assert made.empty == ['=HYPERLINK("x")', "Student, Test"]
    assert made.left == {
        "stranger.py": "no row has that id or e-mail",
        "nobody.py": "the roster tells no id and no e-mail",
    }


def test_all_other_cells_stay_as_they_were(tmp_path: Path) -> None:
    made = filled(tmp_path, CANVAS, CLASS, "12")
    before, after = lms.rows_of(CANVAS), lms.rows_of(made.text)
    changed = [
        (row, column)
        for row, (old, new) in enumerate(zip(before, after, strict=True))
        for column, (a, b) in enumerate(zip(old, new, strict=True))
        if a != b
    ]
    assert changed == [(2, 6), (3, 6)]
    assert "\r\n" in made.text
    nothing = filled(tmp_path, CANVAS, of(), "12")
    assert lms.rows_of(nothing.text) == before


def test_a_mark_and_semicolons_come_back(tmp_path: Path) -> None:
    text = "\ufeff" + "Student;ID;SIS User ID;SIS Login ID;Section;H (1)\nAnn;101;7;a@b;One;\n"
    made = filled(tmp_path, text, of(by("a.py", 0.505, student_id="7")))
    assert made.text.startswith("\ufeffStudent;ID")
    found = lms.canvas(made.text, STUDENTS, {"1": "H"})
    assert found["grades"] == {"H": {"Ann, O'Neil": "50.5"}}


def test_no_grade_is_not_zero_and_takes_no_grade_away(tmp_path: Path) -> None:
    lost = [not_judged("a.py", student_id="7"), not_judged("p.py", student_id="S8")]
    made = filled(tmp_path, CANVAS, of(*lost), "Homework 3")
    assert lms.canvas(made.text, STUDENTS, ASSIGNMENTS)["grades"]["Homework 3"] == {
        "Ёжиков Пётр": "33"  # as it was
    }
    assert "Ann, O'Neil" in made.empty


def test_what_fits_twice_is_not_filled_in(tmp_path: Path) -> None:
    twice = of(by("one.py", student_id="7"), by("two.py", student_id="101"))
    made = filled(tmp_path, CANVAS, twice, "Homework 3")
    assert made.filled == 0
    assert sorted(made.left) == ["one.py", "two.py"]
    # an id of one student, the e-mail of another
    crossed = of(by("x.py", student_id="7", email="petr@uni.example"))
    assert filled(tmp_path, CANVAS, crossed, "12").left == {"x.py": "two rows fit"}
    # the SIS ID of one is Canvas's own ID of another
    text = CANVAS.replace("102,S8", "102,101")
    assert filled(tmp_path, text, of(by("x.py", student_id="101")), "12").filled == 0


def test_moodle_takes_its_gradebook_back(tmp_path: Path) -> None:
    made = filled(tmp_path, MOODLE, CLASS, "Assignment: Homework 3 (Real)")
    users = ({"name": "Ann", "idnumber": "7"}, {"name": "Пётр", "idnumber": "S8"})
    title = "Assignment: Homework 3 (Real)"
    assert lms.moodle(made.text, users, title, "ID number", "idnumber") == {"Ann": 88, "Пётр": 50}


def test_moodle_takes_its_worksheet_back(tmp_path: Path) -> None:
    document = of(one(), by("p.py", 0.25, student_id="Participant 8"))
    made = filled(tmp_path, WORKSHEET, document)
    assert lms.worksheet(made.text, {"7": "Ann", "8": "Пётр"}) == {"Ann": 88, "Пётр": 25}


ONE_CANVAS = CANVAS.replace("Homework 2 (11)", "Current Points")
REAL_MOODLE = (
    "First name,Last name,ID number,Institution,Department,Email address,"
    "Assignment: Homework 3 (Real),Assignment: Homework 3 (Feedback),Course total (Real),"
    "Last downloaded from this course\n"
    "Ann,O'Neil,7,MIPT,,ann@uni.example,-,,-,1700000000\n"
)
OLD_MOODLE = (
    'First name,Surname,ID number,Email address,Assignment: Homework 3,"Feedback: Homework 3",'
    "Course total,Last downloaded from this course\nAnn,O'Neil,7,ann@uni.example,-,,-,1\n"
)


NAMES_APART = (
    "LastName,FirstName,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,Section,Homework 3 (12)\n"
    "    Points Possible,,,,,,,,100\n"
    ",,,,,,,,Manual Posting\n"
    "O'Neil,Ann,101,7,ann@uni.example,,uni.example,One,\n"
)


def test_canvas_takes_a_gradebook_with_names_in_two_columns_back(tmp_path: Path) -> None:
    made = filled(tmp_path, NAMES_APART, CLASS)
    found = lms.canvas(made.text, STUDENTS, ASSIGNMENTS)
    assert found["grades"] == {"Homework 3": {"Ann, O'Neil": "88"}}
    assert (found["new students"], found["possible"]) == ([], {"Homework 3": "100"})
    assert filled(tmp_path, NAMES_APART, of()).empty == ["O'Neil Ann"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (ONE_CANVAS, None),
        (REAL_MOODLE, "Homework 3"),
        (OLD_MOODLE, "Assignment: Homework 3"),
        (WORKSHEET, None),
    ],
)
def test_the_column_of_grades_is_found_in_real_exports(
    tmp_path: Path, text: str, column: str | None
) -> None:
    """What Canvas computes and how Moodle shows a grade besides are no columns of grades."""
    made = filled(tmp_path, text, CLASS, column)
    (header, *rows) = lms.rows_of(made.text)
    row = next(row for row in rows if "ann@uni.example" in row)
    names = ("Homework 3", "Grade")
    assert (
        row[next(n for n, name in enumerate(header) if name.endswith(names) or "3 (" in name)]
        == "88"
    )
    assert made.filled == (1 if "Institution" in text or text is OLD_MOODLE else 2)


def test_of_a_gradebook_from_moodle_the_column_has_to_be_named(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="has 2 columns for grades; there are: 'Assignment"):
        filled(tmp_path, MOODLE, CLASS)


@pytest.mark.parametrize(
    "name", ["Homework 3", "Assignment: Homework 3", "Assignment: Homework 3 (Real)", "Homework 3 (Real)"]
)  # fmt: skip
def test_a_short_name_is_enough_in_moodle(tmp_path: Path, name: str) -> None:
    other = MOODLE.replace("Course total (Real)", "Assignment: Homework 2 (Real)")
    made = filled(tmp_path, other, CLASS, name)
    assert made.filled == 2
    assert [row[4] for row in lms.rows_of(made.text)][1:] == ["88", "50"]


def test_who_is_excused_stays_so_and_it_is_told(tmp_path: Path) -> None:
    text = CANVAS.replace(",One,,33,", ",One,,ex,")
    made = filled(tmp_path, text, CLASS, "Homework 3")
    grades = [row[6] for row in lms.rows_of(made.text)]
    assert grades[2:4] == ["88", "ex"]
    assert made.left["p.py"] == "the student is excused there (EX), and stays so"
    assert "Ёжиков Пётр" not in made.empty


def test_a_worksheet_has_the_feedback_and_keeps_a_comment_of_the_instructors(
    tmp_path: Path,
) -> None:
    text = WORKSHEET.replace("100.00,Yes,-,-,\n", "100.00,Yes,-,-,see me\n").replace(
        "see me", "", 1
    )
    petr = by("p.py", 0.25, student_id="Participant 8")
    made = filled(tmp_path, text, of(one(), petr))
    told = [row[-1] for row in lms.rows_of(made.text)]
    assert told[0] == "Feedback comments"
    assert told[1].startswith("<p>backprop: 88 / 100<br>release: ")
    assert told[1].endswith("</p>")
    assert "t9 kept after line 43 (2 late values)" in told[1]
    assert told[2] == "see me"
    again = filled(tmp_path, made.text, of(one(message="another")))
    assert "another" in lms.rows_of(again.text)[1][-1]


def test_moodle_takes_a_worksheet_back_whatever_the_feedback_quotes(tmp_path: Path) -> None:
    document = of(by("a.py", student_id="7", message='print("\\"")'))
    made = filled(tmp_path, WORKSHEET, document)
    assert "&quot;" in made.text
    assert lms.worksheet(made.text, {"7": "Ann", "8": "Пётр"}) == {"Ann": 50}


def test_each_of_a_group_has_the_grade(tmp_path: Path) -> None:
    members = (GroupMember("Ann", "7", None), GroupMember("Пётр", "S8", None))
    both = of(by("g.py", 0.5, student="Ann, Пётр", student_id="7", members=members))
    assert filled(tmp_path, CANVAS, both, "12").filled == 2
    rows = lms.rows_of(RENDERERS["csv"](both))
    assert [row[:3] for row in rows[1:]] == [["g.py", "Ann", "7"], ["g.py", "Пётр", "S8"]]
    assert len(lms.rows_of(RENDERERS["csv-moodle"](both))) == 3
    stranger = (*members, GroupMember("Vera", "nobody", None))
    both = of(by("g.py", 0.5, student="Ann, Пётр, Vera", student_id="7", members=stranger))
    assert filled(tmp_path, CANVAS, both, "12").left == {
        "g.py, Vera": "no row has that id or e-mail"
    }


def test_other_points_than_the_rubric_s_are_told(tmp_path: Path) -> None:
    for text, column, worth in (
        (CANVAS, "Homework 2", "10"),
        (CANVAS, "Homework 3", None),
        (WORKSHEET.replace("100.00", "20.00"), None, "20"),
        (MOODLE, "Course total (Real)", None),
    ):
        remarks = filled(tmp_path, text, CLASS, column).remarks
        other = f"the gradebook's column is worth {worth} points, the rubric 100"
        assert [line for line in remarks if "is worth" in line] == ([other] if worth else [])


@pytest.mark.parametrize(
    ("text", "column", "says", "way_out"),
    [
        (CANVAS, None, "2 columns for grades; there are: 'Homework 2 (11)', 'Homework 3 (12)'", "column NAME"),
        (CANVAS, "Homework 4", "no column 'Homework 4'", "column NAME"),
        (CANVAS.replace("(11)", "(12)"), "12", "more than one column '12'", "column NAME"),
        ("", None, "is empty", "export"),
        ("name,grade\nAnn,1\n", None, "neither Canvas's nor Moodle's: ['name', 'grade']", "Canvas"),
        ('Student,ID,Section,H (1)\n"open', None, "is not CSV", "again"),
        (b"Student,ID,Section,H (1)\n\xc5\xe6", None, "not UTF-8 text", "UTF-8"),
    ],
)  # fmt: skip
def test_a_gradebook_that_cannot_be_used(
    tmp_path: Path, text: str | bytes, column: str | None, says: str, way_out: str
) -> None:
    with pytest.raises(UsageProblem) as caught:
        filled(tmp_path, text, of(), column)
    assert says in caught.value.message
    assert way_out in caught.value.way_out


def test_a_gradebook_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageProblem, match="cannot be read: No such file"):
        read_gradebook(tmp_path / "none.csv", None)


cells = st.text("ab,;\"'\r\n =7é", max_size=5)


@given(st.lists(st.tuples(cells, st.sampled_from(["7", "8", "9"]), cells), max_size=5))
def test_each_grade_is_in_one_row_or_told(
    tmp_path_factory: pytest.TempPathFactory, students: list[tuple[str, str, str]]
) -> None:
    lines = [["Student", "ID", "Section", "H (1)"], *([f"n{a}", b, c, ""] for a, b, c in students)]
    text = (
        "\n".join(",".join('"' + c.replace('"', '""') + '"' for c in row) for row in lines) + "\n"
    )
    document = of(*(by(f"{id}.py", student_id=id) for id in ("7", "8")))
    made = filled(tmp_path_factory.mktemp("any"), text.encode(), document)
    ids = [id for _, id, _ in students]
    after = lms.rows_of(made.text)
    assert [row[:3] for row in after] == [row[:3] for row in lms.rows_of(text)]
    graded = [row[1] for row in after[1:] if row[3]]
    assert sorted(graded) == sorted(id for id in ("7", "8") if ids.count(id) == 1)
    assert set(made.left) == {f"{i}.py" for i in ("7", "8") if ids.count(i) != 1}
    assert made.filled + len(made.empty) == len(students)

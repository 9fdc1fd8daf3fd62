"""`feedback`: a file for each student, with what is theirs to see; the zip that Moodle takes in."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from report_checks import LATE, check, grade
from report_documents import SECRET, SITUATIONS, documents, not_judged, of, secret, situation

from pytest_backprop.model import GroupMember
from pytest_backprop.reports.document import Document
from pytest_backprop.reports.entries import apply_hints
from pytest_backprop.reports.markdown import NAME_LIMIT, TABLE, ZIP, files, moodle_folder
from pytest_backprop.reports.writing import write_folder

MOODLE = "export/Ann Lee_11_assignsubmission_file_/hw.ipynb"


def made(document: Document) -> dict[str, str]:
    """The texts of the folder, without the zip."""
    found = list(files(document))
    assert len({name for name, _ in found}) == len(found)
    return {name: content.decode() for name, content in found if name != ZIP}


def rows(document: Document) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made(document)[TABLE].removeprefix("\ufeff"))))


def zipped(document: Document) -> dict[str, str]:
    content = dict(files(document))[ZIP]
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        return {name: packed.read(name).decode() for name in packed.namelist()}


def test_a_file_a_student_and_a_table_of_whose_it_is() -> None:
    late = check(fraction=0.7, message="`t9` is kept", findings=(LATE,))
    ann = grade("class/a.py", check("forward", of=80), late, student_id="7", email="ann@uni.example",
                notes=("a note",))  # fmt: skip
    bob = grade("class/b.py", student="Bob")
    texts = made(of(ann, bob))
    assert set(texts) == {"Ann_7.md", "Bob.md", TABLE}
    assert texts["Ann_7.md"].startswith("# `a.py`\n\n- student: `Ann`\n- variant: `v8`\n")
    for told in ("- **score: 94 / 100**", "| `forward` | passed | 80 / 80 |", "a note",
                 "| `release` | partial | 14 / 20 |", "## `release` 14 / 20", LATE.hint or "?"):  # fmt: skip
        assert told in texts["Ann_7.md"]
    assert "Bob" not in texts["Ann_7.md"]
    assert "Ann" not in texts["Bob.md"]
    assert [(row["file"], row["email"], row["score"]) for row in rows(of(ann, bob))] == [
        ("Ann_7.md", "ann@uni.example", "94"), ("Bob.md", "", "100"),
    ]  # fmt: skip


def test_a_drive_letter_is_in_no_name_of_a_file() -> None:
    """Of a submission that lies on another drive than the rest; Windows takes `D:` for a stream."""
    (name,) = set(made(of(grade("D:/кл асс/a.py", student=None)))) - {TABLE}
    assert name == "D_кл_асс_a.md"


def test_hidden_checks_are_in_no_file() -> None:
    for made_of in (secret(), secret(0.5, "after_due_date")):
        document = of(grade("a.py", check("forward", of=80), made_of, notes=(f"on {SECRET}",)))
        text = made(document)["Ann.md"]
        assert SECRET not in text
        assert "the score has points of checks that are not shown here" in text


def test_hints_decide_what_is_told() -> None:
    whole = of(grade("a.py", check(fraction=0.7, findings=(LATE,))))
    assert "cell 4, line 43" in made(whole)["Ann.md"]
    none = made(apply_hints(whole, "none"))["Ann.md"]
    assert LATE.message in none
    assert "line 43:" not in none
    assert "hint:" not in none


def test_what_nobody_could_judge_is_no_zero() -> None:
    assert "- **score: grader error**" in made(of(not_judged()))["Ann.md"]
    assert rows(of(not_judged()))[0]["score"] == ""


def test_each_of_a_group_has_a_file() -> None:
    group = (GroupMember("Ann", "7"), GroupMember("Eve", "8", "eve@uni.example"))
    texts = made(of(grade("a.py", student="Ann, Eve", members=group)))
    assert set(texts) == {"Ann_7.md", "Eve_8.md", TABLE}


@pytest.mark.parametrize(
    ("students", "names"),
    [
        (("Ann", "ANN", "ann"), ["Ann.md", "ANN-2.md", "ann-3.md"]),
        (("../../etc/passwd", "-rf *", "a/b:c"), ["rf.md", "etc_passwd.md", "a_b_c.md"]),
        (("Ёжиков Пётр", "李明", "…"), ["student.md", "Ёжиков_Пётр.md", "李明.md"]),
    ],
)
def test_names_are_names_everywhere(students: tuple[str, ...], names: list[str]) -> None:
    document = of(*(grade(f"{n}.py", student=name) for n, name in enumerate(students)))
    assert sorted(set(made(document)) - {TABLE}) == sorted(names)


def test_a_class_from_moodle_has_the_zip_that_moodle_takes_in() -> None:
    document = of(
        grade(MOODLE), grade("export/Bob_O_B_12_assignsubmission_file_hw.py", student="Bob"),
        grade("other/b.py", student="Eve"),
    )  # fmt: skip
    texts = zipped(document)
    assert set(texts) == {
        "Ann Lee_11_assignsubmission_file_/feedback.md",
        "Bob O B_12_assignsubmission_file_/feedback.md",
    }
    assert texts["Ann Lee_11_assignsubmission_file_/feedback.md"] == made(document)["Ann.md"]
    assert dict(files(document)) == dict(files(document))
    assert ZIP not in dict(files(of(grade("a.py"))))


@pytest.mark.parametrize(
    ("path", "number"),
    [
        (MOODLE, "11"),
        ("a.zip/Ann_11_assignsubmission_file/hw.py", "11"),
        ("Ann_99_11_assignsubmission_file_/hw.py", "11"),
        ("Ann_99_assignsubmission_file_x_11_assignsubmission_file_hw.py", None),
        ("Ann_11_assignsubmission_onlinetext_/text.html", None),
        ("class/hw_v8.py", None),
    ],
)
def test_moodle_finds_the_number_that_is_its_own(path: str, number: str | None) -> None:
    """Moodle splits a name at underscores and takes the second part."""
    folder = moodle_folder(path)
    assert (None if folder is None else folder.split("_", 4)[1]) == number


@pytest.mark.parametrize("name", [name for name in SITUATIONS if name != "megabytes"])
def test_every_situation_is_written(name: str, tmp_path: Path) -> None:
    document = situation(name)
    write_folder(tmp_path / "feedback", files(document))
    assert len(list((tmp_path / "feedback").glob("*.md"))) == len(document.submissions)
    write_folder(tmp_path / "feedback", files(document))  # an older one is replaced


@settings(max_examples=40)
@given(documents)
def test_whatever_a_submission_says_nothing_of_it_acts(document: Document) -> None:
    for name, text in made(document).items():
        assert re.fullmatch(r"[\w.@+-]+\.(md|csv)", name)
        assert len(name.encode()) <= NAME_LIMIT + 10
        if name != TABLE:
            outside = re.sub(r"(?ms)^(`{3,})text\n.*?^\1$", "", text)
            outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", outside)
            assert not re.search(r"[<>\[\]]", outside), outside

"""Classes from an LMS, from end to end: as a folder, as a zip, on two workers, and resumed."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import pytest
from plugin_samples import RIGHT, WRONG, Run, bank, lay_out, notebook, run_pytest, timeless
from zips import zipped

M = "_assignsubmission_file_"
MOODLE: dict[str, str | bytes] = {
    f"Иван Петров_101{M}/hw.ipynb": notebook(RIGHT),
    f"Иван Петров_101{M}/helper.py": "x = 1\n",
    f"Ann Lee_102{M}/hw.zip": zipped({"work/hw.py": WRONG, "work/plot.png": b"1"}),
    f"Bob_103{M}/essay.pdf": b"%PDF",
    f"Eve_104{M}/bad.zip": zipped({"../hw.py": RIGHT}),
    f"Zed_105{M}/\x1b[2Jhw.py": RIGHT,
    "notes.txt": "hello",
}
ROSTER = """\
student,id,email,submission,variant
Петров Иван,101,ivan@x.org,,v1
Ann,Participant 102,,,v1
Bob,103,,,v1
Eve,104,,,v1
Tim,199,tim@x.org,,v2
"""
WORDS = ("--backprop-roster=roster.csv", "--backprop-report=json:report.json", "--tb=no")


def grade(folder: Path, files: dict[str, Any], asked: str, *words: str) -> Run:
    lay_out(folder, bank() | {"roster.csv": ROSTER} | files)
    (folder / "tmp").mkdir(exist_ok=True)
    # what is unpacked goes below this folder
    was = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = str(folder / "tmp")
    try:
        return run_pytest(folder, "--backprop", asked, *WORDS, *words)
    finally:
        del os.environ["TMPDIR"]
        if was is not None:
            os.environ["TMPDIR"] = was


def same(run: Run) -> dict[str, Any]:
    """The report, with the class called `class` whether it was a folder or a zip."""
    text = json.dumps(timeless(run), ensure_ascii=False).replace("class.zip/", "class/")
    made: dict[str, Any] = json.loads(text)
    return made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Run:
    files = {f"class/{name}": content for name, content in MOODLE.items()}
    words = ("--backprop-report=html:pages", "-v")
    return grade(tmp_path_factory.mktemp("folder"), files, "class", *words)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade(tmp_path_factory.mktemp("zip"), {"class.zip": zipped(MOODLE)}, "class.zip", "-v")


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Run:
    names = sorted(MOODLE)
    Random(3).shuffle(names)
    shuffled = zipped({name: MOODLE[name] for name in names})
    return grade(
        tmp_path_factory.mktemp("spread"),
        {"class.zip": shuffled},
        "class.zip",
        "--backprop-executor=local:2",
    )


def told(run: Run, part: str) -> dict[str, Any]:
    """The submission whose path has that part."""
    (found,) = (s for s in run.report["submissions"] if part in s["path"])
    assert isinstance(found, dict)
    return found


def test_each_student_has_one_grade_and_its_own(folder: Run) -> None:
    grades = {s["student"]: (s["score"], s["status"]) for s in folder.report["submissions"]}
    assert grades == {
        "Петров Иван": (100, "graded"),
        "Ann": (78, "graded"),
        "Bob": (0, "unreadable"),
        "Eve": (0, "unreadable"),
        None: (0, "not_judged"),
    }


@pytest.mark.long
def test_the_report_is_the_same_from_a_zip_and_two_at_a_time(
    folder: Run, archive: Run, spread: Run
) -> None:
    assert same(folder) == same(archive) == same(spread)
    assert timeless(archive) == timeless(spread)


def test_what_is_shown_can_be_read(archive: Run) -> None:
    assert f"class.zip/Иван Петров_101{M}/hw.ipynb::gradient PASSED" in archive.out
    assert f"class.zip/Ann Lee_102{M}/hw.zip/work/hw.py::gradient FAILED" in archive.out
    assert "class.zip: submissions from Moodle (5)" in archive.out
    assert "\x1b" not in archive.out


def test_what_was_chosen_and_what_was_not_is_told(folder: Run) -> None:
    assert any("helper.py" in note for note in told(folder, "Иван")["notes"])
    assert any("plot.png" in note for note in told(folder, "Ann")["notes"])
    assert "only essay.pdf" in told(folder, "Bob")["message"]
    assert "leads out" in told(folder, "Eve")["message"]
    hints = {f["hint"] for check in told(folder, "Eve")["checks"] for f in check["findings"]}
    assert all("zip of it made anew" in hint for hint in hints)


def test_missing_and_extra_are_reported_everywhere(folder: Run) -> None:
    standing = folder.report["roster"]
    (missing,) = standing["missing"]
    assert (missing["student"], missing["id"], missing["variant"]) == ("Tim", "199", "v2")
    (extra,) = standing["extra"]
    assert (extra["names"], extra["ids"]) == (["Zed"], ["105"])
    assert standing["several"] == []
    assert [left["path"] for left in folder.report["left_out"]] == ["class/notes.txt"]
    lines = "\n".join(folder.section("backprop"))
    page = (folder.folder / "pages/index.html").read_text(encoding="utf-8")
    for part in ("Tim", "Zed_105", "notes.txt"):
        assert part in lines
        assert part in page
    assert "no submission from Tim (199, v2)" in lines


@pytest.mark.parametrize(
    "which", ["folder", "archive", pytest.param("spread", marks=pytest.mark.long)]
)
def test_nothing_unpacked_stays(which: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(which)
    assert not list((run.folder / "tmp").glob("backprop-*"))
    assert not list(run.folder.rglob("evil*"))


def test_a_node_id_of_a_zip_names_that_submission(archive: Run) -> None:
    one = f"class.zip/Ann Lee_102{M}/hw.zip/work/hw.py"
    run = run_pytest(archive.folder, "--backprop", f"{one}::forward", "--tb=no", WORDS[0], "-v")
    assert f"{one}::forward PASSED" in run.out
    assert "1 passed" in run.out


def test_resuming_grades_only_what_changed(archive: Run, tmp_path: Path) -> None:
    changed = MOODLE | {f"Ann Lee_102{M}/hw.zip": zipped({"work/hw.py": RIGHT})}
    shutil.copytree(archive.folder / "report.json.journal", tmp_path / "report.json.journal")
    files = {"class.zip": zipped(changed)}
    run = grade(tmp_path, files, "class.zip", "--backprop-resume")
    lines = "\n".join(run.section("backprop"))
    assert "3 grades were taken from the journal" in lines
    assert "because the file changed: " in " ".join(lines.split())
    assert told(run, "Ann")["score"] == 100
    taken = {"seconds": told(run, "Иван")["seconds"], "taken_from": "journal"}
    assert told(run, "Иван") == told(archive, "Иван") | taken


def test_two_files_of_one_row_are_told(tmp_path: Path) -> None:
    """The roster's folder holds two submissions: both are graded, and that is said."""
    files: dict[str, Any] = {
        "class/ann/a.py": RIGHT,
        "class/ann/b.py": WRONG,
        "class/other.py": RIGHT,
        "roster.csv": "",
    }
    lay_out(tmp_path, bank() | files)
    (tmp_path / "roster.csv").write_text("student,submission,variant\nAnn,ann,v1\nOd,other,v1\n")
    run = run_pytest(tmp_path, "--backprop", "class", *WORDS)
    (several,) = run.report["roster"]["several"]
    assert (several["student"], several["paths"]) == ("Ann", ["class/ann/a.py", "class/ann/b.py"])
    assert "Ann has several grades: class/ann/a.py, class/ann/b.py" in run.out
    assert (run.report["roster"]["missing"], run.report["roster"]["extra"]) == ([], [])


@pytest.mark.parametrize(
    ("raw", "parts"),
    [
        (b"no zip", ["class.zip cannot be unpacked", "pack it again"]),
        (zipped({"../a.py": RIGHT}), ["leads out of it: ../a.py"]),
        (zipped({"a.txt": ""}), ["holds no .py or .ipynb", "your LMS"]),
    ],
)
def test_a_bad_zip_of_a_class_is_a_usage_error(
    pytester: pytest.Pytester, raw: bytes, parts: list[str]
) -> None:
    lay_out(pytester.path, bank() | {"class.zip": raw})
    result = pytester.runpytest_inprocess("--backprop", "class.zip")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = " ".join(result.stderr.str().split())
    assert [part for part in parts if part not in told] == []


UNIVERSITY = "student;id;email;variant\nПетров Иван;У-1;ivan@x.org;v1\nЛи Анна;У-2;;v1\n"


@pytest.mark.parametrize("archived", [False, True])
def test_a_universitys_roster_is_joined_by_moodles_worksheet(
    tmp_path: Path, archived: bool
) -> None:
    """Moodle's numbers are in the worksheet alone; it lies in the export's folder, or beside it."""
    export = {f"I_101{M}/hw.py": RIGHT, f"A_102{M}/hw.py": "x = 1\n"}
    files: dict[str, Any] = {f"class/{name}": content for name, content in export.items()}
    asked = "class"
    if archived:
        files, asked = {"class.zip": zipped(export)}, "class.zip"
    sheet = (
        "\ufeffIdentifier,Full name,ID number,Email address,Grade\n"
        "Participant 101,I,,IVAN@x.org,\nParticipant 102,Анна Ли,У-2,,\n"
    )
    place = "Grades.csv" if archived else "class/Grades.csv"
    run = grade(tmp_path, files | {"roster.csv": UNIVERSITY.encode("cp1251"), place: sheet}, asked)
    assert {s["student"]: s["student_id"] for s in run.report["submissions"]} == {
        "Петров Иван": "У-1",
        "Ли Анна": "У-2",
    }
    assert "worksheet Grades.csv (1 by e-mail, 1 by id number)" in run.out
    assert "roster.csv: read as cp1251 (Windows Cyrillic)" in run.out
    assert (run.report["roster"]["missing"], run.report["roster"]["extra"]) == ([], [])


def test_a_bare_name_is_no_file_in_a_folder_of_another(tmp_path: Path) -> None:
    """Boris calls his file what Anna calls hers: it is nobody's until the roster says whose."""
    roster = "student,submission,variant\nAnna,anna_v1.py,v1\nBoris,boris,v1\nVera,vera_v1.py,v1\n"
    files = {"class/vera_v1.py": "x = 1\n", "class/group/anna_v1.py": RIGHT, "roster.csv": roster}
    run = grade(tmp_path, files, "class")
    assert told(run, "anna_v1.py")["student"] is None
    assert [student["student"] for student in run.report["roster"]["missing"]] == ["Anna", "Boris"]
    assert [extra["path"] for extra in run.report["roster"]["extra"]] == ["class/group/anna_v1.py"]

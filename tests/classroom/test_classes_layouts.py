"""How classes are laid out, whose each file is, and which of a student's files is the submission.

Every class is looked at as a folder and as a zip of it: both must say the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from plugin_samples import RIGHT, lay_out, notebook
from zips import encrypted, listed, zipped

from pytest_backprop.classroom import ClassPlan, HandIn, Planner
from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises import PASS_NAMES
from pytest_backprop.submission import Wanted

Files = dict[str, str | bytes]
MODEL, NONE, BROKEN = RIGHT, "x = 1\n", "def f(:\n"
BOOK = notebook(RIGHT)
M = "_assignsubmission_file_"


def planned(top: Path, *paths: Path) -> ClassPlan:
    room = top / "room"
    room.mkdir(exist_ok=True)
    planner = Planner(top, room, lambda path: path.name in ("build", "room"), Wanted(PASS_NAMES))
    for path in paths:
        planner.add(path)
    return planner.plan()


@pytest.fixture(params=["folder", "zip"])
def plan(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Files], ClassPlan]:
    """Looks at a class called `class`, or `class.zip`; shown paths are then those of a folder."""

    def look(files: Files) -> ClassPlan:
        if request.param == "folder":
            lay_out(tmp_path / "class", files)
            return planned(tmp_path, tmp_path / "class")
        (tmp_path / "class.zip").write_bytes(zipped(files))
        return planned(tmp_path, tmp_path / "class.zip")

    return look


def found(plan: ClassPlan) -> dict[str, HandIn]:
    return {
        h.shown.replace("class.zip/", "class/").removeprefix("class/"): h
        for h in plan.handed.values()
    }


def layout(plan: ClassPlan) -> str:
    return plan.arrivals[0].layout if plan.arrivals else "files"


def people(plan: ClassPlan) -> dict[str, list[tuple[str, ...]]]:
    return {
        shown: [tuple(filter(None, (p.name, p.id, p.email))) for p in handed.people]
        for shown, handed in found(plan).items()
    }


# -- Moodle ---------------------------------------------------------------------------------------


def test_moodles_folders(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(
        {
            f"Иван Петров_1234567{M}/hw.ipynb": BOOK,
            f"Ann Lee_1234568{M}/work/deep/hw.py": MODEL,
            "Bo_7_assignsubmission_file/hw.py": MODEL,
            f"Eve_9{M}/essay.pdf": b"%PDF",
            "Zed_8_assignsubmission_onlinetext_/onlinetext.html": "<p>",
            "Bo_7_assignsubmission_onlinetext_/onlinetext.html": "<p>",
        }
    )
    assert layout(made) == "moodle"
    assert people(made) == {
        f"Иван Петров_1234567{M}/hw.ipynb": [("Иван Петров", "1234567")],
        f"Ann Lee_1234568{M}/work/deep/hw.py": [("Ann Lee", "1234568")],
        "Bo_7_assignsubmission_file/hw.py": [("Bo", "7")],
        f"Eve_9{M}": [("Eve", "9")],
        "Zed_8_assignsubmission_onlinetext_": [("Zed", "8")],
    }
    problem = found(made)[f"Eve_9{M}"].problem
    assert problem is not None
    assert "only essay.pdf" in problem.message
    for shown in ("Bo_7_assignsubmission_file/hw.py", "Zed_8_assignsubmission_onlinetext_"):
        assert "onlinetext" in found(made)[shown].notes[0]
    assert made.left_out == {}


def test_moodles_files(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(
        {
            f"Ann Lee_11{M}hw.ipynb": BOOK,
            f"Ann Lee_11{M}helper.py": NONE,
            "Ann Lee_11_assignsubmission_onlinetext_onlinetext.html": "<p>",
            f"Bob_12{M}essay.pdf": b"%PDF",
            f"Cem_13{M}hw.zip": zipped({"hw.py": MODEL, "plot.png": b"1"}),
        }
    )
    assert layout(made) == "moodle"
    assert people(made) == {
        f"Ann Lee_11{M}hw.ipynb": [("Ann Lee", "11")],
        f"Bob_12{M}essay.pdf": [("Bob", "12")],
        f"Cem_13{M}hw.zip/hw.py": [("Cem", "13")],
    }
    ann = found(made)[f"Ann Lee_11{M}hw.ipynb"]
    assert ann.others == ("helper.py",)
    assert any("not graded: helper.py" in note for note in ann.notes)
    assert found(made)[f"Cem_13{M}hw.zip/hw.py"].others == ("hw.zip/plot.png",)


def test_nobody_can_call_themselves_somebody_else(plan: Callable[[Files], ClassPlan]) -> None:
    """The names of a profile and of a file are the student's to choose."""
    made = plan({f"Bob_999{M}_11{M}/hw.py": MODEL, f"Eve_12{M}x_999{M}hw.py": MODEL})
    assert [h.people and h.people[0].id for h in found(made).values()] in (["11", ()], [(), "11"])
    assert any("two ways" in note for h in found(made).values() for note in h.notes)


# -- Canvas ---------------------------------------------------------------------------------------

CANVAS: Files = {
    "leeann_101_5001_hw.ipynb": BOOK,
    "leeann_101_5002_hw-1.ipynb": notebook(RIGHT, "1"),
    "leeann_101_5003_hw-2.ipynb": BROKEN,
    "petrovivan_LATE_102_5004_hw.py": MODEL,
    "boyle_103_5005_plot.png": b"1",
    "boyle_103_5006_hw.py": MODEL,
    "boyle_103_5007_hw.onnx": b"m",
    "zed_104_text.html": "<p>",
    "cem_105_5008_essay.pdf": b"%PDF",
}


def test_canvas(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(CANVAS)
    assert layout(made) == "canvas"
    assert people(made) == {
        "leeann_101_5003_hw-2.ipynb": [("leeann", "101")],
        "petrovivan_LATE_102_5004_hw.py": [("petrovivan", "102")],
        "boyle_103_5006_hw.py": [("boyle", "103")],
        "zed_104_text.html": [("zed", "104")],
        "cem_105_5008_essay.pdf": [("cem", "105")],
    }
    told = {shown: " ".join(handed.notes) for shown, handed in found(made).items()}
    assert "hw-2.ipynb was handed in after" in told["leeann_101_5003_hw-2.ipynb"]
    assert found(made)["leeann_101_5003_hw-2.ipynb"].others == ("hw-1.ipynb", "hw.ipynb")
    assert "late" in told["petrovivan_LATE_102_5004_hw.py"]
    boyle = found(made)["boyle_103_5006_hw.py"]
    assert boyle.models is not None
    assert [name for name, _ in boyle.models] == ["hw.onnx"]
    assert boyle.others == ("plot.png",)


def test_canvas_without_names(plan: Callable[[Files], ClassPlan]) -> None:
    """Of an assignment that is graded anonymously (`get_filename` in Canvas's `lib/content_zipper.rb`)."""
    made = plan(
        {
            "anon_x7Kq2_5001_hw.ipynb": BOOK,
            "LATE_anon_90812_5002_hw.py": MODEL,
            "anon_aaaaa_text.html": "<p>",
            "zed_104_link.html": "<p>",
        }
    )
    assert layout(made) == "canvas"
    assert people(made) == {
        "anon_x7Kq2_5001_hw.ipynb": [("anon_x7Kq2", "x7Kq2")],
        "LATE_anon_90812_5002_hw.py": [("anon_90812", "90812")],
        "anon_aaaaa_text.html": [("anon_aaaaa", "aaaaa")],
        "zed_104_link.html": [("zed", "104")],
    }
    assert "late" in " ".join(found(made)["LATE_anon_90812_5002_hw.py"].notes)


@pytest.mark.parametrize(
    "names",
    [
        ("hw_1_2_ann.py", "hw_1_3_bob.py"),
        ("hw_1_2_ann.py", "hw_1_2_bob.py"),
        ("hw_2026_11_ann.py", "hw_2027_12_bob.py", "hw_2028_13_eve.py"),
        ("ann_1_2_hw.py", "bob_1_3_hw.py"),
        ("ann_1_2_hw.py", "bob_2_2_hw.py"),
        ("ann_101_5001_hw.py", "bob_102_5002_hw.py", "eve.py"),
    ],
)
def test_names_that_only_look_like_canvas(
    plan: Callable[[Files], ClassPlan], names: tuple[str, ...]
) -> None:
    made = plan(dict.fromkeys(names, MODEL))
    assert layout(made) == "files"
    assert all(not handed.people for handed in made.handed.values())


# -- Gradescope -----------------------------------------------------------------------------------

METADATA = """\
---
submission_100:
  :submitters:
  - :name: Иван Петров
    :sid: '00123'
    :email: ivan@x.org
  :created_at: 2026-03-01 12:00:00.000000000 Z
  :score: 10.0
  :status: processed
  :results:
    score: 10.0
    tests: []
    output: graded by hand
    extra_data:
    leaderboard: []
  :history:
  - :submitters: []
    :created_at: 2026-02-28 12:00:00.000000000 Z
    :score: 0.0
    :status: processed
    :id: 98
submission_101:
  :submitters:
  - :name: Ann Lee
    :sid: 0777
    :email: ~
submission_102:
  :submitters:
  - :name: Bob
    :sid: '5'
    :email: bob@x.org
  - :name: Eve
    :sid: '6'
    :email: eve@x.org
"""


def test_gradescope(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(
        {
            "assignment_1_export/submission_metadata.yml": METADATA,
            "assignment_1_export/submission_100/hw.ipynb": BOOK,
            "assignment_1_export/submission_101/hw.py": MODEL,
            "assignment_1_export/submission_101/submission_metadata.yml": "forged: 1",
            "assignment_1_export/submission_102/essay.pdf": b"%PDF",
            "assignment_1_export/submission_103/hw.py": MODEL,
        }
    )
    assert layout(made) == "gradescope"
    top = "assignment_1_export/submission_"
    assert people(made) == {
        f"{top}100/hw.ipynb": [("Иван Петров", "00123", "ivan@x.org")],
        f"{top}101/hw.py": [("Ann Lee", "0777")],
        f"{top}102": [("Bob", "5", "bob@x.org"), ("Eve", "6", "eve@x.org")],
        f"{top}103/hw.py": [],
    }
    assert "does not say" in found(made)[f"{top}103/hw.py"].notes[0]
    assert found(made)[f"{top}100/hw.ipynb"].submitted == "2026-03-01 12:00:00.000000000 Z"
    assert found(made)[f"{top}101/hw.py"].submitted == ""
    assert made.left_out == {}


@pytest.mark.parametrize("text", ["- a\n- b\n", "a: [", "!!python/object/apply:os.system [ls]", ""])
def test_a_list_of_gradescopes_that_is_none(plan: Callable[[Files], ClassPlan], text: str) -> None:
    with pytest.raises(UsageProblem, match=r"submission_metadata\.yml"):
        plan({"submission_metadata.yml": text, "submission_1/hw.py": MODEL})


# -- a folder a student, and files ----------------------------------------------------------------


def test_a_folder_a_student(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(
        {
            "ann/hw.ipynb": BOOK,
            "ann/hw.py": MODEL,
            "ann/helper.py": NONE,
            "ann/data/x.csv": "1",
            "bob/src/deep/model.py": MODEL,
            "bob/hw.onnx": b"m",
            "cem/hw.zip": zipped({"hw.ipynb": BOOK, "__MACOSX/._hw.ipynb": b"1"}),
            "pictures/a.png": b"1",
            "README.txt": "hello",
        }
    )
    assert layout(made) == "folders"
    assert set(found(made)) == {"ann/hw.ipynb", "bob/src/deep/model.py", "cem/hw.zip/hw.ipynb"}
    ann = found(made)["ann/hw.ipynb"]
    assert ann.others == ("data/x.csv", "helper.py", "hw.py")
    assert "several files" in ann.notes[0]
    assert found(made)["bob/src/deep/model.py"].others == ()
    assert {path.partition("/")[2] for path in made.left_out} == {"pictures", "README.txt"}


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({"b.py": MODEL, "a.py": NONE}, "b.py"),
        ({"b.py": BROKEN, "a.py": NONE}, "b.py"),
        ({"b.py": MODEL, "a.py": BROKEN}, "b.py"),
        ({"b.ipynb": BOOK, "a.py": MODEL}, "b.ipynb"),
        ({"z.py": MODEL, "x/a.py": MODEL}, "z.py"),
        ({"hw2.py": MODEL, "hw1.py": MODEL}, "hw1.py"),
        ({"b.py": NONE, "a.py": NONE}, "a.py"),
        ({"z.py": MODEL, "a.zip": zipped({"a.ipynb": BOOK})}, "z.py"),
        ({"z.py": NONE, "a.zip": zipped({"a.ipynb": BOOK})}, "a.zip/a.ipynb"),
        ({"z.py": NONE, "a.zip": b"no zip"}, "z.py"),
        ({"z.txt": NONE, "a.zip": b"no zip"}, "a.zip"),
        ({"a.zip": encrypted({"a.py": MODEL}), "b.py": NONE}, "a.zip/a.py"),
        ({"__init__.py": NONE, "conftest.py": NONE, "hw.py": NONE}, "hw.py"),
    ],
)
def test_which_file_is_the_submission(
    plan: Callable[[Files], ClassPlan], files: Files, chosen: str
) -> None:
    """The same in whatever order the files come; and all that was not graded is told."""
    made = plan({f"ann/{name}": text for name, text in files.items()} | {"bob/hw.py": MODEL})
    (handed,) = (h for shown, h in found(made).items() if shown.startswith("ann/"))
    assert handed.shown.partition("/ann/")[2] == chosen
    skipped = ("__init__.py", "conftest.py", "a.zip", chosen)
    told = " ".join(handed.notes)
    assert [name for name in files if name not in skipped and name not in told] == []


def test_groups_are_no_students(plan: Callable[[Files], ClassPlan]) -> None:
    """Folders of several students' files: each file is one, as it always was."""
    files: Files = {f"group{g}/{name}.py": MODEL for g in (1, 2) for name in ("ann", "bob")}
    made = plan(files)
    assert layout(made) == "files"
    assert len(made.handed) == 4


def test_a_zip_among_files_is_a_submission(plan: Callable[[Files], ClassPlan]) -> None:
    made = plan(
        {
            "ann.py": MODEL,
            "bob_v8.zip": zipped({"work/hw.py": MODEL}),
            "data.zip": zipped({"x.csv": "1"}),
            "eve.zip": b"no zip",
        }
    )
    assert layout(made) == "files"
    zips = {shown: h for shown, h in found(made).items() if ".zip" in shown}
    assert set(zips) == {"bob_v8.zip/work/hw.py", "eve.zip"}
    assert zips["eve.zip"].problem is not None
    (left,) = made.left_out
    assert left.endswith("data.zip")


def test_the_download_beside_what_came_out_of_it_is_nobodys(tmp_path: Path) -> None:
    files: Files = {f"Ann_11{M}/hw.py": MODEL, f"Bob_12{M}/hw.py": MODEL}
    lay_out(tmp_path / "class", files | {"download.zip": zipped(files)})
    made = planned(tmp_path, tmp_path / "class")
    assert len(made.handed) == 2
    assert [(path, "its path" in reason) for path, reason in made.left_out.items()] == [
        ("class/download.zip", True)
    ]


def test_each_file_in_folders_is_a_submission(tmp_path: Path) -> None:
    files: Files = {"ann.py": MODEL, "sub/bob.ipynb": BOOK, "eve.md": "", "notes.txt": ""}
    lay_out(tmp_path / "class", files | {"sub/__init__.py": "", "sub/.cem.py": MODEL})
    made = planned(tmp_path, tmp_path / "class")
    assert [(h.shown, h.path, h.models) for h in made.handed.values()] == [
        (f"class/{name}", str(tmp_path / "class" / name), None)
        for name in ("ann.py", "sub/bob.ipynb")
    ]
    assert (made.left_out, made.arrivals) == ({}, ())


# -- one path of a class --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "asked", "id"),
    [
        ({f"Ann_11{M}/hw.py": MODEL, f"Bob_12{M}/hw.py": MODEL}, f"Ann_11{M}", "11"),
        ({f"Ann_11{M}/hw.py": MODEL, f"Bob_12{M}/hw.py": MODEL}, f"Ann_11{M}/hw.py", "11"),
        ({f"Ann_11{M}hw.py": MODEL, f"Bob_12{M}hw.py": MODEL}, f"Ann_11{M}hw.py", "11"),
        (CANVAS, "petrovivan_LATE_102_5004_hw.py", "102"),
        ({"submission_metadata.yml": METADATA, "submission_100/a/hw.py": MODEL,
          "submission_101/hw.py": MODEL}, "submission_100/a/hw.py", "00123"),
        ({"submission_metadata.yml": METADATA, "submission_100/hw.py": MODEL,
          "submission_101/hw.py": MODEL}, "submission_100", "00123"),
    ],
)  # fmt: skip
def test_one_submission_of_an_lms_has_its_id(
    tmp_path: Path, files: Files, asked: str, id: str
) -> None:
    lay_out(tmp_path / "class", files)
    (handed,) = planned(tmp_path, tmp_path / "class" / asked).handed.values()
    assert [person.id for person in handed.people] == [id]
    whole = planned(tmp_path, tmp_path / "class").handed
    assert whole[handed.shown].people == handed.people


# -- zips of a class ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [b"", b"no zip", zipped({"notes.txt": "1"}), zipped({"../hw.py": MODEL}),
     listed(("a.py", b""), ("a.py", b"")), zipped({"a.zip": zipped({"b.zip": b""})})],
)  # fmt: skip
def test_a_bad_zip_of_a_class_is_a_usage_error(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "class.zip").write_bytes(raw)
    with pytest.raises(UsageProblem, match=r"class\.zip"):
        planned(tmp_path, tmp_path / "class.zip")


def test_a_bad_zip_costs_its_student_alone(plan: Callable[[Files], ClassPlan]) -> None:
    bad: dict[str, bytes] = {
        "slip": zipped({"../evil.py": MODEL}),
        "bomb": zipped({"hw.py": b" " * 51_000_000}),
        "twice": listed(("hw.py", b""), ("HW.py", b"")),
        "locked": encrypted({"hw.py": MODEL}),
        "cut": zipped({"hw.py": MODEL})[:-30],
        "nested": zipped({"inner.zip": zipped({"hw.py": MODEL})}),
        "empty": b"PK\x05\x06" + bytes(18),
    }
    files: Files = {f"{name}_{n}{M}/hw.zip": raw for n, (name, raw) in enumerate(bad.items())}
    made = plan(files | {f"Ann_100{M}/hw.py": MODEL})
    assert len(found(made)) == len(bad) + 1
    for handed in found(made).values():
        assert (handed.problem is None) == (handed.people[0].name == "Ann"), handed.shown


# -- laws -----------------------------------------------------------------------------------------


def test_the_order_of_a_zip_changes_nothing(tmp_path: Path) -> None:
    files: Files = {
        f"Ann_11{M}/b.py": MODEL, f"Ann_11{M}/a.py": MODEL, f"Ann_11{M}/x/a.ipynb": NONE,
        f"Bob_12{M}/hw.zip": zipped({"b.py": MODEL, "a.py": MODEL}), f"Eve_13{M}/e.pdf": "",
        "stray.py": NONE, "notes.txt": "",
    }  # fmt: skip
    seen = []
    for seed in range(5):
        names = sorted(files)
        Random(seed).shuffle(names)
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "class.zip").write_bytes(zipped({name: files[name] for name in names}))
        made = planned(folder, folder / "class.zip")
        seen.append(
            [(h.shown, h.notes, h.others, h.people) for h in made.handed.values()]
            + [*made.left_out]
        )
    assert all(one == seen[0] for one in seen)
    assert len(seen[0]) == 5


def test_names_without_utf8_are_spelt_out(tmp_path: Path) -> None:
    for student in (b"Ann_11", b"Bob_12"):
        folder = os.path.join(os.fsencode(tmp_path), b"class", student + M.encode())
        os.makedirs(folder)
        with open(os.path.join(folder, b"\xff.py"), "w") as file:
            file.write(MODEL)
    shown = [*planned(tmp_path, tmp_path / "class").handed]
    assert shown == [f"class/{s}{M}/\\udcff.py" for s in ("Ann_11", "Bob_12")]

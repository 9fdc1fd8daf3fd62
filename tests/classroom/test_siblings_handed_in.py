"""Which of a student's other files go with the one that is graded, and by what that one is known."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from plugin_samples import RIGHT, lay_out, notebook
from zips import zipped

from pytest_backprop.classroom import HandIn, Planner, Wanted
from pytest_backprop.exercises import PASS_NAMES
from pytest_backprop.submission import likelihood

Files = dict[str, str | bytes]
MODEL = "import tools\n" + RIGHT
OTHER = {"ben/hw.py": RIGHT, "eva/hw.py": RIGHT}
USUAL = Wanted(PASS_NAMES)
Look = Callable[..., dict[str, HandIn]]


@pytest.fixture(params=["folder", "zip"])
def handed(request: pytest.FixtureRequest, tmp_path: Path) -> Look:
    """The submissions of a class, as a folder and as a zip."""

    def look(files: Files, wanted: Wanted = USUAL) -> dict[str, HandIn]:
        (tmp_path / "room").mkdir()
        if request.param == "folder":
            lay_out(tmp_path / "class", files)
        else:
            (tmp_path / "class.zip").write_bytes(zipped(files))
        planner = Planner(tmp_path, tmp_path / "room", lambda path: path.name == "room", wanted)
        planner.add(tmp_path / ("class" if request.param == "folder" else "class.zip"))
        plan = planner.plan().handed.values()
        return {h.shown.removeprefix("class.zip/").removeprefix("class/"): h for h in plan}

    return look


def modules(handed: HandIn) -> dict[str, str]:
    """The names of modules, with where each lies in the student's folder."""
    return {m: shown.rpartition("anna/")[2] for m, shown, _ in handed.siblings}


PLACED: dict[str, tuple[Files, dict[str, str]]] = {
    "what is imported": (
        {"hw.py": MODEL, "tools.py": "import more\n", "more.py": "", "draft.py": "import tools\n"},
        {"tools": "tools.py"},  # an empty file binds nothing
    ),
    "through each other": (
        {"hw.py": MODEL, "tools.py": "import more\n", "more.py": "import tools, hw\n"},
        {"tools": "tools.py", "more": "more.py"},
    ),
    "of a notebook": ({"hw.ipynb": notebook(MODEL), "tools.py": "x = 1\n"}, {"tools": "tools.py"}),
    "a package": (
        {
            "hw.py": "from net.a import f\n" + RIGHT,
            "net/__init__.py": "x = 1\n",
            "net/a.py": "from .b import f\nfrom .. import no\n",
            "net/b.py": "f = 1\n",
            "b.py": "f = 2\n",
        },
        {"net": "net/__init__.py", "net.a": "net/a.py", "net.b": "net/b.py"},
    ),
    "the nearest": (
        {"src/hw.py": MODEL, "tools.py": "x = 1\n", "src/tools.py": "x = 2\n"},
        {"tools": "src/tools.py"},
    ),
    "from the top": (
        {"src/hw.py": "from src import tools\n" + RIGHT, "src/tools.py": "x = 2\n"},
        {"src.tools": "src/tools.py"},
    ),
    "in a function": (
        {"hw.py": RIGHT + "\n\ndef f():\n    import tools\n", "tools.py": "x = 2\n"},
        {"tools": "tools.py"},
    ),
    "what cannot be read": ({"hw.py": MODEL, "tools.py": b"\xff\xfe\x00"}, {}),
    "a library's name": (
        {
            "hw.py": "import random, torch.nn\n" + RIGHT,
            "random.py": "x = 1\n",
            "torch/nn.py": "x = 1\n",
        },
        {},
    ),
    "no name of a module": ({"hw.py": "import my-tools\n" + RIGHT, "my-tools.py": "x = 1\n"}, {}),
}


@pytest.mark.parametrize("case", PLACED)
def test_siblings(case: str, handed: Look) -> None:
    files, expected = PLACED[case]
    found = handed({**{f"anna/{name}": text for name, text in files.items()}, **OTHER})
    (own,) = (each for each in found.values() if "anna/" in f"{each.place}/")
    assert own.name.startswith("hw.")
    assert modules(own) == expected
    parts = set(expected.values())
    assert not parts & set(own.others)
    assert any("graded with it" in note for note in own.notes) == bool(expected)


def test_files_of_a_flat_class_are_nobody_s_siblings(handed: Look) -> None:
    found = handed({"anna_v8.py": "import ben_v8\n" + RIGHT, "ben_v8.py": RIGHT})
    assert [each.siblings for each in found.values()] == [(), ()]


def test_students_share_no_files(handed: Look) -> None:
    found = handed({"anna/hw.py": MODEL, "ben/hw.py": MODEL, "ben/tools.py": "x = 1\n"})
    assert modules(found["anna/hw.py"]) == {}
    assert next(shown for _, shown, _ in found["ben/hw.py"].siblings).endswith("ben/tools.py")


def test_files_of_an_upload_to_canvas(handed: Look) -> None:
    found = handed(
        {
            "anna_1001_20001_hw.py": MODEL,
            "anna_1001_20002_tools.py": "x = 1\n",
            "anna_1001_20003_tools-1.py": "x = 2\n",
            "ben_1002_20004_hw.py": RIGHT,
        }
    )
    siblings = found["anna_1001_20001_hw.py"].siblings
    assert [(m, shown.rpartition("_")[2]) for m, shown, _ in siblings] == [("tools", "tools-1.py")]


def test_what_another_file_imports_is_a_part_of_that_one(handed: Look) -> None:
    """Both have a class with the methods; of each student one file is graded."""
    files = {"b.py": "import a\n" + RIGHT, "a.py": RIGHT}
    found = handed(
        {f"{student}/{name}": text for student in ("anna", "ben") for name, text in files.items()}
    )
    assert list(found) == ["anna/b.py", "ben/b.py"]
    assert modules(found["anna/b.py"]) == {"a": "a.py"}


def test_what_tasks_call_tells_which_file_it_is(handed: Look) -> None:
    wanted = Wanted(
        ("backward",), (("svm_loss", "svm_grad"), ("updateOutput", "updateGradInput")), True
    )
    functions = "def svm_grad(x):\n    pass\n\n\nsvm_loss = lambda x: x\n"
    methods = "class Module:\n    def updateOutput(self): ...\n\n\nclass ReLU(Module):\n    def updateGradInput(self): ...\n"
    found = handed(
        {
            "anna/a.py": "x = 1\n", "anna/z.py": functions,
            "ben/a.py": "def svm_loss(): ...\n", "ben/z.py": methods,
            "eva/a.py": RIGHT.replace("my_forward_backward", "backward"), "eva/z.py": functions,
        },
        wanted,
    )  # fmt: skip
    assert list(found) == ["anna/z.py", "ben/z.py", "eva/z.py"]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        (RIGHT, (), "model"),
        (RIGHT, (("Graph",),), "unclear"),
        ("Linear = 1\n", (("Linear",),), "model"),
        ("x = 1\n", (("Linear",),), "none"),
        ("def f(:\n", (("Linear",),), "unclear"),
    ],
)
def test_likelihood(
    text: str, names: tuple[tuple[str, ...], ...], expected: str, tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text(text)
    assert likelihood(tmp_path / "a.py", Wanted(PASS_NAMES, names, bool(names))) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"hw.py": MODEL, "tools.py": "import net.a\n", "net/a.py": "x = 1\n"},
            {"tools": "tools.py", "net.a": "net/a.py"},
        ),
        ({"hw.py": "import net.a\n" + RIGHT, "net/a.py": "x = 1\n"}, {"net.a": "net/a.py"}),
        ({"hw.py": "import other\n" + RIGHT, "other.py": RIGHT}, {"other": "other.py"}),
        ({"hw.py": "import anna_v8\n" + RIGHT, "anna_v8.py": RIGHT, "ben_v8.py": RIGHT}, {}),
        (  # a class each in a file of its own, all of one base
            {
                "hw.py": "import base\n" + RIGHT,
                "loss.py": "import base\n" + RIGHT,
                "base.py": RIGHT,
            },
            {"base": "base.py"},
        ),
        ({"hw.py": MODEL, "ben.py": RIGHT, "tools.py": "x = 1\n"}, {"tools": "tools.py"}),
        (
            {
                "hw.py": "import ben, eva\n" + RIGHT,
                "eva.py": "import ben\n" + RIGHT,
                "ben.py": RIGHT,
            }
            | {"ada.py": RIGHT},
            {},
        ),
    ],
)
def test_a_file_that_is_asked_for_alone(
    files: Files, expected: dict[str, str], tmp_path: Path
) -> None:
    """It goes with what it imports, but for the work of others in its folder: what no submission
    is, or all of them import, is nobody's."""
    lay_out(tmp_path / "own", files)
    (tmp_path / "room").mkdir()
    planner = Planner(tmp_path, tmp_path / "room", lambda _: False, USUAL)
    planner.add(tmp_path / "own" / "hw.py")
    (handed,) = planner.plan().handed.values()
    assert {m: shown.removeprefix("own/") for m, shown, _ in handed.siblings} == expected

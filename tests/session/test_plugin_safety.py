"""Nothing of a submission's runs in the grader, whatever pytest would do with such a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import plugin_samples
import pytest
from plugin_samples import RIGHT, Run, bank, environment, lay_out
from sampling import few

# what is imported, and from where, is told by an interpreter that has imported nothing yet
run_pytest = partial(plugin_samples.run_pytest, interpreter=True)
grade_folder = partial(plugin_samples.grade_folder, interpreter=True)

MARK = (
    "import os, pathlib\n"
    "pathlib.Path({folder!r}, 'ran-' + {name!r} + '-' + str(os.getpid())).write_text('')\n"
)


def marked(folder: Path, name: str, text: str = RIGHT) -> str:
    """A submission that leaves a file behind when it is imported as a module."""
    return MARK.format(folder=str(folder), name=name) + text


def left_behind(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("ran-"))


NAMES = ("test_v1.py", "work_v1_test.py", "test_ann_v1/test_work.py", "ann_v1/work.py")
IMPORTED = (
    "conftest.py",
    "__init__.py",
    "test_ann_v1/conftest.py",
    "ann_v1/__init__.py",
    "ann_v1/conftest.py",
    "pytest_backprop.py",
    "sitecustomize.py",
)
DOCTEST = '''
def shown():
    """
    >>> 1 + 1
    3
    """
'''


def files(folder: Path) -> dict[str, str | bytes]:
    made: dict[str, str | bytes] = {name: marked(folder, Path(name).name) for name in NAMES}
    made |= {name: marked(folder, Path(name).name, "") for name in IMPORTED}
    made["test_v1.py"] = marked(folder, "test_v1.py") + DOCTEST + "\ndef test_a():\n    pass\n"
    made["words_v1.txt"] = ">>> import os\n>>> 1\n2\n"
    return made


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("plain")
    return grade_folder(folder, files(folder))


@pytest.fixture(scope="module")
def adorned(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """With all the settings that make pytest import more."""
    folder = tmp_path_factory.mktemp("adorned")
    lay_out(
        folder,
        {
            "pytest.ini": "[pytest]\naddopts = --doctest-modules -p no:xdist -ra "
            "--doctest-glob=*.txt --strict-markers\npython_files = *.py\n"
            "python_classes = *\npython_functions = *\n"
        },
    )
    return grade_folder(folder, files(folder), "--import-mode=importlib")


@pytest.mark.parametrize("which", few(["adorned", "plain"]))
def test_nothing_is_imported(which: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(which)
    assert left_behind(run.folder) == []
    assert "Traceback" not in run.out + run.err


@pytest.mark.parametrize("which", ["plain", "adorned"])
def test_submissions_named_like_tests_are_graded(
    which: str, request: pytest.FixtureRequest
) -> None:
    run: Run = request.getfixturevalue(which)
    scores = {s["path"].removeprefix("class/"): s["score"] for s in run.report["submissions"]}
    assert {name: scores.get(name) for name in NAMES} == dict.fromkeys(NAMES, 100)
    others = set(scores) - set(NAMES)
    assert others == {"pytest_backprop.py", "sitecustomize.py"}  # no variant: not judged


def test_the_mark_works(tmp_path: Path) -> None:
    """Without --backprop, pytest does import them: the tests above would else prove nothing."""
    lay_out(tmp_path / "class", {n: marked(tmp_path, n, "") for n in (*IMPORTED[:2], "test_v1.py")})
    run_pytest(tmp_path, "class/test_v1.py")
    assert [name.rsplit("-", 1)[0] for name in left_behind(tmp_path)] == [
        "ran-__init__.py",
        "ran-conftest.py",
        "ran-test_v1.py",
    ]


def test_a_file_given_by_name_is_not_imported(tmp_path: Path) -> None:
    lay_out(tmp_path, bank())
    lay_out(tmp_path / "class", files(tmp_path))
    run = run_pytest(
        tmp_path,
        "--backprop",
        "class/test_v1.py",
        "class/ann_v1/work.py",
        "class/conftest.py",
        "--doctest-modules",
        "--backprop-variant=v1",
        "--backprop-report=json:report.json",
    )
    assert left_behind(tmp_path) == []
    assert run.by_name["test_v1.py"]["score"] == 100
    assert run.by_name["work.py"]["score"] == 100
    assert run.by_name["conftest.py"]["status"] == "unreadable"  # asked for, so it is graded


def test_settings_handed_in_by_a_student_are_not_used(tmp_path: Path) -> None:
    evil = {"class/pytest.ini": "[pytest]\nbackprop_points = 60\n"}
    lay_out(tmp_path, bank() | evil | {"class/right_v1.py": RIGHT})
    run = run_pytest(
        tmp_path,
        "--backprop",
        "class",
        "--backprop-variants=variants",
        "--backprop-report=json:report.json",
    )
    assert run.code == pytest.ExitCode.USAGE_ERROR or run.report["settings"]["points"] == 4096


def test_a_path_handed_in_by_a_student_is_not_used(tmp_path: Path) -> None:
    evil = {
        "class/pytest.ini": "[pytest]\npythonpath = .\n",
        "class/torch.py": marked(tmp_path, "torch.py", ""),
    }
    lay_out(tmp_path, bank() | evil | {"class/right_v1.py": RIGHT})
    run_pytest(tmp_path, "--backprop", "class", "--backprop-variants=variants")
    assert left_behind(tmp_path) == []


def test_the_environment_of_the_grader_is_not_the_childs(tmp_path: Path) -> None:
    spy = RIGHT.replace(
        "        a = w0 * x1\n",
        "        import os, sys\n        raise ValueError(sorted(os.environ), sys.argv, os.getcwd())\n",
    )
    run = grade_folder(tmp_path, {"spy_v1.py": spy})
    told = run.check("spy_v1.py", "gradient")["message"]
    told += str(run.check("spy_v1.py", "gradient")["findings"])
    assert "ValueError" in told
    assert str(tmp_path) not in told.replace("class/spy_v1.py", "")
    assert "PYTHONPATH" in environment(tmp_path)
    assert not [name for name in ("PYTHONPATH", "COLUMNS", "HOME", "PYTEST") if name in told]

"""`backprop grade`: what lies among submissions neither sets pytest up nor is imported by it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from plugin_samples import APART, RIGHT, WRONG, Run, bank, environment, lay_out
from sampling import few
from waiting import PATIENCE

from pytest_backprop.cli.grade import INI_FILES, PATH_OPTIONS
from pytest_backprop.options import OPTIONS
from pytest_backprop.session.option_values import directory, path_of, python

TRACE = "import os, pathlib\npathlib.Path({place!r}, os.path.basename(__file__)).write_text('')\n"
IMPORTED = (
    "conftest.py",
    "evil.py",
    "iniconfig.py",
    "msgspec.py",
    "sitecustomize.py",
    "threading.py",
    "torch.py",
)
"""What pytest, its workers, an ini file or torch's importers would import from a folder."""

HEADS = {
    "pytest.toml": "pytest",
    ".pytest.toml": "pytest",
    "pyproject.toml": "tool.pytest.ini_options",
    "setup.cfg": "tool:pytest",
}


def settings(name: str) -> str:
    """A file of that name which has pytest import `evil` from the folder that it lies in."""
    head = HEADS.get(name, "pytest")
    if name.endswith(".toml"):
        return f'[{head}]\npythonpath = ["."]\naddopts = ["-p", "evil"]\n'
    return f"[{head}]\npythonpath = .\naddopts = -p evil\n"


def hostile(place: Path, *names: str) -> dict[str, str | bytes]:
    """Files of a folder; each module leaves a file in `place` if something imports it."""
    modules: dict[str, str | bytes] = dict.fromkeys(IMPORTED, TRACE.format(place=str(place)))
    return modules | {name: settings(name) for name in names}


def lay_out_class(folder: Path, *names: str) -> Path:
    """A class with those ini files: flat, in a student's folder and in a zip; where traces go."""
    trace = folder / "trace"
    trace.mkdir()
    files = hostile(trace, *names)
    lay_out(folder / "class", files | {"right_v1.py": RIGHT, "wrong_v1.py": WRONG})
    lay_out(folder / "class" / "anna", files | {"own_v1.py": RIGHT})
    with zipfile.ZipFile(folder / "more.zip", "w") as archive:
        for name, text in (files | {"zipped_v1.py": RIGHT}).items():
            archive.writestr(f"boris/{name}", text)
    lay_out(folder, bank())
    return trace


def grade(folder: Path, start: Path, *arguments: str, **variables: str) -> Run:
    """Runs `backprop grade` in `start`; a report that it asks for is at `folder`."""
    command = "from pytest_backprop.cli import main; main(prog_name='backprop')"
    done = subprocess.run(
        [sys.executable, "-P", "-c", command, "grade", *arguments, *APART],
        cwd=start,
        env=environment(folder) | variables,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


def scores(run: Run) -> Mapping[str, float]:
    """By the names of the submissions that are of the task."""
    return {name: s["score"] for name, s in run.by_name.items() if name.endswith("_v1.py")}


@pytest.mark.parametrize("name", INI_FILES)
def test_the_payload_works(name: str, tmp_path: Path) -> None:
    """pytest by itself does obey each of these: what follows would else prove nothing."""
    trace = lay_out_class(tmp_path, name)
    subprocess.run(
        [sys.executable, "-P", "-m", "pytest", *APART, "-p", "no:backprop", "class/wrong_v1.py"],
        cwd=tmp_path,
        env=environment(tmp_path),
        capture_output=True,
        check=False,
    )
    assert "evil.py" in os.listdir(trace)


@pytest.mark.parametrize("name", few(INI_FILES))
def test_no_ini_file_of_a_submission_is_obeyed(name: str, tmp_path: Path) -> None:
    trace = lay_out_class(tmp_path, name)
    within = tmp_path / "class"
    for start, arguments in (
        (tmp_path, ["class", "more.zip"]),
        (within / "anna", ["own_v1.py", "../right_v1.py"]),
    ):
        run = grade(tmp_path, start, *arguments, "--collect-only", "-q")
        assert (run.code, "right_v1.py" in run.out) == (0, True), run.out + run.err
        assert os.listdir(trace) == []
        assert run.err.count(f"{name} is not used") == (start != tmp_path), run.err


def test_a_class_with_all_of_them_is_graded(tmp_path: Path) -> None:
    """From beside it, under the ini file of the folder that the command is started in."""
    trace = lay_out_class(tmp_path, *INI_FILES)
    lay_out(
        tmp_path,
        {
            "pyproject.toml": "[project]\nname = 'course'\n",  # of no concern to pytest
            "tox.ini": "[pytest]\nbackprop_report = json:report.json\n",
        },
    )
    run = grade(tmp_path, tmp_path, "class", "--backprop-hints", "none", "more.zip")
    assert run.err == ""
    assert run.code == 1
    assert scores(run) == {
        "right_v1.py": 100,
        "wrong_v1.py": 78,
        "own_v1.py": 100,
        "zipped_v1.py": 100,
    }
    assert os.listdir(trace) == []
    assert run.report["settings"]["hints"] == "none"


def test_from_within_and_by_a_link(tmp_path: Path) -> None:
    """With the current folder on Python's path by the environment, and `-n`, which has no effect."""
    trace = lay_out_class(tmp_path, *INI_FILES)
    (tmp_path / "link").symlink_to("class")
    (tmp_path / "class" / "elsewhere_v1.py").symlink_to("../class/anna/own_v1.py")
    run = grade(
        tmp_path,
        tmp_path / "link",
        ".",
        "../more.zip",
        "-n",
        "2",
        "--backprop-variants=../variants",
        f"--backprop-report=json:{tmp_path}/report.json",
        PYTEST_ADDOPTS=f"-p no:timeout --ignore {tmp_path}",
        PYTHONSAFEPATH="",
    )
    assert run.code == 1, run.out + run.err
    assert scores(run) == {
        "right_v1.py": 100,
        "wrong_v1.py": 78,
        "own_v1.py": 100,
        "zipped_v1.py": 100,
    }
    assert os.listdir(trace) == []
    assert "pytest.toml is not used, as submissions are beside it" in run.told
    assert "workers" not in run.out
    assert "configfile" not in run.out
    assert not (tmp_path / "class" / ".pytest_cache").exists()


def test_one_check_of_one_file(tmp_path: Path) -> None:
    """The way out that is named leads to the settings, and the exit code is pytest's."""
    lay_out(tmp_path, bank() | {"tox.ini": "[pytest]\nbackprop_variants = variants\n"})
    lay_out(tmp_path, {"wrong_v1.py": WRONG})
    refused = grade(tmp_path, tmp_path, "wrong_v1.py")
    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert "tox.ini is not used, as submissions are beside it; if it is yours: -c tox.ini" in (
        refused.err
    )
    assert "variants lies among the submissions" in refused.told
    run = grade(tmp_path, tmp_path, "-c", "tox.ini", "wrong_v1.py::forward")
    assert (run.code, "1 passed" in run.out) == (0, True), run.out + run.err
    assert run.err == ""
    assert "configfile: tox.ini\n" in run.out


def test_a_file_that_is_called_like_an_option_is_none(tmp_path: Path) -> None:
    trace = lay_out_class(tmp_path, "pytest.ini")
    within = tmp_path / "class"
    (within / "pytest.ini").rename(within / "-cpytest.ini")
    run = grade(tmp_path, within, *sorted(os.listdir(within)), "--collect-only")
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert (
        run.err == "ERROR: -cpytest.ini is a file here, and an option\n  give the folder, not *\n"
    )
    assert os.listdir(trace) == []


def test_options_that_name_what_is_not_graded(tmp_path: Path) -> None:
    """Each takes one value. Of ours, each whose value is a path is there."""
    from _pytest.config import get_config

    config = get_config()
    config.pluginmanager.load_setuptools_entrypoints("pytest11")
    for name in PATH_OPTIONS:
        value = str(tmp_path) if name == "--confcutdir" else "value"
        stated, others = config._parser.parse_known_and_unknown_args([name, value, "path"])
        assert (stated.file_or_dir, others) == (["path"], []), name
    ours = {option.flag for option in OPTIONS if option.parse in (directory, path_of, python)}
    assert ours == {name for name in PATH_OPTIONS if name.startswith("--backprop")}


def test_what_is_started_and_what_for(tmp_path: Path) -> None:
    """Neither pytest nor torch is imported for that."""
    code = (
        "import os, sys\n"
        "os.execve = lambda program, words, variables: print(\n"
        "    words[1:4], {'pytest', 'torch'} & {*sys.modules},\n"
        "    variables['PYTHONSAFEPATH'])\n"
        "from pytest_backprop.cli import main\n"
        "main(['grade', 'a.py', '../b'])\n"
    )
    lay_out(tmp_path, {"here/a.py": "", "b/inner/b.py": ""})
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path / "here",
        text=True,
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    assert done.stdout == "['-P', '-m', 'pytest'] set() 1\n", done.stderr

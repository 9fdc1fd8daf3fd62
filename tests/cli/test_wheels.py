"""The two wheels, as `make wheel` builds them: the one that students get writes no answer, the other adds what does."""

from __future__ import annotations

import configparser
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOR_INSTRUCTORS = ("graph", "solve", "template", "variants")
RUN = "import sys; sys.path[:0] = {paths!r}; from pytest_backprop.cli import main; main(prog_name='backprop')"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both, by the name of their package."""
    folder = tmp_path_factory.mktemp("dist")
    for source in (ROOT, ROOT / "authoring"):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
    return {path.name.partition("-")[0]: path for path in folder.glob("*.whl")}


@pytest.fixture(scope="module")
def site(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of libraries, with the first wheel and all that is installed here but ours."""
    folder = tmp_path_factory.mktemp("site")
    for path in Path(sysconfig.get_paths()["purelib"]).iterdir():
        if "pytest_backprop" not in path.name:
            (folder / path.name).symlink_to(path)
    zipfile.ZipFile(wheels["pytest_backprop"]).extractall(folder)
    return folder


def backprop(*arguments: str, paths: list[Path]) -> subprocess.CompletedProcess[str]:
    """The command where these folders are the only ones with libraries."""
    code = RUN.format(paths=[str(path) for path in paths])
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, *arguments],
        text=True,
        capture_output=True,
        check=False,
    )


def members(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def entry_points(wheel: Path) -> configparser.ConfigParser:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
    parsed = configparser.ConfigParser(delimiters="=")
    parsed.read_string(archive.read(name).decode())
    return parsed


def test_the_wheel_of_students_has_one_package_and_nothing_that_writes_answers(
    wheels: dict[str, Path],
) -> None:
    names = members(wheels["pytest_backprop"])
    folders = {name.split("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {
        "pytest_backprop"
    }
    assert "pytest_backprop/plugin.py" in names
    assert "pytest_backprop/variants/v8.py" in names
    commands = {f"cli/{name}.py" for name in ("answers", "assign", *FOR_INSTRUCTORS)}
    authoring = {f"{path.parent.name}/{path.name}" for path in (ROOT / "authoring").rglob("*.py")}
    rooms = {name for name in authoring if not name.endswith("__init__.py")}
    assert len(rooms) > 30
    shipped = {"/".join(Path(name).parts[-2:]) for name in names}
    assert not shipped & (commands | rooms)
    assert not [name for name in names if "authoring" in name or "tests" in Path(name).parts]
    assert set(entry_points(wheels["pytest_backprop"]).sections()) == {
        "console_scripts",
        "pytest11",
    }


def test_the_wheel_of_instructors_has_the_other_package_alone(wheels: dict[str, Path]) -> None:
    names = members(wheels["pytest_backprop_authoring"])
    packages = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert packages == {"pytest_backprop_authoring"}
    added = entry_points(wheels["pytest_backprop_authoring"])
    assert sorted(added["pytest_backprop.commands"]) == list(FOR_INSTRUCTORS)


def test_both_are_of_one_version() -> None:
    core, authoring = (
        tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for folder in (ROOT, ROOT / "authoring")
    )
    assert core["version"] == authoring["version"]
    assert f"pytest-backprop=={core['version']}" in authoring["dependencies"]


def test_without_the_second_wheel_no_answer_is_written(site: Path) -> None:
    helped = backprop("--help", paths=[site])
    assert (helped.returncode, "gradescope" in helped.stdout) == (0, True), helped.stderr
    for command in FOR_INSTRUCTORS:
        assert f"  {command} " not in helped.stdout
    refused = backprop("solve", "v12", paths=[site])
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is a command of pytest-backprop-authoring" in refused.stderr
    assert "pytest_backprop_authoring-*.whl" in refused.stderr
    unknown = backprop("resolve", paths=[site])
    assert "No such command 'resolve'" in unknown.stderr


def test_with_it_the_commands_are_there(
    site: Path, wheels: dict[str, Path], tmp_path: Path
) -> None:
    zipfile.ZipFile(wheels["pytest_backprop_authoring"]).extractall(tmp_path)
    solved = backprop("solve", "v12", paths=[site, tmp_path])
    assert solved.returncode == 0, solved.stderr
    assert "def my_forward_backward" in solved.stdout
    helped = backprop("--help", paths=[site, tmp_path])
    assert [command for command in FOR_INSTRUCTORS if f"  {command} " not in helped.stdout] == []

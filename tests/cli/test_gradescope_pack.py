"""`backprop gradescope pack`: the zip is unpacked as Gradescope does it, and its scripts are run."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from consumers import gradescope
from packaging.requirements import Requirement
from plugin_samples import RIGHT, VARIANTS, WRONG, environment, lay_out

from pytest_backprop.cli import main
from pytest_backprop.messages import use_language

ROSTER = (
    "student,submission,variant,id,email\n"
    "Ann,ann.py,v1,,Ann@uni.example\n"
    "Bob,hw.py,v2,77,\n"
    "Eve,eve.py,v2,,eve@uni.example\n"
)
RUBRIC = (
    '[checks.release]\nvisibility = "after_published"\n'
    "[late]\ndue = 2026-11-20T23:59:00-08:00\npenalty = 0.1\n"
)


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use_language("en")


def pack(folder: Path, *arguments: str) -> Result:
    lay_out(
        folder,
        {
            "roster.csv": ROSTER,
            "rubric.toml": RUBRIC,
            **{f"bank/{name}": text for name, text in VARIANTS.items()},
        },
    )
    command = ["gradescope", "pack", str(folder / "autograder.zip"), *arguments]
    return CliRunner().invoke(main, command)


def unpack(archive: Path, root: Path) -> None:
    """As Gradescope does: into source, the script beside it, modes kept."""
    with zipfile.ZipFile(archive) as opened:
        for entry in opened.infolist():
            opened.extract(entry, root / "source")
            (root / "source" / entry.filename).chmod(stat.S_IMODE(entry.external_attr >> 16))
    for name in ("submission", "results"):
        (root / name).mkdir()
    shutil.copy2(root / "source" / "run_autograder", root)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with autograder.zip."""
    folder = tmp_path_factory.mktemp("packed")
    made = pack(
        folder,
        f"--variants={folder}/bank",
        f"--roster={folder}/roster.csv",
        f"--rubric={folder}/rubric.toml",
    )
    assert made.exit_code == 0, made.output
    assert "the assignment is worth 100 points" in made.output
    return folder


class Autograder:
    """A folder laid out as /autograder, with the grader installed from the wheel in the zip."""

    def __init__(self, archive: Path, root: Path) -> None:
        self.root = root
        unpack(archive, root)
        (wheel,) = (root / "source" / "wheels").iterdir()
        self.site = root / "site"
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "install",
                "-q",
                "--no-index",
                "--no-deps",
                "--target",
                self.site,
                "--disable-pip-version-check",
                wheel,
            ],
            check=True,
        )

    def run(
        self, files: dict[str, str | bytes], email: str = "ann@uni.example", **user: Any
    ) -> Any:
        """Hands files in and runs run_autograder: (its exit code, results as Gradescope reads them,
        what it printed)."""
        shutil.rmtree(self.root / "submission")
        (self.root / "submission").mkdir()
        lay_out(self.root / "submission", files)
        users = [{"email": email, "id": 1, "name": "Mallory"} | user]
        metadata = {
            "users": users,
            "assignment": {"total_points": "100.0"},
            "previous_submissions": [],
        }
        (self.root / "submission_metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
        return self.start()

    def start(self, **variables: str) -> Any:
        shutil.rmtree(self.root / "results")
        done = subprocess.run(
            [self.root / "run_autograder"],
            cwd=self.root,
            env=environment(self.root)
            | {
                "BACKPROP_AUTOGRADER": str(self.root),
                "BACKPROP_PYTHON": sys.executable,
                "PYTHONPATH": str(self.site),
            }
            | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        text = (self.root / "results" / "results.json").read_text(encoding="utf-8")
        return done.returncode, gradescope.accept(text), done.stdout + done.stderr


@pytest.fixture(scope="module")
def autograder(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> Autograder:
    return Autograder(packed / "autograder.zip", tmp_path_factory.mktemp("autograder"))


# -- what is in it --------------------------------------------------------------------------------


def names(archive: Path) -> set[str]:
    with zipfile.ZipFile(archive) as opened:
        return set(opened.namelist())


def content(archive: Path, name: str) -> str:
    with zipfile.ZipFile(archive) as opened:
        return opened.read(name).decode("utf-8")


def test_scripts_are_at_the_root_and_may_be_run(packed: Path) -> None:
    with zipfile.ZipFile(packed / "autograder.zip") as opened:
        modes = {e.filename: stat.S_IMODE(e.external_attr >> 16) for e in opened.infolist()}
    assert {name for name, mode in modes.items() if mode & 0o111} == {"setup.sh", "run_autograder"}
    assert {"constraints.txt", "roster.csv", "rubric.toml", "variants/v1.py"} <= set(modes)


@pytest.mark.parametrize("script", ["setup.sh", "run_autograder"])
def test_scripts_are_bash_with_nothing_left_to_fill_in(packed: Path, script: str) -> None:
    text = content(packed / "autograder.zip", script)
    assert text.startswith("#!/usr/bin/env bash\n")
    assert "\r" not in text
    assert "@PY" not in text
    assert "@TORCH" not in text
    assert "@EXTRAS" not in text
    subprocess.run(["bash", "-n"], input=text, text=True, check=True)


def test_setup_installs_torch_for_the_cpu_first(packed: Path) -> None:
    lines = content(packed / "autograder.zip", "setup.sh").splitlines()
    (torch,) = [n for n, line in enumerate(lines) if "torch==" in line]
    (rest,) = [n for n, line in enumerate(lines) if "-c constraints.txt" in line]
    assert torch < rest
    assert "https://download.pytorch.org/whl/cpu" in lines[torch]
    assert "wheels/*.whl" in lines[rest]


def test_setup_has_nothing_to_do_where_all_is_there(autograder: Autograder) -> None:
    variables = {"BACKPROP_PYTHON": sys.executable, "BACKPROP_AUTOGRADER": str(autograder.root)}
    subprocess.run(
        [autograder.root / "source" / "setup.sh"], env=os.environ | variables, check=True
    )


def test_what_is_installed_there_has_the_versions_of_here(packed: Path) -> None:
    lines = content(packed / "autograder.zip", "constraints.txt").splitlines()
    found = {Requirement(line).name: str(Requirement(line).specifier) for line in lines}
    assert all(specifier.startswith("==") for specifier in found.values())
    assert found["pytest"] == f"=={pytest.__version__}"
    assert {"msgspec", "nbformat", "landlock", "numpy", "torch", "onnx"} <= set(found)
    # a build's name (+cpu) is the index's affair
    assert not [specifier for specifier in found.values() if "+" in specifier]


def test_the_check_onnx_brings_its_packages(packed: Path, tmp_path: Path) -> None:
    lay_out(tmp_path, {"onnx.toml": "[checks.onnx]\npoints = 10\n"})
    assert pack(tmp_path, f"--rubric={tmp_path}/onnx.toml").exit_code == 0
    whole = '-c constraints.txt "$(echo wheels/*.whl){extras}"\n'
    assert whole.format(extras="[onnx]") in content(tmp_path / "autograder.zip", "setup.sh")
    assert whole.format(extras="") in content(packed / "autograder.zip", "setup.sh")


def test_the_wheel_is_the_running_package(autograder: Autograder) -> None:
    code = "import pytest_backprop, pytest_backprop.options as o; print(o.course_bank(), pytest_backprop.__file__)"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": str(autograder.site)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [
        str(autograder.site / "pytest_backprop" / "variants"),
        str(autograder.site / "pytest_backprop" / "__init__.py"),
    ]
    assert (
        autograder.site / "pytest_backprop/messages/locale/ru/LC_MESSAGES/pytest_backprop.mo"
    ).is_file()


def test_the_record_of_the_wheel_has_all_its_files(autograder: Autograder) -> None:
    (wheel,) = (autograder.root / "source" / "wheels").iterdir()
    with zipfile.ZipFile(wheel) as opened:
        assert opened.testzip() is None
        (record,) = [name for name in opened.namelist() if name.endswith("RECORD")]
        listed = {line.split(",")[0] for line in opened.read(record).decode().splitlines()}
        assert listed == set(opened.namelist())
        assert f"{Path(record).parent}/WHEEL" in listed
        assert (
            "backprop = pytest_backprop.cli:main"
            in opened.read(f"{Path(record).parent}/entry_points.txt").decode()
        )


def test_the_same_content_gives_the_same_file(packed: Path, tmp_path: Path) -> None:
    again = pack(
        tmp_path,
        f"--variants={tmp_path}/bank",
        f"--roster={tmp_path}/roster.csv",
        f"--rubric={tmp_path}/rubric.toml",
    )
    assert again.exit_code == 0
    assert (tmp_path / "autograder.zip").read_bytes() == (packed / "autograder.zip").read_bytes()


def test_it_writes_over_nothing_unasked(tmp_path: Path) -> None:
    (tmp_path / "autograder.zip").write_bytes(b"last year's")
    made = pack(tmp_path)
    assert made.exit_code == 2
    assert "is there already" in made.output
    assert "--force" in made.output
    assert (tmp_path / "autograder.zip").read_bytes() == b"last year's"
    assert pack(tmp_path, "--force").exit_code == 0
    assert (tmp_path / "autograder.zip").read_bytes().startswith(b"PK")


def test_the_fallback_is_in_the_students_language(tmp_path: Path) -> None:
    assert pack(tmp_path, "--lang=ru").exit_code == 0
    assert "не ваша оценка" in content(tmp_path / "autograder.zip", "fallback.json")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--variant=v99"], "v99"),
        (["--memory=lots"], "'lots' is not an amount of memory"),
        (["--variants=nowhere"], "nowhere"),
        (["--roster=nobody.csv"], "no email and no id of Ann"),
    ],
)
def test_what_cannot_be_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path, {"nobody.csv": "student,submission,variant\nAnn,ann.py,v1\n"})
    made = pack(tmp_path, *arguments)
    assert made.exit_code == 2, made.output
    assert says in made.output
    assert not (tmp_path / "autograder.zip").exists()


# -- what it does ---------------------------------------------------------------------------------


def test_a_right_submission(autograder: Autograder) -> None:
    code, results, out = autograder.run({"homework.py": RIGHT})
    assert (code, results["score"]) == (0, 100), out
    assert results["extra_data"]["variant"] == "v1"
    assert "release" not in {test["name"] for test in results["seen"]}
    assert {t["name"]: t["visibility"] for t in results["tests"]}["release"] == "after_published"


def told(autograder: Autograder, created_at: str, due_date: str, users: list[Any]) -> Any:
    """What comes of the submission that is there, under other metadata; in the form that Gradescope documents."""
    metadata = {
        "id": 123456,
        "created_at": created_at,
        "users": users,
        "previous_submissions": [],
        "assignment": {"due_date": due_date, "late_due_date": None, "total_points": "100.0"},
    }
    (autograder.root / "submission_metadata.json").write_text(json.dumps(metadata))
    return autograder.start()


@pytest.mark.long
def test_when_it_was_handed_in_gradescope_says(autograder: Autograder) -> None:
    autograder.run({"homework.py": RIGHT})
    ann = {"email": "ann@uni.example", "id": 1, "name": "Ann"}
    due, handed = "2026-11-20T23:59:00.000000-08:00", "2026-11-22T14:22:32.365935-08:00"
    code, results, out = told(autograder, handed, due, [ann])
    assert (code, results["score"]) == (0, 80), out
    assert "late: day 2 (0 free), 20 of 100 points off" in results["output"]
    more_time = ann | {"assignment": {"due_date": "2026-11-21T23:59:00.000000-08:00"}}
    assert told(autograder, handed, due, [more_time])[1]["score"] == 90
    assert told(autograder, handed, "2026-11-25T00:00:00Z", [ann])[1]["score"] == 100


@pytest.mark.long
def test_late_days_need_no_roster_where_all_have_one_variant(tmp_path: Path) -> None:
    options = {"variants": tmp_path / "bank", "variant": "v1", "rubric": tmp_path / "rubric.toml"}
    made = pack(tmp_path, *(f"--{name}={value}" for name, value in options.items()))
    assert made.exit_code == 0, made.output
    alone = Autograder(tmp_path / "autograder.zip", tmp_path / "root")
    assert alone.run({"homework.py": RIGHT})[1]["score"] == 100
    users = [{"email": "x@uni.example", "id": 9, "name": "Mallory, M."}]
    _, results, out = told(alone, "2026-11-21T08:00:00-08:00", "2026-11-20T23:59:00-08:00", users)
    assert (results["score"], results["extra_data"]["variant"]) == (90, "v1"), out


@pytest.mark.long
def test_an_assignment_of_several_parts(tmp_path: Path) -> None:
    """Whose roster says no variants."""
    text = "".join(
        f'[[part]]\nname = "{name}"\ntask = "{task}"\npoints = {points}\n'
        for name, task, points in (("first", "v1", 30), ("second", "v2", 12))
    )
    roster = "student,submission,email\nAnn,ann.py,ann@uni.example\n"
    lay_out(tmp_path, {"a.toml": text, "listed.csv": roster})
    words = (f"--variants={tmp_path}/bank", f"--roster={tmp_path}/listed.csv")
    made = pack(tmp_path, *words, f"--assignment={tmp_path}/a.toml")
    assert "the assignment is worth 42 points" in made.output, made.output
    code, results, _ = Autograder(tmp_path / "autograder.zip", tmp_path / "there").run(
        {"a.py": RIGHT}
    )
    assert (code, results["score"] >= 30) == (0, True)
    most = {test["name"]: test["max_score"] for test in results["tests"]}
    assert sum(most.values()) == pytest.approx(42)
    assert (most["first/gradient"], most["second/gradient"]) == (12, 4.8)


def test_a_wrong_submission_is_graded_and_pytests_exit_code_is_not_handed_on(
    autograder: Autograder,
) -> None:
    code, results, _ = autograder.run({"homework.py": WRONG})
    assert (code, results["score"]) == (0, 78)
    (gradient,) = [test for test in results["tests"] if test["name"] == "gradient"]
    assert "dw1 = a * x3" in gradient["output"]


@pytest.mark.long
def test_an_unreadable_submission_is_a_zero_with_the_reason(autograder: Autograder) -> None:
    code, results, _ = autograder.run({"homework.ipynb": "{"})
    assert (code, results["score"]) == (0, 0)
    assert results["extra_data"]["status"] == "unreadable"
    assert results["output"]


def test_no_submission(autograder: Autograder) -> None:
    code, results, _ = autograder.run({"notes.txt": "I was ill", "conftest.py": "raise SystemExit"})
    assert (code, results["score"]) == (0, 0)
    assert "no .py or .ipynb file was" in results["output"]


@pytest.mark.long
def test_of_two_files_one_is_graded_as_in_a_class(autograder: Autograder) -> None:
    code, results, _ = autograder.run({"one.py": RIGHT, "sub/two.py": WRONG})
    assert (code, results["score"]) == (0, 100)
    assert "by the fixed order one.py was graded" in results["output"]


@pytest.mark.long
def test_the_variant_is_the_users_whatever_the_file_is_called(autograder: Autograder) -> None:
    # eve.py is Eve's in the roster, and hers is v2
    _, results, _ = autograder.run({"eve.py": RIGHT})
    assert (results["score"], results["extra_data"]["variant"]) == (100, "v1")
    _, results, _ = autograder.run({"a_v1.py": RIGHT}, email="EVE@uni.example")
    assert results["extra_data"]["variant"] == "v2"
    assert results["score"] < 50


@pytest.mark.long
def test_a_name_that_is_no_text_is_graded_on_the_users_variant(autograder: Autograder) -> None:
    autograder.run({"v2.py": RIGHT})
    folder = os.fsencode(autograder.root / "submission")
    os.rename(folder + b"/v2.py", folder + b"/\xff_v2.py")
    code, results, _ = autograder.start()
    assert (code, results["score"], results["extra_data"]["variant"]) == (0, 100, "v1")


@pytest.mark.long
def test_a_user_may_be_known_by_id(autograder: Autograder) -> None:
    _, results, _ = autograder.run({'strange, "name" ё.py': RIGHT}, email="", id=77)
    assert results["extra_data"]["variant"] == "v2"


@pytest.mark.parametrize("user", [{"email": "nobody@uni.example"}, {"email": "", "id": None}])
def test_whom_the_roster_does_not_list_nobody_grades(
    autograder: Autograder, user: dict[str, Any]
) -> None:
    code, results, _ = autograder.run({"homework_v1.py": RIGHT}, **user)
    assert code == 3
    assert results["extra_data"] == {"grader_error": False, "status": "not_judged"}
    assert "the roster does not list the e-mail" in results["output"]
    assert "this 0 is not your grade" in results["output"]


def test_a_grader_that_cannot_even_start_leaves_results(autograder: Autograder) -> None:
    code, results, _ = autograder.start(BACKPROP_PYTHON="/nonexistent/python")
    assert code != 0
    assert results["extra_data"]["grader_error"]
    assert "did not run to its end" in results["output"]


def test_a_broken_autograder_says_so(packed: Path, tmp_path: Path) -> None:
    broken = Autograder(packed / "autograder.zip", tmp_path / "root")
    (broken.root / "source" / "rubric.toml").write_text("[checks.gradient]\npoints = -1\n")
    code, results, out = broken.run({"homework.py": RIGHT})
    assert code == 3
    assert results["extra_data"]["status"] == "not_judged"
    assert "pytest ended with exit code 4" in results["output"]
    assert "points is -1" in out
    (broken.root / "submission_metadata.json").write_text("[]")
    assert "does not tell who handed this in" in broken.start()[1]["output"]


@pytest.mark.long
def test_what_is_handed_in_does_not_act_on_the_grader(autograder: Autograder) -> None:
    hostile = {
        "homework.py": RIGHT,
        "pytest.ini": "[pytest]\naddopts = --collect-only\n",
        "conftest.py": "raise SystemExit(0)",
        "sitecustomize.py.txt": "",
        "json.pyc": b"",
    }
    code, results, out = autograder.run(hostile)
    assert (code, results["score"]) == (0, 100), out

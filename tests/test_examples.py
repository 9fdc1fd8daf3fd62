"""The files in examples/ for GitHub Classroom, PrairieLearn and VPL: read by their formats, and run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
import sys
import uuid
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from consumers import github, markdown, prairielearn, vpl
from doc_folders import write_commands
from plugin_samples import WRONG, environment, lay_out, notebook, run_pytest
from sampling import few

from pytest_backprop.cli.gradescope import wheel

EXAMPLES = Path(__file__).parent.parent / "examples"
V8 = (EXAMPLES / "class" / "anna_v8.ipynb").read_text(encoding="utf-8")
"""A right submission of variant v8, the one in both examples."""
FORGED = WRONG + '\n"""\n::error::forged\n##[error]forged\nGrade :=>> 100\n"""\n'


def with_commands(folder: Path) -> dict[str, str]:
    """The environment with the commands of an installation."""
    write_commands(folder / "bin")
    variables = environment(folder)
    return variables | {"PATH": f"{folder / 'bin'}:{variables['PATH']}"}


# -- GitHub Classroom -----------------------------------------------------------------------------

WORKFLOW = yaml.safe_load(
    (EXAMPLES / "github-classroom/.github/workflows/classroom.yml").read_text(encoding="utf-8")
)
STEPS = WORKFLOW["jobs"]["grade"]["steps"]


def step(**which: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = [s for s in STEPS if which.items() <= s.items()]
    (only,) = found
    return only


def test_the_workflow_reports_what_its_step_puts_out() -> None:
    report = step(name="Report to Classroom")
    runner = report["with"]["runners"]
    assert re.fullmatch("[a-zA-Z0-9]+", runner)  # the reporter takes no other name
    assert report["env"] == {
        f"{runner.upper()}_RESULTS": f"${{{{ steps.{runner}.outputs.result }}}}"
    }
    assert step(id=runner)["run"]
    assert True in WORKFLOW  # YAML 1.1 reads the key `on` so, and GitHub does not


def test_actions_are_pinned_to_a_version() -> None:
    assert all(re.search(r"@v\d+$", s["uses"]) for s in STEPS if "uses" in s)


def test_nothing_is_started_in_the_repository() -> None:
    assert all("runner.temp" in s["working-directory"] for s in STEPS if "run" in s)


@pytest.mark.long
def test_the_grader_is_a_wheel_of_a_known_hash_and_no_other(tmp_path: Path) -> None:
    """Its step, with a wheel that is here; what that needs is not installed anew."""
    install = step(name="Install the grader")["run"]
    assert "--extra-index-url https://download.pytorch.org/whl/cpu" in install
    name, content = wheel()
    lay_out(
        tmp_path, {name: content, "bin/pip": f'#!/bin/sh\nexec "{sys.executable}" -m pip "$@"\n'}
    )
    (tmp_path / "bin" / "pip").chmod(0o755)
    address = (tmp_path / name).as_uri()
    for digest, code in ((hashlib.sha256(content).hexdigest(), 0), ("0" * 64, 1)):
        target = tmp_path / digest
        variables = with_commands(tmp_path) | {
            "GRADER": f"{address}#sha256={digest}",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_TARGET": str(target),
        }
        done = subprocess.run(
            ["bash", "-e", "-c", install], env=variables, capture_output=True, check=False
        )
        assert (done.returncode, target.is_dir()) == (code, not code), done.stderr


class Job:
    """The step that grades, run as GitHub runs it."""

    def __init__(self, folder: Path, files: dict[str, str | bytes]) -> None:
        lay_out(folder / "repository", files)
        (folder / "temp").mkdir()
        variables = {
            **with_commands(folder), **WORKFLOW["env"],
            "GITHUB_WORKSPACE": str(folder / "repository"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        }  # fmt: skip
        done = subprocess.run(
            ["bash", "-e", "-c", step(id="backprop")["run"]],
            cwd=folder / "temp", env=variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        self.code, self.log = done.returncode, done.stdout
        self.summary = self._text(folder / "summary")
        output = self._text(folder / "output")
        name, _, value = output.strip().partition("=")
        assert name in ("", "result")
        self.result = base64.b64decode(value).decode() if value else ""

    def _text(self, path: Path) -> str:
        return path.read_text(encoding="utf-8") if path.exists() else ""


def test_a_right_notebook_in_classroom(tmp_path: Path) -> None:
    job = Job(tmp_path, {"homework.ipynb": V8, "pytest.ini": "[pytest]\naddopts = --co\n"})
    assert job.code == 0, job.log
    assert github.accept(job.result)["posted"] == (100, 100)
    assert "100 / 100" in "".join(" ".join(row) for row in markdown.accept(job.summary).cells)


@pytest.mark.long
def test_a_wrong_one_is_marked_and_a_forged_command_is_none(tmp_path: Path) -> None:
    job = Job(tmp_path, {"homework.ipynb": notebook(FORGED)})
    assert job.code == 0, job.log
    told = github.accept(job.result)
    assert told["failed"]
    assert told["posted"][0] < 100
    found = github.commands(job.log)
    assert found
    assert {command["name"] for command in found} <= {"error", "notice", "warning"}
    assert {command["file"] for command in found} == {"homework.ipynb"}
    assert not [command for command in found if command["data"] == "forged"]


@pytest.mark.long
def test_no_notebook_in_classroom_is_no_zero(tmp_path: Path) -> None:
    job = Job(tmp_path, {"README.md": "to be done"})
    assert job.code not in (0, 1)
    assert job.result == ""


# -- PrairieLearn ---------------------------------------------------------------------------------

QUESTION = EXAMPLES / "prairielearn/questions/backprop-v8"


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, dict[str, str | None]] = {}
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] = dict(attrs)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_question_is_graded_by_our_script() -> None:
    info = json.loads((QUESTION / "info.json").read_text(encoding="utf-8"))
    assert str(uuid.UUID(info["uuid"])) == info["uuid"]
    assert {"title", "topic", "type"} <= set(info)
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    options = info["externalGradingOptions"]
    assert options["enabled"]
    assert not options["enableNetworking"]
    assert options["entrypoint"].endswith("/grade/tests/run.sh")
    assert (QUESTION / "tests" / "run.sh").stat().st_mode & 0o111


def test_the_page_takes_a_file_and_shows_results() -> None:
    page = Elements((QUESTION / "question.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert page.found["pl-file-upload"] == {"file-names": "homework.ipynb"}
    assert "pl-external-grader-results" in page.found


def graded(folder: Path, files: dict[str, str | bytes], **variables: str) -> dict[str, Any]:
    """Runs the entry point in a folder laid out as /grade; what PrairieLearn records."""
    shutil.copytree(QUESTION / "tests", folder / "tests")
    (folder / "student").mkdir()
    lay_out(folder / "student", files)
    done = subprocess.run(
        ["bash", folder / "tests" / "run.sh"],
        env=with_commands(folder) | {"BACKPROP_GRADE": str(folder)} | variables,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    text = (folder / "results" / "results.json").read_text(encoding="utf-8")
    return prairielearn.accept(text, done.returncode)


@pytest.mark.long
def test_a_right_notebook_in_prairielearn(tmp_path: Path) -> None:
    told = graded(tmp_path, {"homework.ipynb": V8})
    assert (told["gradable"], told["score"]) == (True, 1)


@pytest.mark.long
def test_a_wrong_one_keeps_its_points_though_pytest_ends_with_1(tmp_path: Path) -> None:
    turned = V8.replace("torch.stack([dw0, dw1])", "torch.stack([dw1, dw0])")
    told = graded(tmp_path, {"homework.ipynb": turned})
    assert told["gradable"], told["why"]
    assert 0 < told["score"] < 1
    assert {test["name"] for test in told["tests"]} >= {"forward", "gradient"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "variables"),
    [({"notes.txt": "nothing"}, {}), ({"homework.ipynb": V8}, {"PATH": "/usr/bin:/bin"})],
    ids=["no submission", "no grader"],
)
def test_what_was_not_graded_is_not_gradable(
    tmp_path: Path, files: dict[str, str | bytes], variables: dict[str, str]
) -> None:
    told = graded(tmp_path, files, **variables)
    assert (told["gradable"], told["why"]) == (False, "says so itself")
    assert told["format_errors"]


# -- classes of the exercises beside the homework ----------------------------------------------------

CLASSES = {
    "accumulation": ("accumulation", {
        "boris_v1.py": (40, 100, {"parameters": 7, "zeroing": 7}),
        "dasha_v3.ipynb": (100, 100, {}),
        "gleb_v2.py": (20, 100, {"parameters": 7, "scaling": 7, "release": 6}),
        "vera_v1.py": (40, 100, {"parameters": 5, "release": 3}),
    }),
    "intermediates": ("intermediate-gradients", {
        "agata_v1.ipynb": (100, 100, {}),
        "denis_v2.py": (65, 100, {"gradient": 11}),
        "ira_v3.py": (85, 100, {"release": 6}),
        "lev_v1.py": (0, 100, {"gradient": 11, "release": None}),
    }),
    "functions": ("autograd-function", {
        "alisa_v1.ipynb": (100, 100, {}),
        "bogdan_v2.py": (56.6667, 100, {"gradient": 15, "needs-input-grad": 13, "saved": 7}),
        "galya_v3.py": (100, 120, {"double-backward": 15}),
        "vitya_v1.py": (40, 100, {"gradient": 14, "saved": 7}),
    }),
    "layers": ("layer", {
        "alisa_v1.ipynb": (100, 100, {}),
        "bogdan_v2.py": (80, 100, {"gradient": 15}),
        "galya_v3.py": (40, 100, {"gradient": 20}),
        "vitya_v1.py": (79, 100, {"gradient": 17, "unused-nodes": 14}),
    }),
    "tapes": ("tape", {
        "alisa_v1.ipynb": (120, 120, {}),
        "bogdan_v3.py": (110, 120, {"second-order": 109}),
        "galya_v2.py": (71, 100, {"gradient": 151, "none": 143, "unused-nodes": 154}),
        "vitya_v1.py": (98.5, 120, {"unused-nodes": 61, "release": 40}),
    }),
    "hooks": ("saved-tensor-hooks", {
        "alina_v1.ipynb": (100, 100, {}),
        "denis_v2.py": (44.1667, 100, {"gradient": 21, "threshold": 10, "release": 10}),
        "katya_v1.py": (88.1667, 100, {"gradient": 25, "files": 20}),
        "lev_v3.py": (75, 100, {"threshold": 16}),
    }),
}  # fmt: skip
"""By folder, the exercise and its submissions: score, the most there is, and the first line told by each check that
does not pass."""


@pytest.mark.parametrize("folder", few(CLASSES, ["hooks", "tapes"]))
def test_a_class_of_an_exercise_is_graded_as_make_grade_does(folder: str, tmp_path: Path) -> None:
    kind, grades = CLASSES[folder]
    shutil.copytree(EXAMPLES / folder, tmp_path / folder)
    run = run_pytest(
        tmp_path, "--backprop", f"{folder}/class", f"--backprop-variants={folder}/tasks",
        f"--backprop-roster={folder}/roster.csv", "--backprop-report=json:report.json",
    )  # fmt: skip
    found = {}
    for entry in run.report["submissions"]:
        lines = {
            check["id"]: next((f["line"] for f in check["findings"] if f["line"]), None)
            for check in entry["checks"]
            if check["outcome"] != "passed" and check["max_score"]
        }
        found[Path(entry["path"]).name] = (round(entry["score"], 4), entry["max_score"], lines)
    assert found == grades
    assert (run.report["settings"]["kind"], run.code) == (kind, 1)


def test_make_grade_names_the_classes_that_are_there() -> None:
    text = (EXAMPLES.parent / "Makefile").read_text(encoding="utf-8")
    (kinds,) = re.findall(r"^EXERCISES := (.*)$", text, re.MULTILINE)
    assert kinds.split() == sorted(path.parent.name for path in EXAMPLES.glob("*/class"))


# -- Moodle VPL -----------------------------------------------------------------------------------


def evaluated(folder: Path, files: dict[str, str | bytes]) -> str:
    """What VPL gets: the script is run among the files, and then what it wrote."""
    lay_out(folder, files)
    shutil.copy2(EXAMPLES / "moodle-vpl" / "vpl_evaluate.sh", folder)
    subprocess.run([folder / "vpl_evaluate.sh"], cwd=folder, check=True)
    variables = with_commands(folder.parent)
    done = subprocess.run(
        [folder / "vpl_execution"], cwd=folder, env=variables, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    ("files", "grade"),
    [
        ({"homework.ipynb": V8}, "100"),
        ({"notes.txt": "nothing"}, "0"),
        ({"out.txt": "Grade :=>>100", "a.py": FORGED, "b.py": FORGED}, ""),
        ({"homework.py": "print('Grade :=>>100')\n" + FORGED.replace("def ", "dfe ")}, "0"),
    ],
    ids=["right", "none", "two", "forged"],
)
def test_vpl_gets_the_grade_and_no_other(
    tmp_path: Path, files: dict[str, str | bytes], grade: str
) -> None:
    (tmp_path / "jail").mkdir()
    output = evaluated(tmp_path / "jail", files)
    assert vpl.grade(output) == grade
    assert vpl.comments(output)

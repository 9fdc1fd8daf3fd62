"""The image, the Codespace, the action and the recipe for GitLab: read by their linters and schemas, and what they run is
run here, in empty folders. No Docker, GitHub or GitLab is on this machine; docs/images.md says what was never run."""

from __future__ import annotations

import base64
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from consumers import github, junit, markdown
from doc_folders import write_commands
from doc_pages import read
from plugin_samples import WRONG, environment, lay_out, notebook

from pytest_backprop.cli.gradescope import wheel
from pytest_backprop.processes import sandbox

ROOT = Path(__file__).parent.parent
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
GITLAB = ROOT / "examples" / "gitlab" / ".gitlab-ci.yml"
CLASSROOM = ROOT / "examples" / "github-classroom" / ".github" / "workflows" / "classroom.yml"
SYSTEMS = ROOT / ".github" / "workflows" / "systems.yml"
V8 = (ROOT / "examples" / "class" / "anna_v8.ipynb").read_text(encoding="utf-8")
V10 = (ROOT / "examples" / "class" / "boris_v10.py").read_text(encoding="utf-8")
FORGED = WRONG + '\n"""\n::error::forged\n##[error]forged\n"""\n'
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
"""As GitHub's runner starts it; GitLab's is no stricter."""
OFFLINE = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}
"""Nothing but what is asked for is installed, by what is here. pip reads the last as it is written: no isolation."""


def with_commands(folder: Path) -> dict[str, str]:
    """The environment with the commands of an installation, pip among them."""
    write_commands(folder / "bin")
    pip = folder / "bin" / "pip"
    pip.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pip "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    variables = environment(folder)
    return variables | {"PATH": f"{folder / 'bin'}:{variables['PATH']}"}


def run(script: str, folder: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*BASH, script], cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def program(name: str) -> str:
    """One that a package of this environment brings."""
    found = shutil.which(name, path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if sys.platform != "linux":
        pytest.skip("its package is asked for on Linux alone")
    assert found is not None, f"{name} is not of this environment"
    return found


def linted(*words: str, text: str | None = None) -> None:
    done = subprocess.run(
        [program(words[0]), *words[1:]], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# -- linters and schemas ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-actions", (ROOT / "action.yml",)),
        ("gitlab-ci", (GITLAB,)),
        ("github-workflows", (SYSTEMS, CLASSROOM)),
    ],
)
def test_files_keep_the_schema_of_whoever_reads_them(schema: str, files: tuple[Path, ...]) -> None:
    words = ["check-jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files)]
    linted(*words, *(["--data-transform", schema] if schema == "gitlab-ci" else []))


def test_the_workflow_that_the_page_shows(tmp_path: Path) -> None:
    (block,) = [block for block in read("images.md").blocks if block.language == "yaml"]
    assert block.title == ".github/workflows/grade.yml"
    path = tmp_path / "grade.yml"
    path.write_text(block.text, encoding="utf-8")
    linted("check-jsonschema", "--builtin-schema", "vendor.github-workflows", str(path))
    (job,) = yaml.safe_load(block.text)["jobs"].values()
    (own,) = [
        step["with"] for step in job["steps"] if "with" in step and "submissions" in step["with"]
    ]
    assert set(own) <= set(ACTION["inputs"])
    shown = re.findall(r"steps\.backprop\.outputs\.([\w-]+)", block.text)
    assert set(shown) <= set(ACTION["outputs"])


@pytest.mark.parametrize("path", [ROOT / "Dockerfile", ROOT / "examples/prairielearn/Dockerfile"])
def test_dockerfiles_are_linted(path: Path) -> None:
    linted("hadolint", "--no-color", str(path))


def steps_of(path: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


SCRIPTS = [
    *(step["run"] for step in ACTION["runs"]["steps"] if "run" in step),
    *(step["run"] for path in (CLASSROOM, SYSTEMS) for step in steps_of(path) if "run" in step),
    *("\n".join(yaml.safe_load(GITLAB.read_text(encoding="utf-8"))["grade"][key]) for key in ("before_script", "script")),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(SCRIPTS)))
def test_scripts_are_linted_and_hold_nothing_of_a_students(number: int) -> None:
    """What stands in an expression would be pasted into the script; all comes by the environment."""
    assert "${{" not in SCRIPTS[number]
    linted("shellcheck", "--shell=bash", "-", text=SCRIPTS[number])


# -- the image ----------------------------------------------------------------------------------

STAGES = re.split(r"(?m)^FROM .*$", DOCKERFILE)[1:]


def instructions(stage: str, name: str) -> list[str]:
    return re.findall(rf"(?m)^{name} (.*)$", stage)


def test_torch_is_a_layer_of_its_own_with_the_version_that_is_tested() -> None:
    """Nothing of ours is copied before it."""
    _, final = STAGES
    before, torch, _ = re.split(r"(?m)^(RUN pip install .*torch.*)$", final)
    assert "COPY" not in before
    assert "${TORCH}" in torch
    (version,) = re.findall("(?m)^ARG TORCH=(.*)$", before)
    assert f"torch=={version}" in (ROOT / "constraints.txt").read_text(encoding="utf-8").split()


def test_the_context_is_what_is_copied() -> None:
    copied = {word for stage in STAGES for line in instructions(stage, "COPY") if "--from" not in line
              for word in line.split()[:-1]}  # fmt: skip
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in lines if line.startswith("!")} == copied


@pytest.mark.long
def test_what_is_copied_makes_the_wheel_and_that_is_installed(tmp_path: Path) -> None:
    """The lines of both stages, with their folders in an empty one."""
    build, final = STAGES
    source, wheels = tmp_path / "source", tmp_path / "wheels"
    source.mkdir()
    for line in instructions(build, "COPY"):
        for name in line.split()[:-1]:
            if (ROOT / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / name, source / name, ignore=ignored)
            else:
                shutil.copy(ROOT / name, source)
    variables = with_commands(tmp_path) | OFFLINE | {"EXTRAS": ""}
    (make,) = instructions(build, "RUN")
    done = run(make.replace("/wheels", str(wheels)), source, variables)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(ROOT / "constraints.txt", wheels)
    install = instructions(final, "RUN")[1].replace("/wheels", str(wheels))
    target = tmp_path / "installed"
    done = run(install, tmp_path, variables | {"PIP_TARGET": str(target)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert (target / "pytest_backprop" / "variants" / "v8.py").exists()


def test_whoever_grades_is_not_root_and_can_write_nothing_but_reports() -> None:
    final = STAGES[1]
    assert instructions(final, "USER") == ["1000"]
    assert not [line for line in instructions(final, "COPY") if "--chown" in line]


IN_A_CONTAINER = (
    "unshare",
    "--fork",
    "--pid",
    "--mount-proc",
    "setpriv",
    "--inh-caps=-all",
    "--bounding-set=-all",
)
"""As the first process of a container, which has no rights to give away."""


@pytest.mark.long
def test_the_sandbox_holds_in_a_first_process_without_rights(tmp_path: Path) -> None:
    if subprocess.run([*IN_A_CONTAINER, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine gives nobody a process space of his own")
    lay_out(tmp_path, {"anna_v8.ipynb": V8})
    command = f"exec {shlex.join(IN_A_CONTAINER)} backprop grade anna_v8.ipynb"
    done = run(command, tmp_path, with_commands(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"sandbox {sandbox.probe()};" in done.stdout


# -- the Codespace ------------------------------------------------------------------------------


def test_the_codespace_is_the_image() -> None:
    path = ROOT / ".devcontainer" / "devcontainer.json"
    text = path.read_text(encoding="utf-8")
    about = json.loads("".join(line for line in text.split("\n") if not line.startswith("//")))
    build = about["build"]
    assert (path.parent / build["dockerfile"]).resolve() == ROOT / "Dockerfile"
    assert (path.parent / build["context"]).resolve() == ROOT
    arguments = {line.partition("=")[0] for line in re.findall(r"(?m)^ARG (.*)$", DOCKERFILE)}
    assert set(build["args"]) <= arguments
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]  # fmt: skip
    assert build["args"]["EXTRAS"].strip("[]") in extras
    assert f"--create-home {about['remoteUser']}" in DOCKERFILE


# -- the action ---------------------------------------------------------------------------------


def step(name: str) -> dict[str, Any]:
    (found,) = [s for s in ACTION["runs"]["steps"] if s.get("name") == name]
    return dict(found)


class Graded:
    """The step that grades, run as GitHub runs it, on a repository of these files."""

    def __init__(self, folder: Path, files: dict[str, str | bytes], **inputs: str) -> None:
        repository = folder / "re pository"
        lay_out(repository, files)
        (folder / "temp").mkdir()
        defaults = {name: about.get("default", "") for name, about in ACTION["inputs"].items()}
        assert set(inputs) <= set(defaults)
        given = {f"inputs.{name}": value for name, value in (defaults | inputs).items()}
        expression = re.compile(r"\$\{\{ (\S+) \}\}")
        own = {k: expression.sub(lambda m: given[m[1]], v) for k, v in step("Grade")["env"].items()}
        variables = with_commands(folder) | own | {
            "GITHUB_WORKSPACE": str(repository), "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        }  # fmt: skip
        done = run(step("Grade")["run"], folder / "temp", variables)
        self.code, self.log = done.returncode, done.stdout + done.stderr
        lines = (folder / "output").read_text(encoding="utf-8").splitlines()
        self.outputs = dict(line.split("=", 1) for line in lines)
        self.folder = Path(self.outputs["folder"])
        self.summary = folder / "summary"


def test_what_is_put_out_is_what_a_step_writes() -> None:
    used = re.findall(r"steps\.grade\.outputs\.([\w-]+)", json.dumps(ACTION["outputs"]))
    assert used == list(ACTION["outputs"])
    assert all(f'"{name}=' in step("Grade")["run"] for name in used)
    assert all(re.search(r"@v\d+$", s["uses"]) for s in ACTION["runs"]["steps"] if "uses" in s)


def test_a_class_by_the_action(tmp_path: Path) -> None:
    files = {"hand in/anna_v8.ipynb": V8, "hand in/boris_v10.py": V10, "pytest.ini": "[pytest]\naddopts = --co\n",
             "points.toml": "[checks.forward]\npoints = 25\n"}  # fmt: skip
    job = Graded(tmp_path, files, submissions="hand in\n", rubric="points.toml",
                 arguments="--backprop-points=1000\n\n--backprop-hints=none\n")  # fmt: skip
    assert job.code == 0, job.log
    assert "sandbox landlock" in job.log or "limits" in job.log
    report = json.loads((job.folder / "grades.json").read_text(encoding="utf-8"))
    assert [s["path"] for s in report["submissions"]] == ["hand in/anna_v8.ipynb", "hand in/boris_v10.py"]  # fmt: skip
    assert float(job.outputs["score"]) == pytest.approx(report["summary"]["mean"], abs=1e-3)
    assert job.outputs["max-score"] == "110"
    suite = junit.accept(job.folder / "junit.xml")
    assert int(suite.get("failures", "")) > 0
    assert (job.folder / "html" / "index.html").exists()
    assert markdown.accept(job.summary.read_text(encoding="utf-8"))
    assert {command["name"] for command in github.commands(job.log)} <= {"error", "notice", "warning"}  # fmt: skip
    assert "result" not in job.outputs


@pytest.mark.long
def test_one_submission_for_classroom(tmp_path: Path) -> None:
    job = Graded(tmp_path, {"a.ipynb": notebook(FORGED)}, submissions="a.ipynb", variant="v8", classroom="true")  # fmt: skip
    assert job.code == 0, job.log
    told = github.accept(base64.b64decode(job.outputs["result"]).decode())
    assert told["posted"] == (float(job.outputs["score"]), float(job.outputs["max-score"]))
    assert {command["name"] for command in github.commands(job.log)} <= {"error", "notice", "warning"}  # fmt: skip
    assert not [command for command in github.commands(job.log) if command["data"] == "forged"]


@pytest.mark.long
@pytest.mark.parametrize(
    "inputs",
    [
        {"submissions": "nowhere"},
        {"submissions": "", "arguments": "--backprop-points=many"},
        {"submissions": "a.ipynb", "variant": "$(touch harmed)"},
        {"submissions": "a.ipynb\n`touch harmed`"},
    ],
)
def test_no_grade_is_an_error_and_no_input_is_a_command(tmp_path: Path, inputs: dict[str, str]) -> None:  # fmt: skip
    job = Graded(tmp_path, {"a.ipynb": V8}, **inputs)
    assert job.code > 1, job.log
    assert "score" not in job.outputs
    assert not list(tmp_path.rglob("harmed"))


@pytest.mark.long
def test_the_action_installs_itself(tmp_path: Path) -> None:
    variables = with_commands(tmp_path) | OFFLINE
    target = tmp_path / "installed"
    variables |= {"GITHUB_ACTION_PATH": str(ROOT), "PIP_TARGET": str(target)}
    done = run(step("Install the grader")["run"], tmp_path, variables)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (target / "pytest_backprop" / "variants" / "v8.py").exists()


# -- GitLab -------------------------------------------------------------------------------------

JOB = yaml.safe_load(GITLAB.read_text(encoding="utf-8"))["grade"]


@pytest.mark.parametrize(
    ("text", "code"),
    [(V8, 0), *(pytest.param(text, code, marks=pytest.mark.long) for text, code in ((notebook(FORGED), 1), (None, 4)))],
    ids=["right", "wrong", "none"],
)  # fmt: skip
def test_the_job_of_gitlab(text: str | None, code: int, tmp_path: Path) -> None:
    """Its lines, with a wheel that is here; what that needs is not installed anew."""
    repository = tmp_path / "repository"
    lay_out(repository, {} if text is None else {"homework.ipynb": text})
    repository.mkdir(exist_ok=True)
    name, content = wheel()
    (tmp_path / name).write_bytes(content)
    variables = with_commands(tmp_path) | OFFLINE | JOB["variables"]
    variables |= {"GRADER": str(tmp_path / name), "PIP_TARGET": str(tmp_path / "installed")}
    done = run("\n".join((*JOB["before_script"], *JOB["script"])), repository, variables)
    assert done.returncode == code, done.stdout + done.stderr
    assert code in (0, JOB["allow_failure"]["exit_codes"], 4)
    if code < 2:
        suite = junit.accept(repository / JOB["artifacts"]["reports"]["junit"])
        assert (suite.get("failures") == "0") == (code == 0)
        assert (repository / "report" / "html" / "index.html").exists()

"""Usage errors: exit code 4, and a message that has the value and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import RIGHT, Run, bank, lay_out, run_pytest

FILES: dict[str, str | bytes] = {
    "class/right_v1.py": RIGHT,
    "no_column.csv": "student,file,variant\nAnn,right_v1.py,v1\n",
    "twice.csv": "student,submission,variant\nAnn,right_v1.py,v1\nBob,right_v1.py,v2\n",
    "unknown.csv": "student,submission,variant\nAnn,right_v1.py,v1\nBob,bob.py,v9\n",
    "empty.csv": "",
    "bad_key.toml": "[checks.gradient]\npionts = 3\n",
    "bad_value.toml": '[checks.gradient]\npoints = "many"\n',
    "not.toml": "[checks\n",
    "taken.json.journal": "",
    "other.journal/notes.txt": "",
}

BEFORE_TORCH = [
    (["--backprop-roster=gone.csv"], ["gone.csv", "No such file", "student, submission, variant"]),
    (["--backprop-roster=no_column.csv"], ["no_column.csv", "'submission'", "'file'", "columns"]),
    (["--backprop-roster=twice.csv"], ["line 3", "'right_v1.py'", "line 2", "one row for each"]),
    (["--backprop-roster=empty.csv"], ["empty.csv is empty", "--backprop-roster"]),
    (
        ["--backprop-rubric=bad_key.toml"],
        ["[checks.gradient]", "unknown field `pionts`", "known: points"],
    ),
    (
        ["--backprop-rubric=bad_value.toml"],
        ["[checks.gradient]", "points is 'many'", "Expected `float`"],
    ),
    (["--backprop-rubric=not.toml"], ["not.toml is not TOML", "line 1"]),
    (["--backprop-rubric=gone.toml"], ["gone.toml", "--backprop-rubric"]),
    (["--backprop-report=json:/proc/no/report.json"], ["/proc/no/report.json", "choose a path"]),
    (["--backprop-report=json:class"], ["class", "that is a folder", "name of a file"]),
    (["--backprop-resume"], ["no journal", "no report goes to a file", "--backprop-report"]),
    (["--backprop-resume", "--backprop-report=json:/dev/null"], ["no report goes to a file"]),
    (
        ["--backprop-report=json:taken.json"],
        ["taken.json.journal", "cannot be used", "File exists"],
    ),
    (["--backprop-report=html:class"], ["take the place of what is graded", "path of its own"]),
    (["--backprop-report=html:other.journal"], ["it has notes.txt", "name of a new folder"]),
    (["--backprop-report=html:empty.csv"], ["empty.csv is a file", "name of a new folder"]),
    (
        ["--backprop-report=html:out", "--backprop-report=json:out/r.json"],
        ["take the place of another report", "out/r.json"],
    ),
    (["--backprop-report=html:"], ["'html:' has no path", "as html:report"]),
    (["--backprop-report=report.json"], ["'report.json' has no format", "FORMAT:PATH"]),
    (["--backprop-report=pdf:a.pdf"], ["'pdf'", "known formats: json, html"]),
    (
        ["--backprop-rtol=1e-3"],
        ["--backprop-rtol is 0.001", "--backprop-atol is not given", "give both"],
    ),
    (["--backprop-rtol=nan", "--backprop-atol=0"], ["--backprop-rtol: 'nan'", "such as 5e-5"]),
    (["--backprop-points=0"], ["--backprop-points: '0'", "from 1 to"]),
    (["--backprop-seed=-1"], ["--backprop-seed: '-1'", "from 0 to"]),
    (["--backprop-timeout=0"], ["--backprop-timeout: '0'", "above 0"]),
    (["--backprop-memory=lots"], ["--backprop-memory: 'lots'", "512M"]),
    (["--backprop-variant=eight"], ["--backprop-variant: 'eight'", "give one as v8"]),
    (["--backprop-variants=gone"], ["--backprop-variants: 'gone'", "folder"]),
    (["--backprop-variants=class"], ["class", "no v*.py", "v8.py"]),
    (["--backprop-class=1Net"], ["--backprop-class: '1Net'", "follows `class`"]),
    (["--backprop-hints=fix"], ["--backprop-hints: 'fix'", "none, line"]),
]


def name_of(arguments: list[str]) -> str:
    return " ".join(arguments).replace("--backprop-", "").replace("/", "-")


@pytest.mark.parametrize(
    ("arguments", "parts"), [pytest.param(*case, id=name_of(case[0])) for case in BEFORE_TORCH]
)
def test_usage_error(pytester: pytest.Pytester, arguments: list[str], parts: list[str]) -> None:
    """In this process: none of these may get as far as torch, which cannot be imported twice."""
    lay_out(pytester.path, bank() | FILES)
    result = pytester.runpytest_inprocess("--backprop", "class", *arguments)
    told = " ".join(result.stderr.str().split())
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert told.startswith("ERROR: ")
    assert [part for part in parts if part not in told] == []
    assert "Traceback" not in told
    assert "collected" not in result.stdout.str()


@pytest.mark.parametrize("columns", [40, 80])
def test_sentences_end_at_the_width_of_the_terminal(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """Paths and code are whole, wherever they end."""
    lay_out(pytester.path, bank() | FILES)
    monkeypatch.setenv("COLUMNS", str(columns))
    result = pytester.runpytest_inprocess("--backprop", "class", "--backprop-variants=class")
    lines = result.stderr.lines
    assert "holds no v*.py of the kind forward-backward" in " ".join(result.stderr.str().split())
    assert [line for line in lines if len(line) > columns and " " in line.strip()] == []
    assert any("`def v8(…): ... return ...`." in line for line in lines)
    assert sum(str(pytester.path / "class") in line for line in lines) == 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("usage")
    lay_out(made, bank() | FILES)
    return made


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--backprop-variant=v9"], ["no variant 'v9'", "v1", "v2"]),
        (
            ["--backprop-rtol=0.5", "--backprop-atol=0.5"],
            ["variant v1", "at rtol 0.5 and atol 0.5", "lower the tolerances"],
        ),
        (["--backprop-roster=unknown.csv"], ["unknown.csv, line 3", "no variant 'v9'", "v2"]),
    ],
)
def test_what_the_variants_show_to_be_wrong(
    folder: Path, arguments: list[str], parts: list[str]
) -> None:
    run = run_pytest(folder, "--backprop", "class", *arguments)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert [part for part in parts if part not in run.told] == []
    assert "Traceback" not in run.out + run.err


GOOD_TASK = 'EXERCISE = "layer"\ndef v1(x: Float[Tensor, "n d"]):\n    return x * x\n'
BAD_TASK = 'EXERCISE = "layer"\ndef v2(x: Float[Tensor, "n d"]):\n    return torch.nothing(x)\n'
SQUARE = """class Square:
    @staticmethod
    def forward(x):
        return x * x, x

    @staticmethod
    def backward(dout, cache):
        return 2 * cache * dout
"""


@pytest.fixture
def bad_task(tmp_path: Path) -> Path:
    lay_out(tmp_path, {"bank/v1.py": GOOD_TASK, "bank/v2.py": BAD_TASK})
    lay_out(tmp_path, {"class/a_v1.py": SQUARE})
    return tmp_path


def graded_on_bank(folder: Path) -> Run:
    return run_pytest(
        folder,
        "--backprop",
        "class",
        "--backprop-variants=bank",
        "--backprop-report=json:report.json",
    )


def test_a_task_that_nobody_has_is_not_worked_out(bad_task: Path) -> None:
    own = "def v2():\n  return w0\n"  # its task is known once it is read
    lay_out(bad_task, {"class/b.py": SQUARE + own})
    run = graded_on_bank(bad_task)
    assert run.by_name["a_v1.py"]["score"] == 100
    assert run.by_name["b.py"]["status"] == "not_judged"
    assert "v2.py: v2 fails at" in run.check("b.py", "forward")["message"]


def test_a_bad_task_that_somebody_has_is_told_before_anything_is_graded(bad_task: Path) -> None:
    lay_out(bad_task, {"class/b_v2.py": SQUARE})
    run = graded_on_bank(bad_task)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "v2.py: v2 fails at" in run.told
    assert not (bad_task / "report.json").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BAD_TASK.replace("(x)", "(x"), "v2.py:3: not Python"),
        (BAD_TASK.replace("def v2", "def v3"), "defines v3, the file's name asks for v2"),
        (BAD_TASK.replace("def v2", "def task"), "there is no function v<number>"),
        (f'SUPPORT = "gone.py"\n{BAD_TASK}', "gone.py"),
    ],
)
def test_what_is_bad_at_sight_is_told_whoever_has_it(bad_task: Path, text: str, told: str) -> None:
    lay_out(bad_task, {"bank/v2.py": text})
    run = graded_on_bank(bad_task)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert told in run.told


def test_ini_keys_are_named_by_their_file(pytester: pytest.Pytester) -> None:
    lay_out(pytester.path, bank() | FILES)
    pytester.makeini("[pytest]\nbackprop = true\nbackprop_points = 0\n")
    result = pytester.runpytest_inprocess("class")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "backprop_points in tox.ini: '0'" in result.stderr.str()


def test_a_report_that_cannot_be_written_after_all_is_an_error(tmp_path: Path) -> None:
    """The disk fills or the folder goes while the class is graded: the exit code says so."""
    lay_out(tmp_path, bank() | FILES | {"plugins/spoil.py": SPOIL})
    run: Run = run_pytest(
        tmp_path, "--backprop", "class", "--backprop-report=json:out/r.json", "-p", "spoil"
    )
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "out/r.json cannot be written" in run.told
    assert any("100/100" in line for line in run.section("backprop"))


def test_a_folder_that_cannot_be_written_after_all_is_an_error(tmp_path: Path) -> None:
    lay_out(tmp_path, bank() | FILES | {"plugins/spoil.py": SPOIL})
    run: Run = run_pytest(
        tmp_path, "--backprop", "class", "--backprop-report=html:out/report", "-p", "spoil"
    )
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "out/report cannot be written" in run.told


SPOIL = """
import os, shutil

def pytest_runtest_setup(item):
    if os.path.isdir("out"):
        shutil.rmtree("out")  # with the journal
    open("out", "w").close()  # where the report's folder should be
"""

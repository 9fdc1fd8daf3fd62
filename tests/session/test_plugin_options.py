"""Every option and every ini key changes a grading run, and the precedence of variants holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from plugin_samples import (
    BOMB,
    CLOSE,
    ENDLESS,
    RIGHT,
    TWO_CLASSES,
    WRONG,
    Run,
    grade_folder,
    lay_out,
    run_pytest,
    timeless,
)

BANK = {
    # not where it is found unasked; `v1` there is another function
    "bank/v1.py": "def v1():\n  return w0 * x1 * (w1 * x2) + x3\n",
    "bank/v2.py": "def v2():\n  return w0 * x1 + w1 * x2 * x3\n",
    "variants/v1.py": "def v1():\n  return w0 * x1 + w1 * x2 - x3\n",
}
NAMED = "# student: Mallory\n__author__ = 'Mallory'\n" + RIGHT
FILES: dict[str, str | bytes] = {
    **BANK,
    "roster.csv": "student,submission,variant,id\nAnn,ann_v2.py,v1,7\nBob,bob.py,v2,8\n"
    "Zoe,zoe.py,v1,9\n",
    "export.csv": "Student,ID,Section,Homework 2 (1),Homework 3 (2)\nAnn,7,A,5,\nZoe,9,A,6,\n",
    "rubric.toml": "[checks.gradient]\npoints = 50\n[checks.release]\npoints = 10\n"
    "penalty = 0.5\n[checks.forward]\npoints = 30\n",
    "class/ann_v2.py": RIGHT,  # roster: v1
    "class/bob.py": RIGHT,  # roster: v2, which it is not
    "class/gleb_v2.py": NAMED,  # option: v1
    "class/own.py": RIGHT + "\n\ndef v2():\n  return w0 * x1 + w1 * x2 * x3\n",  # option: v1
    "class/bomb.py": BOMB,
    "class/close.py": CLOSE,
    "class/endless.py": ENDLESS,
    "class/two.py": TWO_CLASSES,
    "class/wrong.py": WRONG,
}
VALUES: dict[str, list[str]] = {
    "variant": ["v1"],
    "variants": ["bank"],
    "roster": ["roster.csv"],
    "rubric": ["rubric.toml"],
    "report": ["json:report.json", "json:again/second.json", "csv-canvas:canvas.csv"],
    "gradebook": ["export.csv"],
    "gradebook-column": ["Homework 3"],
    "seed": ["7"],
    "points": ["60"],
    "rtol": ["0.0005"],
    "atol": ["1e-6"],
    "class": ["Net"],
    "timeout": ["1.5"],
    "memory": ["300M"],
    "sandbox": ["off"],
    "hints": ["none"],
    "lang": ["en"],
    "resume": [""],
    "kind": ["forward-backward"],
    "executor": ["local"],
}


def by_options(folder: Path) -> Run:
    words = [
        f"--backprop-{name}={value}".removesuffix("=")
        for name, given in VALUES.items()
        for value in given
    ]
    return run_pytest(folder, "--backprop", "class", *words)


def by_ini(folder: Path) -> Run:
    rows = ["[pytest]", "backprop = true"]
    for name, given in VALUES.items():
        name = name.replace("-", "_")
        rows.append(
            f"backprop_{name} =" + "".join(f"\n    {value}" for value in given)
            if len(given) > 1
            else f"backprop_{name} = {given[0] or 'true'}"
        )
    # Paths of an ini file are relative to it, wherever pytest is called.
    lay_out(folder, {"pytest.ini": "\n".join(rows) + "\n", "elsewhere/empty.txt": ""})
    run = run_pytest(folder / "elsewhere", "../class")
    return Run(run.code, run.out, run.err, folder)


@pytest.fixture(scope="module", params=[by_options, pytest.param(by_ini, marks=pytest.mark.long)])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp(request.param.__name__)
    lay_out(folder, FILES)
    done: Run = request.param(folder)
    assert done.code == pytest.ExitCode.TESTS_FAILED, done.out + done.err
    return done


def test_every_option_is_tried() -> None:
    from pytest_backprop.options import OPTIONS

    asked = {option.flag.removeprefix("--backprop-") for option in OPTIONS} - {"--backprop"}
    # these change all: test_plugin_parts.py, test_interpreter.py
    assert set(VALUES) == asked - {"assignment", "python"}


def test_report_shows_the_settings(run: Run) -> None:
    assert run.report["settings"] == {
        "seed": 7,
        "points": 60,
        "rtol": 0.0005,
        "atol": 1e-6,
        "variant": "v1",
        "variants": "bank",
        "roster": "roster.csv",
        "rubric": "rubric.toml",
        "assignment": None,
        "class_name": "Net",
        "timeout": 1.5,
        "memory_mb": 300,
        "sandbox": "off",
        "hints": "none",
        "lang": "en",
        "kind": "forward-backward",
    }


def test_report_is_written_wherever_asked(run: Run) -> None:
    assert (run.folder / "again/second.json").read_text() == (
        run.folder / "report.json"
    ).read_text()


def test_the_gradebook_is_filled_in_at_its_column(run: Run) -> None:
    lines = (run.folder / "canvas.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1:] == ["Ann,7,A,5,115", "Zoe,9,A,6,"]
    assert "no new grade in the gradebook: Zoe" in run.section("backprop")


def test_header_names_bank_and_seed(run: Run) -> None:
    assert "variants bank; seed 7" in run.out


@pytest.mark.parametrize(
    ("name", "student", "variant", "source"),
    [
        ("ann_v2.py", "Ann", "v1", "roster"),  # over the option, over the name
        ("bob.py", "Bob", "v2", "roster"),
        ("gleb_v2.py", None, "v1", "option"),  # over the name
        ("own.py", None, "v1", "option"),  # over its own def
    ],
)
def test_student_and_variant(
    run: Run, name: str, student: str | None, variant: str, source: str
) -> None:
    told = run.by_name[name]
    assert (told["student"], told["variant"], told["variant_source"]) == (student, variant, source)


def test_variant_decides_the_grade(run: Run) -> None:
    assert run.check("ann_v2.py", "forward")["outcome"] == "passed"
    assert run.check("bob.py", "forward")["outcome"] == "failed"


def test_roster_names_who_is_missing_and_who_is_not_listed(run: Run) -> None:
    assert "no submission from Zoe (zoe.py, v1)" in run.section("backprop")
    assert "the roster does not list this submission" in run.by_name["own.py"]["notes"]


def test_no_name_is_taken_from_inside_a_submission(run: Run) -> None:
    assert "Mallory" not in run.out
    assert all("Mallory" not in str(s["student"]) for s in run.by_name.values())


def test_rubric_weighs(run: Run) -> None:
    of = {c["id"]: c["max_score"] for c in run.by_name["wrong.py"]["checks"]}
    assert of == {
        "forward": 30,
        "manual-forward": 10,
        "gradient": 50,
        "unused-nodes": 15,
        "release": 10,
        "integrity": 0,
    }
    assert run.by_name["ann_v2.py"]["score"] == 115
    assert run.check("wrong.py", "gradient")["score"] == 25
    assert run.check("wrong.py", "release")["score"] == 5  # one finding, by penalty


def test_points_are_counted(run: Run) -> None:
    assert run.check("ann_v2.py", "forward")["details"]["of"] == 60


def test_tolerance_lets_a_nearly_right_gradient_pass(run: Run) -> None:
    assert run.check("close.py", "gradient")["outcome"] == "passed"


def test_class_chooses(run: Run) -> None:
    assert run.by_name["two.py"]["score"] == 115


def test_timeout_ends_a_loop(run: Run) -> None:
    told = run.by_name["endless.py"]
    assert (told["status"], told["score"]) == ("timeout", 0)
    assert "stopped after 1.5 s" in told["message"]
    assert told["seconds"] >= 1.5


def test_memory_ends_a_hoarder(run: Run) -> None:
    told = run.by_name["bomb.py"]
    assert (told["status"], told["score"]) == ("out_of_memory", 0)
    assert "300 MB" in told["message"]


def test_resume_takes_all_from_the_journal(run: Run) -> None:
    again = (by_options if run.folder.name.startswith("by_options") else by_ini)(run.folder)
    text = "9 grades were taken from the journal "
    (told,) = [line for line in again.section("backprop") if line.startswith(text)]
    assert told.endswith("report.json.journal")
    assert timeless(again) == timeless(run)


def test_hints_none_shows_no_place(run: Run) -> None:
    findings = [f for s in run.by_name.values() for c in s["checks"] for f in c["findings"]]
    assert findings
    assert {(f["line"], f["source"], f["hint"]) for f in findings} == {(None, None, None)}
    shown = run.section("FAILURES") + run.section("backprop")
    assert not [line for line in shown if "hint:" in line or "= a * x3" in line]


def test_hints_none_names_no_line_in_words(run: Run) -> None:
    shown = run.section("FAILURES") + run.section("backprop")
    texts = [c["message"] for s in run.by_name.values() for c in s["checks"]]
    texts += [
        f["message"] for s in run.by_name.values() for c in s["checks"] for f in c["findings"]
    ]
    assert not [text for text in [*shown, *texts] if " line " in text]


# -- the same without options, and the other values ----------------------------------------------


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Run:
    files = {"close_v1.py": CLOSE, "two_v1.py": TWO_CLASSES, "wrong_v1.py": WRONG}
    folder = tmp_path_factory.mktemp("plain")
    ini = "seed = 1\nbackprop_points = 9\nbackprop_hints = none\nbackprop_timeout = 19\n"
    lay_out(folder, {"pytest.ini": f"[pytest]\nbackprop_{ini}"})
    return grade_folder(
        folder,
        files,
        "--backprop-points=60",
        "--backprop-seed=8",
        "--backprop-hints=line",
        "--backprop-sandbox=auto",
    )


def test_by_default_a_nearly_right_gradient_fails(plain: Run) -> None:
    assert plain.check("close_v1.py", "gradient")["outcome"] == "partial"
    assert (plain.report["settings"]["rtol"], plain.report["settings"]["atol"]) == (5e-5, 1e-7)


def test_by_default_the_last_class_is_graded(plain: Run) -> None:
    assert plain.by_name["two_v1.py"]["score"] == 78


def test_another_seed_shows_other_points(plain: Run, run: Run) -> None:
    one, other = plain.check("wrong_v1.py", "gradient"), run.check("wrong.py", "gradient")
    assert one["findings"][0]["message"] != other["findings"][0]["message"]


def test_places_and_hints_are_shown_unless_hidden(plain: Run) -> None:
    text = "\n".join(plain.section("FAILURES"))
    assert "dw1 = a * x3" in text
    assert "hint: " in text
    (finding,) = plain.check("wrong_v1.py", "release")["findings"]
    assert finding["source"].strip() == "dw1 = a * x3"
    assert finding["line"] == WRONG.split("\n").index("        dw1 = a * x3") + 1


def test_the_command_line_wins_over_the_ini_file(plain: Run) -> None:
    settings = plain.report["settings"]
    assert (settings["seed"], settings["points"], settings["hints"]) == (8, 60, "line")
    assert settings["timeout"] == 19  # of the ini file, as the command line says nothing


@pytest.mark.parametrize(
    ("words", "executor"),
    [
        (("-n", "3"), "local:3"),
        (("-n", "auto"), "local"),
        (("-n", "3", "--backprop-executor=local:1"), "local:1"),
    ],
    ids=str,
)
def test_xdist_says_how_many_are_graded_at_a_time(
    tmp_path: Path, words: tuple[str, ...], executor: str
) -> None:
    shows = """
        from pytest_backprop.session.grading_session import SESSION

        def pytest_sessionfinish(session):
            print("graded by", session.config.stash[SESSION].settings.executor)
    """
    run = grade_folder(tmp_path, {"a_v1.py": RIGHT}, "-p", "xdist", *words, shows=shows)
    assert run.by_name["a_v1.py"]["score"] == 100
    assert f"graded by {executor}\n" in run.out
    assert "workers" not in run.out  # as xdist tells of its own

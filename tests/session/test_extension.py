"""The hooks for other plugins: the example of each docstring is run as it stands there, alone on one
core and on two; a plugin that does wrong is told by its name and costs nobody anything."""

from __future__ import annotations

import inspect
import re
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from plugin_samples import RIGHT, Run, bank, grade_folder, lay_out, run_pytest

from pytest_backprop import extension, hookspecs
from pytest_backprop.extension import UsageProblem, parse_variant
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.session.plugins import Contributions

HOOKS: dict[str, Callable[..., Any]] = {
    name: function
    for name, function in vars(hookspecs).items()
    if name.startswith("pytest_backprop_")
}


def example_of(hook: str) -> str:
    """The plugin in a hook's docstring: what is indented there."""
    lines = (inspect.getdoc(HOOKS[hook]) or "").split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith("    "))
    return textwrap.dedent("\n".join(lines[first:])) + "\n"


def plugins() -> dict[str, str]:
    """Each example as a plugin of its own, by name."""
    return {f"example_{hook.removeprefix('pytest_backprop_')}": example_of(hook) for hook in HOOKS}


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_has_a_docstring_that_ends_in_a_plugin(hook: str) -> None:
    namespace: dict[str, Any] = {}
    exec(example_of(hook), namespace)
    assert callable(namespace[hook])
    parameters = set(inspect.signature(namespace[hook]).parameters)
    assert parameters <= set(inspect.signature(HOOKS[hook]).parameters)


def test_the_stable_surface_is_there_and_has_what_examples_import() -> None:
    for name in extension.__all__:
        assert getattr(extension, name) is not None, name
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        extension.Nothing  # noqa: B018
    imported = re.findall(
        r"from pytest_backprop\.extension import (.*)", "".join(plugins().values())
    )
    names = {name for line in imported for name in line.split(", ")}
    assert names
    assert names <= set(extension.__all__)


# -- the examples ---------------------------------------------------------------------------------

BY_HAND = RIGHT.replace("my_forward_backward", "backprop_by_hand")
MARKDOWN = f"# My homework\n\nIt was hard.\n\n```python\n{BY_HAND}```\n\n```\nnot python\n```\n"
LONG = BY_HAND.replace(
    "        a = w0 * x1\n", "        a = w0 * x1\n" + "        a = a + 0.0 * x2\n" * 20
)
PROBE = """
    from pytest_backprop.extension import CheckResult, ExtraCheck

    def pytest_backprop_checks(config):
        return [ExtraCheck("probe", judge)]

    def judge(case, rules):
        told = {"text": case.submission.units[0].original}
        return CheckResult("probe", "passed", 1.0, "seen", "observed", (), told)
"""
CLASS: dict[str, str | bytes] = {
    "a_v1.py": BY_HAND,
    "b_v1.md": MARKDOWN,
    "c_empty_v1.md": "# nothing\n",
    "d_late_v1.py": BY_HAND,
    "e_long_v1.py": LONG,
    "f_other_name_v1.py": RIGHT,
}
WORDS = (
    "--backprop-kind=by-hand",
    "--backprop-points=6",
    "--backprop-report=tsv:out/scores.tsv",
    "--backprop-report=html:pages",
)


@pytest.fixture(
    scope="module", params=["", pytest.param("--backprop-executor=local:2", marks=pytest.mark.long)]
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("examples")
    words = (*WORDS, *request.param.split())
    done = grade_folder(folder, CLASS, *words, **plugins(), probe=PROBE)
    assert done.code == pytest.ExitCode.TESTS_FAILED, done.out + done.err
    return done


def test_example_of_loaders(run: Run) -> None:
    assert run.by_name["b_v1.md"]["score"] == 105
    empty = run.by_name["c_empty_v1.md"]
    assert (empty["status"], empty["score"]) == ("unreadable", 0)
    assert empty["message"] == "class/c_empty_v1.md has no block of Python"
    assert run.check("b_v1.md", "probe")["details"]["text"] == MARKDOWN.rstrip("\n")


def test_example_of_checks(run: Run) -> None:
    checks = [check["id"] for check in run.by_name["a_v1.py"]["checks"]]
    assert checks == [
        "manual-forward",
        "gradient",
        "integrity",
        "probe",
        "few-ops",
    ]  # pluggy asks the last first
    assert run.check("a_v1.py", "few-ops")["score"] == 5
    failed = run.check("e_long_v1.py", "few-ops")
    assert (failed["outcome"], failed["score"], failed["max_score"]) == ("failed", 0, 5)
    assert failed["findings"][0]["hint"] == "compute each value once"
    assert "class/e_long_v1.py few-ops" in run.out
    assert "few-ops" in (run.folder / "pages/index.html").read_text(encoding="utf-8")


def test_example_of_report_formats(run: Run) -> None:
    rows = (run.folder / "out/scores.tsv").read_text().splitlines()
    assert rows[0] == "class/a_v1.py\t105"
    assert len(rows) == len(CLASS)
    assert "report: out/scores.tsv" in run.out


def test_example_of_exercises(run: Run) -> None:
    assert run.report["settings"]["kind"] == "by-hand"
    other = run.by_name["f_other_name_v1.py"]
    assert other["status"] == "unreadable"
    assert "none called backprop_by_hand" in other["message"]
    assert run.check("a_v1.py", "gradient")["max_score"] == 70


# -- the plugin in examples/ -----------------------------------------------------------------------

PACKAGED = Path(__file__).parents[2] / "examples/plugin"
BADLY_NAMED = RIGHT.replace("dw1", "grad1")


@pytest.mark.long
def test_the_packaged_example(tmp_path: Path) -> None:
    texts = {path.name: path.read_text() for path in PACKAGED.glob("backprop_naming/*.py")}
    lay_out(tmp_path, {f"plugins/backprop_naming/{name}": text for name, text in texts.items()})
    lay_out(tmp_path, {"rubric.toml": (PACKAGED / "rubric.toml").read_text()})
    entry = tomllib.loads((PACKAGED / "pyproject.toml").read_text())["project"]["entry-points"]
    (module,) = entry["pytest11"].values()
    words = ("--backprop-rubric=rubric.toml", "--backprop-report=plain:grades.txt", "-p", module)
    run = grade_folder(tmp_path, {"a_v1.py": RIGHT, "b_v1.py": BADLY_NAMED}, *words)
    assert run.by_name["a_v1.py"]["score"] == 105
    naming = run.check("b_v1.py", "naming")
    assert (naming["outcome"], naming["score"]) == ("partial", 4)
    assert naming["findings"][0]["source"].strip() == "grad1 = a * x2"
    assert (tmp_path / "grades.txt").read_text() == (
        "class/a_v1.py: 105 of 105\n"
        "class/b_v1.py: 104 of 105\n"
        "    naming: 4 of 5, not named as adjoints: grad1\n"
    )


# -- the journal ----------------------------------------------------------------------------------


@pytest.mark.long
def test_a_changed_plugin_regrades(tmp_path: Path) -> None:
    few = example_of("pytest_backprop_checks")
    first = grade_folder(tmp_path, {"a_v1.py": RIGHT}, example=few)
    assert first.by_name["a_v1.py"]["score"] == 105
    again = ("--backprop-resume", "--backprop", "class", "--backprop-report=json:report.json")
    second = run_pytest(tmp_path, *again, "-p", "example")
    assert "1 grade was taken from the journal" in second.out
    lay_out(tmp_path, {"plugins/example.py": few.replace("<= 3 *", "<= 0 *")})
    third = run_pytest(tmp_path, *again, "-p", "example")
    told = " ".join(third.out.split())
    why = r"regraded because example went from \w+ to \w+: class/a_v1\.py: 105 -> 100"
    assert re.search(why, told)
    fourth = run_pytest(tmp_path, *again)
    assert re.search(r"example went from \w+ to None", " ".join(fourth.out.split()))


# -- plugins that do wrong ------------------------------------------------------------------------

BAD = """
    import pytest
    from pytest_backprop.extension import (
        CheckResult, CheckRules, ExtraCheck, Finding, Submission, Unit,
    )

    def result(id="x", fraction=1.0, **others):
        fields = dict(outcome="passed", message="m", basis="observed") | others
        return CheckResult(id=id, fraction=fraction, **fields)

    def stop(case, rules):
        pytest.skip("not today")

    def quits(case, rules):
        raise SystemExit(3)

    def pytest_backprop_checks(config):
        checks = {
            "raises": lambda case, rules: 1 / 0,
            "gives-none": lambda case, rules: None,
            "gives-another": lambda case, rules: result("forward"),
            "gives-nan": lambda case, rules: result("gives-nan", float("nan")),
            "gives-two": lambda case, rules: result("gives-two", 2.0),
            "half-passed": lambda case, rules: result("half-passed", 0.5),
            "half-failed": lambda case, rules: result("half-failed", 0.5, outcome="failed"),
            "odd-details": lambda case, rules: result("odd-details", details={"x": object()}),
            "odd-text": lambda case, rules: result("odd-text", message="\\ud800"),
            "odd-outcome": lambda case, rules: result("odd-outcome", outcome="great"),
            "skips": stop,
            "quits": quits,
            "fine": lambda case, rules: result("fine"),
        }
        return [ExtraCheck(id, judge, CheckRules(points=1)) for id, judge in checks.items()]

    def pytest_backprop_loaders(config):
        return {".txt": lambda path, shown: 1 / 0, ".rst": lambda path, shown: "text",
                ".adoc": lambda path, shown: Submission(shown, "py", (Unit(" "),))}

    def spoil(document):
        document.submissions.clear()
        return "nothing left"

    def pytest_backprop_report_formats(config):
        return {"broken": lambda document: document.nothing, "bytes": lambda document: b"x",
                "spoils": spoil}
"""
BAD_CHECKS = {
    "raises": "the plugin bad failed: ZeroDivisionError: division by zero (bad.py, line",
    "gives-none": "gave no verdict: Expected `object`, got `null`",
    "gives-another": "gave no verdict: it is for the check 'forward'",
    "gives-nan": "gave no verdict: Expected `float`, got `null`",
    "gives-two": "gave no verdict: passed with a fraction of 2",
    "half-passed": "gave no verdict: passed with a fraction of 0.5",
    "half-failed": "gave no verdict: failed with a fraction of 0.5",
    "odd-details": "gave no verdict: Encoding objects of type object is unsupported",
    "odd-text": "gave no verdict: 'utf-8' codec can't encode",
    "odd-outcome": "gave no verdict: Invalid enum value 'great'",
    "skips": "the plugin bad failed: Skipped: not today",
    "quits": "the plugin bad failed: SystemExit: 3",
}


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("bad")
    files: dict[str, str | bytes] = {
        "a_v1.py": RIGHT,
        "b_v1.txt": "x",
        "c_v1.rst": "x",
        "d_v1.adoc": "x",
    }
    formats = ("broken", "bytes", "spoils")
    words = [f"--backprop-report={name}:out.{name}" for name in formats]
    return grade_folder(folder, files, *words, "--backprop-report=html:pages", bad=BAD)


@pytest.mark.parametrize("check", BAD_CHECKS)
def test_a_check_that_fails_is_not_judged_and_says_whose_it_is(bad: Run, check: str) -> None:
    entry = bad.check("a_v1.py", check)
    assert (entry["outcome"], entry["score"], entry["max_score"]) == ("not_judged", 0, 1)
    assert BAD_CHECKS[check] in entry["message"]
    assert "the plugin bad " in entry["message"]


def test_the_other_checks_are_judged(bad: Run) -> None:
    assert bad.check("a_v1.py", "fine")["score"] == 1
    assert bad.by_name["a_v1.py"]["score"] == 101
    assert "gives-none" in (bad.folder / "pages/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("b_v1.txt", "grader_error", "the plugin bad failed: ZeroDivisionError"),
        ("c_v1.rst", "grader_error", "the plugin bad gave no submission: Expected `object`"),
        ("d_v1.adoc", "unreadable", "there is no class in the submission"),
    ],
)
def test_a_loader_that_fails_is_no_fault_of_the_students(
    bad: Run, name: str, status: str, message: str
) -> None:
    entry = bad.by_name[name]
    assert entry["status"] == status
    assert message in entry["message"]


def test_a_renderer_that_fails_loses_its_own_report_alone(bad: Run) -> None:
    assert bad.code == pytest.ExitCode.USAGE_ERROR
    told = " ".join(bad.out.split())
    assert "ERROR: plugin bad: the report broken failed: AttributeError" in told
    assert "plugin bad: the report bytes failed: TypeError: it gave a bytes" in told
    assert not (bad.folder / "out.broken").exists()
    assert (bad.folder / "out.spoils").read_text() == "nothing left"
    assert len(bad.report["submissions"]) == 4


# -- what is refused before anything runs ---------------------------------------------------------

IMPORTS = """
from msgspec.structs import replace
from pytest_backprop.extension import FORWARD_BACKWARD, CheckRules, ExtraCheck as Check
def judge(*arguments): pass
def Kind(name, **changed): return replace(FORWARD_BACKWARD, name=name, **changed)
"""
REFUSED = {
    "loaders": [
        ("{'.py': judge}", "the suffix '.py' is pytest-backprop's already"),
        ("{'md': judge}", "'md' is no name of a suffix"),
        ("{'.MD': judge}", "'.MD' is no name of a suffix"),
        ("['.md']", "pytest_backprop_loaders failed: AttributeError: 'list' object"),
        ("1 / 0", "pytest_backprop_loaders failed: ZeroDivisionError: division by zero (bad.py"),
    ],
    "checks": [
        ("[Check('forward', judge)]", "the check 'forward' is pytest-backprop's already"),
        ("[Check('x', judge), Check('x', judge)]", "the check 'x' is bad's already"),
        ("[Check('My Check', judge)]", "'My Check' is no name of a check"),
        ("[judge]", "pytest_backprop_checks failed: AttributeError: 'function' object"),
        ("3", "pytest_backprop_checks failed: TypeError: 'int' object is not iterable"),
        (
            "[Check('x', judge, CheckRules(points=-1))]",
            "the rules of the check x: Expected `float` >= 0.0 - at `$.points`",
        ),
        (
            "[Check('x', judge, CheckRules(points=1, credit='half'))]",
            "the rules of the check x: Invalid enum value 'half' - at `$.credit`",
        ),
        ("[Check('x', judge, 5)]", "pytest_backprop_checks failed: TypeError"),
    ],
    "report_formats": [
        ("{'json': judge}", "the report format 'json' is pytest-backprop's already"),
        ("{'C': judge}", "'C' is no name of a report format"),
    ],
    "exercises": [
        ("[Kind('forward-backward')]", "'forward-backward' is pytest-backprop's already"),
        (
            "[Kind('x', rules={'gradient': CheckRules(points=2e6)})]",
            "the rules of the check gradient: ",
        ),
        ("[Kind('x', rules={'nowhere': CheckRules(points=1)})]", "unknown check 'nowhere'"),
        ("[Kind('x', load_bank=lambda folder: 1 / 0)]", "load_bank of x failed: ZeroDivisionError"),
        ("[]", "there is no kind of exercise 'x'"),
    ],
}


@pytest.mark.parametrize(
    ("hook", "answer", "told"), [(hook, *case) for hook, cases in REFUSED.items() for case in cases]
)
def test_an_answer_that_cannot_be_used_is_a_usage_error_with_the_plugins_name(
    pytester: pytest.Pytester, hook: str, answer: str, told: str
) -> None:
    lay_out(pytester.path, bank() | {"class/a_v1.py": RIGHT})
    pytester.makepyfile(
        bad=f"{IMPORTS}\ndef pytest_backprop_{hook}(config):\n    return {answer}\n"
    )
    pytester.syspathinsert()
    kind = ["--backprop-kind=x"] if hook == "exercises" else []
    result = pytester.runpytest_inprocess("-p", "bad", "--backprop", "class/a_v1.py", *kind)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = " ".join((result.stdout.str() + result.stderr.str()).split())
    assert told in said
    assert "plugin bad: " in said or answer == "[]"
    assert "Traceback" not in said


class Clashing:
    """A plugin that is an object, registered without a name."""

    def pytest_backprop_loaders(self) -> dict[str, extension.Loader]:
        return {".py": lambda path, shown: extension.Submission(shown, "py", ())}


class OneFile:
    """Variants that lie in one file."""

    def pytest_backprop_exercises(self) -> list[extension.Exercise]:
        def load_bank(folder: Path) -> extension.Bank:
            text = (folder / "all.txt").read_text(encoding="utf-8")
            return extension.Bank(folder, {"v1": parse_variant(text)})

        homework = extension.FORWARD_BACKWARD
        return [replace(homework, name="one-file", load_bank=load_bank)]


def test_a_kind_reads_its_own_bank(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    config.pluginmanager.register(OneFile())
    (pytester.path / "all.txt").write_text(
        "def v1():\n  return w0 * x1 + w1 * x2 * x3\n", encoding="utf-8"
    )
    added = Contributions(config)
    kind = added.exercise("one-file")
    assert added.bank(kind, pytester.path).names == ("v1",)
    assert added.rubric(kind).rules == default_rubric().rules
    assert list(added.versions) == ["OneFile"]
    assert added.suffixes == (".py", ".ipynb")


def test_an_object_is_told_by_its_type(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    config.pluginmanager.register(Clashing())
    with pytest.raises(UsageProblem, match=r"plugin Clashing: the suffix .\.py. is"):
        Contributions(config)

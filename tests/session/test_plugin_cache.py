"""`--backprop-cache`: the report of a run that graded all, from grades of other runs; through real pytest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from plugin_samples import (
    CLOSE,
    RIGHT,
    WRONG,
    Run,
    bank,
    grade_folder,
    lay_out,
    run_pytest,
    timeless,
)
from test_plugin_resume import COUNT, log_of

CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_empty_v1.py": "",
    "d_close_v1.py": CLOSE,
}
CACHE = "--backprop-cache=../grades"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that fills the cache; in a folder of its own, as all that follow are."""
    folder = tmp_path_factory.mktemp("cache") / "first"
    return grade_folder(folder, CLASS, CACHE, counting=COUNT)


def again(first: Run, name: str, *words: str, **changed: str) -> Run:
    """The class in another folder, with another report, and the same cache."""
    folder = first.folder.parent / name
    lay_out(folder, bank())
    lay_out(folder / "class", CLASS | changed)
    shutil.copytree(first.folder / "plugins", folder / "plugins")
    (folder / "log.txt").touch()
    plugin = ("-p", "counting")
    return run_pytest(
        folder, "--backprop", "class", "--backprop-report=json:report.json", *plugin, *words
    )


def told_of_the_cache(run: Run) -> str:
    """What the terminal says, with the folder as it was given."""
    text = " ".join(run.section("backprop"))
    return text.replace(str(run.folder.parent), "..")


def sources(run: Run) -> dict[str, str | None]:
    return {Path(entry["path"]).name: entry["taken_from"] for entry in run.report["submissions"]}


def test_a_run_that_finds_nothing_grades_all(first: Run) -> None:
    assert sources(first) == dict.fromkeys(CLASS)
    assert log_of(first.folder, "grading") == sorted(CLASS)


@pytest.mark.parametrize("words", ["", pytest.param("-n2", marks=pytest.mark.long)])
def test_the_second_run_grades_nothing_and_reports_the_same(first: Run, words: str) -> None:
    second = again(first, f"second{words}", CACHE, "--backprop-report=html:pages", *words.split())
    # a page draws what the first run did not
    assert sources(second)["c_empty_v1.py"] == "cache"
    third = again(first, f"third{words}", CACHE, "--backprop-report=html:pages", *words.split())
    assert log_of(third.folder, "grading") == []
    assert log_of(third.folder, "hook") == sorted(CLASS)
    assert sources(third) == dict.fromkeys(CLASS, "cache")
    assert timeless(third) == timeless(first)
    assert "4 grades were taken from the cache ../grades" in told_of_the_cache(third)
    assert (third.folder / "pages/index.html").read_text("utf-8").count("graded before") == 4


def test_what_changed_is_graded_again(first: Run) -> None:
    run = again(first, "changed", CACHE, **{"d_close_v1.py": RIGHT})
    assert log_of(run.folder, "grading") == ["d_close_v1.py"]
    assert sources(run)["d_close_v1.py"] is None
    assert run.by_name["d_close_v1.py"]["score"] == 100


@pytest.mark.long
def test_another_setting_or_no_cache_grades_all(first: Run) -> None:
    for name, words in (("seed", (CACHE, "--backprop-seed=3")), ("none", ())):
        run = again(first, name, *words)
        assert log_of(run.folder, "grading") == sorted(CLASS)


@pytest.mark.long
def test_the_journal_goes_before_the_cache(first: Run) -> None:
    run = again(first, "journal", CACHE)
    (run.folder / "log.txt").write_text("")
    resumed = run_pytest(
        run.folder, "--backprop", "class", "--backprop-report=json:report.json", CACHE,
        "--backprop-resume", "-p", "counting",
    )  # fmt: skip
    assert log_of(run.folder, "grading") == []
    assert sources(resumed) == dict.fromkeys(CLASS, "journal")


def test_a_folder_that_everybody_writes_to_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades").chmod(0o777)
    run = grade_folder(tmp_path / "class", {"a_v1.py": RIGHT}, CACHE)
    assert run.code == pytest.ExitCode.USAGE_ERROR
    assert "everybody may write to the cache" in run.out + run.err

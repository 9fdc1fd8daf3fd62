"""Grades in Russian: on the terminal, in reports, from children in their sandbox, on two workers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from plugin_samples import ENDLESS, RIGHT, TWO_CLASSES, WRONG, Run, grade_folder, timeless

WASTED = RIGHT.replace("        y = a", "        t5 = a * 2\n        del t5\n        y = a")
LATE = RIGHT.replace(
    "        dw1 = a * x2\n        del a\n",
    "        dw1 = (\n            a\n            * x2\n        )\n",
)
HOSTILE = "{0.__class__} {score}"
CACHED = RIGHT.replace("        del a\n", "").replace(
    "        b = w1", f"        self.cache = {{{HOSTILE!r}: a}}\n        b = w1"
)
"""A value is held under a name with places of its own in it."""
CLASS: dict[str, str | bytes] = {
    "a_right_v1.py": RIGHT,
    "b_wrong_v1.py": WRONG,
    "c_syntax_v1.py": RIGHT.replace("def forward(self, x1, x2, x3):", "def forward(self"),
    "d_two_v1.py": TWO_CLASSES,
    "e_wasted_v1.py": WASTED,
    "f_late_v1.py": LATE,
    "g_cached_v1.py": CACHED,
    "h_endless_v1.py": ENDLESS,
    "i_empty_v1.py": "",
}
ROSTER = f"student,submission,variant\nАнна {HOSTILE},nobody_v1.py,v1\nБорис,b_wrong_v1.py,v1\n"
CYRILLIC = re.compile("[а-яё]", re.I)


def graded(folder: Path, *arguments: str) -> Run:
    (folder / "roster.csv").write_text(ROSTER, encoding="utf-8")
    return grade_folder(
        folder,
        CLASS,
        "--backprop-roster=roster.csv",
        "--backprop-timeout=1",
        "--backprop-points=256",
        "--backprop-report=html:pages",
        *arguments,
    )


@pytest.fixture(scope="module")
def english(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("en"))


@pytest.fixture(scope="module")
def russian(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(tmp_path_factory.mktemp("ru"), "--backprop-lang=ru")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return graded(
        tmp_path_factory.mktemp("two"), "--backprop-lang=ru", "--backprop-executor=local:2"
    )


def finding(run: Run, name: str, id: str, kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(f for f in run.check(name, id)["findings"] if f["kind"] == kind)
    return found


def test_the_report_says_its_language(english: Run, russian: Run) -> None:
    assert [run.report["settings"]["lang"] for run in (english, russian)] == ["en", "ru"]


def test_children_were_in_their_sandbox(russian: Run) -> None:
    assert "backprop: песочница landlock-" in russian.out


def test_a_late_value_says_after_which_line_to_drop_it(english: Run, russian: Run) -> None:
    line = LATE.split("\n").index("            * x2") + 2  # the closing parenthesis
    told = finding(english, "f_late_v1.py", "release", "late-release")
    assert (told["message"], told["hint"]) == (
        "`a` is kept after its last use",
        f"drop it right after line {line}: `a = None`",
    )
    assert told["line"] == line - 3
    told = finding(russian, "f_late_v1.py", "release", "late-release")
    assert (told["message"], told["hint"]) == (
        "`a` хранится и после последнего использования",
        f"освободите сразу после строки {line}: `a = None`",
    )


def test_an_unused_node_says_which_results_it_never_reaches(english: Run, russian: Run) -> None:
    told = finding(english, "e_wasted_v1.py", "unused-nodes", "unused-node")
    assert told["message"] == (
        "`t5` is computed but reaches neither y nor the gradient of w0 or w1"
    )
    told = finding(russian, "e_wasted_v1.py", "unused-nodes", "unused-node")
    assert told["message"] == "`t5` вычисляется, но не влияет ни на y, ни на градиент по w0 или w1"


def test_an_unreadable_submission_is_told_by_its_child(russian: Run) -> None:
    told = russian.by_name["c_syntax_v1.py"]
    line = RIGHT.split("\n").index("    def forward(self, x1, x2, x3):") + 1
    assert told["status"] == "unreadable"
    assert told["message"].startswith(f"строка {line}: это не код на Python: ")
    (found,) = told["checks"][0]["findings"]
    assert found["kind"] == "syntax-error"
    assert found["hint"] == "исправьте эту строку и перед сдачей запустите файл"


def test_a_note_is_made_in_the_child(russian: Run) -> None:
    notes = russian.by_name["d_two_v1.py"]["notes"]
    assert any(
        note.startswith("и forward, и ручной проход есть в каждом из классов `Net` и `Other`;")
        for note in notes
    ), notes


def test_statuses_are_told(russian: Run) -> None:
    assert russian.by_name["h_endless_v1.py"]["status"] == "timeout"
    assert (
        russian.by_name["h_endless_v1.py"]["message"]
        == "решение не доработало до конца: остановлено через 1 с"
    )
    assert russian.by_name["i_empty_v1.py"]["message"] == "class/i_empty_v1.py: файл пуст"
    text = "\n".join(russian.section("backprop"))
    assert "    превышено время: решение не доработало до конца: остановлено через 1 с\n" in text
    assert "    не читается: class/i_empty_v1.py: файл пуст\n" in text


def test_the_terminal_is_in_russian(russian: Run) -> None:
    table = russian.section("backprop")
    assert table[0].split() == ["решение", "студент", "вариант", "баллы"]
    assert any(line.startswith("проверено 9 из 9, среднее ") for line in table)
    assert "отчёт: report.json" in table
    failures = russian.section("FAILURES")
    assert "release: оценка 18 из 20" in failures
    assert any(line.strip().startswith("подсказка: ") for line in failures)
    assert any(line.startswith("  строка ") for line in failures)
    assert [line for line in table + failures if "hint: " in line] == []
    assert all(len(line) <= 80 for line in table)


def test_pages_are_in_russian(russian: Run) -> None:
    page = (russian.folder / "pages/index.html").read_text(encoding="utf-8")
    assert '<html lang="ru">' in page
    assert "<title>Оценки группы</title>" in page


def test_names_are_not_interpreted(english: Run, russian: Run) -> None:
    for run in (english, russian):
        told = finding(run, "g_cached_v1.py", "release", "late-release")
        assert f"`self.cache['{HOSTILE}']`" in told["message"]
        assert f"Анна {HOSTILE}" in "\n".join(run.section("backprop"))
    assert f"нет решения: Анна {HOSTILE} (nobody_v1.py, v1)" in russian.section("backprop")


def test_only_words_differ_between_languages(english: Run, russian: Run) -> None:
    assert wordless(english.report) == wordless(russian.report)


@pytest.mark.long
@pytest.mark.long
def test_two_workers_tell_what_one_does(russian: Run, shared: Run) -> None:
    assert shared.code == russian.code == pytest.ExitCode.TESTS_FAILED
    assert timeless(shared) == timeless(russian)
    assert sorted(shared.section("backprop")) == sorted(russian.section("backprop"))


def wordless(value: Any) -> Any:
    """A report without its texts and times."""
    told = ("message", "hint", "fix", "mistake", "notes", "seconds", "lang", "peak_memory")
    if isinstance(value, dict):
        return {key: wordless(item) for key, item in value.items() if key not in told}
    return [wordless(item) for item in value] if isinstance(value, list) else value


@pytest.mark.long
def test_the_journal_of_another_language_is_not_taken(tmp_path: Path) -> None:
    """Its texts would be in that language: everything is graded again, and the reason is told."""
    files = {"b_wrong_v1.py": WRONG}
    grade_folder(tmp_path, files)
    run = grade_folder(tmp_path, files, "--backprop-resume", "--backprop-lang=ru")
    assert "хранится" in json.dumps(run.report, ensure_ascii=False)
    told = " ".join(run.out.split())
    assert "проверено заново, причина: настройка lang: было en, стало ru:" in told

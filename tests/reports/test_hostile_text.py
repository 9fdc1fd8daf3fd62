"""No text of a submission acts on whoever reads its grade: on the terminal, and in every format."""

from __future__ import annotations

import re

import pytest
from attack_class import Class, Listeners, attacks
from hostile import HOSTILE, harmful, hostile_document
from plugin_samples import Run
from report_checks import check, grade
from report_documents import of

from pytest_backprop.model import Finding, Place
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.entries import check_entry, hinted
from pytest_backprop.reports.terminal import failure_lines, summary_lines

COLOUR = re.compile("\x1b\\[[0-9;]*m")
LARGEST = 3 * 10**6
"""Characters of a report on one submission, however much it says: findings and texts are cut."""


@pytest.mark.parametrize("name", RENDERERS)
@pytest.mark.parametrize("times", [1, 10_000], ids=["once", "megabytes"])
def test_a_report_is_text_that_does_nothing(name: str, times: int) -> None:
    text = RENDERERS[name](hostile_document(HOSTILE * times))
    assert harmful(text) == []
    assert len(text) < LARGEST
    assert text.encode("utf-8").decode("utf-8") == text


def test_the_terminal_shows_text_that_does_nothing() -> None:
    place = Place(path=HOSTILE, line=1, column=3, cell=None, source=HOSTILE * 1000)
    finding = Finding(kind="x", message=HOSTILE * 1000, place=place, name=HOSTILE, hint=HOSTILE)
    bad = check("release", 0.0, message=HOSTILE * 1000, findings=(finding,) * 50)
    lines = failure_lines(hinted(check_entry(bad), "line"))
    lines += [line for line, _ in summary_lines(of(grade(HOSTILE, bad, message=HOSTILE)), 80)]
    assert lines
    assert harmful("\n".join(lines)) == []
    assert len("\n".join(lines)) < 100_000


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x9b", "\u202e", "\u2066", "\ud800", "\r"])
def test_what_is_harmful_is_seen(character: str) -> None:
    assert harmful(f"a{character}b") == [ascii(character)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A class that consists of talk, with colour and every hint."""
    folder = tmp_path_factory.mktemp("talk")
    links = Listeners()
    try:
        made = Class(folder / "root", folder / "home", folder / "outside", links)
        made.fill([case for case in attacks() if case.path.stem.startswith("text_")])
        return made.grade("--color=yes", "--tb=long", "-rA", "--showlocals")
    finally:
        links.close()


def test_what_is_printed_in_a_run_does_nothing(run: Run) -> None:
    assert harmful(COLOUR.sub("", run.out)) == []
    assert harmful(run.err) == []
    assert not [line for line in run.out.split("\n") if line.startswith(("Grade :=>>", "::error"))]
    assert len(run.out) < 200_000


def test_the_report_of_a_run_does_nothing(run: Run) -> None:
    text = (run.folder / "report.json").read_text(encoding="utf-8")
    assert run.report["summary"]["submissions"] > 20
    assert harmful(text) == []
    assert len(text) < 2_000_000

"""The page of a large class in Chromium: when it is painted, and how long sorting and filtering take.

    python benchmarks/class_page.py [submissions ...]

For each size (100, 1,000 and 10,000 by default) the class page of a report of the example class, over and over, is
opened from its folder in a fresh window, three times; medians in milliseconds of the wall clock. *First paint* counts
from the start of navigation, *ready* to the end of our script and the first frame after it; *sort* and *filter* count
from the event to the first frame that is painted after it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path
from typing import Any

import reports
from playwright.sync_api import Browser, sync_playwright

from pytest_backprop.reports.entries import drawings_of
from pytest_backprop.reports.folder import write_folder
from pytest_backprop.reports.html_report import files

SIZES = (100, 1_000, 10_000)
ROUNDS = 3
NAMES = ("chromium", "chromium-browser", "google-chrome")
PAINT = """() => new Promise((done) => {
  const told = () => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    if (!paint || document.getElementById("filters").hidden) return setTimeout(told, 5);
    requestAnimationFrame(() => setTimeout(() => done([paint.startTime, performance.now()])));
  };
  told();
})"""
UNTIL_PAINTED = """([what, value]) => new Promise((done) => {
  const start = performance.now();
  const column = {name: 0, score: 1}[what];
  if (column !== undefined) document.querySelectorAll("#class thead button")[column].click();
  else {
    const field = document.getElementById(`filter-${what}`);
    field.value = value;
    field.dispatchEvent(new Event("input", {bubbles: true}));
  }
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
ACTIONS = (
    ("sort by score", "score", ""),
    ("sort by name", "name", ""),
    ("filter by name", "text", "student 1"),
    ("all again", "text", ""),
    ("filter by check", "check", "gradient"),
)


def visit(browser: Browser, page_file: Path, submissions: int) -> dict[str, float]:
    """Milliseconds of each action, on a page that was just opened."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(page_file.as_uri(), wait_until="commit")
    took: dict[str, float] = {}
    took["first paint"], took["ready"] = page.evaluate(PAINT)
    for name, what, value in ACTIONS:
        took[name] = page.evaluate(UNTIL_PAINTED, [what, value])
        check(page, name, submissions)
    page.close()
    return took


def check(page: Any, name: str, submissions: int) -> None:
    """The action had its effect: the order, and what is shown."""
    rows = "[...document.querySelectorAll('#class tbody tr')]"
    shown = page.evaluate(f"{rows}.filter((row) => !row.hidden).length")
    if name.startswith("sort"):
        column = (
            "Number(row.cells[1].dataset.value)" if "score" in name else "row.cells[0].textContent"
        )
        keys = page.evaluate(f"{rows}.map((row) => {column})")
        assert keys == sorted(keys, reverse="score" in name), name
    if "filter" in name:
        assert 0 < shown < submissions, name
    else:
        assert shown == submissions, name


def main(sizes: Iterable[int]) -> None:
    """Prints a row for each size."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        raise SystemExit("there is no Chromium here: install it, as .ci/run does")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    some = reports.graded()
    heads = ("first paint", "ready", *(name for name, _, _ in ACTIONS))
    print(f"{'rows':>7} {'page':>9}  " + "  ".join(heads))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        print(f"# Chromium {browser.version}, medians of {ROUNDS}", file=sys.stderr)
        for submissions in sizes:
            target = Path(folder, str(submissions))
            grades = reports.class_of(some, submissions)
            made = files(reports.document_of(grades), drawings_of(grades))
            # the pages of the students come last
            write_folder(target, takewhile(lambda file: not file[0].startswith("students/"), made))
            index = target / "index.html"
            taken = [visit(browser, index, submissions) for _ in range(ROUNDS)]
            cells = [
                f"{statistics.median(each[name] for each in taken):{len(name)}.0f}"
                for name in heads
            ]
            print(
                f"{submissions:7} {index.stat().st_size / 1e6:6.2f} MB  " + "  ".join(cells),
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)

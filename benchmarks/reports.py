"""Seconds and bytes of the reports of a large class: the example class, over and over.

    OPENBLAS_NUM_THREADS=1 python benchmarks/reports.py [submissions ...]

For each size (1,000, 3,000 and 10,000 by default), after the grades and the document that all formats share:
processor seconds that a format takes, its size, and the most memory that the process had beside what it had
before. Each is written in a process of its own, forked from the one that has the grades. With
OPENBLAS_NUM_THREADS=1, else threads that wait for each other are counted, too.
"""

from __future__ import annotations

import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import psutil
from msgspec.structs import replace

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.likeness.comparison import compare
from pytest_backprop.model import Grade
from pytest_backprop.reports import FOLDERS, RENDERERS, SINGLE
from pytest_backprop.reports.document import Document, ToolInfo
from pytest_backprop.reports.entries import apply_hints, document, drawings_of
from pytest_backprop.reports.writing import write_atomically, write_folder

ROOT = Path(__file__).parent.parent
SIZES = (1_000, 3_000, 10_000)
SETTINGS = {
    "seed": 0, "points": 4096, "rtol": 5e-5, "atol": 1e-7, "variant": None, "variants": "built-in",
    "roster": None, "rubric": None, "class_name": None, "timeout": 20.0, "memory_mb": 2048,
    "sandbox": "auto", "hints": "line", "lang": "en", "kind": "forward-backward",
}  # fmt: skip
TASKS = 30
"""Among which a class is spread: passes of one task are compared with each other."""


def graded() -> list[Grade]:
    """The example class, with drawings."""
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, 20.0, 2**31, drawing=True)
    grader = Grader(plan, default_rubric(), load_bank(ROOT / "variants"))
    paths = sorted(p for p in (ROOT / "examples/class").iterdir() if p.suffix in (".py", ".ipynb"))
    try:
        return [grader.grade(path, path.name) for path in paths]
    finally:
        grader.close()


def another(grade: Grade, number: int) -> Grade:
    """The same grade of another student, whose source is not the same: colours are cached."""
    drawing = grade.drawing
    if drawing is not None:
        fragments = tuple(
            replace(fragment, lines=(*fragment.lines, f"# {number}"))
            for fragment in drawing.fragments
        )
        drawing = replace(drawing, fragments=fragments)
    # half of what it calculates is as in the others, so that all are compared and few are alike
    chance = random.Random(number)
    traits = [
        replace(trait, value=own, way=own) if (own := chance.getrandbits(32)) % 2 else trait
        for trait in grade.traits
    ]
    student = f"Student {number * 7919 % 99_991:05}"
    return replace(
        grade, path=f"{number:05}-{grade.path}", drawing=drawing, student=student,
        student_id=f"s{number:05}", traits=tuple(traits), variant=grade.variant and f"v{number % TASKS + 1}",
    )  # fmt: skip


def class_of(some: list[Grade], submissions: int) -> dict[str, Grade]:
    """The grades as a run has them, in the order in which they were graded."""
    grades: dict[str, Grade] = {}
    for number in range(submissions):
        grade = another(some[number % len(some)], number)
        grades[grade.path] = grade
    return grades


def document_of(grades: dict[str, Grade]) -> Document:
    """The document as reports get it."""
    tool = ToolInfo("pytest-backprop", "0", None, "3")
    return apply_hints(
        document(grades.values(), SETTINGS, tool, 1.0, alike=compare(grades.values())), "line"
    )


def row(what: str, write: Callable[[], object], written: Callable[[], int]) -> None:
    """Prints what `write` takes in a fork of this process."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        before, start = psutil.Process().memory_info().rss, time.process_time()
        write()
        seconds = time.process_time() - start
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        size = written()
        size_told = f"{size / 1e6:9.2f} MB" if size else " " * 12
        print(
            f"{what:28} {seconds:8.2f} s {size_told} {(most - before) / 2**20:8.1f} MiB", flush=True
        )
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        raise SystemExit(f"{what} failed")


def main(sizes: Iterable[int]) -> None:
    """Prints a table for each size."""
    some = graded()
    for submissions in sizes:
        print(f"\n{submissions} submissions")
        grades = class_of(some, submissions)
        row("document", lambda: document_of(grades), lambda: 0)  # noqa: B023 -- called at once
        made = document_of(grades)
        with tempfile.TemporaryDirectory() as folder:
            for name in (*RENDERERS, *FOLDERS):
                if name in SINGLE:
                    continue
                target = Path(folder, name)
                row(name, writer(name, made, grades, target), lambda: size_of(target))  # noqa: B023


def writer(name: str, made: Document, grades: dict[str, Grade], target: Path) -> Callable[[], None]:
    """What writes one report."""
    if name in FOLDERS:
        return lambda: write_folder(target, FOLDERS[name](made, drawings_of(grades)))
    return lambda: write_atomically(target, RENDERERS[name](made))


def size_of(target: Path) -> int:
    """Bytes of a file, or of all files in a folder."""
    files = target.rglob("*") if target.is_dir() else [target]
    return sum(path.stat().st_size for path in files if path.is_file())


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or SIZES)

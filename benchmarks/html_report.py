"""Seconds and bytes of the HTML report of a large class: the example class, over and over.

python benchmarks/html_report.py [students]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import msgspec

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Grade
from pytest_backprop.reports.document import ToolInfo, document
from pytest_backprop.reports.drawings import Drawings
from pytest_backprop.reports.folder import write_folder
from pytest_backprop.reports.html_report import files

ROOT = Path(__file__).parent.parent
SETTINGS = {
    "seed": 0, "points": 4096, "rtol": 5e-5, "atol": 1e-7, "variant": None, "variants": "built-in",
    "roster": None, "rubric": None, "class_name": None, "timeout": 20.0, "memory_mb": 2048,
    "sandbox": "auto", "hints": "line",
}  # fmt: skip


def graded(drawing: bool) -> tuple[list[Grade], float]:
    """The example class, and the seconds that it took once torch was there."""
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, 20.0, 2**31, drawing=drawing)
    grader = Grader(plan, default_rubric(), load_bank(ROOT / "variants"), None)
    paths = sorted(p for p in (ROOT / "examples/class").iterdir() if p.suffix in (".py", ".ipynb"))
    try:
        for path in paths:
            grader.grade(path, path.name)
        start = time.perf_counter()
        grades = [grader.grade(path, path.name) for path in paths]
        return grades, time.perf_counter() - start
    finally:
        grader.close()


def another(grade: Grade, number: int) -> Grade:
    """The same grade of another student, whose source is not the same: colours are cached."""
    drawing = grade.drawing
    if drawing is not None:
        fragments = tuple(
            msgspec.structs.replace(fragment, lines=(*fragment.lines, f"# {number}"))
            for fragment in drawing.fragments
        )
        drawing = msgspec.structs.replace(drawing, fragments=fragments)
    return msgspec.structs.replace(grade, path=f"{number:04}-{grade.path}", drawing=drawing)


def main(students: int) -> None:
    """Prints what drawing costs while grading, and what writing the pages costs."""
    _, without = graded(drawing=False)
    some, seconds = graded(drawing=True)
    sizes = [len(msgspec.json.encode(grade.drawing)) for grade in some if grade.drawing]
    print(f"{len(some)} graded in {seconds:.3f} s with drawings, {without:.3f} s without")
    print(f"a drawing has {min(sizes):,} to {max(sizes):,} bytes as it travels")
    grades = [another(some[n % len(some)], n) for n in range(students)]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "report")
        start = time.perf_counter()
        made = document(grades, SETTINGS, ToolInfo("pytest-backprop", "0", None, "3"), 1.0)
        write_folder(target, files(made, Drawings({grade.path: grade for grade in grades})))
        seconds = time.perf_counter() - start
        written = [p.stat().st_size for p in target.rglob("*") if p.is_file()]
        index = (target / "index.html").stat().st_size
    print(f"{students} students: {seconds:.1f} s, {sum(written) / 1e6:.1f} MB in {len(written)} files, "
          f"class page {index / 1e6:.2f} MB")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

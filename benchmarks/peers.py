"""What does grading cost beside a fresh process, otter-grader and nbgrader? Ratios within one run.

    python benchmarks/peers.py --install    # once: an environment of its own for each peer
    python benchmarks/peers.py

Everyone grades the same class, copies of one notebook that differ in a comment, by the commands that
their users type, and the peers run the assignment's own ten-point test. A class of one is the cold
start, a larger class shows what one more costs. Making the assignment, handing in and reading the
grades are not timed. Before that each grades one right and one wrong copy: what does not give full
marks to the first and less to the second is left out, as is what does not install or run, and the
table says why.

By default the notebook ends with the class. `--whole` hands it in as it is, with the cells that
compile the model and export it: the peers run all of it.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbformat import NotebookNode
from speed import ROOT, SUBMISSION

from pytest_backprop.processes.sandbox import PR_SET_CHILD_SUBREAPER, prctl

ENVIRONMENTS = ROOT / "build" / "peers"
# matplotlib is for the notebook's `%matplotlib inline`, which a kernel obeys
PINNED = {
    "otter": ("otter-grader==7.0.0", "ipykernel==7.4.0", "matplotlib==3.11.2"),
    "nbgrader": ("nbgrader==0.9.6", "ipykernel==7.4.0", "matplotlib==3.11.2"),
}
RIGHT, WRONG = "dw1 = dc2 * 2 * c1", "dw1 = dc2 * 3 * c1"
SECONDS_AT_MOST = 600
ORPHANS_AT_MOST = 30  # seconds for what a command leaves behind to end


class Failure(Exception):
    """What a grader said instead of grading."""


class Cost(NamedTuple):
    """Seconds on the wall, and those of processors in all processes."""

    wall: float
    cpu: float


def processor_seconds() -> float:
    """Of all processes that have ended. One whose parent ended first (a kernel, our worker) is ours
    to wait for, as this process adopts it, and else would not be counted."""
    deadline = time.monotonic() + ORPHANS_AT_MOST
    while time.monotonic() < deadline:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.02)
        except ChildProcessError:
            usage = resource.getrusage(resource.RUSAGE_CHILDREN)
            return usage.ru_utime + usage.ru_stime
    raise Failure(f"a process still runs {ORPHANS_AT_MOST} s after the command that started it")


def run(command: Sequence[str | Path], folder: Path, fine: tuple[int, ...] = (0,)) -> int:
    """Ends with the exit code, if that is `fine`."""
    environment = {**os.environ, "IPYTHONDIR": str(folder / ".ipython")}
    # bytecode is kept, as it is for a user: each of these imports a thousand modules
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if (program := Path(command[0])).is_absolute():
        environment["PATH"] = f"{program.parent}{os.pathsep}{environment['PATH']}"
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS_AT_MOST,
    )  # fmt: skip
    if done.returncode not in fine:
        last = " / ".join(done.stdout.strip().splitlines()[-3:])
        raise Failure(f"{program.name} ended with {done.returncode}: {last}")
    return done.returncode


class Assignment:
    """The notebook, and its cells by what they are for."""

    def __init__(self, *, whole: bool) -> None:
        self.notebook = nbformat.read(SUBMISSION, as_version=4)
        places = {
            cell.source.split("(")[0]: place for place, cell in enumerate(self.notebook.cells)
        }
        self.solution_place = places["class Graph"]
        if not whole:
            del self.notebook.cells[self.solution_place + 1 :]
        self.test = self.notebook.cells[places["def test_model_class"]].source
        self.solution = self.notebook.cells[self.solution_place].source

    def solutions(self, count: int, *, wrong: bool) -> list[str]:
        """As many right ones, each a text of its own; and a wrong one behind them."""
        texts = [f"{self.solution}\n# {number}\n" for number in range(count)]
        if wrong:
            if RIGHT not in self.solution:
                raise SystemExit(f"{SUBMISSION} has no line {RIGHT!r} to make wrong")
            texts.append(self.solution.replace(RIGHT, WRONG))
        return texts

    def script(self, text: str) -> str:
        """What `speed.py` gives a fork, for a process."""
        head = "import torch\nfrom torch import nn\n"
        return f"{head}{text}\n{self.test}\ntest_model_class(Graph)\n"

    def with_solution(self, text: str) -> NotebookNode:
        notebook: NotebookNode = copy.deepcopy(self.notebook)
        notebook.cells[self.solution_place].source = text
        return notebook


class Grader:
    """One way to grade a class, in a folder of its own for each class."""

    name: str
    checks: str
    more = 2  # submissions beyond the first, in the larger class

    def prepare(self, assignment: Assignment, folder: Path) -> None:
        """Makes the assignment, once, in an empty folder; a class starts from a copy of it."""

    def hand_in(self, assignment: Assignment, folder: Path, texts: list[str]) -> None:
        (folder / "class").mkdir()
        for number, text in enumerate(texts):
            path = folder / "class" / f"student{number:02}.ipynb"
            nbformat.write(assignment.with_solution(text), path)

    def grade(self, folder: Path) -> None:
        """What is timed."""
        raise NotImplementedError

    def fractions(self, folder: Path) -> list[float]:
        """The part of all points that each has got, in the order in which they were handed in."""
        raise NotImplementedError


class Process(Grader):
    name = "a fresh process"
    checks = "the ten-point test, and nothing else"

    def hand_in(self, assignment: Assignment, folder: Path, texts: list[str]) -> None:
        for number, text in enumerate(texts):
            path = folder / f"student{number:02}.py"
            path.write_text(assignment.script(text), encoding="utf-8")

    def grade(self, folder: Path) -> None:
        codes = [
            run([sys.executable, path], folder, (0, 1)) for path in sorted(folder.glob("*.py"))
        ]
        (folder / "codes.json").write_text(json.dumps(codes))

    def fractions(self, folder: Path) -> list[float]:
        return [float(code == 0) for code in json.loads((folder / "codes.json").read_text())]


class Ours(Grader):
    name = "pytest-backprop"
    checks = (
        "value and gradients at 4,096 points against float64, tensors let go, unused nodes, "
        "no autograd in the manual pass; in a sandbox, with a report"
    )
    more = 24  # one more is so little that three more are lost in the noise of the start

    def grade(self, folder: Path) -> None:
        # pytest ends with 1 where a submission has not got full marks. hypothesis is a tool of our
        # tests, not of graders: its summary alone takes 0.7 s
        run([sys.executable, "-m", "pytest", "--backprop", "class", "--backprop-report",
             "json:grades.json", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"],
            folder, (0, 1))  # fmt: skip

    def fractions(self, folder: Path) -> list[float]:
        report = json.loads((folder / "grades.json").read_text(encoding="utf-8"))
        return [entry["score"] / entry["max_score"] for entry in report["submissions"]]


class Otter(Grader):
    name = "otter run"
    checks = "the ten-point test, after all cells ran in a kernel"
    program = ENVIRONMENTS / "otter" / "bin" / "otter"

    def prepare(self, assignment: Assignment, folder: Path) -> None:
        tests = folder / "tests"
        tests.mkdir()
        head = "import torch\nfrom otter.test_files import test_case\n\nOK_FORMAT = False\n"
        head += 'name = "graph"\npoints = 1\n\n\n'
        case = "\n\n@test_case(points=1)\ndef ten_points(Graph):\n    test_model_class(Graph)\n"
        (tests / "graph.py").write_text(head + assignment.test + "\n" + case, encoding="utf-8")
        run([self.program, "generate", "-t", "tests", "-o", "autograder.zip"], folder)

    def grade(self, folder: Path) -> None:
        for path in sorted((folder / "class").glob("*.ipynb")):
            (folder / "grades" / path.stem).mkdir(parents=True)
            run([self.program, "run", path.relative_to(folder), "-a", "autograder.zip", "-o",
                 Path("grades", path.stem)], folder)  # fmt: skip

    def fractions(self, folder: Path) -> list[float]:
        fractions = []
        for path in sorted(folder.glob("grades/*/results.json")):
            tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
            points = [(test["score"], test["max_score"]) for test in tests if "score" in test]
            got, most = map(sum, zip(*points, strict=True))
            fractions.append(got / most)
        return fractions


class Nbgrader(Grader):
    name = "nbgrader autograde"
    checks = "the ten-point test in a hidden cell, after all cells ran in a kernel; a gradebook"
    program = ENVIRONMENTS / "nbgrader" / "bin" / "nbgrader"

    def prepare(self, assignment: Assignment, folder: Path) -> None:
        run([self.program, "quickstart", "course"], folder)
        source = copy.deepcopy(assignment.notebook)
        del source.cells[assignment.solution_place + 1 :]
        test = f"### BEGIN HIDDEN TESTS\n{assignment.test}\ntest_model_class(Graph)\n### END HIDDEN TESTS"
        cell = nbformat.v4.new_code_cell(test)
        cell.id = "ten-points"
        source.cells.append(cell)
        role = {"schema_version": 3, "task": False, "cell_type": "code"}
        source.cells[assignment.solution_place].metadata["nbgrader"] = {
            **role, "grade": False, "grade_id": "graph", "locked": False, "solution": True,
        }  # fmt: skip
        cell.metadata["nbgrader"] = {
            **role, "grade": True, "grade_id": "ten-points", "locked": True, "points": 1,
            "solution": False,
        }  # fmt: skip
        (folder / "course" / "source" / "homework").mkdir()
        nbformat.write(source, folder / "course" / "source" / "homework" / "graph.ipynb")
        run([self.program, "generate_assignment", "homework"], folder / "course")

    def hand_in(self, assignment: Assignment, folder: Path, texts: list[str]) -> None:
        released = folder / "course" / "release" / "homework" / "graph.ipynb"
        behind = assignment.notebook.cells[assignment.solution_place + 1 :]
        for number, text in enumerate(texts):
            notebook = nbformat.read(released, as_version=4)
            # nbgrader puts cells of its own before the first
            solution = next(
                cell
                for cell in notebook.cells
                if cell.metadata.get("nbgrader", {}).get("grade_id") == "graph"
            )
            solution.source = text
            notebook.cells += copy.deepcopy(behind)
            path = folder / "course" / "submitted" / f"student{number:02}" / "homework"
            path.mkdir(parents=True)
            nbformat.write(notebook, path / "graph.ipynb")

    def grade(self, folder: Path) -> None:
        run([self.program, "autograde", "homework"], folder / "course")

    def fractions(self, folder: Path) -> list[float]:
        run([self.program, "export", "--to", "grades.csv"], folder / "course")
        with (folder / "course" / "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = sorted(csv.DictReader(file), key=lambda row: row["student_id"])
        return [
            float(row["score"]) / float(row["max_score"])
            for row in rows
            if row["assignment"] == "homework"
        ]


def graded(grader: Grader, assignment: Assignment, start: Path, count: int, *, wrong: bool) -> Cost:
    """What a class costs. Fails where the right ones have not full marks, or the wrong one has."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = shutil.copytree(start, Path(scratch, "room"))
        grader.hand_in(assignment, folder, assignment.solutions(count, wrong=wrong))
        before, begun = processor_seconds(), time.perf_counter()
        grader.grade(folder)
        wall = time.perf_counter() - begun
        cost = Cost(wall, processor_seconds() - before)
        fractions = grader.fractions(folder)
    print(
        f"{grader.name}, {count + wrong}: {cost.wall:.2f} s, CPU {cost.cpu:.2f} s", file=sys.stderr
    )
    if fractions[:count] != [1.0] * count or len(fractions) != count + wrong:
        raise Failure(f"not full marks for {count} right submissions: {fractions}")
    if wrong and fractions[count] >= 1:
        raise Failure(f"full marks for a wrong gradient: {fractions}")
    return cost


def install() -> None:
    """An environment for each peer. torch and all else that the project has are shared with it: a
    path file puts them behind the peer's own packages."""
    for name, packages in PINNED.items():
        folder = ENVIRONMENTS / name
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        site = next(folder.glob("lib/python*/site-packages"))
        (site / "project.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        done = subprocess.run(
            [folder / "bin" / "python", "-m", "pip", "install", "-q", *packages],
            text=True, stderr=subprocess.PIPE,
        )  # fmt: skip
        error = "" if done.returncode == 0 else done.stderr.strip()
        print(f"{name}: {error or 'installed'}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Grading beside other graders, in one run")
    parser.add_argument("--install", action="store_true", help="make the peers' environments")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--whole", action="store_true", help="the notebook with its last cells")
    options = parser.parse_args()
    if options.install:
        install()
        return

    prctl(PR_SET_CHILD_SUBREAPER, 1)
    assignment = Assignment(whole=options.whole)
    costs: dict[Grader, list[tuple[Cost, Cost]]] = {}
    failed: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        graders = [Process(), Ours(), Otter(), Nbgrader()]
        starts = {grader: Path(scratch, str(place)) for place, grader in enumerate(graders)}
        for number in range(options.rounds + 1):
            for grader, start in starts.items():
                if grader.name in failed:
                    continue
                try:
                    if number == 0:  # not counted: is the test run at all?
                        start.mkdir()
                        grader.prepare(assignment, start)
                        graded(grader, assignment, start, 1, wrong=True)
                        costs[grader] = []
                        continue
                    one = graded(grader, assignment, start, 1, wrong=False)
                    all_of_them = graded(grader, assignment, start, 1 + grader.more, wrong=False)
                    pairs = zip(all_of_them, one, strict=True)
                    costs[grader].append((one, Cost(*((a - b) / grader.more for a, b in pairs))))
                except (Failure, OSError, subprocess.TimeoutExpired) as error:
                    failed[grader.name] = f"{type(error).__name__}: {error}"
                    costs.pop(grader, None)
    table(costs, failed)


def table(costs: dict[Grader, list[tuple[Cost, Cost]]], failed: dict[str, str]) -> None:
    """Seconds on the wall and of processors, and the ratio of each to a fresh process."""
    medians = {
        grader.name: [
            statistics.median(values)
            for values in zip(*([*one, *further] for one, further in rounds), strict=True)
        ]
        for grader, rounds in costs.items()
    }
    base = medians[Process.name]
    print(f"{'':20}{'one, from a cold start':^36}{'one more':^36}")
    print(f"{'':20}" + f"{'wall':>9}{'ratio':>7}{'CPU':>11}{'ratio':>7}  " * 2)
    for name, values in medians.items():
        cells = (
            f"{1e3 * value:6.0f} ms{value / against:7.2f}  "
            for value, against in zip(values, base, strict=True)
        )
        print(f"{name:20}" + "".join(cells))
    for name, error in failed.items():
        print(f"{name:20}not measured: {error}")
    for grader in costs:
        print(f"{grader.name} checks {grader.checks}")


if __name__ == "__main__":
    main()

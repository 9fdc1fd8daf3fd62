"""Makes submissions of many variants, grades them, and counts. One variant is one task."""

from __future__ import annotations

import multiprocessing
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from faults import FAULTS, NoPlace
from grading import assignment_says, grade_made, grader_for
from made_variants import make_variant
from submissions import Discarded, Made, make_submission
from tapes import make_tape

from pytest_backprop.errors import UsageProblem


class Task(NamedTuple):
    """Submissions of one variant."""

    seed: int
    right: int
    faulty: int


class Row(NamedTuple):
    """One submission that was graded. `text` is there when something is amiss."""

    variant: int
    seed: int
    kind: str
    problems: tuple[str, ...]
    counted: bool
    unused: tuple[int, int, int]
    late: tuple[int, int, int]
    assignment: str
    text: str
    file: str


class Part(NamedTuple):
    """What became of a task. `left_out` counts what was made and not graded, by reason."""

    rows: list[Row]
    left_out: Counter[str]
    broken: list[str]
    """Failures of the generator itself."""


KNOWN: tuple[tuple[str, str], ...] = ()
"""Faults of the grader that this found and that are not mended yet: a pattern of the problem, with
or without the kind before it, and what it is. An entry goes when the grader is mended."""


def run_task(task: Task) -> Part:
    """Makes, grades and compares the submissions of one variant."""
    torch.set_num_threads(1)
    variant = make_variant(task.seed)
    left_out: Counter[str] = Counter()
    rows: list[Row] = []
    broken: list[str] = []
    try:
        grader = grader_for(variant.text)
    except UsageProblem as problem:
        left_out[f"variant refused: {problem.message.split(': ', 1)[-1][:60]}"] += 1
        return Part(rows, left_out, broken)
    random = Random(f"kinds:{task.seed}")
    with tempfile.TemporaryDirectory() as folder:
        plan = [("right", task.right), ("faulty", task.faulty)]
        for wanted, count in plan:
            seed = done = 0
            while done < count and seed < 10 * count + 10:
                seed += 1
                kind = "right" if wanted == "right" else random.choice((*FAULTS, "tape"))
                try:
                    if kind == "tape" or (kind == "right" and seed % 12 == 0):
                        made = make_tape(variant, seed, exact=kind == "right")
                    else:
                        made = make_submission(variant, seed, kind)
                except NoPlace:
                    continue
                except Discarded as reason:
                    left_out[str(reason)] += 1
                    continue
                except Exception as error:
                    broken.append(f"variant {task.seed}, {kind} {seed}: {error!r}"[:3_000])
                    continue
                rows.append(_row(task, made, grader, Path(folder)))
                done += 1
    grader.close()
    return Part(rows, left_out, broken)


def _row(task: Task, made: Made, grader, folder: Path) -> Row:  # type: ignore[no-untyped-def]
    judged = grade_made(grader, made, folder)
    said = assignment_says(made.text, made.seed)
    bad = bool(judged.problems)
    text = f"{made.variant.text}\n{made.text}" if bad else ""
    return Row(task.seed, made.seed, made.kind, judged.problems, judged.counted, judged.unused,
               judged.late, said, text, made.file if bad else "")  # fmt: skip


def run_tasks(tasks: Iterable[Task], jobs: int) -> Iterator[Part]:
    """The parts, as they come in; in order, and in this process, for one job."""
    if jobs == 1:
        yield from map(run_task, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run_task, tasks)


class Tally:
    """The counts of a run."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.left_out: Counter[str] = Counter()
        self.broken: list[str] = []

    def add(self, part: Part) -> None:
        """Takes in a part."""
        self.rows += part.rows
        self.left_out += part.left_out
        self.broken += part.broken

    @property
    def right(self) -> list[Row]:
        """Right programs."""
        return [r for r in self.rows if r.kind == "right"]

    @property
    def faulty(self) -> list[Row]:
        """Faulty programs."""
        return [r for r in self.rows if r.kind != "right"]

    @property
    def amiss(self) -> list[Row]:
        """Programs whose verdict is not what is true, for no known reason."""
        return [r for r in self.rows if unknown(r)]

    def precision_recall(self, field: str) -> tuple[float, float, int]:
        """Of the findings of `unused` or `late`, over all programs; with their true number."""
        both, found, true = (sum(getattr(r, field)[i] for r in self.rows) for i in range(3))
        return both / max(found, 1), both / max(true, 1), true

    def table(self) -> str:
        """For people."""
        head = f"{'programs':22}{'graded':>8}{'failed':>8}{'amiss':>8}   assignment's test: "
        lines = [head + f"{'passes':>8}{'fails':>8}{'cannot run':>12}"]
        lines.append(self._line("right", self.right, "failed"))
        lines.append("")
        lines.append(
            head.replace("failed", "passed") + f"{'passes':>8}{'fails':>8}{'cannot run':>12}"
        )
        for kind in (*FAULTS, "tape"):
            rows = [r for r in self.faulty if r.kind == kind]
            if rows:
                lines.append(self._line(kind, rows, "passed"))
        lines.append(self._line("all faulty", self.faulty, "passed"))
        lines.append("")
        for field, shown in (("unused", "unused nodes"), ("late", "late values")):
            precision, recall, true = self.precision_recall(field)
            lines.append(
                f"{shown:22}{true:8} in truth   precision {precision:.6f}   recall {recall:.6f}"
            )
        uncounted = sum(not r.counted for r in self.rows)
        lines.append(f"unused nodes and releases were not counted in {uncounted} programs (no backward "
                     "to speak of)")  # fmt: skip
        for reason, count in self.left_out.most_common():
            lines.append(f"left out: {count:6} {reason}")
        for pattern, reason in KNOWN:
            count = sum(_is(pattern, r, p) for r in self.rows for p in r.problems)
            lines.append(f"known:    {count:6} {reason}")
        lines += [f"the generator failed: {text}" for text in self.broken]
        return "\n".join(lines)

    def _line(self, kind: str, rows: list[Row], what: str) -> str:
        wrong = sum(failed(r) if what == "failed" else passed(r) for r in rows)
        amiss = sum(bool(unknown(r)) for r in rows)
        said = Counter(r.assignment for r in rows)
        return (f"{kind:22}{len(rows):8}{wrong:8}{amiss:8}{'':22}"
                f"{said['passes']:8}{said['fails']:8}{said['cannot run']:12}")  # fmt: skip


def unknown(row: Row) -> list[str]:
    """Its problems that are not KNOWN."""
    return [p for p in row.problems if not any(_is(pattern, row, p) for pattern, _ in KNOWN)]


def _is(pattern: str, row: Row, problem: str) -> bool:
    return bool(re.match(pattern, problem) or re.match(pattern, f"{row.kind}: {problem}"))


def failed(row: Row) -> bool:
    """Whether a right program did not get full marks."""
    return any(p.startswith("score") for p in row.problems)


def passed(row: Row) -> bool:
    """Whether a fault went by: a check that should fail passed, or a finding is missing."""
    return any("passed, in truth wrong" in p or p == "score 100" for p in row.problems) or (
        any(p.startswith("gradient: said wrong []") for p in row.problems)
    )

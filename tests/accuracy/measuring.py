"""Makes submissions of many variants, grades them, and counts. One variant is one task."""

from __future__ import annotations

import multiprocessing
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

import torch
from faults import FAULTS, NoPlace
from grading import assignment_says, grade_made, grader_for
from made_variants import make_variant
from styles import STYLES, make_styled
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
    style: str


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
        left_out["variant refused: " + _refusal(problem.message)] += 1
        return Part(rows, left_out, broken)
    random = Random(f"kinds:{task.seed}")
    styles = list(STYLES)
    random.shuffle(styles)
    with tempfile.TemporaryDirectory() as folder:
        plan = [("right", task.right), ("faulty", task.faulty)]
        for wanted, count in plan:
            seed = done = 0
            while done < count and seed < 10 * count + 10:
                seed += 1
                kind = "right" if wanted == "right" else random.choice((*FAULTS, "tape"))
                try:
                    if kind == "right" and seed % 4:
                        # in an order of the variant's own: all come up alike
                        made = make_styled(variant, seed, styles[seed % len(styles)])
                    elif kind == "tape" or (kind == "right" and seed % 12 == 0):
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


def _refusal(message: str) -> str:
    """Why, in words that several variants share."""
    if "would pass for right" in message:
        return "a mutant survives"
    return "ill-conditioned" if "ill-conditioned" in message else message[:50]


def _row(task: Task, made: Made, grader, folder: Path) -> Row:  # type: ignore[no-untyped-def]
    judged = grade_made(grader, made, folder)
    said = assignment_says(made.text, made.seed)
    bad = bool(judged.problems)
    text = f"{made.variant.text}\n{made.text}" if bad else ""
    return Row(task.seed, made.seed, made.kind, judged.problems, judged.counted, judged.unused,
               judged.late, said, text, made.file if bad else "", made.style)  # fmt: skip


T = TypeVar("T")


def run_tasks(tasks: Iterable[Task], jobs: int) -> Iterator[Part]:
    """The parts, as they come in; in order, and in this process, for one job."""
    return run_each(run_task, tasks, jobs)


def run_each(run: Callable[[T], Part], tasks: Iterable[T], jobs: int) -> Iterator[Part]:
    """The same of any tasks, each of which `run` makes a part of."""
    if jobs == 1:
        yield from map(run, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run, tasks)


THEIRS = "the assignment's own test"


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

    def verdict(self) -> str:
        """What `make accuracy` promises, in two lines."""
        names = {name for r in self.right for name in r.style.split(" + ")}
        refused, paid = sum(map(failed, self.right)), sum(map(passed, self.faulty))
        return (
            f"refused {refused} of {len(self.right)} right programs over {len(names)} styles\n"
            f"paid {paid} of {len(self.faulty)} wrong"
        )

    def styles(self) -> str:
        """Right programs and refused ones of each style, most refused first."""
        programs: Counter[str] = Counter()
        refused: Counter[str] = Counter()
        for row in self.right:
            for name in row.style.split(" + "):
                programs[name] += 1
                refused[name] += failed(row)
        rows = sorted(programs, key=lambda name: (-refused[name], name))
        lines = [f"{name:40}{programs[name]:10}{refused[name]:9}" for name in rows]
        return "\n".join([f"{'style':40}{'programs':>10}{'refused':>9}", *lines])

    def precision_recall(self, field: str) -> tuple[float, float, int]:
        """Of the findings of `unused` or `late`, over all programs; with their true number."""
        both, found, true = _sums(self.rows, field)
        return both / max(found, 1), both / max(true, 1), true

    def table(self) -> str:
        """For people, at most 80 columns wide."""
        kinds = [(kind, [r for r in self.faulty if r.kind == kind]) for kind in (*FAULTS, "tape")]
        kinds = [(kind, rows) for kind, rows in kinds if rows]
        groups = [("right", self.right), *kinds, ("all faulty", self.faulty)]
        lines = [
            f"{'verdicts':30}{'this grader':>17}   {THEIRS:>28}",
            f"{'programs':20}{'graded':>10}{'wrong':>9}{'amiss':>8}   "
            f"{'wrong':>8}{'right':>9}{'cannot run':>11}",
        ]
        for kind, rows in groups:
            # a right program that fails, a faulty one that passes
            wrong = sum(failed(r) if kind == "right" else passed(r) for r in rows)
            amiss = sum(bool(unknown(r)) for r in rows)
            said = Counter(r.assignment for r in rows)
            theirs = ("fails", "passes") if kind == "right" else ("passes", "fails")
            lines.append(
                f"{kind:20}{len(rows):10}{wrong:9}{amiss:8}   "
                f"{said[theirs[0]]:8}{said[theirs[1]]:9}{said['cannot run']:11}"
            )
        lines += [
            "",
            "wrong: a right program failed, or a faulty one passed (full marks, or its",
            "fault not found); amiss: any check of it says what is not true.",
            "",
            f"{'findings':20}{'unused nodes':>29} {'late values':>29}",
            f"{'programs':20}"
            + " ".join([f"{'true':>7}{'found':>7}{'prec.':>7}{'recall':>8}"] * 2),
        ]
        for kind, rows in [*groups, ("all", self.rows)]:
            lines.append(f"{kind:20}{_shares(rows, 'unused')} {_shares(rows, 'late')}")
        uncounted = sum(not r.counted for r in self.rows)
        lines += [
            "",
            "The assignment's own test looks for neither: its recall is 0.",
            f"Not counted in {uncounted} programs, which have no backward to speak of.",
            "",
        ]
        for reason, count in self.left_out.most_common():
            lines.append(f"left out: {count:6} {reason}"[:80])
        for pattern, reason in KNOWN:
            count = sum(_is(pattern, r, p) for r in self.rows for p in r.problems)
            lines.append(f"known:    {count:6} {reason}")
        lines += [f"the generator failed: {text}" for text in self.broken]
        return "\n".join(lines)


def _sums(rows: list[Row], field: str) -> tuple[int, int, int]:
    both, found, true = (sum(getattr(r, field)[i] for r in rows) for i in range(3))
    return both, found, true


def _shares(rows: list[Row], field: str) -> str:
    both, found, true = _sums(rows, field)
    precision = f"{both / found:.4f}" if found else "-"
    recall = f"{both / true:.4f}" if true else "-"
    return f"{true:7}{found:7}{precision:>7}{recall:>8}"


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

"""How often the faulty line is named: programs with one fault each, searched as the grader does."""

from __future__ import annotations

import ast
import itertools
import multiprocessing
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from faults import VALUE_FAULTS, NoPlace
from made_variants import make_variant
from straight import NoProgram, make_straight
from submissions import Discarded, Made, make_submission
from ties import is_tie

from pytest_backprop.exercises.functions.bank import Variant, parse_variant
from pytest_backprop.exercises.functions.scenarios import generic_points, scenario
from pytest_backprop.model import Recording, Submission
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, Ran, Request
from pytest_backprop.repair import find
from pytest_backprop.submission import read

KINDS = (
    *VALUE_FAULTS, "swapped weights", "half a gradient", "wrong value", "typed-in weights",
    "wrong forward",
)  # fmt: skip
VERDICTS = ("first", "among", "wrong", "not found")


class Program(NamedTuple):
    """One program, with a fault in `lines`; `ahead`: in forward, not in the pass."""

    variant: str
    seed: int
    kind: str
    text: str
    file: str
    suffix: str
    lines: frozenset[int]
    ahead: bool = False


class Sought(NamedTuple):
    """One program: where its fault is, and what was said. `verdict` is one of VERDICTS: the line
    first; told, but after another; others only; or nothing told. `seconds` is the search
    alone, of the processor."""

    variant: int
    seed: int
    kind: str
    verdict: str
    alone: bool
    seconds: float
    told: tuple[str, ...]
    place: int
    text: str
    reason: str
    work: int
    how: str
    """The kind of the first edit told, and how sure the search was."""
    tie: bool = False
    """The line that came first instead is as honest a place of the fault."""


def drawn(variant_seed: int) -> Iterator[Program]:
    """Programs of the generator that the grader is tested with."""
    variant = make_variant(variant_seed)
    random = Random(f"repairs:{variant_seed}")
    for seed in itertools.count(1):
        kind = random.choice(KINDS)
        try:
            made = make_submission(variant, seed, kind)
        except (NoPlace, Discarded):
            continue
        ahead, value, gradients = made.wrong
        if made.places and (ahead or value or any(gradients)):
            yield Program(variant.text, seed, kind, made.text, made.file, made.suffix,
                          frozenset(_lines(made)), kind == "wrong forward")  # fmt: skip


def straight(variant_seed: int) -> Iterator[Program]:
    """Programs of the second family, each of a variant of its own."""
    for seed in itertools.count(1_000 * variant_seed):
        try:
            made = make_straight(seed)
        except NoProgram:
            continue
        yield Program(made.variant, seed, made.kind, made.text, made.text, ".py",
                      frozenset([made.place]))  # fmt: skip


FAMILIES: Mapping[str, Callable[[int], Iterator[Program]]] = {"drawn": drawn, "straight": straight}


def seek_repairs(variant_seed: int, count: int, family: str = "drawn") -> list[Sought]:
    """Searches `count` faulty programs, in the first family of one variant."""
    torch.set_num_threads(1)
    found: list[Sought] = []
    with tempfile.TemporaryDirectory() as folder:
        for program in itertools.islice(FAMILIES[family](variant_seed), 10 * count):
            sought = _seek(program, variant_seed, Path(folder))
            found += [] if sought is None else [sought]
            if len(found) == count:
                break
    return found


def recorded(program: Program, folder: Path) -> tuple[Variant, Submission, Recording] | None:
    """A run of the program, as the grader sees it."""
    path = folder / f"p{program.seed}{program.suffix}"
    path.write_text(program.file, encoding="utf-8")
    variant, submission = parse_variant(program.variant), read(path, path.name)
    recording = _recording(submission, variant, program.ahead)
    return None if recording is None else (variant, submission, recording)


def _seek(program: Program, variant_seed: int, folder: Path) -> Sought | None:
    run = recorded(program, folder)
    if run is None:
        return None
    variant, submission, recording = run
    start = time.process_time()
    result = find(variant, recording, [u.text for u in submission.units])
    seconds = time.process_time() - start
    lines = [0 if line.site is None else line.site.line for line in result.lines]
    hits = [line in program.lines for line in lines]
    verdict = "not found" if not hits else "first" if hits[0] else "among" if any(hits) else "wrong"
    told = tuple(f"line {n}: {line.message}" for n, line in zip(lines, result.lines, strict=True))
    how = f"{result.lines[0].kind}, {result.lines[0].sure}" if result.lines else ""
    tie = verdict in ("among", "wrong") and not program.ahead and (
        is_tie(program.variant, program.text, lines[0], program.lines))  # fmt: skip
    return Sought(variant_seed, program.seed, program.kind, verdict, hits == [True], seconds, told,
                  min(program.lines), program.text, result.reason, result.work, how, tie)  # fmt: skip


def _recording(submission: Submission, variant: Variant, ahead: bool) -> Recording | None:
    given = generic_points(variant, 1, 8)
    told = answer(
        Request(submission.units, None, (scenario(variant, given),), 1, Limits(60, 2**30, False))
    )
    if not isinstance(told, Ran):
        return None
    evidence = told.evidences[0]
    recordings = evidence.forward_recordings if ahead else evidence.pass_recordings
    return recordings[0] if recordings else None


def _lines(made: Made) -> set[int]:
    """The lines of the statements that the fault changed."""
    statements = [node for node in ast.walk(ast.parse(made.text)) if isinstance(node, ast.stmt)
                  and not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.With)]  # fmt: skip
    return {
        line
        for node in statements
        if node.lineno in made.places
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def seek_all(
    seeds: Sequence[int], count: int, jobs: int, family: str = "drawn"
) -> Iterator[list[Sought]]:
    """At least `count` programs, spread over `seeds`; the parts as they come in."""
    each = -(-count // len(seeds))
    tasks = [(seed, each, family) for seed in seeds[: -(-count // each)]]
    if jobs == 1:
        yield from itertools.starmap(seek_repairs, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_seek_task, tasks)


def _seek_task(task: tuple[int, int, str]) -> list[Sought]:
    return seek_repairs(*task)


def share(rows: list[Sought], verdict: str) -> float:
    """The share of the programs with this verdict."""
    return sum(row.verdict == verdict for row in rows) / max(1, len(rows))


def table(rows: list[Sought]) -> str:
    """For people: by kind of fault, and the time of a search."""
    lines = [f"{'faulty line':22}{'sought':>8}" + "".join(f"{v:>11}" for v in VERDICTS)
             + f"{'first, alone':>14}"]  # fmt: skip
    for kind in (*sorted({row.kind for row in rows}), "all"):
        of_kind = [row for row in rows if kind in (row.kind, "all")]
        counts = Counter(row.verdict for row in of_kind)
        alone = sum(row.alone for row in of_kind)
        if of_kind:
            lines.append(f"{kind:22}{len(of_kind):8}" + "".join(f"{counts[v]:11}" for v in VERDICTS)
                         + f"{alone:14}")  # fmt: skip
    lines.append(f"{'share of all':30}" + "".join(f"{share(rows, v):11.2%}" for v in VERDICTS))
    times = sorted(row.seconds for row in rows)
    if times:
        first, ties = sum(row.verdict == "first" for row in rows), sum(row.tie for row in rows)
        lines.append(f"first, ties aside: {first / max(1, len(rows) - ties):.2%}; {ties} times the line that came first "
                     "is as honest a place of the fault")  # fmt: skip
        lines.append(
            f"a search, time of the processor: median {statistics.median(times) * 1000:.0f} ms, 95 % within "
            f"{times[int(0.95 * len(times))] * 1000:.0f} ms, longest {times[-1] * 1000:.0f} ms"
        )
    return "\n".join(lines)

"""How often a repair is offered, and whether what is offered earns the points that it promises: programs with
one fault each, graded; each fix that is offered is written into the program, and that is graded anew."""

from __future__ import annotations

import functools
import itertools
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from grading import grader_for
from repairs import FAMILIES, Program, recorded

from pytest_backprop.errors import UsageProblem
from pytest_backprop.grading.pipeline import Grader
from pytest_backprop.model import Grade, Submission
from pytest_backprop.repair import FaultyLine, Fix, find, replaced

VERDICTS = ("offered", "not offered", "no fix", "no line")


class Offer(NamedTuple):
    """One program. `verdict`: a fix is offered; there is one, and it does not run or spoils what was right; the
    line is told alone; or nothing is. `offered` fixes, of which so many are `kept`: applied, they earn all
    points of what they mend. `seconds` is the grading, `again` without the trials of its repairs."""

    variant: int
    seed: int
    kind: str
    verdict: str
    offered: int
    kept: int
    seconds: float
    again: float
    told: str
    text: str


def offers(variant_seed: int, count: int, family: str) -> Iterator[Offer]:
    """Of `count` faulty programs."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        drawn = itertools.islice(FAMILIES[family](variant_seed), 10 * count)
        found = (_offer(program, variant_seed, Path(folder)) for program in drawn)
        yield from itertools.islice((offer for offer in found if offer is not None), count)


@functools.lru_cache(maxsize=1)
def _grader(variant: str) -> Grader | None:
    try:
        return grader_for(variant, tries_repairs=True)
    except UsageProblem:
        return None


def _offer(program: Program, variant_seed: int, folder: Path) -> Offer | None:
    run, grader = recorded(program, folder), _grader(program.variant)
    if run is None or grader is None:
        return None
    variant, submission, recording = run
    start = time.monotonic()
    before = _graded(grader, folder, program.file, program.suffix)
    seconds = time.monotonic() - start
    found = find(variant, recording, [unit.text for unit in submission.units])
    told = {
        (finding.place.line, finding.message)
        for result in before.checks
        for finding in result.result.findings
        if finding.kind == "repair" and finding.place is not None
    }
    lines = found.lines
    together = bool(lines) and lines[0].sure == "together"
    chosen = [fix for line in lines if (fix := _chosen(line, told)) is not None]
    groups = [chosen] if together and chosen else [[fix] for fix in chosen]
    kept, again = 0, 0.0
    for group in groups:
        start = time.monotonic()
        after = _graded(grader, folder, _applied(program, submission, group), program.suffix)
        again = time.monotonic() - start
        kept += _points(after, program.ahead) == 1
    fixable = any(line.fixes for line in lines)
    verdict = VERDICTS[0 if groups else 1 if fixable else 2 if lines else 3]
    words = "; ".join(
        [message for _, message in sorted(told)]
        or [f"{line.message} | {line.fix}" for line in lines]
    )
    return Offer(variant_seed, program.seed, program.kind, verdict, len(groups), kept, seconds, again, words,
                 program.text)  # fmt: skip


def _chosen(line: FaultyLine, told: Collection[tuple[int, str]]) -> Fix | None:
    """The fix of a line that was offered."""
    here = [text for number, text in told if line.site is not None and line.site.line == number]
    ends = [fix for fix in line.fixes if any(text.endswith(fix.message) for text in here)]
    return max(ends, key=lambda fix: len(fix.message), default=None)


def _graded(grader: Grader, folder: Path, text: str, suffix: str) -> Grade:
    path = folder / f"offer{suffix}"
    path.write_text(text, encoding="utf-8")
    return grader.grade(path, path.name)


def _applied(program: Program, submission: Submission, fixes: Sequence[Fix]) -> str:
    """The program with fixes in it, as a file."""
    texts = replaced(
        [unit.text for unit in submission.units], [r for f in fixes for r in f.replacements]
    )
    if program.suffix == ".py":
        return texts[0]
    notebook = json.loads(program.file)
    for unit, text in zip(submission.units, texts, strict=True):
        if text != unit.text:
            assert unit.cell is not None
            notebook["cells"][unit.cell - 1]["source"] = text
    return json.dumps(notebook)


def _points(grade: Grade, ahead: bool) -> float:
    """What the checks on numbers earn of theirs, at least."""
    ids = ("forward",) if ahead else ("manual-forward", "gradient")
    return min(check.result.fraction for check in grade.checks if check.result.id in ids)


def table(rows: Sequence[Offer]) -> str:
    """For people: by kind of fault."""
    lines = [f"{'fix':22}{'faulty':>8}" + "".join(f"{v:>13}" for v in VERDICTS)]
    for kind in (*sorted({row.kind for row in rows}), "all"):
        counts = Counter(row.verdict for row in rows if kind in (row.kind, "all"))
        lines.append(f"{kind:22}{counts.total():8}" + "".join(f"{counts[v]:13}" for v in VERDICTS))
    offered, kept = sum(row.offered for row in rows), sum(row.kept for row in rows)
    lines.append(f"{offered} fixes were offered; applied, {kept} earn all points of what they mend")
    one = [row for row in rows if row.again]
    if one:
        median = statistics.median(row.seconds for row in one)
        plain = statistics.median(row.again for row in one)
        lines.append(f"a grade with its trials: median {median * 1000:.0f} ms; of the repaired program "
                     f"{plain * 1000:.0f} ms; longest {max(row.seconds for row in rows) * 1000:.0f} ms")  # fmt: skip
    return "\n".join(lines)


if __name__ == "__main__":
    first, last, each = map(int, sys.argv[1:4])
    for family in FAMILIES:
        rows = [row for seed in range(first, last) for row in offers(seed, each, family)]
        print(f"{family} programs\n{table(rows)}")
        for row in rows:
            if row.verdict != "offered" or row.kept < row.offered:
                print(
                    f"--- {row.verdict}, {row.kind}, {row.variant}/{row.seed}: {row.told}\n{row.text}"
                )
            else:
                print(f"+++ {row.kind}: {row.told}")

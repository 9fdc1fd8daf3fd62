"""How often the wrong line of a pass on tensors is named: passes with one fault each, of the
mistakes of the field, searched as the grader does."""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from line_edits import mended_by
from one_pass import case_of
from tensor_faults import TensorFault, faults
from tensor_programs import HELD_OUT, TUNING, TensorProgram
from tensor_programs_fresh import FRESH
from tensor_programs_later import LATER
from tensor_programs_newer import NEWER
from tensor_programs_unseen import UNSEEN
from tensor_steps import readers, serves_the_value

from pytest_backprop.judging.case import Case
from pytest_backprop.judging.compare import judge_output, wrong_at

PROGRAMS = {
    "tuning": TUNING,
    "held-out": HELD_OUT,
    "fresh": FRESH,
    "unseen": UNSEEN,
    "later": LATER,
    "newer": NEWER,
}
"""The search was written with the first, and its author has seen what it misses of the second."""


class TensorRow(NamedTuple):
    """A pass: what was told. `verdict`: `alone`, the faulty line and no other; `one of several`
    lines that were told as equally good; `right line`, others only; `nothing`. `is_first`: whether
    the faulty line was told first; else `as_good` is that which was, with one edit that makes the
    pass right, where there is one. `seconds` is the search alone, of the processor."""

    program: str
    kind: str
    verdict: str
    is_first: bool
    seconds: float
    told: tuple[str, ...]
    fault: TensorFault
    as_good: str | None = None


def drawn(
    programs: Sequence[TensorProgram], count: int, seed: int
) -> list[tuple[TensorProgram, TensorFault]]:
    """Faults of the programs by chance, each once."""
    every = [(program, fault) for program in programs for fault in faults(program)]
    Random(seed).shuffle(every)
    return every[:count]


def sought(pair: tuple[TensorProgram, TensorFault]) -> TensorRow | None:
    """What is told of a fault; None for one that runs into an error, or changes nothing."""
    torch.set_num_threads(1)
    program, fault = pair
    submission = program.submission(fault.body)
    try:
        case = case_of(submission, program.task)
    except Exception:
        return None
    method = case.manual
    if method.replayed is None or method.verified.how != "replayable":
        return None
    expected, off = method.expected, set[str]()
    for name, right in expected.outputs.items():
        got = method.replayed.outputs.get(name)
        if got is None or case.is_misshapen(name.removeprefix("grad.")):
            return None
        is_off = wrong_at(got, right, expected.judged[:, None], case.tolerance)
        if is_off.double().mean() > 0.02 and judge_output(method, name, case.tolerance).wrong:
            off.add(name)
    if not off:
        return None
    start = time.process_time()
    located = case.locate("pass")
    seconds = time.process_time() - start
    first = (
        submission.split("\n").index(
            "    def my_forward_backward(self, " + ", ".join(program.inputs) + "):"
        )
        + 1
    )
    lines = [f.place.line - first for f in located.findings if f.place is not None]
    honest = _honest(fault, case, first, off)
    verdict = "nothing" if not lines else "right line"
    if not honest.isdisjoint(lines):
        verdict = "one of several" if lines[1:] else "alone"
    is_first = lines[:1] != [] and lines[0] in honest
    told = tuple(f"{line}: {f.message}" for line, f in zip(lines, located.findings, strict=False))
    as_good = None if is_first or not lines else mended_by(program, fault.body, lines[0])
    return TensorRow(program.name, fault.kind, verdict, is_first, seconds, told, fault, as_good)


def _honest(fault: TensorFault, case: Case, first: int, off: set[str]) -> set[int]:
    """The lines at which a fault may be told. Where the line that was changed runs no op, or serves
    a value that is right, it is the lines that read what it binds."""
    if fault.kind == "in place":
        return {*fault.lines}
    ops = case.manual.verified.paths[0].recording.ops
    if not any(op.site and op.site.line - first == fault.line for op in ops):
        return {*fault.lines, *readers(fault.body, fault.line)}
    if "value" not in off and serves_the_value(fault.body, fault.line):
        return readers(fault.body, fault.line)
    return {*fault.lines}


def seek(
    programs: Sequence[TensorProgram], count: int, seed: int, processes: int = 2
) -> list[TensorRow]:
    """The rows of so many faults, less those that are none."""
    pairs = drawn(programs, count, seed)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return [row for row in pool.imap(sought, pairs, 8) if row is not None]


def table(rows: Sequence[TensorRow]) -> str:
    """For people: by kind of fault, and the time of a search."""
    verdicts = ("alone", "one of several", "right line", "nothing")
    shown = [f"{'fault':20}{'passes':>8}" + "".join(f"{v:>16}" for v in verdicts)]
    for kind in (*sorted({row.kind for row in rows}), "all"):
        own = [row for row in rows if kind in (row.kind, "all")]
        counts = Counter(row.verdict for row in own)
        shown.append(f"{kind:20}{len(own):8}" + "".join(f"{counts[v]:16}" for v in verdicts))
    counts = Counter(row.verdict for row in rows)
    shown.append(
        f"{'share':28}" + "".join(f"{counts[v] / max(1, len(rows)):16.2%}" for v in verdicts)
    )
    count = max(1, len(rows))
    first, as_good = sum(row.is_first for row in rows), sum(row.as_good is not None for row in rows)
    others = sum(row.told != () for row in rows) - first - as_good
    shown.append(
        f"told first: {first / count:.2%}, with lines that are as good to mend "
        f"{(first + as_good) / count:.2%}; a right line {others / count:.2%}"
    )
    by_place = [row for row in rows if row.told and "look here first" in row.told[0]]
    right = sum(row.is_first for row in by_place)
    shown.append(f"by place, where no change mends it: {len(by_place)}, right {right}")
    times = sorted(row.seconds for row in rows)
    if times:
        shown.append(f"a search, time of the processor: median {statistics.median(times) * 1000:.0f} ms, "
                     f"95 % within {times[int(0.95 * len(times))] * 1000:.0f} ms")  # fmt: skip
    return "\n".join(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=4000, help="of which about half are none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", choices=PROGRAMS, default="fresh")
    parser.add_argument("--misses", type=int, default=0)
    asked = parser.parse_args()
    rows = seek(PROGRAMS[asked.programs], asked.count, asked.seed)
    print(table(rows))
    for row in [row for row in rows if row.verdict != "alone"][: asked.misses]:
        print(
            f"--- {row.verdict}: {row.program}, {row.kind}, line {row.fault.line} {sorted(row.fault.lines)}"
        )
        print(f"    {row.fault.body.split(chr(10))[row.fault.line - 1].strip()}")
        for told in row.told[:2]:
            number = int(told.split(":")[0])
            print(f"    told {told}\n      {row.fault.body.split(chr(10))[number - 1].strip()}")


if __name__ == "__main__":
    main()

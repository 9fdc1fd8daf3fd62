"""`make accuracy`: right programs refused, by style, faulty ones paid, attacks paid, and the
assignment's own test beside; then how often the faulty line is named.

Programs with a verdict that is not what is true, and those with a wrong line, are saved under
build/accuracy/.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cheats import paid_cheats
from measuring import Row, Tally, Task, run_tasks, unknown
from repairs import FAMILIES, seek_all, table

SAVED = Path(__file__).parents[2] / "build" / "accuracy"


def main() -> int:
    """1 if any verdict is not what is true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--right", type=int, default=5_000, help="right programs (5000)")
    parser.add_argument("--faulty", type=int, default=20_000, help="faulty programs (20000)")
    parser.add_argument("--seeds", default="0:400", help="variants, one a seed: A:B (0:400)")
    parser.add_argument(
        "--repairs", type=int, default=1_000, help="programs of each family to search (1000)"
    )
    parser.add_argument("--cheats", type=int, default=100_000, help="attacks to grade (all)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(":"))
    count = last - first
    tasks = [
        Task(seed, math.ceil(asked.right / count), math.ceil(asked.faulty / count))
        for seed in range(first, last)
    ]
    tally = Tally()
    start = time.monotonic()
    SAVED.mkdir(parents=True, exist_ok=True)
    for old in SAVED.glob("*.txt"):
        old.unlink()
    for number, part in enumerate(run_tasks(tasks, asked.jobs), 1):
        tally.add(part)
        for row in filter(unknown, part.rows):
            save(row)
        if number % 20 == 0:
            print(f"{number} of {count} variants, {len(tally.rows)} programs, "
                  f"{len(tally.amiss)} amiss, {time.monotonic() - start:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
    print(f"$ {shlex.join(['python', *sys.argv])}")
    print(f"variants of seeds {asked.seeds}, {time.monotonic() - start:.0f} s\n")
    print(tally.table())
    print(f"\n{tally.styles()}")
    for family in FAMILIES if asked.repairs else ():
        _print_repairs(range(first, last), asked.repairs, asked.jobs, family)
    won, attacks = paid_cheats(asked.cheats)
    for case in won:
        print(f"paid: {case}")
    print(f"\n{tally.verdict()}\ncheats {len(won)} of {attacks}")
    return 1 if tally.amiss or tally.broken or won else 0


def save(row: Row) -> None:
    """Keeps a program with a wrong verdict, as soon as it is known."""
    name = f"{row.kind.replace(' ', '_')}-{row.variant}-{row.seed}.txt"
    (SAVED / name).write_text("\n".join([*row.problems, "", row.text]), encoding="utf-8")
    print(f"amiss: {name}: {'; '.join(row.problems)[:200]}", file=sys.stderr, flush=True)


def _print_repairs(seeds: range, count: int, jobs: int, family: str) -> None:
    rows = [row for part in seek_all(seeds, count, jobs, family) for row in part]
    print(f"\n{family} programs\n{table(rows)}")
    print("goal: first in at least 97 %, wrong in less than 1 %, median below 150 ms")
    for row in rows:
        if row.verdict == "wrong":
            name = f"line-{family}-{row.kind.replace(' ', '_')}-{row.variant}-{row.seed}.txt"
            told = [f"the fault is in line {row.place}", *row.told]
            (SAVED / name).write_text("\n".join([*told, "", row.text]), encoding="utf-8")
            print(f"wrong line: {name}: {row.told[0][:150]}")


if __name__ == "__main__":
    sys.exit(main())

"""`make accuracy`: right programs failed, faulty ones passed, and the assignment's own test beside.

Programs with a verdict that is not what is true are saved under build/accuracy/.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from measuring import Tally, Task, run_tasks

SAVED = Path(__file__).parents[2] / "build" / "accuracy"


def main() -> int:
    """1 if any verdict is not what is true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--right", type=int, default=5_000, help="right programs (5000)")
    parser.add_argument("--faulty", type=int, default=20_000, help="faulty programs (20000)")
    parser.add_argument("--seeds", default="0:400", help="variants, one a seed: A:B (0:400)")
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
    for number, part in enumerate(run_tasks(tasks, asked.jobs), 1):
        tally.add(part)
        if number % 20 == 0:
            print(f"{number} of {count} variants, {len(tally.rows)} programs, "
                  f"{len(tally.amiss)} amiss, {time.monotonic() - start:.0f} s",
                  file=sys.stderr, flush=True)  # fmt: skip
    print(f"$ {shlex.join(['python', *sys.argv])}")
    print(f"variants of seeds {asked.seeds}, {time.monotonic() - start:.0f} s\n")
    print(tally.table())
    SAVED.mkdir(parents=True, exist_ok=True)
    for old in SAVED.glob("*.txt"):
        old.unlink()
    for row in tally.amiss:
        name = f"{row.kind.replace(' ', '_')}-{row.variant}-{row.seed}.txt"
        (SAVED / name).write_text("\n".join([*row.problems, "", row.text]), encoding="utf-8")
        print(f"amiss: {name}: {'; '.join(row.problems)[:200]}")
    return 1 if tally.amiss or tally.broken else 0


if __name__ == "__main__":
    sys.exit(main())

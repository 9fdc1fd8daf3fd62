"""`make accuracy` for the exercises beside the homework: right programs refused, by style, and faulty ones paid.

Programs with a verdict that is not what is true are saved under build/accuracy/.
"""

from __future__ import annotations

import argparse
import importlib
import math
import shlex
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import torch
from exercise_programs import ExerciseProgram, TaskPrograms, grader_of, problems_of
from faults import NoPlace
from grading import WORKER
from measuring import Part, Row, Tally, failed, passed, run_each
from submissions import Discarded

from pytest_backprop.errors import UsageProblem
from pytest_backprop.processes.forked import Zygote

SAVED = Path(__file__).parents[2] / "build" / "accuracy"
GENERATORS = {
    "autograd-function": "function_programs",
    "tape": "tape_programs",
    "accumulation": "training_programs",
    "intermediate-gradients": "intermediate_programs",
    "saved-tensor-hooks": "hook_programs",
}
"""By exercise, the module with its `Generator`."""


class Share(NamedTuple):
    """Programs of one task of an exercise."""

    kind: str
    seed: int
    right: int
    faulty: int


def run_share(share: Share) -> Part:
    """Makes, grades and compares the programs of one task."""
    torch.set_num_threads(1)
    module: Any = importlib.import_module(GENERATORS[share.kind])
    left_out: Counter[str] = Counter()
    rows: list[Row] = []
    broken: list[str] = []
    try:
        task: TaskPrograms = module.Generator(share.seed)
        # in this process, unless the exercise has to be watched from outside
        worker: Zygote = module.worker() if hasattr(module, "worker") else WORKER
        worker.start()
        grader = grader_of(module.EXERCISE, task, worker)
    except UsageProblem as problem:
        left_out["task refused: " + problem.message.partition(": ")[2][:50]] += 1
        return Part(rows, left_out, broken)
    with tempfile.TemporaryDirectory() as folder:
        for make, count in ((task.right, share.right), (task.faulty, share.faulty)):
            seed = done = 0
            while done < count and seed < 10 * count + 10:
                seed += 1
                try:
                    made = make(seed)
                except NoPlace:
                    continue
                except Discarded as reason:
                    left_out[str(reason)] += 1
                    continue
                except Exception as error:
                    broken.append(f"task {share.seed}, seed {seed}: {error!r}"[:3_000])
                    continue
                rows.append(_row(share, task, made, problems_of(made, grader, Path(folder))))
                done += 1
    grader.close()
    return Part(rows, left_out, broken)


def _row(share: Share, task: TaskPrograms, made: ExerciseProgram, problems: tuple[str, ...]) -> Row:
    text = f"{task.text}\n{made.text}" if problems else ""
    none = (0, 0, 0)
    return Row(
        share.seed, made.seed, made.kind, problems, True, none, none, "", text, text, made.style
    )


def table(tally: Tally) -> str:
    """For people: programs by fault, and what is amiss among them."""
    kinds = sorted({row.kind for row in tally.faulty})
    groups = [("right", tally.right)]
    groups += [(kind, [row for row in tally.faulty if row.kind == kind]) for kind in kinds]
    groups.append(("all faulty", tally.faulty))
    lines = [f"{'programs':30}{'graded':>10}{'wrong':>9}{'amiss':>8}"]
    for kind, rows in groups:
        wrong = sum(failed(r) if kind == "right" else passed(r) for r in rows)
        lines.append(f"{kind:30}{len(rows):10}{wrong:9}{sum(bool(r.problems) for r in rows):8}")
    lines += ["", *(f"left out: {n:6} {why}"[:80] for why, n in tally.left_out.most_common())]
    lines += [f"the generator failed {len(tally.broken)} times"] if tally.broken else []
    lines += tally.broken[:3]
    return "\n".join(lines)


def main() -> int:
    """1 if any verdict is not what is true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=GENERATORS, default=None, help="exercise (all)")
    parser.add_argument("--right", type=int, default=150, help="right programs (150)")
    parser.add_argument("--faulty", type=int, default=300, help="faulty programs (300)")
    parser.add_argument("--seeds", default="0:50", help="tasks, one a seed: A:B (0:50)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    first, last = map(int, asked.seeds.split(":"))
    right, faulty = (math.ceil(n / (last - first)) for n in (asked.right, asked.faulty))
    SAVED.mkdir(parents=True, exist_ok=True)
    amiss = 0
    for kind in [asked.kind] if asked.kind else GENERATORS:
        tally = Tally()
        start = time.monotonic()
        for part in run_each(
            run_share, [Share(kind, s, right, faulty) for s in range(first, last)], asked.jobs
        ):
            tally.add(part)
            for row in part.rows:
                if row.problems:
                    name = f"{kind}-{row.kind.replace(' ', '_')}-{row.variant}-{row.seed}.txt"
                    told = "\n".join([*row.problems, row.style, "", row.text])
                    (SAVED / name).write_text(told, encoding="utf-8")
                    print(
                        f"amiss: {name}: {'; '.join(row.problems)[:200]}",
                        file=sys.stderr,
                        flush=True,
                    )
        print(f"$ {shlex.join(['python', *sys.argv])}")
        print(f"{kind}: tasks of seeds {asked.seeds}, {time.monotonic() - start:.0f} s\n")
        print(f"{table(tally)}\n\n{tally.styles()}\n\n{tally.verdict()}")
        amiss += len(tally.amiss) + len(tally.broken)
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())

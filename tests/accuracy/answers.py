"""Answer keys through the real grader: every one must earn every point. Their peaks beside autograd's.

`python tests/accuracy/answers.py` takes 1,000 variants: half by `backprop variants new`, half by
`made_variants`, which shares nothing with the package and has functions too.
"""

from __future__ import annotations

import argparse
import itertools
import shlex
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

import torch
from grading import grader_for
from made_variants import make_variant

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Variant, load_bank, parse_variant
from pytest_backprop_authoring import answers as homework
from pytest_backprop_authoring.notebooks import answer_text
from pytest_backprop_authoring.variants.difficulty import band_around, difficulty_of
from pytest_backprop_authoring.variants.examination import is_rational
from pytest_backprop_authoring.variants.random_bank import Order, draw, median_difficulty


class Graded(NamedTuple):
    """An answer key's score, with its peak of live values and autograd's own; `faults` is empty if
    all is well."""

    variant: Variant
    score: float
    peak: int
    autograd: int
    ops: int
    autograd_ops: int
    faults: tuple[str, ...]


def grade_answer(text: str) -> Graded:
    """Grades the answer key of a variant. Raises UsageProblem for one that the grader refuses."""
    variant = parse_variant(text)
    grader = grader_for(text)
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{variant.name}.py"
            path.write_text(answer_text(homework, variant), encoding="utf-8")
            grade = grader.grade(path, path.name)
    finally:
        grader.close()
    checks = {check.result.id: check.result for check in grade.checks}
    faults = [f"{r.id}: {r.message}" for r in checks.values() if r.outcome != "passed"]
    if grade.status != "graded":
        faults.insert(0, f"{grade.status}: {grade.message}")
    if grade.score != grade.max_score and not faults:
        faults.append(f"score {grade.score:g}")
    release, unused = checks["release"].details, checks["unused-nodes"].details
    return Graded(variant, grade.score, release.get("peak_live", 0),
                  release.get("autograd_peak_live", 0), unused.get("ops", 0),
                  unused.get("autograd_ops", 0), tuple(faults))  # fmt: skip


def made_texts(seeds: Iterable[int]) -> Iterator[str]:
    """Texts of `made_variants`."""
    return (make_variant(seed).text for seed in seeds)


def drawn_texts(seed: int, count: int) -> Iterator[str]:
    """Texts of `backprop variants new`."""
    course = load_bank(Path(__file__).parents[2] / "variants").values()
    band = band_around(median_difficulty([difficulty_of(variant) for variant in course]))
    order = Order(seed, ("w0", "w1"), ("x1", "x2", "x3"), band)
    return (drawn.variant.source for drawn in draw(order, count))


class Tally:
    """The counts of a run."""

    def __init__(self) -> None:
        self.graded: list[Graded] = []
        self.refused: Counter[str] = Counter()

    def add(self, texts: Iterable[str]) -> None:
        """Grades the answer keys of these variants."""
        for text in texts:
            try:
                self.graded.append(grade_answer(text))
            except UsageProblem as problem:
                self.refused[problem.message.partition(":")[2].strip()[:60] or problem.message] += 1

    @property
    def wrong(self) -> list[Graded]:
        """Those that did not earn every point."""
        return [g for g in self.graded if g.faults]

    def table(self) -> str:
        """What was measured."""
        differences = Counter(g.peak - g.autograd for g in self.graded)
        above = sum(n for difference, n in differences.items() if difference > 0)
        functions = sum(not is_rational(g.variant) for g in self.graded)
        ops = sum(g.ops for g in self.graded) / max(1, sum(g.autograd_ops for g in self.graded))
        return "\n".join([
            f"answer keys graded      {len(self.graded)} ({functions} not rational)",
            f"that earn every point   {len(self.graded) - len(self.wrong)}",
            f"peak above autograd's   {above}",
            "peak less autograd's    "
            + ", ".join(f"{d:+d}: {n}" for d, n in sorted(differences.items())),
            f"ops by autograd's       {ops:.2f}",
            f"variants refused        {sum(self.refused.values())}",
        ])  # fmt: skip


def main() -> int:
    """1 if any answer key does not earn every point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000, help="variants (1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the variants (0)")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    start = time.monotonic()
    half = asked.count // 2
    made, drawn = Tally(), Tally()
    drawn.add(drawn_texts(asked.seed, half))
    for seed in itertools.count(asked.seed):  # some are refused by the grader
        made.add(made_texts([seed]))
        if len(made.graded) >= asked.count - half:
            break
    print(f"$ {shlex.join(['python', *sys.argv])}")
    print(f"{time.monotonic() - start:.0f} s")
    for title, tally in (("drawn by `backprop variants new`", drawn), ("made_variants", made)):
        print(f"\n{title}\n{tally.table()}")
        for reason, count in tally.refused.items():
            print(f"  {count}: {reason}")
        for wrong in tally.wrong:
            print(f"amiss: {'; '.join(wrong.faults)}\n{wrong.variant.source}")
    return 1 if made.wrong or drawn.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

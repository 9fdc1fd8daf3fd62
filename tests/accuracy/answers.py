"""Answer keys through the real grader: every one must earn every point. Their peaks beside autograd's.

`python tests/accuracy/answers.py` takes 1,000 variants: half by `backprop variants new`, half by
`made_variants`, which shares nothing with the package and has functions too.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))

from grading import grader_for
from made_variants import make_variant

from pytest_backprop.answers import answer_text
from pytest_backprop.bank import Variant, parse_variant
from pytest_backprop.errors import UsageProblem


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
            path.write_text(answer_text(variant), encoding="utf-8")
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
        functions = sum(not g.variant.is_rational for g in self.graded)
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

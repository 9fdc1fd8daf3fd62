"""`make accuracy` for submissions that are too alike: copies that are told, and pairs told that know nothing of
each other. Classes of one task each are drawn from two families of programs, with copies of some of them.

The thresholds of `likeness.comparison` were chosen on the family `drawn`, seeds 20 to 41; those here are others, and so is
the family `styled`.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import msgspec
import torch
from copies import copied
from faults import FAULTS, NoPlace
from grading import grader_for
from made_variants import MadeVariant, make_variant
from styles import STYLES, make_styled
from submissions import Discarded, Made, make_submission
from tapes import make_tape

from pytest_backprop.errors import UsageProblem
from pytest_backprop.likeness.comparison import compare
from pytest_backprop.model import Grade

SIZES = (6, 10, 16)
"""Originals in a class."""


class Member(NamedTuple):
    """A graded program; those of one `root` are an original and its copies."""

    root: int
    is_copy: bool
    text: str
    grade: Grade


class Order(NamedTuple):
    """A class to make: of a family, of the variant of a seed, so many originals and copies."""

    family: str
    variant: int
    originals: int
    copies: int


def drawn(variant: MadeVariant, seed: int, random: Random) -> Made:
    """The first family: half of them with a fault."""
    kind = "right" if random.random() < 0.5 else random.choice(FAULTS)
    return make_submission(variant, seed, kind)


def styled(variant: MadeVariant, seed: int, random: Random) -> Made:
    """The second: right programs of another writer, and tapes."""
    if random.random() < 0.15:
        return make_tape(variant, seed, exact=random.random() < 0.5)
    return make_styled(variant, seed, random.choice(sorted(STYLES)))


FAMILIES: Mapping[str, Callable[[MadeVariant, int, Random], Made]] = {
    "drawn": drawn,
    "styled": styled,
}


def make_class(order: Order) -> list[Member]:
    """The class, graded; empty for a variant that the grader refuses."""
    torch.set_num_threads(1)
    variant = make_variant(order.variant)
    random = Random(f"class:{order.variant}:{order.family}")
    try:
        grader = grader_for(variant.text)
    except UsageProblem:
        return []
    members: list[Member] = []
    with tempfile.TemporaryDirectory() as folder:

        def graded(text: str) -> Grade:
            path = Path(folder) / f"m{len(members)}.py"
            path.write_text(text, encoding="utf-8")
            return grader.grade(path, path.name)

        for seed in range(1, 20 * order.originals):
            if len(members) == order.originals:
                break
            try:
                text = FAMILIES[order.family](variant, seed, random).text
            except (NoPlace, Discarded):
                continue
            grade = graded(text)
            if grade.traits:  # it ran to its end
                members.append(Member(len(members), False, text, grade))
        originals = members[:]
        for number in range(order.copies if originals else 0):
            chosen = originals[number % len(originals)]
            text = copied(chosen.text, 1_000 * order.variant + number)
            members.append(Member(chosen.root, True, text, graded(text)))
    grader.close()
    return members


class Told(NamedTuple):
    """Of a class or several: pairs of an original and a copy of it, or of two copies; those of them that were
    told; and the others that were told, of so many."""

    copies: int = 0
    found: int = 0
    false: int = 0
    others: int = 0
    classes: int = 0

    def __add__(self, more: object) -> Told:
        assert isinstance(more, Told)
        return Told(*(a + b for a, b in zip(self, more, strict=True)))

    def row(self, title: str) -> str:
        """For people."""
        precision = f"{self.found / (self.found + self.false):.3f}" if self.found else "-"
        recall = f"{self.found / self.copies:.3f}" if self.copies else "-"
        return (f"{title:22}{self.classes:8}{self.copies:8}{self.found:7}{recall:>8}"
                f"{self.others:9}{self.false:7}{precision:>11}")  # fmt: skip


HEAD = (
    f"{'family, originals':22}{'classes':>8}{'copies':>8}{'found':>7}{'recall':>8}"
    f"{'others':>9}{'told':>7}{'precision':>11}"
)


def told_of(members: Sequence[Member]) -> Told:
    """What the report tells of a class."""
    grades = [
        msgspec.structs.replace(member.grade, path=f"{number:03}", variant="v1")
        for number, member in enumerate(members)
    ]
    pairs = {tuple(map(int, pair.paths)) for pair in compare(grades).pairs}
    true = {
        (a, b)
        for a, b in itertools.combinations(range(len(members)), 2)
        if members[a].root == members[b].root
    }
    count = len(members) * (len(members) - 1) // 2
    return Told(len(true), len(true & pairs), len(pairs - true), count - len(true), 1)


def smaller(members: Sequence[Member], size: int) -> list[list[Member]]:
    """Classes with one copy each, of so many originals, out of a larger one."""
    originals = [member for member in members if not member.is_copy]
    made = []
    for copy in members[len(originals) :]:
        others = [member for member in originals if member.root != copy.root]
        made.append([originals[copy.root], *others[: size - 1], copy])
    return made


def measured(order: Order) -> tuple[Order, dict[int, Told], float]:
    """What is told of a class, of itself (0) and of the smaller ones in it, by their size; seconds."""
    start = time.monotonic()
    members = make_class(order)
    sums: dict[int, Told] = {}
    if members:
        sums[0] = told_of(members)
        for size in SIZES:
            sums[size] = sum(map(told_of, smaller(members, size)), Told())
    return order, sums, time.monotonic() - start


def main() -> int:
    """0: it measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="1000:1012", help="variants, A:B (1000:1012)")
    parser.add_argument("--families", default=",".join(FAMILIES), help="of programs (all)")
    parser.add_argument("--copies", type=int, default=5, help="in a class of 16 originals (5)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    asked = parser.parse_args()
    seeds = range(*map(int, asked.seeds.split(":")))
    orders = [
        Order(family, seed, SIZES[-1], asked.copies)
        for family in asked.families.split(",")
        for seed in seeds
    ]
    sums: dict[tuple[str, int], Told] = {}
    with multiprocessing.get_context("spawn").Pool(asked.jobs) as pool:
        for order, found, seconds in pool.imap_unordered(measured, orders):
            for size, told in found.items():
                sums[order.family, size] = sums.get((order.family, size), Told()) + told
            print(f"{order}: {found.get(0)}, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(f"$ {shlex.join(['python', *sys.argv])}\n{HEAD}")
    for (family, size), told in sorted(sums.items()):
        title = f"{size}, one copy" if size else f"{SIZES[-1]}, {asked.copies} copies"
        print(told.row(f"{family} {title}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

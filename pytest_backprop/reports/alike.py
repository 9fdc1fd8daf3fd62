"""Which submissions of one task are more alike than the task makes them.

All right solutions of a task share most of what they calculate. So a trait weighs by how few of the *other*
submissions of the task have it: what every second one has tells nothing. The likeness of two is the weight of
what both have in the weight of what either has. How much there is to tell is counted by lines and not by traits,
for one decision makes many traits alike: a tape's few lines calculate all nodes, and whoever writes the usual
tape has all of them.

It is a reason to look, and no verdict: nothing that is graded depends on it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from ..model import Grade
from ..model.verdict import Trait
from .alike_entries import AlikeInfo, AlikeLines, AlikePair
from .text import clean

ALIKE_PAGE = "alike.html"
"""In the HTML report, for the instructor alone: it shows one student's work beside another's."""
FEWEST = 6
"""Submissions of a task below which nobody can tell what is rare in it."""
LIKENESS, GRAPH, EVIDENCE = 0.6, 0.9, 25.0
"""From which on two are told. Calibrated by tests/accuracy/alike.py on programs drawn from other seeds than those it
reports on."""
HEAVIEST = 3.5
"""Nats: what one in seventeen has, and all that is rarer. A large class makes no evidence out of one odd line."""
RARE = math.log(3)
"""Nats: at most one in three of the others has it. No line of less is evidence, however many there are."""
PAIRS_LIMIT, LINES_LIMIT = 100, 300
COLUMNS = 4_096
"""Traits that are compared at a time: a bound on memory."""

Kind = Literal["value", "way", "order", "drop"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Key = tuple[Kind, int]
Line = tuple[int | None, int]
ALL_KINDS: frozenset[Kind] = frozenset(KINDS)
GRAPH_KINDS: frozenset[Kind] = frozenset({"value", "way"})


class Likeness(NamedTuple):
    """Of two positions in a list of passes: shares of weight, and the evidence in nats."""

    first: int
    second: int
    all: float
    graph: float
    evidence: float


class Pass(NamedTuple):
    """Of a grade, what is compared, and whose it is."""

    path: str
    student: str | None
    variant: str
    traits: tuple[Trait, ...]


def alike(grades: Collection[Grade]) -> AlikeInfo:
    """Compares the submissions of each task with each other. Two of one student are not told."""
    tasks: dict[str, list[Pass]] = defaultdict(list)
    for grade in grades:
        if grade.traits and grade.variant is not None:
            each = Pass(grade.path, grade.student, grade.variant, grade.traits)
            tasks[grade.variant].append(each)
    told: list[tuple[Passes, Likeness, Pass, Pass]] = []
    too_few: list[str] = []
    compared = 0
    for variant in sorted(tasks):
        # two entries may share a path; what they did then decides
        members = sorted(
            tasks[variant], key=lambda each: (each.path, msgspec.json.encode(each.traits))
        )
        if len(members) < FEWEST:
            too_few += [clean(variant)] if len(members) > 1 else []
            continue
        compared += len(members)
        passes = Passes([each.traits for each in members])
        for found in passes.alike():
            first, second = members[found.first], members[found.second]
            if first.student is None or first.student != second.student:
                told.append((passes, found, first, second))
    told.sort(key=lambda pair: (-pair[1].all, pair[2].path, pair[3].path))
    left_out = max(0, len(told) - PAIRS_LIMIT)
    return AlikeInfo([_pair(*pair) for pair in told[:PAIRS_LIMIT]], left_out, compared, too_few)


class Passes:
    """The traits of the passes of one task, and what they weigh."""

    def __init__(self, passes: Sequence[Sequence[Trait]]) -> None:
        self.keys = [
            {(kind, getattr(t, kind)) for t in traits for kind in KINDS} for traits in passes
        ]
        self.count = Counter(key for keys in self.keys for key in keys)
        self._passes = passes
        self._others = len(passes) - 2

    def alike(self) -> Iterator[Likeness]:
        """The pairs that are more alike than the task makes them."""
        likeness, graph = self._shares(ALL_KINDS), self._shares(GRAPH_KINDS)
        (rare,) = self._sums(
            ALL_KINDS, lambda count: self._rare(count - 2)
        )  # at least the evidence
        close = (likeness >= LIKENESS) & (graph >= GRAPH) & (rare >= EVIDENCE)
        for a, b in zip(*(places.tolist() for places in close.nonzero()), strict=True):
            if a < b and (evidence := self.evidence(a, b)) >= EVIDENCE:
                yield Likeness(a, b, float(likeness[a, b]), float(graph[a, b]), evidence)

    def weight(self, others: int) -> float:
        """Of what so many have beside the two that are compared, in nats."""
        return min(HEAVIEST, -math.log((others + 0.5) / (self._others + 1)))

    def share(self, first: int, second: int, kinds: frozenset[Kind]) -> float:
        """The weight of what both have in the weight of what either has, in traits of some kinds."""
        a, b = ({key for key in self.keys[n] if key[0] in kinds} for n in (first, second))
        both = sum(self.weight(self.count[key] - 2) for key in a & b)
        one = sum(self.weight(self.count[key] - 1) for key in a ^ b)
        return both / (both + one) if both + one > 0 else 0.0

    def evidence(self, first: int, second: int) -> float:
        """Of the shared traits of each line the heaviest, if it is rare, summed, by the one who has less of it;
        nats."""
        shared = self.keys[first] & self.keys[second]
        sums = []
        for number in (first, second):
            lines: dict[Line, float] = {}
            for trait in self._passes[number]:
                if trait.line is not None:
                    line = trait.cell, trait.line
                    weights = [self._rare(self.count[k] - 2) for k in _keys(trait) if k in shared]
                    lines[line] = max([lines.get(line, 0.0), *weights])
            sums.append(sum(lines.values()))
        return min(sums)

    def only(self, first: int, second: int) -> int:
        """How many traits these two have and nobody else."""
        return sum(self.count[key] == 2 for key in self.keys[first] & self.keys[second])

    def lines(self, first: int, second: int) -> list[AlikeLines]:
        """The lines in which both calculate the same values, in the same way where there is a choice."""
        theirs: dict[Key, list[Line]] = defaultdict(list)
        for trait in self._passes[second]:
            for key in _keys(trait):
                if trait.line is not None:
                    theirs[key].append((trait.cell, trait.line))
        shared = self.keys[first] & self.keys[second]
        met: dict[tuple[Line, Line], float] = {}
        for trait in self._passes[first]:
            places = theirs.get(("way", trait.way)) or theirs.get(("value", trait.value))
            if trait.line is None or not places:
                continue
            pair = (trait.cell, trait.line), places.pop(0) if len(places) > 1 else places[0]
            weights = [self.weight(self.count[k] - 2) for k in _keys(trait) if k in shared]
            met[pair] = max([met.get(pair, 0.0), *weights])
        return [
            AlikeLines(a[0], a[1], b[0], b[1], weight >= RARE)
            for (a, b), weight in list(met.items())[:LINES_LIMIT]
        ]

    def _rare(self, others: int) -> float:
        """The weight of what is rare, else 0."""
        weight = self.weight(others)
        return weight if weight >= RARE else 0.0

    def _shares(self, kinds: frozenset[Kind]) -> Any:
        """`share` of every two: (passes, passes) floats. A thousand passes have half a million pairs."""
        import numpy as np

        both, twice = self._sums(
            kinds, lambda count: self.weight(count - 2), lambda count: self.weight(count - 1)
        )
        total = np.array(
            [
                sum(self.weight(self.count[key] - 1) for key in keys if key[0] in kinds)
                for keys in self.keys
            ]
        )
        one = total[:, None] + total[None, :] - 2 * twice
        return both / np.maximum(both + one, 1e-6)

    def _sums(self, kinds: frozenset[Kind], *weights: Callable[[int], float]) -> Any:
        """For every two, what the traits that both have weigh, by how many have them in all: (weights,
        passes, passes) floats."""
        import numpy as np

        sums = np.zeros((len(weights), len(self.keys), len(self.keys)))
        several = sorted(key for key, n in self.count.items() if n > 1 and key[0] in kinds)
        for start in range(0, len(several), COLUMNS):
            column = {key: at for at, key in enumerate(several[start : start + COLUMNS])}
            has = np.zeros((len(self.keys), len(column)), dtype=np.float32)
            for row, keys in enumerate(self.keys):
                has[row, [column[key] for key in keys if key in column]] = 1
            for at, weight in enumerate(weights):
                each = np.array([weight(self.count[key]) for key in column], dtype=np.float32)
                sums[at] += (has * each) @ has.T
        return sums


def _keys(trait: Trait) -> Iterable[Key]:
    return ((kind, getattr(trait, kind)) for kind in KINDS)


def _pair(passes: Passes, found: Likeness, first: Pass, second: Pass) -> AlikePair:
    a, b = found.first, found.second
    return AlikePair(
        paths=[clean(first.path), clean(second.path)],
        students=[None if g.student is None else clean(g.student) for g in (first, second)],
        variant=clean(first.variant),
        likeness=_rounded(found.all),
        graph=_rounded(found.graph),
        order=_rounded(passes.share(a, b, frozenset({"order"}))),
        drops=_rounded(passes.share(a, b, frozenset({"drop"}))),
        evidence=round(found.evidence, 1),
        only_these=passes.only(a, b),
        lines=passes.lines(a, b),
    )


def _rounded(share: float) -> float:
    return round(min(1.0, max(0.0, share)), 3)

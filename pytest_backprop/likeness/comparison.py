"""Compares the passes of each task: which two are more alike than the task makes them.

All right solutions of a task share most of what they calculate. So a trait weighs by how few of the
*other* submissions of the task have it: what every second one has tells nothing. The likeness of
two is the weight of what both have in the weight of what either has. How much there is to tell is
counted by lines and not by traits, for one decision makes many traits alike: a tape's few lines
calculate all nodes, and whoever writes the usual tape has all of them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from ..model import Grade
from ..model.verdict import Trait
from ..reports.document import AlikeInfo, AlikeLines, AlikePair
from ..reports.text import clean

FEWEST = 6
"""Submissions of a task below which nobody can tell what is rare in it."""
LIKENESS, GRAPH, EVIDENCE = 0.6, 0.9, 25.0
"""From which on a pair is reported. Calibrated by tests/accuracy/alike.py on programs drawn from
other seeds than those it reports on."""
HEAVIEST = 3.5
"""Nats: what one in seventeen has, and all that is rarer. A large class makes no evidence out of
one odd line."""
RARE = math.log(3)
"""Nats: at most one in three of the others has it. No line of less is evidence, however many there
are."""
PAIRS_LIMIT, LINES_LIMIT = 100, 300
COLUMNS = 4_096
"""Traits that are compared at a time: a bound on memory."""

Kind = Literal["value", "way", "order", "drop"]
KINDS: tuple[Kind, ...] = get_args(Kind)
GRAPH_KINDS: tuple[Kind, ...] = ("value", "way")
Key = tuple[Kind, int]
Line = tuple[int | None, int]


class Pass(NamedTuple):
    """What is compared of a grade, and whose it is."""

    path: str
    student: str | None
    traits: tuple[Trait, ...]


def compare(grades: Collection[Grade]) -> AlikeInfo:
    """Compares the submissions of each task with each other. Two of one student make no pair."""
    tasks: dict[str, list[Pass]] = defaultdict(list)
    for grade in grades:
        for part in grade.parts or (grade,):
            if part.traits and part.variant is not None:
                tasks[part.variant].append(Pass(grade.path, grade.student, part.traits))
    pairs: list[AlikeRows] = []
    too_few: list[str] = []
    compared = 0
    for variant, passes in sorted(tasks.items()):
        if len(passes) >= FEWEST:
            compared += len(passes)
            pairs += Comparison(variant, passes).pairs()
        elif len(passes) > 1:
            too_few.append(clean(variant))
    pairs.sort(key=lambda pair: (-pair.likeness, *pair.paths()))
    left_out = max(0, len(pairs) - PAIRS_LIMIT)
    entries = [pair.task.entry(pair) for pair in pairs[:PAIRS_LIMIT]]
    return AlikeInfo(entries, left_out, compared, too_few)


class AlikeRows(NamedTuple):
    """Two passes of a task, by their positions in it: shares of weight, and the evidence in
    nats."""

    task: Comparison
    first: int
    second: int
    likeness: float
    graph: float
    evidence: float

    def paths(self) -> tuple[str, str]:
        """Their submissions."""
        return self.task.passes[self.first].path, self.task.passes[self.second].path


class Comparison:
    """The passes of one task, and what their traits weigh, in nats."""

    def __init__(self, variant: str, passes: Sequence[Pass]) -> None:
        self._variant = variant
        # two entries may share a path; what they did then decides
        self.passes = sorted(passes, key=lambda each: (each.path, msgspec.json.encode(each.traits)))
        self.keys = [{key for t in each.traits for key in _keys(t)} for each in self.passes]
        self._count = Counter(key for keys in self.keys for key in keys)

    def pairs(self) -> Iterator[AlikeRows]:
        """The pairs that are more alike than the task makes them."""
        import numpy as np  # here: its import takes longer than the grading of most runs

        likeness, graph = self.shares(KINDS), self.shares(GRAPH_KINDS)
        rare = self._weight_of_both(KINDS, self._rare)  # at least the evidence
        close = np.triu((likeness >= LIKENESS) & (graph >= GRAPH) & (rare >= EVIDENCE), 1)
        for a, b in np.argwhere(close).tolist():
            student = self.passes[a].student
            if student is not None and student == self.passes[b].student:
                continue
            if (evidence := self._evidence(a, b)) >= EVIDENCE:
                yield AlikeRows(self, a, b, float(likeness[a, b]), float(graph[a, b]), evidence)

    def entry(self, pair: AlikeRows) -> AlikePair:
        """A pair as the report has it."""
        a, b = pair.first, pair.second
        both = self.passes[a], self.passes[b]
        return AlikePair(
            paths=[clean(each.path) for each in both],
            students=[each.student and clean(each.student) for each in both],
            variant=clean(self._variant),
            likeness=round(pair.likeness, 3),
            graph=round(pair.graph, 3),
            order=round(self._share(a, b, "order"), 3),
            drops=round(self._share(a, b, "drop"), 3),
            evidence=round(pair.evidence, 1),
            only_these=sum(self._count[key] == 2 for key in self.keys[a] & self.keys[b]),
            lines=self._lines(a, b),
        )

    def weight(self, others: int) -> float:
        """Of a trait that so many have beside the two that are compared."""
        return min(HEAVIEST, -math.log((others + 0.5) / (len(self.passes) - 1)))

    def shares(self, kinds: Collection[str]) -> Any:
        """The weight of what both have in the weight of what either has, of every two passes:
        (passes, passes) floats in [0, 1]."""
        import numpy as np

        both = self._weight_of_both(kinds, lambda count: self.weight(count - 2))
        twice = self._weight_of_both(kinds, lambda count: self.weight(count - 1))
        each = np.array(
            [
                sum(self.weight(self._count[k] - 1) for k in keys if k[0] in kinds)
                for keys in self.keys
            ]
        )
        one = each[:, None] + each[None, :] - 2 * twice
        return np.clip(both / np.maximum(both + one, 1e-6), 0, 1)

    def _share(self, first: int, second: int, kind: Kind) -> float:
        """The same of two passes and one kind."""
        a, b = ({key for key in self.keys[n] if key[0] == kind} for n in (first, second))
        both = sum(self.weight(self._count[key] - 2) for key in a & b)
        one = sum(self.weight(self._count[key] - 1) for key in a ^ b)
        return both / (both + one) if both + one > 0 else 0.0

    def _weight_of_both(self, kinds: Collection[str], weight: Callable[[int], float]) -> Any:
        """What the traits weigh that both have, of every two passes; `weight` is that of a trait by
        how many have it."""
        import numpy as np

        total = np.zeros((len(self.keys), len(self.keys)))
        shared = sorted(key for key, count in self._count.items() if count > 1 and key[0] in kinds)
        for start in range(0, len(shared), COLUMNS):
            column = {key: at for at, key in enumerate(shared[start : start + COLUMNS])}
            has = np.zeros((len(self.keys), len(column)), dtype=np.float32)
            for row, keys in enumerate(self.keys):
                has[row, [column[key] for key in keys if key in column]] = 1
            weights = np.array([weight(self._count[key]) for key in column], dtype=np.float32)
            total += (has * weights) @ has.T
        return total

    def _rare(self, count: int) -> float:
        """The weight of a trait that two have if it is rare, else 0."""
        weight = self.weight(count - 2)
        return weight if weight >= RARE else 0.0

    def _evidence(self, first: int, second: int) -> float:
        """Of the shared traits of each line the heaviest, if it is rare, summed; of the two passes
        the smaller sum."""
        shared = self.keys[first] & self.keys[second]
        sums = []
        for number in (first, second):
            lines: dict[Line, float] = defaultdict(float)
            for trait in self.passes[number].traits:
                if trait.line is not None:
                    line = trait.cell, trait.line
                    weights = [self._rare(self._count[k]) for k in _keys(trait) if k in shared]
                    lines[line] = max([lines[line], *weights])
            sums.append(sum(lines.values()))
        return min(sums)

    def _lines(self, first: int, second: int) -> list[AlikeLines]:
        """The lines in which both calculate the same values, in the same way where there is a
        choice."""
        theirs: dict[Key, list[Line]] = defaultdict(list)
        for trait in self.passes[second].traits:
            for key in _keys(trait):
                if trait.line is not None:
                    theirs[key].append((trait.cell, trait.line))
        shared = self.keys[first] & self.keys[second]
        pairs: dict[tuple[Line, Line], float] = defaultdict(float)
        for trait in self.passes[first].traits:
            places = theirs.get(("way", trait.way)) or theirs.get(("value", trait.value))
            if trait.line is None or not places:
                continue
            pair = (trait.cell, trait.line), places.pop(0) if len(places) > 1 else places[0]
            weights = [self.weight(self._count[k] - 2) for k in _keys(trait) if k in shared]
            pairs[pair] = max([pairs[pair], *weights])
        return [
            AlikeLines(*one, *other, weight >= RARE)
            for (one, other), weight in list(pairs.items())[:LINES_LIMIT]
        ]


def _keys(trait: Trait) -> Iterator[Key]:
    return ((kind, getattr(trait, kind)) for kind in KINDS)

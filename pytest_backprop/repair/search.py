"""Which line of a pass is faulty: the one whose change makes value and gradients right.

For each node the value is worked out that it would need. Few nodes have one that mends all outputs
at once; of those, the one that is not what it should be (`roles`), while what it is made of is, is
at fault, and an edit (`edits`) that gives the needed value says what to write.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from ..exercises.forward_backward.bank import Variant
from ..trace.field import Pole
from .bench import POINTS, Bench, Budget, NotComparable, OutOfBudget
from .edits import NEAR, Tree, slips, value_of
from .patterns import Patterns
from .scalars import Scalars
from .score import Repair, RepairCandidate, RepairScore

WORK = 600_000
"""Nodes evaluated for one submission at most: about a second."""
MAX_FAULTS = 3
LIKE = 3
"""The greatest cost of an edit that may be the same mistake in another line."""


class Repairs(NamedTuple):
    """What a search found, best first; each entry of `together` has to be changed as well.

    `wrong`: which outputs are, y first. `work`: nodes evaluated.
    """

    repairs: tuple[Repair, ...] = ()
    together: tuple[Repair, ...] = ()
    wrong: tuple[bool, ...] = ()
    work: int = 0
    reason: str = ""


class Search:
    """One search."""

    def __init__(self, scalars: Scalars, variant: Variant, work: int = WORK) -> None:
        self._work = work
        self.budget = Budget(work)
        self.scalars = scalars
        self.nodes = scalars.nodes
        self.bench = Bench(scalars.nodes, scalars.outputs, variant, self.budget)
        self.judge = RepairScore(scalars, self.bench)
        runs = Counter((node.site, node.code) for node in self.nodes if node.op >= 0)
        self._again = {n for n, node in enumerate(self.nodes)
                       if node.op >= 0 and node.bound is None and runs[node.site, node.code] > 1}  # fmt: skip
        """Nodes of an expression that runs several times: a change of it is a change of all."""

    def run(self) -> Repairs:
        """Never raises OutOfBudget: what was found by then is what there is."""
        bench = self.bench
        if not bench.targets:
            return Repairs(reason="every output is right over the field")
        repairs: list[Repair] = []
        together: list[Repair] = []
        try:
            self.judge.collect_roles()
            found = self._single(self.bench.needed)
            repairs = self.judge.ranked(found)
            if 0 in bench.targets:
                seen = {c.node for c in found}
                found += self._single(self._guessed, seen)
                seen.update(c.node for c in found)
                found += self._single(self._tried, seen)
                repairs = self.judge.ranked(found)
            else:
                # what is used twice may not be solved for; that its own slips are few makes up for it
                found += self._single(self._slipped, {c.node for c in found})
                repairs = self.judge.ranked(found)
            if not self._settled(repairs):
                joint = Patterns(self.scalars, self.bench, self.judge).found()
                if joint:
                    repairs, together = [joint[0]], joint[1:]
            if not repairs:
                together = self._several()
        except (OutOfBudget, Pole):
            pass
        if together and not repairs:
            repairs, together = together[:1], together[1:]
        repairs = self._told(repairs)
        return Repairs(tuple(repairs), tuple(together), bench.wrong, self._work - self.budget.left)

    def _told(self, repairs: Sequence[Repair]) -> list[Repair]:
        """Those likely enough to be told."""
        likely = [r for r in repairs if r.rank[1] <= (0 if r.best.edit is None else 1)]
        if not likely:
            rest = [r for r in repairs if r.best.edit is not None] or list(repairs)
            return rest if len(rest) == 1 else []  # however unlikely, nothing else would do
        if likely[0].best.edit is None:
            return likely
        if _kind(likely[0]) == "term":
            likely = self._lacking(likely, repairs)
        return self._with_like(likely, repairs)

    def _lacking(self, likely: Sequence[Repair], repairs: Sequence[Repair]) -> list[Repair]:
        """A term that is missing from a sum may be missing from any line that adds it up: these count
        for as likely as the first. A sum that has lost its other term stands there as a second name,
        or as the term that is left, which then comes first."""
        first = likely[0]
        parts = self.judge.summands(first.best.node)
        same = [r._replace(rank=(*first.rank[:2], *r.rank[2:])) for r in repairs
                if r is not first and self.nodes[r.best.node].code != "number"
                and (any(c.node in parts for c in r.candidates)
                     or self._renames(r, first))]  # fmt: skip
        names = [r for r in same if _kind(r) == "term" and self._is_name(r)]
        terms = [r for r in same if _kind(r, LIKE) == "term"
                 and self.nodes[r.best.node].code not in ("add", "sub", "copy")
                 and any(self.nodes[c.node].bound for c in r.candidates)]  # fmt: skip
        last = first
        if names and not self._is_name(first):
            last = names[0]
            for repair in names[1:]:
                if last.best.node in self.judge.names(repair.best.node):
                    last = repair
        elif len(terms) == 1 and self._adds_two(first.best.node):
            last = terms[0]
        lines = [r.best.node for r in same]
        told = [first, *same, *(r for r in likely[1:] if r.best.node not in lines)]
        return [last, *(r for r in told if r is not last)]

    def _with_like(self, told: Sequence[Repair], repairs: Sequence[Repair]) -> list[Repair]:
        """And those where the very mistake of the first would do a line before or after it."""
        first = told[0]
        like = [r._replace(rank=(*first.rank[:2], *r.rank[2:])) for r in repairs
                if _kind(r, LIKE) == _kind(first) and r.rank[1] <= first.rank[1] + 2]  # fmt: skip
        equal = [r for r in told if r.rank[:2] == first.rank[:2]]
        lines = [r.best.node for r in equal]
        more = [r for r in like if r.best.node not in lines]
        lines += [r.best.node for r in more]
        return [*equal, *more, *(r for r in told if r.best.node not in lines)]

    def _renames(self, other: Repair, first: Repair) -> bool:
        """Whether `b = a`, just as likely, is a second name for the sum that lacks a term."""
        return (self._is_name(other) and other.rank[:2] == first.rank[:2] and _kind(other) == "term"
                and first.best.node in self.judge.summands(other.best.node))  # fmt: skip

    def _adds_two(self, n: int) -> bool:
        """Whether a node is a sum, and the only one in its statement."""
        node = self.nodes[n]
        return node.code == "add" and not any(
            self.nodes[o].code == "add" and self.nodes[o].place == node.place for o in node.operands
        )

    def _is_name(self, repair: Repair) -> bool:
        node = self.nodes[repair.best.node]
        return node.code == "copy" and node.bound is not None

    def _settled(self, repairs: Sequence[Repair]) -> bool:
        return bool(repairs) and repairs[0].best.edit is not None and repairs[0].rank[1] <= 0

    def _single(
        self, needed_by: Callable[[int], list[int] | None], but: Collection[int] = ()
    ) -> list[RepairCandidate]:
        found = []
        for n in sorted(self.bench.reaching):
            node = self.nodes[n]
            if node.site is None or node.code == "leaf" or n in but or n in self._again:
                continue
            needed = needed_by(n)
            if needed is not None:
                found.append(self.judge.candidate(n, needed))
        return found

    def _guessed(self, n: int) -> list[int] | None:
        """The value of the variant's that node `n` must have: where y is no simple function of it,
        it cannot be solved for."""
        bench = self.bench
        y = bench.outputs[0]
        if y is None or y not in bench.after(n):
            return None
        now = self.judge.now(n)
        for guess in bench.steps():
            if guess[0] != now[0] and bench.mends([{n: value} for value in guess]):
                return guess
        return None

    def _tried(self, n: int) -> list[int] | None:
        """The value that the first slip that helps gives node `n`, tried one after the other."""
        if self.bench.outputs[0] not in self.bench.after(n):
            return None
        return self._helping(n, slips(self.nodes, n, NEAR))

    def _slipped(self, n: int) -> list[int] | None:
        """The same without other operands, for any node that all wrong outputs depend on. Where y,
        which is right, is made of it, y can only be an even function of it."""
        bench = self.bench
        after = {n, *bench.after(n)}
        if any(bench.outputs[i] not in after for i in bench.targets):
            return None
        even = bench.outputs[0] in after
        return self._helping(n, [("neg", ("node", n))] if even else slips(self.nodes, n, 0))

    def _helping(self, n: int, trees: Iterable[Tree]) -> list[int] | None:
        bench = self.bench
        seen = {self.judge.now(n)[0]}
        for tree in trees:
            try:
                value = value_of(tree, bench.values[0])
                if value not in seen and bench.is_right(0, bench.outcome(0, {n: value})):
                    made = [value_of(tree, bench.values[p]) for p in range(POINTS)]
                    if bench.mends([{n: v} for v in made]):
                        return made
                seen.add(value)
            except Pole:
                continue
        return None

    def _several(self) -> list[Repair]:
        """One edit after another, each of which makes one more output right."""
        bench = self.bench
        found: list[Repair] = []
        for _ in range(MAX_FAULTS):
            wrong = bench.now_wrong()
            if not wrong:
                return found
            for output in wrong:
                bench.focus(output)
                self.judge.collect_roles()
                ranked = self.judge.ranked(self._single(self.bench.needed))
                if self._settled(ranked):
                    best = min(ranked[0].candidates, key=lambda c: c is not ranked[0].best)
                    found.append(ranked[0])
                    bench.change(best.node, best.needed)
                    break
            else:
                return []
        return found if not bench.now_wrong() else []


def _kind(repair: Repair, cost: float = math.inf) -> str | None:
    """The kind of its edit; None if there is none that costs no more."""
    edit = repair.best.edit
    return None if edit is None or edit.cost > cost else edit.kind


def search(scalars: Scalars, variant: Variant, work: int = WORK) -> Repairs:
    """Searches; says why where it cannot."""
    try:
        return Search(scalars, variant, work).run()
    except (NotComparable, ValueError) as problem:
        return Repairs(reason=str(problem) or "it cannot be compared over the field")
    except OutOfBudget:
        return Repairs(reason="the pass is too large for the time there is")

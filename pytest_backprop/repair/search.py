"""Which line of a pass is faulty: the one whose change makes value and gradients right.

For each node the value is worked out that it would need. Few nodes have one that mends all outputs
at once; of those, the one that is not what it should be (`roles`), while what it is made of is, is
at fault, and an edit (`edits`) that gives the needed value says what to write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

from ..exercises.functions.bank import Variant
from .bench import Bench, Budget, NotComparable, OutOfBudget
from .edits import Edit
from .field import Pole
from .scalar_nodes import Node
from .scalars import Scalars
from .score import Repair, RepairCandidate, RepairRanking

WORK = 600_000
"""Nodes evaluated for one submission at most: about a second."""
SETTLED = 3
"""The greatest score of a repair that needs no other beside it."""
POSSIBLE = 8
"""How much more than against the first may speak against a repair that is reported at all."""


class Repairs(NamedTuple):
    """What a search found, best first; each entry of `together` has to be changed as well.

    `work`: nodes evaluated. `swapped`: the two that have to be changed together have each other's
    value.
    """

    repairs: tuple[Repair, ...] = ()
    together: tuple[Repair, ...] = ()
    work: int = 0
    reason: str = ""
    swapped: bool = False


class Search:
    """One search."""

    def __init__(self, scalars: Scalars, variant: Variant, work: int = WORK) -> None:
        self._work = work
        self.budget = Budget(work)
        self.scalars = scalars
        self.nodes = scalars.nodes
        self.bench = Bench(scalars.nodes, scalars.outputs, variant, self.budget)
        reaching = [self.nodes[n] for n in self.bench.reaching]
        runs = Counter((node.site, node.code) for node in reaching if node.op >= 0)
        self._joint = {
            n
            for n, node in enumerate(self.nodes)
            if node.op >= 0 and runs[node.site, node.code] > 1
        }
        """Nodes that no change of the text changes alone: of an expression that runs several
        times."""

    def run(self) -> Repairs:
        """Never raises OutOfBudget: what was found by then is what there is."""
        bench = self.bench
        if not bench.targets:
            return Repairs(reason="every output is right over the field")
        repairs: list[Repair] = []
        together: list[Repair] = []
        try:
            ranking = RepairRanking(self.scalars, bench)
            candidates = self._single(ranking, bench.needed)
            repairs = ranking.ranked(candidates)  # if there is no time for more
            if 0 in bench.targets:
                candidates += self._single(ranking, self._guessed, {c.node for c in candidates})
                repairs = ranking.ranked(candidates)
            # what is first will do where a likely edit mends it
            if not repairs or repairs[0].best.edit is None or repairs[0].total > SETTLED:
                joint = self._misplaced() or self._typed_in()
                if joint:
                    repairs, together = [joint[0]], joint[1:]
        except (OutOfBudget, Pole):
            pass
        repairs = [r for r in repairs if r.total <= repairs[0].total + POSSIBLE]
        swapped = len(repairs) == len(together) == 1 and all(
            one.best.needed
            and other.best.needed
            and bench.now(other.best.node) == [*one.best.needed]
            for one, other in (repairs + together, together + repairs)
        )
        return Repairs(
            tuple(repairs), tuple(together), self._work - self.budget.left, swapped=swapped
        )

    def _single(
        self,
        ranking: RepairRanking,
        needed_by: Callable[[int], list[int] | None],
        but: Collection[int] = (),
    ) -> list[RepairCandidate]:
        """The nodes of which a change mends all."""
        candidates = []
        for n in sorted(self.bench.reaching):
            node = self.nodes[n]
            if node.site is None or node.code == "leaf" or n in but or n in self._joint:
                continue
            needed = needed_by(n)
            if needed is not None:
                candidates.append(ranking.candidate(n, needed))
        return candidates

    def _misplaced(self) -> list[Repair]:
        """Gradients that are right and stand in the wrong slots, which have to be changed together;
        none if not all that is wrong is one of them."""
        bench = self.bench
        repairs: list[Repair] = []
        for i in bench.targets:
            output = bench.outputs[i]
            everywhere = [right[i] for right in bench.right]
            holders = [
                n
                for n, node in enumerate(self.nodes)
                if (node.bound is not None or n in bench.outputs)
                and [values[n] for values in bench.values] == everywhere
            ]
            if output is None or not holders or self.nodes[output].site is None:
                return []
            edit = Edit("slot", 1, ("node", holders[0]))
            repairs.append(Repair((RepairCandidate(output, tuple(everywhere), edit, 0),)))
        return repairs

    def _typed_in(self) -> list[Repair]:
        """Numbers that bear the names of weights or inputs: where no edit is likely, they stand
        where these should be read."""
        leaves = {node.name: n for n, node in enumerate(self.nodes) if node.code == "leaf"}
        repairs = []
        for name, site in self.scalars.typed:
            if name in leaves:
                self.nodes.append(Node("number", site=site, place=(site,)))
                edit = Edit("typed-in", 1, ("node", leaves[name]))
                candidate = RepairCandidate(len(self.nodes) - 1, (), edit, 0)
                repairs.append(Repair((candidate,)))
        return repairs

    def _guessed(self, n: int) -> list[int] | None:
        """The value of the variant's that node `n` must have: where y is no simple function of it,
        it cannot be solved for."""
        bench = self.bench
        y = bench.outputs[0]
        if y is None or y not in bench.after(n):
            return None
        now = bench.now(n)
        for guess in bench.steps():
            if guess[0] != now[0] and bench.mends(n, guess):
                return guess
        return None


def search(scalars: Scalars, variant: Variant, work: int = WORK) -> Repairs:
    """Searches; says why where it cannot."""
    try:
        return Search(scalars, variant, work).run()
    except (NotComparable, ValueError) as problem:
        return Repairs(reason=str(problem) or "it cannot be compared over the field")
    except OutOfBudget:
        return Repairs(reason="the pass is too large for the time there is")

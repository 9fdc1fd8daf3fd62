"""Scores the repairs of a pass: of what would mend it, the likeliest is what leaves the pass with
the fewest oddities.

A candidate is mended in thought, and the values that follow are held against the quantities of the
task: values, partials, adjoints, contributions along an edge. What a student computes on purpose is
one of them; what a wrong repair leaves behind is not.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .bench import POINTS, Bench
from .edits import Edit, KnownValues, Tree, edits, known_values, value_of
from .field import PRIME, Pole
from .roles import Derivatives, Role, upstream
from .scalar_nodes import Node
from .scalars import Scalars


class RepairScore(NamedTuple):
    """What speaks against a repair: oddities that the mended pass has more than the one that was
    handed in (fewer, where negative), and how far the edit is from what stands there."""

    inexact: int
    """Named values that are no quantity of the task, sign and factor included."""
    unsigned: int
    """Named values that lack the minus which a rule has: `a / b ** 2` where -a / b² is the
    slope."""
    partial: int
    """Named values that are a part of a sum: of some of the contributions to an adjoint."""
    repeated: int
    """Names beyond the quantities of the task that have the same value: copies, and what is
    computed twice."""
    cost: float
    """The edit's; NO_EDIT where none is known."""

    @property
    def total(self) -> float:
        """The less, the likelier."""
        return sum(count * weight for count, weight in zip(self, WEIGHTS, strict=True))


WEIGHTS = (4, 0.25, 1.5, 2, 1)
"""In costs of edits: a slip of a sign is one. In these proportions the line of 4,500 programs with
a fault came first most often."""
NO_EDIT = 8
LOST = ("term", "factor")
COPIED = 1
"""How much likelier a line lacks a term or a factor that only copies a name: a value has two names
where they differ."""
NEXT = 1
"""How much more than the cheapest edit one may cost that leaves less that is odd."""


class RepairCandidate(NamedTuple):
    """A node that could be changed so that all is right. `needed` is what it must be at each point.

    `edit` gives it that, None if none is known. `plays` is the quantity that it then is as the
    student would write it, `∂y/∂t9`; `negative`: it is minus that now.
    """

    node: int
    needed: tuple[int, ...]
    edit: Edit | None
    score: RepairScore
    plays: str | None = None
    negative: bool = False


class Repair(NamedTuple):
    """A line to change: candidates, the likeliest first."""

    candidates: tuple[RepairCandidate, ...]

    @property
    def best(self) -> RepairCandidate:
        """The change to tell."""
        return self.candidates[0]

    @property
    def total(self) -> float:
        """What speaks against it."""
        return self.best.score.total


class RepairRanking:
    """Quantities are those of the student's own graph, where y is right, and of the variant's."""

    def __init__(self, scalars: Scalars, bench: Bench) -> None:
        self.nodes: Sequence[Node] = scalars.nodes
        self._scalars = scalars
        self._bench = bench
        y = scalars.outputs[0]
        self._forward = set() if y is None else upstream(self.nodes, [y])
        self._shared = {
            o
            for node in self.nodes
            for o in node.operands
            if node.place != self.nodes[o].place and node.op >= 0
        }
        """Values that another statement than their own reads: they have a name."""
        self._named = [n for n, node in enumerate(self.nodes) if node.bound is not None]
        self._whole: set[int] = set()
        self._sums: set[int] = set()
        self._unsigned: set[int] = set()
        self._count: Counter[int] = Counter()
        """How many quantities have a value."""
        self._repetitions = 0
        self._odd: list[str] = []
        """What is odd about each of the named values that were handed in."""

    def collect(self) -> None:
        """Works out the quantities: those of reverse mode or those of forward mode, whichever
        explain more of the pass."""
        own = self._bench.own_roles
        found = [self._bench.ideals[0]] if own is None else [own, self._bench.ideals[0]]
        values = [self._bench.values[0][n] for n in self._named]
        modes = []
        for forward in (False, True):
            whole, sums = _quantities(found, forward)
            modes.append(
                (sum(value in whole or value in sums for value in values), whole, sums, forward)
            )
        _, self._whole, self._sums, forward = max(modes, key=lambda mode: mode[0])
        self._unsigned = set().union(*(derived.unsigned for derived in found))
        self._count = found[0].counts[forward] | found[-1].counts[forward]
        self._repetitions = self._repeated([self._bench.values[0][n] for n in self._named])
        self._odd = [
            self._oddity(value, self.nodes[n].code)
            for n, value in zip(self._named, values, strict=True)
        ]

    def now(self, n: int) -> list[int]:
        """The value of a node at each point."""
        return [self._bench.values[p][n] for p in range(POINTS)]

    def candidate(self, n: int, needed: Sequence[int]) -> RepairCandidate:
        """Node `n`, which would mend all if it were `needed`."""
        node = self.nodes[n]
        joins = node.code == "copy" and node.bound is None
        # nobody calculates where gradients are only put together
        ways = [
            edit
            for edit in self._edits(n, needed)
            if not joins or edit.cost <= PLAIN.get(edit.kind, 0)
        ]
        after = self._bench.changed(0, {n: needed[0]})
        tried: list[Edit | None] = [*ways] or [None]
        scored = [(self._score(n, after, edit), edit) for edit in tried]
        score, edit = min(scored, key=lambda way: way[0].total)
        negative = needed[0] == -self._bench.values[0][n] % PRIME
        return RepairCandidate(
            n, tuple(needed), edit, score, self._notation(needed[0], n), negative
        )

    def _notation(self, value: int, n: int) -> str | None:
        """The role in the student's own names, where their forward pass is right."""
        own = self._bench.own_roles
        if own is None or n in self._forward:
            return None
        name = self.nodes[n].bound or ""
        for role in sorted(own.roles.get(value, ()), key=lambda role: not self._is_for(role, name)):
            of, by = self._called(role.of), self._called(role.by)
            if role.kind == "adjoint" and of is not None:
                return f"∂y/∂{of}"
            if role.kind == "tangent" and of is not None:
                return f"∂{of}/∂{self._scalars.weights[role.weight]}"
            if role.kind == "partial" and of is not None and by is not None:
                return f"∂{of}/∂{by}"
        return None

    def _is_for(self, role: Role, name: str) -> bool:
        """Whether a student's name says whose it is: `dr1` is for r1. Equal values play several
        roles."""
        of = self._called(role.of)
        return of is not None and name.endswith(of)

    def _called(self, n: int) -> str | None:
        return None if n < 0 else self.nodes[n].bound or self.nodes[n].name or None

    # -- the score -------------------------------------------------------------------------

    def _score(self, n: int, after: Mapping[int, int], edit: Edit | None) -> RepairScore:
        """`after` has the values that follow."""
        before = self._bench.values[0]
        mended = self.nodes[n].code if edit is None else edit.tree[0]
        names = {*self._named, n} if self.nodes[n].bound is not None else self._named
        change: Counter[str] = Counter()
        for m, odd in zip(self._named, self._odd, strict=True):
            if m in after:
                change[self._oddity(after[m], mended if m == n else self.nodes[m].code)] += 1
                change[odd] -= 1
        cost = NO_EDIT if edit is None else edit.cost
        if self.nodes[n].code == "copy" and n in names and (edit is None or edit.kind in LOST):
            cost -= COPIED
        return RepairScore(
            inexact=change["inexact"],
            unsigned=change["unsigned"],
            partial=change["partial"],
            repeated=self._repeated([after.get(m, before[m]) for m in names]) - self._repetitions,
            cost=cost,
        )

    def _oddity(self, value: int, code: str) -> str:
        """What is odd about a value that an op `code` makes."""
        if not value or value in self._whole:
            return ""  # behind a kink anything may be zero
        if code in ("add", "sub", "copy", "node") and value in self._sums:
            return "partial"
        return "unsigned" if value in self._unsigned else "inexact"

    def _repeated(self, values: Sequence[int]) -> int:
        """How many more names there are than quantities."""
        return sum(
            max(0, count - self._count.get(value, 1)) for value, count in Counter(values).items()
        )

    # -- edits -----------------------------------------------------------------------------

    def _edits(self, n: int, needed: Sequence[int]) -> list[Edit]:
        """The edits that give node `n` the needed values, of the cheapest and of those next to
        them."""
        values = self._bench.values
        known = self._known(n)
        found: dict[Tree, Edit] = {}
        self._bench.budget.spend(len(known.nodes))
        for edit in edits(self.nodes, n, values[0], needed[0], known):
            least = min((e.cost for e in found.values()), default=edit.cost)
            before = found.get(edit.tree)
            if edit.cost > least + NEXT or (before is not None and before.cost <= edit.cost):
                continue
            with contextlib.suppress(Pole):
                if all(value_of(edit.tree, values[p]) == needed[p] for p in range(POINTS)) and (
                    self._bench.holds(n, edit.tree)
                ):
                    found[edit.tree] = edit
        return list(found.values())

    def _known(self, n: int) -> KnownValues:
        """What an edit may read: its own operands, and whatever has a name by then."""
        after = set(self._bench.after(n)) | {n}
        usable = [
            m
            for m, node in enumerate(self.nodes)
            if m not in after
            and node.code != "number"
            and m < n
            and (
                node.bound is not None
                or node.code == "leaf"
                or m in self._shared
                or m in self.nodes[n].operands
            )
        ]
        return known_values(self._bench.values[0], usable)

    # -- the order -------------------------------------------------------------------------

    def ranked(self, found: Sequence[RepairCandidate]) -> list[Repair]:
        """By statement, the likeliest first; of equals the line that runs first."""
        lines: dict[object, list[RepairCandidate]] = {}
        for candidate in found:
            lines.setdefault(self._line(candidate.node), []).append(candidate)
        repairs = [
            Repair(tuple(sorted(line, key=lambda c: (c.score.total, -c.node))))
            for line in lines.values()
        ]
        return sorted(repairs, key=self._order)

    def _order(self, repair: Repair) -> tuple[float, int]:
        return repair.total, max(c.node for c in repair.candidates)

    def _line(self, n: int) -> object:
        node = self.nodes[n]
        return node.place[0] if node.place else node.site


PLAIN = {"sign": 2, "operand": 2, "value": 4}
"""Kinds of edits, with the greatest cost, of a value that is only put where it belongs."""


def _quantities(found: Sequence[Derivatives], forward: bool) -> tuple[set[int], set[int]]:
    """The residues of values, partials, and of adjoints and contributions, or tangents and theirs;
    and those of sums of some contributions."""
    whole: set[int] = set()
    sums: set[int] = set()
    for derived in found:
        for value, roles in derived.roles.items():
            for role in roles:
                if role.kind in ("value", "partial") or (role.weight >= 0) == forward:
                    (sums if role.kind == "term" and role.by < 0 else whole).add(value)
    return whole, sums

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
from .edits import Edit, Readable, Tree, edits, value_of
from .field import PRIME, Pole
from .roles import Derivatives, Role, upstream
from .scalar_nodes import Node
from .scalars import Scalars

WEIGHTS = {"inexact": 4, "unsigned": 0.25, "partial": 1.5}
"""What speaks against a repair, in costs of edits (a slip of a sign is one): each named value that
is odd in the mended pass, and was not in the one that was handed in. It is no quantity of the task,
sign and factor included; it lacks the minus which a rule has, as `a / b ** 2` where -a / b² is the
slope; or it is a part of a sum, of some of the contributions to an adjoint. In these proportions
the line of 4,500 programs with a fault came first most often."""
REPEATED = 2
"""The same of names beyond the quantities of the task that have the same value: copies, and what is
computed twice."""
NO_EDIT = 8
LOST = ("term", "factor")
COPIED = 1
"""How much likelier a line lacks a term or a factor that only copies a name: a value has two names
where they differ."""
PLAIN = {"sign": 2, "operand": 2, "value": 4}
"""Kinds of edits, with the greatest cost, of a value that is only put where it belongs."""
NEXT = 1
"""How much more than the cheapest edit one may cost that leaves less that is odd."""


class RepairCandidate(NamedTuple):
    """A node that could be changed so that all is right. `needed` is what it must be at each point.

    `edit` gives it that, None if none is known; `score` is what speaks against it. `plays` is the
    quantity that it then is as the student would write it, `∂y/∂t9`; `negative`: it is minus that
    now.
    """

    node: int
    needed: tuple[int, ...]
    edit: Edit | None
    score: float
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
        return self.best.score


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
        # the quantities are those of reverse mode or of forward mode, whichever explain more
        own, ideal = bench.own_roles, bench.ideals[0]
        graphs = [ideal] if own is None else [own, ideal]
        values = [bench.values[0][n] for n in self._named]
        modes = []
        for forward in (False, True):
            whole, sums = _quantities(graphs, forward)
            modes.append((sum(v in whole or v in sums for v in values), whole, sums, forward))
        _, self._whole, self._sums, forward = max(modes, key=lambda mode: mode[0])
        self._unsigned = set().union(*(graph.unsigned for graph in graphs))
        self._count = graphs[0].counts[forward] | graphs[-1].counts[forward]
        """How many quantities have a value."""
        self._repetitions = self._repeated(values)
        self._odd = [
            self._oddity(value, self.nodes[n].code)
            for n, value in zip(self._named, values, strict=True)
        ]
        """What is odd about each of the named values that were handed in."""

    def candidate(self, n: int, needed: Sequence[int]) -> RepairCandidate:
        """Node `n`, which would mend all if it were `needed`."""
        ways = self._edits(n, needed)
        if self.nodes[n].code == "copy" and self.nodes[n].bound is None:
            # nobody calculates where gradients are only put together
            ways = [edit for edit in ways if edit.cost <= PLAIN.get(edit.kind, 0)]
        after = self._bench.changed(0, n, needed[0])
        tried: list[Edit | None] = [*ways] or [None]
        scored = [(self._score(n, after, edit), edit) for edit in tried]
        score, edit = min(scored, key=lambda way: way[0])
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

    def _score(self, n: int, after: Mapping[int, int], edit: Edit | None) -> float:
        """The less, the likelier. `after` has the values that follow."""
        before, node = self._bench.values[0], self.nodes[n]
        mended = node.code if edit is None else edit.tree[0]
        score: float = NO_EDIT if edit is None else edit.cost
        if node.code == "copy" and node.bound and (edit is None or edit.kind in LOST):
            score -= COPIED
        for m, odd in zip(self._named, self._odd, strict=True):
            if m in after:
                now = self._oddity(after[m], mended if m == n else self.nodes[m].code)
                score += WEIGHTS.get(now, 0) - WEIGHTS.get(odd, 0)
        repeated = self._repeated([after.get(m, before[m]) for m in self._named])
        return score + REPEATED * (repeated - self._repetitions)

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
        readable = self._readable(n)
        ways: dict[Tree, Edit] = {}
        self._bench.budget.spend(len(readable))
        for edit in edits(self.nodes, n, values[0], needed[0], readable):
            least = min((e.cost for e in ways.values()), default=edit.cost)
            before = ways.get(edit.tree)
            if edit.cost > least + NEXT or (before is not None and before.cost <= edit.cost):
                continue
            with contextlib.suppress(Pole):
                if all(value_of(edit.tree, values[p]) == needed[p] for p in range(POINTS)):
                    ways[edit.tree] = edit
        return list(ways.values())

    def _readable(self, n: int) -> Readable:
        """What an edit may read: its own operands, and whatever has a name by then."""
        after, node = self._bench.after(n), self.nodes[n]
        readable: Readable = {}
        for m in sorted(set(range(n)).difference(after)):
            other = self.nodes[m]
            is_named = other.bound is not None or other.code == "leaf" or m in self._shared
            if other.code != "number" and (is_named or m in node.operands):
                readable.setdefault(self._bench.values[0][m], []).append(m)
        return readable

    # -- the order -------------------------------------------------------------------------

    def ranked(self, candidates: Sequence[RepairCandidate]) -> list[Repair]:
        """By statement, the likeliest first; of equals the line that runs first."""
        lines: dict[object, list[RepairCandidate]] = {}
        for candidate in candidates:
            node = self.nodes[candidate.node]
            line = node.place[0] if node.place else node.site
            lines.setdefault(line, []).append(candidate)
        repairs = [
            Repair(tuple(sorted(own, key=lambda c: (c.score, -c.node)))) for own in lines.values()
        ]
        return sorted(repairs, key=lambda r: (r.total, max(c.node for c in r.candidates)))


def _quantities(graphs: Sequence[Derivatives], forward: bool) -> tuple[set[int], set[int]]:
    """The residues of values, partials, and of adjoints and contributions, or tangents and theirs;
    and those of sums of some contributions."""
    whole: set[int] = set()
    sums: set[int] = set()
    for graph in graphs:
        for value, roles in graph.roles.items():
            for role in roles:
                if role.kind in ("value", "partial") or (role.weight >= 0) == forward:
                    (sums if role.kind == "term" and role.by < 0 else whole).add(value)
    return whole, sums

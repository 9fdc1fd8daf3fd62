"""Judges a node that could be changed: what it would be, what it is, whether the one or the other
goes with what it is used for, and which edit would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..trace.field import PRIME, Pole
from .arithmetic import ScalarNode
from .bench import POINTS, Bench
from .edits import Edit, KnownValues, Tree, edits, known_values, nodes_in, value_of
from .roles import Derivatives, Role, upstream
from .scalars import Scalars

PLAIN = {"sign": 2, "operand": 2, "value": 4}
"""Kinds of edits, with the greatest cost, of a value that is only put where it belongs."""


class RepairCandidate(NamedTuple):
    """A node that could be changed so that all is right. `needed` is what it must be at each point.

    `edit` gives it that, None if none is known. `role` is what it then is; `was` what it is now.
    `fit` says how the two go with what it is used for: 0, the needed value belongs there and that
    of now does not; 1, cannot tell; 2, it needs a value that plays no role; 3, that of now belongs.
    `plays` is the role as the student would write it, `∂y/∂t9`; `negative`: it is minus that now.
    """

    node: int
    needed: tuple[int, ...]
    edit: Edit | None
    role: Role | None
    was: Role | None
    fit: int
    plays: str | None = None
    negative: bool = False


class Repair(NamedTuple):
    """A line to change. `others` are more candidates on it."""

    candidates: tuple[RepairCandidate, ...]
    rank: tuple[int, ...]

    @property
    def best(self) -> RepairCandidate:
        return self.candidates[0]


class RepairScore:
    """Roles are those in the student's own graph, where y is right, and in the variant's."""

    def __init__(self, scalars: Scalars, bench: Bench) -> None:
        self.nodes: Sequence[ScalarNode] = scalars.nodes
        self._scalars = scalars
        self._bench = bench
        self._roles: list[list[Derivatives]] = []
        y = scalars.outputs[0]
        self._forward = set() if y is None else upstream(self.nodes, [y])
        self._shared = {
            o
            for node in self.nodes
            for o in node.operands
            if node.place != self.nodes[o].place and node.op >= 0
        }
        """Values that another statement than their own reads: they have a name."""
        self._read = {o for node in self.nodes if node.code != "copy" for o in node.operands}

    def collect_roles(self) -> None:
        """Works them out, with what was changed for good."""
        self._roles.clear()
        own = self._bench.own_roles()
        for p in range(POINTS):
            mine = own[p]
            self._roles.append([self._bench.ideals[p]] if mine is None else
                               [mine, self._bench.ideals[p]])  # fmt: skip

    def role(self, values: Sequence[int], code: str = "add", forward: bool = False) -> Role | None:
        """What a value, given at each point, is; as made by an op `code`. In the forward pass it is
        what the variant says: the student's own graph would bear any of its faults out."""
        first, second = (
            [role for derived in self._roles[p][-1 if forward else 0 :]
             for role in derived.roles.get(values[p], ())]
            for p in range(POINTS)
        )  # fmt: skip
        adds = code in ("add", "sub", "copy")
        fitting = [r for r in first if adds or r.kind != "term" or r.by >= 0]
        return fitting[0] if fitting and second else None

    def _ingredients(self, value: int, code: str, adds: bool) -> tuple[set[int], set[int]]:
        """What a value at the first point is put together from, in any of its roles: near, and
        further inside. A node that does not add cannot be the sum of several terms."""
        near: set[int] = set()
        far: set[int] = set()
        for derived in self._roles[0]:
            for role in derived.roles.get(value, ()):
                found = derived.ingredients(role, code)
                near |= found.near | (found.sums if adds else set())
                far |= found.far
        return near, far

    def now(self, n: int) -> list[int]:
        """The value of a node at each point."""
        return [self._bench.values[p][n] for p in range(POINTS)]

    def candidate(self, n: int, needed: Sequence[int]) -> RepairCandidate:
        """Judges node `n`, which would mend all if it were `needed`."""
        forward = n in self._forward
        role = self.role(needed, forward=forward)
        was = self.role(self.now(n), self.nodes[n].code, forward)
        edit = self._edit(n, needed)
        node = self.nodes[n]
        if (
            edit is not None
            and node.code == "copy"
            and node.bound is None
            and edit.cost > PLAIN.get(edit.kind, 0)
        ):
            edit = None  # nobody calculates where gradients are only put together
        negative = needed[0] == -self._bench.values[0][n] % PRIME
        return RepairCandidate(n, tuple(needed), edit, role, was, self._fit(n, needed, role, was),
                         self._notation(needed[0], n), negative)  # fmt: skip

    def _notation(self, value: int, n: int) -> str | None:
        """The role in the student's own names, where their forward pass is right."""
        own = self._bench.own_roles()[0]
        if own is None or n in self._forward:
            return None
        for role in own.roles.get(value, ()):
            of, by = self._called(role.of), self._called(role.by)
            if role.kind == "adjoint" and of is not None:
                return f"∂y/∂{of}"
            if role.kind == "tangent" and of is not None:
                return f"∂{of}/∂{self._scalars.weights[role.weight]}"
            if role.kind == "partial" and of is not None and by is not None:
                return f"∂{of}/∂{by}"
        return None

    def _called(self, n: int) -> str | None:
        return None if n < 0 else self.nodes[n].bound or self.nodes[n].name or None

    def _fit(self, n: int, needed: Sequence[int], role: Role | None, was: Role | None) -> int:
        """See `Candidate`."""
        number = self.nodes[n].code == "number"
        if role is not None and was is None and not number:
            return 0
        if not any(needed) and self._pointless(n):
            return 0
        if not any(needed) and self._bench.has_kinks:
            return 1
        bench = self._bench
        new = bench.changed(0, {n: needed[0]})
        now = bench.values[0][n]
        before = after = 0
        source = False
        itself = self.nodes[n]
        adds = itself.code in ("add", "sub", "copy")
        todo, seen = [n], {n}
        while todo:
            at = todo.pop()
            if at in bench.outputs:
                right = bench.right[0][bench.outputs.index(at)]
                after = max(after, 2 * (needed[0] == right))
                before = max(before, 2 * (now == right))
            for reader in bench.readers(at):
                if reader in seen or reader not in new:
                    continue
                seen.add(reader)
                node = self.nodes[reader]
                if node.code == "copy":
                    todo.append(reader)
                    # `t7 = t6` where t7 should be made of t6 and more
                    source |= (
                        itself.op >= 0
                        and node.op < 0
                        and node.bound is not None
                        and now in self._ingredients(needed[0], "add", adds)[0]
                    )
                    continue
                near, far = self._ingredients(new[reader], node.code, adds)
                if node.code == "neg" or not (near or far):
                    todo.append(reader)
                if not near and not far:
                    continue
                after = max(after, 2 * (needed[0] in near), needed[0] in far)
                twice = any(bench.values[0][o] == now for o in node.operands if o not in (at, n))
                if not (twice and needed[0] in near):  # both operands the same: one is too many
                    before = max(before, 2 * (now in near), now in far)
        if after and self._pointless(n):
            return 0
        if source or before > after:
            return 3
        if after > before:
            return 0
        return 2 if role is None or number else 1

    def _pointless(self, n: int) -> bool:
        """Whether an op makes what one of its operands is: `x ** 1`, `t / 1`, `t + 0`, `-(-t)`."""
        node = self.nodes[n]
        now = self._bench.values[0][n]
        if node.code == "neg" and self.nodes[node.operands[0]].code == "neg":
            return True
        return (
            node.op >= 0
            and node.code in ("pow", "div", "sub", "add")
            and any(self._bench.values[0][o] == now for o in node.operands)
        )

    def _edit(self, n: int, needed: Sequence[int]) -> Edit | None:
        """The cheapest edit that gives node `n` the needed values."""
        values = self._bench.values
        known = self._known(n)
        best: Edit | None = None
        for deep in (False, True):
            self._bench.budget.spend(len(known.nodes) * (10 if deep else 1))
            for edit in edits(self.nodes, n, values[0], needed[0], known, deep):
                if best is not None and edit.cost >= best.cost:
                    continue
                try:
                    if all(
                        value_of(edit.tree, values[p]) == needed[p] for p in range(POINTS)
                    ) and self._bench.holds(n, edit.tree):
                        best = edit
                except Pole:
                    continue
            if best is not None:
                return best
        return None

    def _known(self, n: int) -> KnownValues:
        after = set(self._bench.after(n)) | {n}
        op = self.nodes[n].op
        usable = [m for m in range(len(self.nodes)) if m not in after
                  and (op < 0 or self.nodes[m].op < op)
                  and self.nodes[m].code != "number"]  # fmt: skip
        # of equal values, those that have a name are meant
        usable.sort(key=lambda m: self.nodes[m].bound is None and m not in self._shared
                    and self.nodes[m].code != "leaf")  # fmt: skip
        return known_values(self._bench.values[0], usable)

    def ranked(self, found: Sequence[RepairCandidate]) -> list[Repair]:
        """By statement, the likeliest first: with an edit, fitting, upstream of the others."""
        lines: dict[object, list[RepairCandidate]] = {}
        for candidate in found:
            lines.setdefault(self._line(candidate.node), []).append(candidate)
        repairs = []
        for candidates in lines.values():
            edited = [c for c in candidates if c.edit is not None]
            best = min(edited or candidates,
                       key=lambda c: ((c.edit.cost if c.edit else 0) + 2 * self._unnamed(c),
                                      c.fit, -c.node))  # fmt: skip
            candidates.sort(key=lambda c: c is not best)
            lost = (best.edit is not None and best.edit.cost <= 3
                    and self._takes_up(best.edit.tree))  # fmt: skip
            whole = [c for c in candidates if self.nodes[c.node].bound is not None]
            fit = min(c.fit for c in whole or [max(candidates, key=lambda c: c.node)])
            if lost and fit == 1 and self.nodes[best.node].code in ("copy", "add", "sub"):
                fit = 0
            if lost and fit == 2 and best.edit is not None and best.edit.cost <= 2:
                fit = 0
            if fit == 2 and best.node in self._forward and best.edit and best.edit.cost == 1:
                fit = 1  # the student may put terms together in another order than the variant
            far = best.edit is not None and (
                best.edit.cost >= 4 or self._unnamed(best) or self._leaves_out(best)
            )
            rank = (
                int(best.edit is None),
                fit + far,
                int(not lost),
                max(c.node for c in candidates),
            )
            repairs.append(Repair(tuple(candidates), rank))
        return self._last_names_first(self._slips_first(sorted(repairs, key=lambda r: r.rank)))

    def _slips_first(self, ranked: Sequence[Repair]) -> list[Repair]:
        """Where a slip would do in place of what is first, and is likelier, the slip."""
        ordered = list(ranked)
        for other in ordered[1:]:
            if self._is_likelier(other, ordered[0]):
                ordered.remove(other)
                rank = (*ordered[0].rank[:3], other.rank[3])
                return [other._replace(rank=rank), *ordered]
        return ordered

    def _is_likelier(self, other: Repair, first: Repair) -> bool:
        node, edit = first.best.node, first.best.edit
        slip = other.best.edit
        if edit is None or slip is None:
            return False
        if edit.cost >= 3 and slip.cost == 1 and other.rank[:3] == first.rank[:3]:
            return True
        if edit.kind in ("operator", "sign") and self.nodes[node].code == "add":
            # in a backward terms are added up: rather is the sign of one of them wrong
            return (node not in self._forward and slip.kind == "sign" and other.rank[1] <= 1
                    and any(c.node in self.summands(node) for c in other.candidates))  # fmt: skip
        # rather than a factor too many or too few: the number that is there
        return (
            (edit.kind == "extra" or (edit.kind in ("factor", "operand") and edit.cost >= 3))
            and slip.kind == "constant"
            and slip.tree[1] != 0
            and other.rank[1] <= 2
            and not any(self.nodes[c.node].code == "number" for c in first.candidates)
            and other.best.node in upstream(self.nodes, [node])
        )

    def _last_names_first(self, repairs: Sequence[Repair]) -> list[Repair]:
        """Where another value in `b = a` would do, and one in `c = b * t` after it as well, the later
        line is likelier: a second name for a value is rarely a mistake."""
        ordered = list(repairs)
        for repair in repairs:
            n = repair.best.node
            edit = repair.best.edit
            if self.nodes[n].code != "copy" or self.nodes[n].bound is None or edit is None:
                continue
            if edit.kind not in ("operand", "value", "sign", "term"):
                continue
            at = ordered.index(repair)
            later = [r for r in ordered[at + 1 :] if r.rank[:3] == repair.rank[:3]
                     and n in self.names(r.best.node)
                     and (edit.kind != "term" or self.nodes[r.best.node].code == "copy")]  # fmt: skip
            if later:
                ordered.remove(repair)
                ordered.insert(ordered.index(later[-1]) + 1, repair)
        return ordered

    def names(self, n: int) -> set[int]:
        """The second names that an operation reads, through other such names."""
        found: set[int] = set()
        todo = list(self.nodes[n].operands)
        while todo:
            m = todo.pop()
            if self.nodes[m].code == "copy" and self.nodes[m].bound is not None:
                found.add(m)
                todo.extend(self.nodes[m].operands)
        return found

    def summands(self, n: int) -> set[int]:
        """What a sum is made of, partial sums included, across statements."""
        found: set[int] = set()
        todo = [n]
        while todo:
            m = todo.pop()
            if m not in found:
                found.add(m)
                if self.nodes[m].code in ("add", "copy"):
                    todo.extend(self.nodes[m].operands)
        return found - {n}

    def _unnamed(self, candidate: RepairCandidate) -> bool:
        """Whether an edit takes a value out of the middle of another statement."""
        own = (candidate.node, *self.nodes[candidate.node].operands)

        def is_inner(n: int) -> bool:
            named = n in own or n in self._shared or self.nodes[n].bound is not None
            return not named and self.nodes[n].code in ("add", "sub", "mul", "div", "pow", "neg")

        return candidate.edit is not None and any(map(is_inner, nodes_in(candidate.edit.tree)))

    def _leaves_out(self, candidate: RepairCandidate) -> bool:
        """Whether an edit drops an operand that took work: rarely was it written by mistake; nor
        was one put in another's place that nothing else reads."""
        edit = candidate.edit
        if edit is None or edit.kind not in ("extra", "operand"):
            return False
        kept = set(nodes_in(edit.tree))
        dropped = [o for o in self.nodes[candidate.node].operands
                   if o not in kept and self.nodes[o].op >= 0]  # fmt: skip
        if edit.kind == "extra":
            return bool(dropped)
        return any(
            o in self._shared and self._bench.readers(o) == [candidate.node] for o in dropped
        )

    def _takes_up(self, tree: Tree) -> bool:
        """Whether an edit makes use of a value that was computed and that nothing reads."""
        if tree[0] == "node":
            n = tree[1]
            return (n not in self._bench.reaching and self.nodes[n].op >= 0
                    and self.nodes[n].bound is not None and n not in self._read)  # fmt: skip
        return tree[0] in ("add", "sub", "mul", "div", "neg") and any(
            self._takes_up(part) for part in tree[1:] if isinstance(part, tuple)
        )

    def _line(self, n: int) -> object:
        node = self.nodes[n]
        return node.place[0] if node.place else node.site

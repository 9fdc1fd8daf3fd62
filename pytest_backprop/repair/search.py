"""Which line of a pass is faulty: the one whose change makes value and gradients right.

For each node the value is worked out that it would need. Few nodes have one that mends all outputs
at once; of those, the one that is not what it should be (`roles`), while what it is made of is, is
at fault, and an edit (`edits`) that gives the needed value says what to write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from ..bank import Variant
from ..trace.field import PRIME, Pole, power
from .arithmetic import Node
from .bench import POINTS, Bench, Budget, NotComparable, OutOfBudget
from .edits import Edit, Known, Tree, edits, known_values, value_of
from .roles import Derivatives, Role, upstream
from .scalars import Scalars
from .text import key_of

WORK = 600_000
"""Nodes evaluated for one submission at most: about a second."""

MAX_FAULTS = 3


class Candidate(NamedTuple):
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

    candidates: tuple[Candidate, ...]
    rank: tuple[int, ...]

    @property
    def best(self) -> Candidate:
        return self.candidates[0]


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
        self.nodes: Sequence[Node] = scalars.nodes
        self.bench = Bench(scalars.nodes, scalars.outputs, variant, self.budget)
        self._roles: list[list[Derivatives]] = []
        y = scalars.outputs[0]
        self._forward = set() if y is None else upstream(self.nodes, [y])
        self._frames: dict[object, dict[str, int]] = {}
        self._read = {o for n, node in enumerate(self.nodes) for o in node.operands
                      if node.code != "copy"}  # fmt: skip

    def run(self) -> Repairs:
        """Never raises OutOfBudget: what was found by then is what there is."""
        bench = self.bench
        if not bench.targets:
            return Repairs(reason="every output is right over the field")
        repairs: list[Repair] = []
        together: list[Repair] = []
        try:
            self._collect_roles()
            found = self._single(self._needed)
            repairs = self._ranked(found)
            if not self._settled(repairs) and 0 in bench.targets:
                seen = {c.node for c in found}
                found += [c for c in self._single(self._guessed) if c.node not in seen]
                repairs = self._ranked(found)
            if not self._settled(repairs):
                joint = self._misplaced() or self._typed_in() or self._everywhere()
                if joint is not None:
                    repairs, together = [joint[0]], joint[1:]
            if not repairs:
                together = self._several()
        except (OutOfBudget, Pole):
            pass
        if together and not repairs:
            repairs, together = together[:1], together[1:]
        repairs = [r for r in repairs if r.rank[1] <= (0 if r.best.edit is None else 1)]
        return Repairs(tuple(repairs), tuple(together), bench.wrong, self._work - self.budget.left)

    def _settled(self, repairs: Sequence[Repair]) -> bool:
        return bool(repairs) and repairs[0].best.edit is not None and repairs[0].rank[1] <= 0

    def _collect_roles(self) -> None:
        own = self.bench.own_roles()
        for p in range(POINTS):
            mine = own[p]
            self._roles.append([self.bench.ideals[p]] if mine is None else
                               [mine, self.bench.ideals[p]])  # fmt: skip

    def _role(self, values: Sequence[int]) -> Role | None:
        first = next((d.roles[values[0]][0] for d in self._roles[0] if values[0] in d.roles), None)
        again = any(values[1] in d.roles for d in self._roles[1])
        return first if again else None

    def _ingredients(self, value: int, code: str) -> tuple[set[int], set[int]]:
        """What a value at the first point is put together from, in any of its roles."""
        near: set[int] = set()
        far: set[int] = set()
        for derived in self._roles[0]:
            for role in derived.roles.get(value, ()):
                more, inside = derived.ingredients(role, code)
                near |= more
                far |= inside
        return near, far

    def _now(self, n: int) -> list[int]:
        return [self.bench.values[p][n] for p in range(POINTS)]

    def _single(self, needed_by: Callable[[int], list[int] | None]) -> list[Candidate]:
        found = []
        for n in sorted(self.bench.reaching):
            node = self.nodes[n]
            if node.site is None or node.code == "leaf":
                continue
            needed = needed_by(n)
            if needed is not None:
                found.append(self._candidate(n, needed))
        return found

    def _needed(self, n: int) -> list[int] | None:
        return self.bench.needed(n)

    def _guessed(self, n: int) -> list[int] | None:
        """The value of the variant's that node `n` must have: where y is no simple function of it,
        it cannot be solved for."""
        bench = self.bench
        y = bench.outputs[0]
        if y is None or y not in bench.after(n):
            return None
        now = self._now(n)
        for guess in bench.steps():
            if guess[0] != now[0] and bench.mends([{n: value} for value in guess]):
                return guess
        return None

    def _candidate(self, n: int, needed: Sequence[int]) -> Candidate:
        role, was = self._role(needed), self._role(self._now(n))
        edit = self._edit(n, needed)
        node = self.nodes[n]
        if (
            edit is not None
            and node.code == "copy"
            and node.bound is None
            and (edit.kind not in ("sign", "operand", "value") or edit.cost > 4)
        ):
            edit = None  # nobody adds a term where gradients are only put together
        negative = needed[0] == -self.bench.values[0][n] % PRIME
        return Candidate(n, tuple(needed), edit, role, was, self._fit(n, needed, role, was),
                         self._notation(needed[0], n), negative)  # fmt: skip

    def _notation(self, value: int, n: int) -> str | None:
        """The role in the student's own names, where their forward pass is right."""
        own = self.bench.own_roles()[0]
        if own is None or n in self._forward:
            return None
        for role in own.roles.get(value, ()):
            of, by = self._called(role.of), self._called(role.by)
            if role.kind == "adjoint" and of is not None:
                return f"∂y/∂{of}"
            if role.kind == "tangent" and of is not None:
                return f"∂{of}/∂{self.scalars.weights[role.weight]}"
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
        bench = self.bench
        new = bench.changed(0, {n: needed[0]})
        now = bench.values[0][n]
        before = after = 0
        source = False
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
                    source |= (node.bound is not None and node.op < 0
                               and now in self._ingredients(needed[0], "add")[0])  # fmt: skip
                    continue
                near, far = self._ingredients(new[reader], node.code)
                if not near and not far:
                    todo.append(reader)
                    continue
                after = max(after, 2 * (needed[0] in near), needed[0] in far)
                before = max(before, 2 * (now in near), now in far)
        if after and self._pointless(n):
            return 0
        if source or before > after:
            return 3
        if after > before:
            return 0
        return 2 if role is None or number else 1

    def _pointless(self, n: int) -> bool:
        """Whether an op makes what one of its operands is: `x ** 1`, `t / 1`."""
        node = self.nodes[n]
        now = self.bench.values[0][n]
        return (
            node.op >= 0
            and node.code in ("pow", "div", "sub")
            and any(self.bench.values[0][o] == now for o in node.operands)
        )

    def _edit(self, n: int, needed: Sequence[int]) -> Edit | None:
        """The cheapest edit that gives node `n` the needed values."""
        values = self.bench.values
        known = self._known(n)
        best: Edit | None = None
        for deep in (False, True):
            self.budget.spend(len(known.nodes) * (10 if deep else 1))
            for edit in edits(self.nodes, n, values[0], needed[0], known, deep):
                if best is not None and edit.cost >= best.cost:
                    continue
                try:
                    if all(value_of(edit.tree, values[p]) == needed[p] for p in range(POINTS)):
                        best = edit
                except Pole:
                    continue
            if best is not None:
                return best
        return None

    def _known(self, n: int) -> Known:
        after = set(self.bench.after(n)) | {n}
        op = self.nodes[n].op
        usable = [m for m in range(len(self.nodes)) if m not in after
                  and (op < 0 or self.nodes[m].op < op)
                  and self.nodes[m].code != "number"]  # fmt: skip
        return known_values(self.bench.values[0], usable)

    def _ranked(self, found: Sequence[Candidate]) -> list[Repair]:
        lines: dict[object, list[Candidate]] = {}
        for candidate in found:
            lines.setdefault(self._line(candidate.node), []).append(candidate)
        repairs = []
        for candidates in lines.values():
            edited = [c for c in candidates if c.edit is not None]
            best = min(edited or candidates,
                       key=lambda c: (c.edit.cost if c.edit else 0, c.fit, -c.node))  # fmt: skip
            candidates.sort(key=lambda c: c is not best)
            lost = (best.edit is not None and best.edit.cost <= 3
                    and self._takes_up(best.edit.tree))  # fmt: skip
            whole = [c for c in candidates if self.nodes[c.node].bound is not None]
            fit = min(c.fit for c in whole or [max(candidates, key=lambda c: c.node)])
            if lost and fit == 1 and self.nodes[best.node].code in ("copy", "add", "sub"):
                fit = 0
            rank = (int(best.edit is None), fit, int(not lost), max(c.node for c in candidates))
            repairs.append(Repair(tuple(candidates), rank))
        repairs.sort(key=lambda r: r.rank)
        return repairs

    def _takes_up(self, tree: Tree) -> bool:
        """Whether an edit makes use of a value that was computed and that nothing reads."""
        if tree[0] == "node":
            n = tree[1]
            return (n not in self.bench.reaching and self.nodes[n].op >= 0
                    and self.nodes[n].bound is not None and n not in self._read)  # fmt: skip
        return tree[0] in ("add", "sub", "mul", "div", "neg") and any(
            self._takes_up(part) for part in tree[1:] if isinstance(part, tuple)
        )

    def _misplaced(self) -> list[Repair] | None:
        """Gradients that are right and stand in the wrong slots."""
        bench = self.bench
        found: list[Candidate] = []
        for i in bench.targets:
            output = bench.outputs[i]
            needed = [bench.right[p][i] for p in range(POINTS)]
            holders = [n for n in range(len(self.nodes)) if self._now(n) == needed]
            if output is None or not holders or self.nodes[output].site is None:
                return None
            edit = Edit("slot", 1, ("node", holders[0]))
            found.append(Candidate(output, tuple(needed), edit, self._role(needed),
                                   self._role(self._now(output)), 0))  # fmt: skip
        return [Repair((c,), (0, 0, 0, c.node)) for c in found]

    def _typed_in(self) -> list[Repair] | None:
        """A number that stands where a weight or an input should."""
        bench = self.bench
        numbers = [n for n, node in enumerate(self.nodes) if n in bench.reaching
                   and node.code == "number" and node.number is not None]  # fmt: skip
        leaves = [n for n, node in enumerate(self.nodes) if node.code == "leaf"]
        for typed, site in self.scalars.typed:
            ways = {n: way for n in numbers if (way := _made_of(self.nodes[n].number or 0, typed))}
            for leaf in leaves if ways else ():
                changes = [{n: factor * power(bench.values[p][leaf], exponent) % PRIME
                            for n, (factor, exponent) in ways.items()} for p in range(POINTS)]  # fmt: skip
                if not bench.mends(changes):
                    continue
                self.scalars.nodes.append(Node("number", number=typed, site=site, place=(site,)))
                n = len(self.nodes) - 1
                needed = tuple(bench.values[p][leaf] for p in range(POINTS))
                edit = Edit("typed-in", 1, ("node", leaf))
                return [Repair((Candidate(n, needed, edit, None, None, 0),), (0, 0, 0, n))]
        return None

    def _everywhere(self) -> list[Repair] | None:
        """One edit at every execution of an expression: a helper, a loop."""
        sites: dict[object, list[int]] = {}
        for n in sorted(self.bench.reaching):
            node = self.nodes[n]
            if node.op >= 0 and node.operands and node.code != "copy":
                sites.setdefault((node.site, node.code), []).append(n)
        for nodes in sites.values():
            if len(nodes) < 2:
                continue
            for edit in self._alike(nodes):
                try:
                    if all(self.bench.is_right(p, self.bench.rewritten(p, edit[1]))
                           for p in range(POINTS)):  # fmt: skip
                        n = nodes[0]
                        made = Edit(edit[0], 2, edit[1][n])
                        return [Repair((Candidate(n, (), made, None, None, 0),), (0, 0, 0, n))]
                except Pole:
                    continue
        return None

    def _alike(self, nodes: Sequence[int]) -> Iterator[tuple[str, dict[int, Tree]]]:
        """The same edit of each of the nodes, which are executions of one expression."""
        code = self.nodes[nodes[0]].code

        def each(make: Callable[[int, list[Tree]], Tree]) -> dict[int, Tree]:
            return {n: make(n, [("node", o) for o in self.nodes[n].operands]) for n in nodes}

        yield "sign", each(lambda n, o: ("neg", ("node", n)))
        if code in ("add", "sub", "mul", "div"):
            for other in ("add", "sub", "mul", "div"):
                if other != code:
                    yield "operator", each(lambda n, o, c=other: (c, o[0], o[1]))  # type: ignore[misc]
            yield "order", each(lambda n, o: (code, o[1], o[0]))
            yield "extra", each(lambda n, o: o[0])
            yield "extra", each(lambda n, o: o[1])
        for factor in (2, Fraction(1, 2), 3, Fraction(1, 3)):
            yield "factor", each(lambda n, o, f=factor: ("mul", ("number", f), ("node", n)))  # type: ignore[misc]
        if code == "pow":
            exponents = {n: self.nodes[n].number for n in nodes}
            for more in (1, -1, 2, -2):
                yield (
                    "exponent",
                    each(
                        lambda n, o, m=more: ("pow", o[0], int(exponents[n] or 0) + m)  # type: ignore[misc]
                    ),
                )
        for key in sorted(set.intersection(*(set(self._frame(n)) for n in nodes))):
            for at in range(len(self.nodes[nodes[0]].operands)):
                if code in ("add", "sub", "mul", "div"):
                    yield (
                        "operand",
                        each(
                            lambda n, o, k=key, a=at: (  # type: ignore[misc]
                                code,
                                *(
                                    ("node", self._frame(n)[k]) if i == a else x
                                    for i, x in enumerate(o)
                                ),
                            )
                        ),
                    )
            for joined in ("mul", "div", "add", "sub"):
                yield (
                    "factor" if joined in ("mul", "div") else "term",
                    each(
                        lambda n, o, k=key, j=joined: (j, ("node", n), ("node", self._frame(n)[k]))  # type: ignore[misc]
                    ),
                )

    def _frame(self, n: int) -> dict[str, int]:
        """The names that the student reads around an execution, with their nodes."""
        if not self._frames:
            for m, expressions in self.scalars.expressions.items():
                path = self.nodes[m].place[-1]
                if not isinstance(path, tuple) or self.nodes[m].op < 0:
                    continue
                frame = self._frames.setdefault(self._frame_of(m), {})
                for expression, operand in zip(expressions, self.nodes[m].operands, strict=False):
                    key = None if expression is None else key_of(expression)
                    if key is not None:
                        frame.setdefault(key, operand)
        found = self._frames.get(self._frame_of(n), {})
        return {key: m for key, m in found.items() if m < n}

    def _frame_of(self, n: int) -> object:
        path = self.nodes[n].place[-1]
        return path[-1] if isinstance(path, tuple) and path else None

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
                self._roles.clear()
                self._collect_roles()
                ranked = self._ranked(self._single(self._needed))
                if self._settled(ranked):
                    best = min(ranked[0].candidates, key=lambda c: c is not ranked[0].best)
                    found.append(ranked[0])
                    bench.change(best.node, best.needed)
                    break
            else:
                return []
        return found if not bench.now_wrong() else []

    def _line(self, n: int) -> object:
        node = self.nodes[n]
        return node.place[0] if node.place else node.site


def _made_of(number: float, typed: float) -> tuple[int, int] | None:
    """The whole factor and power by which one number is made of another, as Python does before any
    tensor is met; None if it is not."""
    for exponent in (1, 2, 3, -1, -2, -3):
        for factor in (1, 2, 3, -1, -2, -3):
            if math.isclose(number, factor * typed**exponent, rel_tol=1e-12):
                return factor, exponent
    return None


def search(scalars: Scalars, variant: Variant, work: int = WORK) -> Repairs:
    """Searches; says why where it cannot."""
    try:
        return Search(scalars, variant, work).run()
    except (NotComparable, ValueError) as problem:
        return Repairs(reason=str(problem) or "it cannot be compared over the field")

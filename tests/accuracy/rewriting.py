"""Turns a program's plain statements into a student's: fused, shuffled, in place, with aliases,
walruses and several assignments in one. Every step keeps the function and adds no node."""

from __future__ import annotations

from random import Random

from expressions import LEAVES, Expr, replaced, slots, walk
from programs import Program, Stmt


def rewrite(program: Program, ending: list[Stmt]) -> list[Stmt]:
    """The statements of the body in order, with `ending` (gradients, return), without releases."""
    random, style = program.random, program.style
    body = list(program.statements)
    body = fuse(body, ending, program, style.fuse)
    if style.shuffle:
        body = shuffled(body, random)
    groups = Groups(body + ending)
    if style.aliases:
        body = with_aliases(body, ending, random, style.aliases, program.constants, groups)
    if style.inplace:
        body = in_place(body, ending, random, style.inplace, program, groups)
    if style.walrus:
        body = walruses(body, ending, random, style.walrus, program)
    if style.tuples:
        body = tuples(body, random, style.tuples)
    return body + ending


class Groups:
    """Which slots hold the same storage."""

    def __init__(self, statements: list[Stmt]) -> None:
        self.root: dict[str, str] = {}
        for s in statements:
            self.note(s)

    def note(self, s: Stmt) -> None:
        """Takes in an alias, or what an in-place op gives another name."""
        if s.kind == "alias" and s.exprs[0][0] == "v":
            first = self.of(s.exprs[0][1])
            if first != s.defs[0]:  # a slot that takes its own storage back starts no group
                self.root[s.defs[0]] = first

    def of(self, slot: str) -> str:
        """The group's first slot."""
        while slot in self.root:
            slot = self.root[slot]
        return slot


def fuse(body: list[Stmt], ending: list[Stmt], program: Program, share: float) -> list[Stmt]:
    """Writes values that are used once into the expression that uses them."""
    random = program.random
    for s in list(body):
        if s.kind != "assign" or s.tag or random.random() >= share:
            continue
        slot = s.defs[0]
        users = [u for u in body + ending if slot in u.uses()]
        if (
            len(users) != 1
            or users[0].kind not in ("assign", "call")
            or users[0].uses().count(slot) != 1
        ):
            continue
        if slot in program.constants and users[0].kind == "call":
            continue
        user, value = users[0], s.exprs[0]
        user.exprs = [
            replaced(e, lambda p, v=value, n=slot: v if p == ("v", n) else None) for e in user.exprs
        ]
        body.remove(s)
    return body


def shuffled(body: list[Stmt], random: Random) -> list[Stmt]:
    """Another order in which everything is defined before it is used."""
    made: list[Stmt] = []
    known = set(LEAVES)
    left = list(body)
    while left:
        ready = [s for s in left if set(s.uses()) <= known]
        s = random.choice(ready[:4])
        left.remove(s)
        made.append(s)
        known.update(s.all_defs())
    return made


def with_aliases(
    body: list[Stmt], ending: list[Stmt], random: Random, share: float, constants: set[str],
    groups: Groups,
) -> list[Stmt]:  # fmt: skip
    """Here and there a second name for a value, which some later statements use."""
    made: list[Stmt] = []
    for i, s in enumerate(body):
        made.append(s)
        if s.kind != "assign" or s.defs[0] in constants or random.random() >= share:
            continue
        slot, other = s.defs[0], f"{s.defs[0]}_too"
        later = [u for u in body[i + 1 :] if slot in u.uses() and u.kind == "assign"]
        if not later:
            continue
        alias = Stmt("alias", [other], [("v", slot)], part=s.part)
        made.append(alias)
        groups.note(alias)
        for u in later:
            if random.random() < 0.5:
                u.exprs = [
                    replaced(e, lambda p, n=slot, o=other: ("v", o) if p == ("v", n) else None)
                    for e in u.exprs
                ]
    return made


def in_place(
    body: list[Stmt], ending: list[Stmt], random: Random, share: float, program: Program,
    groups: Groups,
) -> list[Stmt]:  # fmt: skip
    """`s = q op e` becomes `q op= e` where that is q's last use and q has its own storage."""
    everything = body + ending
    owned = {d for s in body if s.kind in ("assign", "call") for d in s.all_defs()}
    made: list[Stmt] = []
    for i, s in enumerate(body):
        made.append(s)
        e = s.exprs[0] if s.exprs else ("c", 0)
        if s.kind != "assign" or e[0] != "bin" or e[2][0] != "v" or random.random() >= share:
            continue
        target = e[2][1]
        group = groups.of(target)
        family = {g for g in (*owned, *groups.root) if groups.of(g) == group} | {group}
        if target in program.constants or not group.startswith(("t", "g_", "d")):
            continue
        if group not in owned or group in program.constants or group in LEAVES:
            continue
        if set(slots(e[3])) & family or any(set(u.uses()) & family for u in everything[i + 1 :]):
            continue
        made.pop()
        made.append(Stmt("inplace", [], [e[3]], e[1], target, s.part, s.tag))
        alias = Stmt("alias", [s.defs[0]], [("v", target)], part=s.part)
        groups.note(alias)
        if random.random() < 0.5:
            made.append(alias)
        else:  # the old name goes on
            for u in everything[i + 1 :]:
                u.exprs = [
                    replaced(
                        x, lambda p, n=s.defs[0], o=target: ("v", o) if p == ("v", n) else None
                    )
                    for x in u.exprs
                ]
                u.text = u.text.replace(f"@{s.defs[0]}@", f"@{target}@")
                if u.target == s.defs[0]:
                    u.target = target
            program.gradients = [target if g == s.defs[0] else g for g in program.gradients]
            program.y = target if program.y == s.defs[0] else program.y
    return made


def walruses(
    body: list[Stmt], ending: list[Stmt], random: Random, share: float, program: Program
) -> list[Stmt]:
    """`s = e` and then `f(s, ...)` becomes `f((s := e), ...)`, where s is what it reads first."""
    made = list(body)
    i = 0
    while i + 1 < len(made):
        s, user = made[i], made[i + 1]
        slot = s.defs[0] if s.defs else ""
        if (
            s.kind == user.kind == "assign"
            and slots(user.exprs[0])[:1] == [slot]
            and not any(p[0] == "def" for p in walk(s.exprs[0]))
            and slot not in program.constants
            and random.random() < share
        ):
            made.pop(i)
            user.exprs = [_first(user.exprs[0], slot, ("def", slot, s.exprs[0]))]
            user.tag = user.tag or s.tag
            continue
        i += 1
    return made


def _first(e: Expr, slot: str, new: Expr) -> Expr:
    done = []

    def change(p: Expr) -> Expr | None:
        if p == ("v", slot) and not done:
            done.append(p)
            return new
        return None

    return replaced(e, change)


def tuples(body: list[Stmt], random: Random, share: float) -> list[Stmt]:
    """`a = e; b = f` becomes `a, b = e, f` where f does not read a."""
    made: list[Stmt] = []
    for s in body:
        last = made[-1] if made else None
        if (
            last is not None
            and last.kind == s.kind == "assign"
            and not set(last.all_defs()) & set(s.uses())
            and not any(p[0] == "def" for x in (*last.exprs, *s.exprs) for p in walk(x))
            and random.random() < share
        ):
            made[-1] = Stmt("tuple", last.defs + s.defs, last.exprs + s.exprs, part=s.part,
                            tag=last.tag or s.tag)  # fmt: skip
        else:
            made.append(s)
    return made

"""Faults with a known place, put into a program before it is written down."""

from __future__ import annotations

from random import Random

from expressions import LEAVES, Expr, children, neg, replaced, walk
from functions import FLIPPED, OTHER
from programs import Program, Stmt

VALUE_FAULTS = ("sign", "operator", "operand", "order", "exponent", "function", "factor 2",
                "factor 1.001", "dropped path")  # fmt: skip
NODE_FAULTS = ("wasted node", "wasted chain", "dead forward node", "gradient of an input")
RELEASE_FAULTS = ("missing release", "late release")
OTHER_FAULTS = (
    "swapped weights",
    "wrong forward",
    "wrong value",
    "typed-in weights",
    "half a gradient",
)
FAULTS = (*VALUE_FAULTS, *NODE_FAULTS, *RELEASE_FAULTS, *OTHER_FAULTS)


class NoPlace(Exception):
    """The program has no place for this fault."""


def change_value(program: Program, kind: str) -> None:
    """Puts a fault of VALUE_FAULTS into one statement of the pass."""
    random = program.random
    order = [s for s in program.statements if s.kind == "assign"]
    random.shuffle(order)
    # most faults are made in the backward; it has most statements anyhow
    for s in order:
        known = set(LEAVES)
        for earlier in program.statements[: program.statements.index(s)]:
            known.update(earlier.all_defs())
        new = mutated(s.exprs[0], kind, random, known - program.constants)
        if new is not None and new != s.exprs[0]:
            s.exprs = [new]
            s.tag = kind
            return
    raise NoPlace(kind)


def mutated(e: Expr, kind: str, random: Random, known: set[str]) -> Expr | None:
    """The expression with one fault; None if there is no place for it."""
    if kind.startswith("factor"):
        factor = float(kind.split()[1])
        constants = [p for p in walk(e) if p[0] == "c" and p[1] != 0]
        if constants and random.random() < 0.5:
            return _at(e, random.choice(constants), lambda p: ("c", p[1] * factor))
        return ("bin", "*", e, ("c", factor)) if e[0] != "c" else None
    places = [p for p in walk(e) if _fits(p, kind)]
    if not places:
        return None
    return _at(e, random.choice(places), lambda p: _changed(p, kind, random, known))


def _fits(p: Expr, kind: str) -> bool:
    if kind == "sign":
        return p[0] in ("neg", "pow", "v") or (p[0] == "bin" and p[1] in "+-")
    if kind == "operator":
        return p[0] == "bin"
    if kind == "operand":
        return p[0] == "v"
    if kind == "order":
        return p[0] == "bin" and p[1] in "-/"
    if kind == "exponent":
        return p[0] == "pow"
    if kind == "function":
        return p[0] in ("call", "cmp", "where")
    return p[0] == "bin" and p[1] in "+-"  # a dropped path


def _changed(p: Expr, kind: str, random: Random, known: set[str]) -> Expr:
    if kind == "sign":
        if p[0] == "neg":
            return p[1]
        return ("bin", "+-"[p[1] == "+"], p[2], p[3]) if p[0] == "bin" else neg(p)
    if kind == "operator":
        return ("bin", random.choice([o for o in "+-*/" if o != p[1]]), p[2], p[3])
    if kind == "operand":
        return ("v", random.choice(sorted(known - {p[1]})))
    if kind == "order":
        return ("bin", p[1], p[3], p[2])
    if kind == "function":
        if p[0] == "where":
            return ("where", p[1], p[3], p[2])
        return (p[0], FLIPPED[p[1]] if p[0] == "cmp" else OTHER[p[1]], *p[2:])
    if kind == "exponent":
        return ("pow", p[1], p[2] + random.choice((1, -1) if p[2] != 1 else (1,)))
    return random.choice(children(p))


def _at(e: Expr, place: Expr, change) -> Expr:  # type: ignore[no-untyped-def]
    done: list[Expr] = []

    def once(p: Expr) -> Expr | None:
        if p is place and not done:
            done.append(p)
            return change(p)
        return None

    return replaced(e, once)


def add_node(program: Program, kind: str) -> None:
    """Puts ops that nothing needs among the statements of the pass."""
    random = program.random
    at = random.randrange(2, len(program.statements) + 1)
    known = list(LEAVES)
    for earlier in program.statements[:at]:
        known += [d for d in earlier.all_defs() if d not in program.constants]
    part = program.statements[at - 1].part

    def one(e: Expr) -> str:
        slot = program.new("t" if kind == "dead forward node" else "extra")
        program.statements.insert(at, Stmt("assign", [slot], [e], part=part, tag=kind))
        return slot

    if kind == "dead forward node":
        nodes = [s for s in program.statements[:at] if s.part == "forward" and s.kind == "assign"]
        if not nodes:
            raise NoPlace(kind)
        one(random.choice(nodes).exprs[0])
        return
    if kind == "gradient of an input":
        e: Expr = (
            "bin",
            "*",
            ("v", random.choice(known[5:] or known)),
            ("v", random.choice(known)),
        )
    else:
        e = ("bin", random.choice("+-*/"), ("v", random.choice(known)), ("v", random.choice(known)))
    first = one(e)
    if kind == "wasted chain":
        at += 1
        one(("bin", "*", ("v", first), ("v", random.choice(known))))


def spoil_release(body: list[Stmt], kind: str, random: Random) -> tuple[list[Stmt], Stmt, str]:
    """Takes one release away or puts it later; gives the new body, the statement of the last use
    and the slot."""
    drops = [i for i, s in enumerate(body) if s.kind == "drop"]
    if not drops:
        raise NoPlace(kind)
    i = random.choice(drops)
    slot = random.choice(body[i].defs)
    left = [d for d in body[i].defs if d != slot]
    made = [*body[:i], *([Stmt("drop", left, part=body[i].part)] if left else []), *body[i + 1 :]]
    if kind == "late release":
        later = [j for j in range(i, len(made)) if made[j].kind in ("assign", "call", "tuple", "inplace")
                 or (made[j].kind == "raw" and "return" not in made[j].text)]  # fmt: skip
        if not later:
            raise NoPlace(kind)
        made.insert(later[0] + 1, Stmt("drop", [slot], part=made[later[0]].part))
    return made, body[i - 1], slot

"""One submission from a seed: a right one, or one with a fault of a given kind; and what is true of
it by the oracle."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import numpy as np
from expressions import Num, Writer, is_constant
from faults import (
    NODE_FAULTS,
    RELEASE_FAULTS,
    VALUE_FAULTS,
    NoPlace,
    add_node,
    change_value,
    mutated,
    spoil_release,
)
from made_variants import POINTS, MadeVariant
from oracle import Truth, find_truth
from programs import Program, Stmt, draw_style
from releases import bound_late, release
from rendering import Layout, Text, endings, notebook
from rewriting import Groups, rewrite

INNER = ("ga", "gb", "s", "r")
RTOL, ATOL = 5e-5, 1e-7
ROUNDING = 1e-8
"""Part of their size by which right numbers may differ where there are no exact ones."""
CLEARLY = 20
"""How many times the allowance a wrong number must be off to count as a fault at all."""


class Made(NamedTuple):
    """A submission. `names` are the texts of the slots that the fault concerns, `place` its line
    (0 where it has none); `places` are all lines that it changed."""

    variant: MadeVariant
    kind: str
    seed: int
    text: str
    file: str
    suffix: str
    truth: Truth
    names: tuple[str, ...]
    place: int
    places: tuple[int, ...] = ()
    style: str = "drawn"

    @property
    def wrong(self) -> tuple[bool, bool, tuple[bool, ...]]:
        """Whether forward, the value, and each gradient are wrong, exactly."""
        right, judged = self.variant.right, self.variant.judged
        t = self.truth
        pairs = zip(t.gradients, right[1:], strict=True)
        return (
            differs(t.forward, right[0], judged),
            differs(t.value, right[0], judged),
            tuple(differs(g, r, judged) for g, r in pairs),
        )


class Discarded(Exception):
    """Not a submission to test with; the message says why."""


def differs(got: Num | None, right: Num, judged: np.ndarray) -> bool:
    """Whether they are different functions: exactly, or beyond the rounding of float64."""
    if got is None:
        return True
    if got.r is not None and right.r is not None:
        return got.r != right.r
    with np.errstate(all="ignore"):
        near = np.abs(got.f - right.f) <= ROUNDING * np.abs(right.f) + ROUNDING**2
    return bool((~np.broadcast_to(near, POINTS) & judged).any())


def off(got: Num | None, right: Num, judged: np.ndarray) -> bool:
    """Whether the difference is clearly beyond the assignment's tolerance somewhere."""
    if got is None:
        return True
    with np.errstate(all="ignore"):
        allowed = CLEARLY * (ATOL + RTOL * np.abs(right.f))
        far = ~(np.abs(got.f - right.f) <= allowed)
    return bool((np.broadcast_to(far, POINTS) & judged).any())


def make_submission(variant: MadeVariant, seed: int, kind: str = "right") -> Made:
    """Raises Discarded where the seed gives none, NoPlace where it has no place for the fault."""
    random = Random(f"{variant.name}:{seed}:{kind}")
    program = Program(variant, random, draw_style(random))
    if kind in VALUE_FAULTS:
        change_value(program, kind)
    elif kind in NODE_FAULTS:
        add_node(program, kind)
    _find_constants(program)
    layout = Layout(random, program)
    leaves = None
    if kind == "typed-in weights":
        which = random.choice(("w0", "w1"))
        numbers = {"w0": "0.95", "w1": "0.288"}
        leaves = [f"{w} = {numbers[w] if w == which else _weight(layout, w)}" for w in ("w0", "w1")]
        program.constants.add(which)
        _find_constants(program)
    start, ending = endings(layout, program.y, program.gradients)
    if kind == "swapped weights":
        a, b = (f"@{g}@" for g in program.gradients)
        for s in ending:
            _retext(s, s.text.replace(a, "@@").replace(b, a).replace("@@", b), kind)
    elif kind == "half a gradient":
        lost = f"@{program.gradients[random.randrange(2)]}@"
        for s in ending:
            _retext(s, s.text.replace(lost, f"torch.zeros_like({lost})"), kind)
    body = rewrite(program, ending)
    y_text = body[-1].text
    if kind == "wrong value":
        wrong = random.choice((f"@{program.y}@ * 2.0", f"@{program.y}@ + x1", f"-@{program.y}@"))
        _retext(body[-1], y_text.replace(f"@{program.y}@", wrong, 1), kind)
    # what is added to .grad, rather than moved there, is a value like any other
    spared = layout.assembly != "accumulate" and random.random() < 0.7
    kept = {program.y, *program.gradients} if spared else {program.y}
    if bound_late(body, program.constants):
        raise Discarded("an alias is bound after the last use")
    body, _ = release(body, program.constants, kept)
    used, slot = None, ""
    if kind in RELEASE_FAULTS:
        body, used, slot = spoil_release(body, kind, random)
    if layout.reuse:
        body = _reuse(body, layout, random, program, keep=slot)
    wrong_forward, changed = (
        _wrong_forward(variant, random) if kind == "wrong forward" else (None, 0)
    )
    writer = Text(variant, layout)
    text = writer.build(body, start, wrong_forward, leaves)
    place, names = 0, ()
    if used is not None:
        place = writer.lines[[s is used for s in body].index(True)]
        groups = Groups(body)
        names = tuple(layout.namer.names[s] for s in layout.namer.names
                      if groups.of(s) == groups.of(slot))  # fmt: skip
        if any(s.kind == "call" and groups.of(slot) in s.defs for s in body):
            names += INNER  # a helper's own name for what it gives back is a name, too
    tagged = [(i, s) for i, s in enumerate(body) if s.tag]
    places = [writer.lines[i] for i, _ in tagged]
    if wrong_forward is not None:
        places = [writer.forward_line + changed]
    elif leaves is not None:
        typed = f"{which} = {numbers[which]}"
        places = [n for n, line in enumerate(text.split("\n"), 1) if line.strip() == typed]
    if tagged and tagged[0][1].all_defs():
        place = writer.lines[tagged[0][0]]
        names = tuple(layout.namer.name(slot) for slot in tagged[0][1].all_defs())
    try:
        truth = find_truth(text, variant.env)
    except Exception as error:
        if kind == "right":
            raise
        raise Discarded(f"it raises {type(error).__name__}") from error
    made = Made(variant, kind, seed, text, text, ".py", truth, names, place, tuple(places))
    check(made)
    if random.random() < 0.3:
        made = made._replace(file=notebook(text, variant), suffix=".ipynb")
    return made


def check(made: Made) -> None:
    """Whether the fault is one, and a right program right."""
    t = made.truth
    ahead, value, gradients = made.wrong
    any_wrong = ahead or value or any(gradients)
    right, judged = made.variant.right, made.variant.judged
    outputs = list(zip((t.forward, t.value, *t.gradients), (right[0], *right), strict=True))
    if made.kind == "right":
        if any_wrong and not any(off(got, r, judged) for got, r in outputs):
            raise Discarded("right, with more rounding than float64 tells from a fault")
        if any_wrong or t.unused or t.late:
            raise AssertionError(
                f"the generator failed: {made.wrong} {t.unused} {t.late}\n{made.text}"
            )
        return
    if not any_wrong and not t.unused and not t.late:
        raise Discarded("it is no fault: the same function, nothing wasted, nothing late")
    for g, r in outputs:
        if differs(g, r, judged) and not off(g, r, judged):
            raise Discarded("it differs by less than the tolerance tells")


def _weight(layout: Layout, name: str) -> str:
    return f"self.{name}" if layout.separate else f"self.w[{name[1]}]"


def _find_constants(program: Program) -> None:
    """Which slots are plain numbers, after a fault."""
    for s in program.statements:
        if s.kind in ("assign", "alias"):
            program.constants.discard(s.defs[0])
            if is_constant(s.exprs[0], program.constants):
                program.constants.add(s.defs[0])


def _retext(s: Stmt, text: str, kind: str) -> None:
    if text != s.text:
        s.text, s.tag = text, kind


def _wrong_forward(variant: MadeVariant, random: Random) -> tuple[list[str], int]:
    """The lines of a forward with one fault, and which of them has it."""
    parts = [list(p) for p in variant.parts]
    for _ in range(20):
        part = random.choice(parts)
        known = {"w0", "w1", "x1", "x2", "x3"}
        new = mutated(part[1], random.choice(VALUE_FAULTS), random, known)
        if new is not None and new != part[1]:
            part[1] = new
            writer = Writer(random, 0.0, False, True)
            lines = [f"{slot} = {writer.text(e, {})}" for slot, e in parts[:-1]]
            return [*lines, f"return {writer.text(parts[-1][1], {})}"], parts.index(part)
    raise NoPlace("wrong forward")


def _reuse(body: list[Stmt], layout: Layout, random: Random, program: Program,
           keep: str) -> list[Stmt]:  # fmt: skip
    """`t = f(q); q = None` becomes `q = f(q)`, and later uses of t read q."""
    names = layout.namer
    made: list[Stmt] = []
    for s in body:
        last = made[-1] if made else None
        if (
            s.kind == "drop"
            and last is not None
            and last.kind == "assign"
            and last.defs[0] not in names.names
            and keep not in (*s.defs, last.defs[0])
            and not last.tag
            and s.defs[0] != last.defs[0]
            and last.defs[0] not in s.defs
            and random.random() < 0.6
        ):
            slot = s.defs[0]
            names.names[last.defs[0]] = names.name(slot)
            if len(s.defs) > 1:
                made.append(Stmt("drop", s.defs[1:], part=s.part))
            continue
        made.append(s)
    return made

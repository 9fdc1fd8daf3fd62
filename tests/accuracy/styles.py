"""The styles by name, and a right program written in one of them, with others beside it."""

from __future__ import annotations

from random import Random

from expressions import walk
from faults import NoPlace
from hands import Hand
from made_variants import MadeVariant
from rendering import notebook
from style_endings import ENDINGS, KINKS, OPS, ending
from style_lines import ASSIGNMENTS, LOOKS, NUMBERS, PLACES, WRAPS, Style
from style_programs import PROGRAMS
from submissions import Discarded, Made
from torch_oracle import find_truth

NEEDS_NAMES = ("walrus", "walrus in if", "match", "closure with a value", "annotations")
"""Not where values live in dicts or attributes."""


def kinked(templates: dict[str, str]) -> Style:
    """Functions of a name by these templates."""

    def style(hand: Hand) -> None:
        called = {p[1] for _, e in hand.variant.parts for p in walk(e) if p[0] == "call"}
        if not called & set(templates):
            raise NoPlace("none of these functions")
        hand.functions = templates
        hand.tags.add("kinks")

    return style


AXES: dict[str, dict[str, Style]] = {
    "assign": ASSIGNMENTS,
    "number": NUMBERS,
    "place": PLACES,
    "after": LOOKS,
    "wrap": WRAPS,
    "ending": ENDINGS,
    "spell": OPS,
    "kinks": {name: kinked(templates) for name, templates in KINKS.items()},
    "whole": PROGRAMS,
}
STYLES: dict[str, Style] = {name: style for axis in AXES.values() for name, style in axis.items()}
assert len(STYLES) == sum(map(len, AXES.values()))
BESIDE = ("assign", "place", "wrap", "ending", "spell")
"""Axes that a style may be joined with by another of."""


def make_styled(variant: MadeVariant, seed: int, name: str) -> Made:
    """A right program in that style; in half of them, others beside. Raises NoPlace where the
    variant has no place for the style, Discarded where rounding hides what is true."""
    random = Random(f"style:{variant.name}:{seed}:{name}")
    hand = Hand(variant, random)
    axis = next(a for a, styles in AXES.items() if name in styles)
    beside = [
        (a, random.choice([n for n in AXES[a] if n not in NEEDS_NAMES]))
        for a in BESIDE
        if a != axis and random.random() < 0.25
    ]
    if axis in ("whole", "number") or name in NEEDS_NAMES:
        beside = [(a, n) for a, n in beside if a not in ("assign", "place")]
    if axis == "whole":
        beside = []
    for _, other in beside:
        STYLES[other](hand)
    STYLES[name](hand)
    text = hand.text()
    truth = find_truth(text, variant)
    style = " + ".join([name, *(other for _, other in beside)])
    made = Made(variant, "right", seed, text, text, ".py", truth, (), 0, (), style)
    check(made)
    if random.random() < 0.2:
        made = made._replace(file=notebook(text, variant), suffix=".ipynb")
    return made


def check(made: Made) -> None:
    """Raises Discarded for a program that is not right by an oracle that knows nothing of styles: not
    every style fits every variant."""
    ahead, value, gradients = made.wrong
    if made.truth.unused or made.truth.late or ahead or value or any(gradients):
        raise Discarded(f"not right by the oracle: {made.style}")


__all__ = ["STYLES", "Discarded", "ending", "make_styled"]

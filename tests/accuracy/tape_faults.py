"""Faults of tapes: changes of what one operator propagates. Those of grad, reset_tape and of records are named
here, and written where these are."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from faults import NoPlace

Ways = dict[str, tuple[str, ...]]
Change = Callable[[tuple[str, ...], Random], tuple[str, ...]]


def _each(change: Callable[[str], str]) -> Change:
    """A change of one of the gradients, of those in which there is a place for it."""

    def changed(texts: tuple[str, ...], random: Random) -> tuple[str, ...]:
        places = [at for at, text in enumerate(texts) if change(text) != text]
        if not places:
            return texts
        at = random.choice(places)
        return (*texts[:at], change(texts[at]), *texts[at + 1 :])

    return changed


def _lost_factor(text: str) -> str:
    return re.sub(r" [*/@] (\{\w+\}|\d+(\.\d+)?)(?!.*[*/@])", "", text)


def _lost_term(text: str) -> str:
    return (
        re.sub(r" [-+] .*", "", text)
        if "(" not in text
        else re.sub(r"\((\S+) [-+] .*\)$", r"\1", text)
    )


def _sign(text: str) -> str:
    if text.startswith("-"):
        return text[1:]
    return text.replace(" - ", " + ") if " - " in text else f"-({text})"


def _swapped(text: str) -> str:
    return (
        text.replace("{a}", "{0}").replace("{b}", "{a}").replace("{0}", "{b}")
        if "{b}" in text
        else text
    )


def _result(text: str) -> str:
    if "{r}" in text:
        return text.replace("{r}", "{a}")
    return text.replace("{a}", "{r}") if "{b}" not in text and "@" not in text else text


OF_RULES: dict[str, Change] = {
    "lost factor": _each(_lost_factor),
    "lost term": _each(_lost_term),
    "wrong sign": _each(_sign),
    "wrong factor": _each(lambda text: f"({text}) * 2"),
    "halved": _each(lambda text: f"({text}) * 0.5"),
    "wrong operand": _each(_swapped),
    "input for result": _each(_result),
    "gradients swapped": lambda texts, random: texts[::-1],
    "one gradient None": lambda texts, random: (*texts[:-1], "None") if len(texts) > 1 else texts,
    "one gradient too few": lambda texts, random: texts[:1],
    "not expanded": _each(lambda text: re.sub(r"\.expand\(\{shape\}\)", "", text)),
    "mean not divided": _each(lambda text: text.replace("(1 / {count})", "1.0")),
    "not transposed": _each(lambda text: text.replace(".t()", "")),
    "square for power": _each(lambda text: text.replace("({k} - 1)", "{k}")),
    "quotient not squared": _each(lambda text: text.replace(" * {r} / {b}", " * {r}").replace("({b} * {b})", "{b}")),
    "wrong forward": lambda texts, random: texts,
    "not on the tape": lambda texts, random: texts,
    "recorded twice": lambda texts, random: texts,
    "output is an input": lambda texts, random: texts,
    "wrong way of work": lambda texts, random: texts,
}  # fmt: skip
"""Of one operator."""
PLACED = (
    "wrong forward",
    "not on the tape",
    "recorded twice",
    "output is an input",
    "wrong way of work",
)
"""Of these that change no text of the rule."""
OF_GRAD = (
    "overwrites", "keeps the first", "added twice", "adds in place", "seed is two", "seed is L", "zeros for None",
    "does not skip", "stops at None", "forward order", "last entry left out", "first entry left out", "pops the tape",
    "clears the tape", "returns a map", "returns tensors", "first input alone", "map kept between calls",
)  # fmt: skip
OF_RESET = (
    "reset does nothing",
    "reset of a local",
    "history kept",
    "last map kept",
    "one entry left",
)
SLIPS = {
    "extra op in forward": "unused-nodes", "extra op in propagate": "unused-nodes", "input changed": "integrity",
    "engine in propagate": "integrity", "vjp in propagate": "integrity",
}  # fmt: skip
"""By the check that has to find each, whatever plain torch says."""
OF_AGGREGATES = ("captured temporary", "lost path")
FAULTS = (
    *OF_RULES,
    *OF_GRAD,
    *OF_RESET,
    *SLIPS,
    *OF_AGGREGATES,
    "wrong way of work",
    "captured temporary",
)


def misruled(ways: Ways, used: list[str], fault: str, random: Random) -> str:
    """Changes one of the rules that are used, and says which. Raises NoPlace."""
    names = list(used)
    random.shuffle(names)
    for name in names:
        changed = OF_RULES[fault](ways[name], random)
        if changed != ways[name] or fault in PLACED:
            ways[name] = changed
            return name
    raise NoPlace(fault)

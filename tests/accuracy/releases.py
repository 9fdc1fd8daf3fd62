"""Where each value is used for the last time, and the releases right after. Names for slots."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from expressions import LEAVES
from programs import Stmt
from rewriting import Groups


class Life(NamedTuple):
    """A storage: the slots that hold it, the statement that makes it and the last that uses it."""

    slots: tuple[str, ...]
    born: int
    last: int


def lives(body: list[Stmt], constants: set[str]) -> list[Life]:
    """Each storage made by the statements, in order of birth."""
    groups = Groups(body)
    born: dict[str, int] = {}
    last: dict[str, int] = {}
    members: dict[str, list[str]] = {}
    for i, s in enumerate(body):
        for slot in s.all_defs():
            root = groups.of(slot)
            born.setdefault(root, i)
            members.setdefault(root, []).append(slot)
            # an alias is no use: it runs no op. But its name must be dropped after it was bound
            last[root] = max(last.get(root, i), i)
        for slot in s.uses():
            root = groups.of(slot)
            if s.kind != "alias":
                last[root] = i
    return [
        Life(tuple(members[root]), at, last[root])
        for root, at in born.items()
        if root not in constants and root not in LEAVES
    ]


def bound_late(body: list[Stmt], constants: set[str]) -> bool:
    """Whether an alias is the last that happens to a value: then no exact release is possible."""
    groups = Groups(body)
    for life in lives(body, constants):
        s = body[life.last]
        if s.kind == "alias" and groups.of(s.defs[0]) in {groups.of(x) for x in life.slots}:
            return True
    return False


def release(
    body: list[Stmt], constants: set[str], kept: set[str]
) -> tuple[list[Stmt], dict[str, int]]:
    """The statements with a `drop` right after each last use, but for the slots in `kept`.

    Gives also, for each first slot that is dropped, the position of its drop.
    """
    ends: dict[int, list[str]] = {}
    groups = Groups(body)
    spared = {groups.of(slot) for slot in kept}
    for life in lives(body, constants):
        if groups.of(life.slots[0]) not in spared and life.last < len(body) - 1:
            ends.setdefault(life.last, []).extend(life.slots)
    made: list[Stmt] = []
    dropped: dict[str, int] = {}
    for i, s in enumerate(body):
        made.append(s)
        if i in ends:
            dropped.update(dict.fromkeys(ends[i], len(made)))
            made.append(Stmt("drop", ends[i], part=s.part))
    return made, dropped


WORDS = "alpha beta gamma foo bar tmp val q z node part acc u k m p s".split()
CYRILLIC = "шаг часть узел итог а б врем знач".split()


class Namer:
    """Texts for slots: plain, letters, words, Cyrillic; in locals, a dict, a list, or on self."""

    def __init__(self, random: Random, places: str) -> None:
        self._random = random
        self._places = places
        self._family = random.choice(("plain", "plain", "plain", "short", "words", "cyrillic"))
        self.names: dict[str, str] = {}
        self._taken: set[str] = set()
        self.setup: list[str] = []
        if places in ("dict", "mixed"):
            self._holder = random.choice(("v", "vals", "cache"))
            self.setup.append(f"{self._holder} = {random.choice(('{}', 'dict()'))}")
        elif places == "list":
            self._holder = "t"
            self.setup.append("t = [None] * 400")

    def name(self, slot: str) -> str:
        """The slot's text, always the same."""
        if slot in LEAVES:
            return slot
        known = self.names.get(slot)
        if known is None:
            known = self.names[slot] = self._placed(self._bare(slot))
        return known

    def _bare(self, slot: str) -> str:
        base = slot
        if self._family == "short":
            base = self._random.choice("abcdefghkmnpqrsu")
        elif self._family == "words":
            base = self._random.choice(WORDS)
        elif self._family == "cyrillic":
            base = self._random.choice(CYRILLIC)
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return name

    def _placed(self, bare: str) -> str:
        places = self._places
        if places == "mixed":
            places = self._random.choice(("dict", "local"))
        if places == "dict":
            return f"{self._holder}['{bare}']"
        if places == "list":
            return f"t[{len(self.names)}]"
        return f"self.{bare}_" if places == "self" else bare

"""Tells a repair in words, and the fix in the student's own names."""

from __future__ import annotations

from typing import NamedTuple

from ..messages import phrase, say, say_count
from ..model import Span
from .fixes import Fix, Fixes
from .mistakes import mistake
from .plainer import plainer
from .score import Repair, RepairCandidate
from .search import Repairs

MAX_TOLD = 4
WAYS = 3
"""Changes of one line that are tried, one after the other, until one does what it promises."""
MARGIN = 4
"""How much more than against the first may speak against another line that is told."""


OF_A_NAME = phrase("`{name}` goes wrong here: with another value, everything is right")
NAMED = {
    "sign": phrase("`{name}` has the wrong sign here"),
    "operator": phrase("`{name}` is made with a wrong operator here"),
    "order": phrase("`{name}` has its operands the wrong way round here"),
    "operand": phrase("`{name}` is made of a wrong value here"),
    "function": phrase("`{name}` is made by a wrong function or comparison here"),
    "exponent": phrase("`{name}` has a wrong exponent here"),
    "constant": phrase("`{name}` has a wrong factor here"),
    "factor": phrase("`{name}` has a wrong factor here"),
    "term": phrase("`{name}` lacks a term here"),
    "extra": phrase("`{name}` has a term or factor too many here"),
}
"""What is said of a value that has a name, by the kind of the edit."""
OF_NO_NAME = phrase("this goes wrong here: with another value, everything is right")
UNNAMED = {
    "sign": phrase("the sign is wrong here"),
    "operator": phrase("the operator is wrong here"),
    "order": phrase("the operands are the wrong way round here"),
    "function": phrase("the function or comparison is wrong here"),
    "exponent": phrase("the exponent is wrong here"),
    "constant": phrase("a factor is wrong here"),
    "factor": phrase("a factor is wrong here"),
    "term": phrase("a term is missing here"),
    "extra": phrase("there is a term or factor too many here"),
}


class FaultyLine(NamedTuple):
    """One line to look at. `fixes` are the ways to write what belongs there, the likeliest first, none if
    that is not known. `sure`: `alone`, no other line does; `one of several`; `together` with the others;
    or `by role`, no edit was found, but this value is the one that is not what it should be."""

    kind: str
    site: Span | None
    name: str | None
    message: str
    fixes: tuple[Fix, ...]
    sure: str
    hint: str | None = None

    @property
    def fix(self) -> str | None:
        """The likeliest of the fixes, in words."""
        return self.fixes[0].message if self.fixes else None

    @property
    def mistake(self) -> str | None:
        """What the slip was, by the likeliest of the fixes."""
        return self.fixes[0].mistake if self.fixes else None


def tell(found: Repairs, fixes: Fixes) -> list[FaultyLine]:
    """The lines to tell a student, the likeliest first."""
    if found.swapped:
        return [_swapped(found.repairs[0], found.together[0], fixes)]
    if found.together:
        lines = [found.repairs[0], *found.together]
        told_together = [_line(repair, fixes, "together") for repair in lines]
        if len(lines) > 1:
            hint = say_count("{count} line has to change", "{count} lines have to change, this one among "
                             "them", len(lines))  # fmt: skip
            told_together[0] = told_together[0]._replace(hint=hint)
        return told_together
    told = found.repairs[:1]
    if not told:
        return []
    best = told[0].best.edit
    certain = best is not None and best.kind == "typed-in"
    others = [] if certain else [r for r in found.repairs[1:] if r.total <= told[0].total + MARGIN]
    sure = "alone" if not others else "one of several"
    if told[0].best.edit is None:
        sure = "by role"
    first = _line(told[0], fixes, sure)
    return [first, *(_other(r, fixes, first) for r in others[: MAX_TOLD - 1])]


def everything(found: Repairs, fixes: Fixes) -> list[FaultyLine]:
    """All candidates, for the instructor."""
    sure = "together" if found.together else "possible"
    return [_line(repair, fixes, sure) for repair in (*found.repairs, *found.together)]


def _line(repair: Repair, fixes: Fixes, sure: str) -> FaultyLine:
    nodes = fixes.scalars.nodes
    candidates = [_plainer(candidate, fixes) for candidate in repair.candidates]
    best = candidates[0]
    node = nodes[best.node]
    name = node.bound or next((b for c in repair.candidates if (b := nodes[c.node].bound)), None)
    kind = "role" if best.edit is None else best.edit.kind
    message = _message(kind, name, best.plays, best.negative)
    ways = [] if best.edit is None else candidates[:WAYS]
    told = [fix for candidate in ways for fix in _fixes(candidate, fixes)]
    return FaultyLine(kind, node.site, name, message, tuple(told), sure)


def _plainer(candidate: RepairCandidate, fixes: Fixes) -> RepairCandidate:
    """The candidate, with its edit in plainer words where it is no path that is missing, and can be written so."""
    n, edit = candidate.node, candidate.edit
    if edit is None or candidate.path:
        return candidate
    said = plainer(fixes.scalars.nodes, n, edit)
    return candidate._replace(edit=said) if fixes.rendered(said.tree, n) else candidate


def _fixes(candidate: RepairCandidate, fixes: Fixes) -> list[Fix]:
    """The ways to write one change, and what the mistake is then."""
    n, edit = candidate.node, candidate.edit
    if edit is None:
        return []
    said = mistake(n, edit, candidate.path, fixes)
    return [fix._replace(mistake=said) for fix in fixes.of(n, edit)]


def _swapped(one: Repair, other: Repair, fixes: Fixes) -> FaultyLine:
    """Two values that each stand where the other belongs: one mistake."""
    first, second = sorted((_line(repair, fixes, "alone") for repair in (one, other)), key=_number)
    both = [fixes.rightful(repair.best) for repair in (one, other)]
    names = [first.name, second.name]
    if first.kind == "slot" or None in names:
        names = both
    if None in names:
        message = say("two values stand in each other's place here")
    else:
        message = say("`{first}` and `{second}` stand in each other's place",
                      first=names[0], second=names[1])  # fmt: skip
    apart = _number(first) != _number(second)
    hint = say("the other one is made in line {line}", line=_number(second)) if apart else None
    ways = tuple(fixes.swapped(one.best, other.best))
    return first._replace(kind="swapped", message=message, fixes=ways, hint=hint)


def _number(line: FaultyLine) -> int:
    return 0 if line.site is None else line.site.line


def _other(repair: Repair, fixes: Fixes, first: FaultyLine) -> FaultyLine:
    line = _line(repair, fixes, first.sure)
    if line.name is None:
        message = say("it could be this line instead: a change here makes everything right, too")
    else:
        message = say("it could be this line instead: a change of `{name}` makes everything right, "
                      "too", name=line.name)  # fmt: skip
    return line._replace(message=message)


def _message(kind: str, name: str | None, plays: str | None, negative: bool) -> str:
    if kind == "slot":
        return say("a gradient stands in the place of another one here")
    if kind == "typed-in":
        return say("a number is typed in here, where a weight or an input should be read")
    if name is None:
        return say(UNNAMED.get(kind, OF_NO_NAME))
    if kind == "role" and plays is not None:
        return say("`{name}` goes wrong here: it should be {role}; no single change was found that "
                   "makes everything right", name=name, role=plays)  # fmt: skip
    if plays is not None and negative:
        return say("`{name}` has the wrong sign here: it should be {role}, and is its negative",
                   name=name, role=plays)  # fmt: skip
    if plays is not None:
        return say("`{name}` goes wrong here: it should be {role}", name=name, role=plays)
    return say(NAMED.get(kind, OF_A_NAME), name=name)

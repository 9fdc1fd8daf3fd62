"""Tells a faulty line in words, in the student's own names; never what to write there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..messages import phrase, say, say_count
from ..model import Span
from .scalar_nodes import Node
from .scalars import Scalars
from .score import Repair, RepairCandidate
from .search import Repairs

MAX_TOLD = 4
MARGIN = 4
"""How much more than against the first may speak against another line that is told."""
WHAT = {
    "transposed": phrase("a matrix stands transposed, or does not where it should"),
    "axis": phrase("it goes along the wrong axis, or along none"),
    "keepdim": phrase("`keepdim` is missing, or stands where it should not"),
    "not summed": phrase("it is not summed over an axis along which it was spread"),
    "mean": phrase("a factor like 1/n is missing, or is there twice"),
    "factor": phrase("a factor is wrong or missing"),
    "factor value": phrase("a factor is missing"),
    "sign": phrase("the sign is wrong"),
    "order": phrase("the operands stand the wrong way round"),
    "operator": phrase("another operator is meant"),
    "function": phrase("a function is left out, or another one is meant"),
    "exponent": phrase("the exponent is wrong"),
    "number": phrase("a number in it is wrong"),
    "index": phrase("an index is wrong: is it off by one?"),
    "mask": phrase("the mask is the wrong way round"),
    "mask operand": phrase("the mask is that of another tensor"),
    "mask left out": phrase("a mask is missing"),
    "operand": phrase("it is made of a wrong value"),
    "in place": phrase("a value that it reads was changed in place, and is needed as it was"),
    "overwritten": phrase("a gradient that several parts add to is overwritten"),
    "twice": phrase("a term is there twice, or is no sum"),
    "term": phrase("a term is missing"),
    "lost term": phrase("a term is missing"),
    "extra": phrase("there is a term or factor too many"),
    "role": phrase("what it is made of is right, and it is nothing that the task has"),
    "slot": phrase("a gradient stands in the place of another one"),
    "value": phrase("with another value, everything is right"),
    "unmade": phrase("it is only another name for something else"),
}
"""What is wrong, by the kind of the change."""
BY_PLACE = "role"
"""The kind of lines on tensors that no change mends: some are a neighbour of the faulty one
(benchmarks/README.md), and so they are said to be looked at."""


class FaultyLine(NamedTuple):
    """One line to look at. `sure`: `alone`, no other line does; `one of several`; `together` with
    the others; or `by role`, no edit was found, but this value is the one that is not what it
    should be."""

    kind: str
    site: Span | None
    name: str | None
    message: str
    sure: str
    hint: str | None = None


def tell(outcome: Repairs, scalars: Scalars) -> list[FaultyLine]:
    """The lines to tell a student, the likeliest first."""
    if outcome.swapped:
        return [_swapped(outcome.repairs[0], outcome.together[0], scalars)]
    if outcome.together:
        both = (outcome.repairs[0], *outcome.together)
        first, *rest = [_line(repair, scalars, "together") for repair in both]
        hint = say_count(
            "{count} line has to change",
            "{count} lines have to change, this one among them",
            len(both),
        )
        return [first._replace(hint=hint), *rest]
    if not outcome.repairs:
        return []
    likeliest, *others = outcome.repairs
    edit = likeliest.best.edit
    others = [repair for repair in others if repair.total <= likeliest.total + MARGIN]
    if edit is not None and edit.kind == "typed-in":  # that is certain
        others = []
    sure = "by role" if edit is None else "one of several" if others else "alone"
    first = _line(likeliest, scalars, sure)
    return [first, *(_other(repair, scalars, first) for repair in others[: MAX_TOLD - 1])]


def everything(outcome: Repairs, scalars: Scalars) -> list[FaultyLine]:
    """All candidates, for the instructor."""
    sure = "together" if outcome.together else "possible"
    return [_line(repair, scalars, sure) for repair in (*outcome.repairs, *outcome.together)]


def _line(repair: Repair, scalars: Scalars, sure: str) -> FaultyLine:
    nodes = scalars.nodes
    best = repair.best
    node = nodes[best.node]
    name = node.bound or next((b for c in repair.candidates if (b := nodes[c.node].bound)), None)
    kind = "role" if best.edit is None else best.edit.kind
    message = _message(kind, name, best.plays, best.negative)
    return FaultyLine(kind, node.site, name, message, sure)


def _rightful(candidate: RepairCandidate, nodes: Sequence[Node]) -> str | None:
    """The name of the value that belongs where a candidate is: its own, or one that it was given
    later."""
    tree = None if candidate.edit is None else candidate.edit.tree
    if tree is None or tree[0] != "node":
        return None
    names = [n.bound for n in nodes[tree[1] + 1 :] if (n.code, n.operands) == ("copy", (tree[1],))]
    return next(filter(None, (nodes[tree[1]].bound, *names)), None)


def _swapped(one: Repair, other: Repair, scalars: Scalars) -> FaultyLine:
    """Two values that each stand where the other belongs: one mistake."""
    first, second = sorted(
        (_line(repair, scalars, "alone") for repair in (one, other)), key=_number
    )
    both = [_rightful(repair.best, scalars.nodes) for repair in (one, other)]
    names = [first.name, second.name]
    if first.kind == "slot" or None in names:
        names = both
    if None in names:
        message = say("two values stand in each other's place here")
    else:
        message = say(
            "`{first}` and `{second}` stand in each other's place", first=names[0], second=names[1]
        )
    apart = _number(first) != _number(second)
    hint = say("the other one is made in line {line}", line=_number(second)) if apart else None
    return first._replace(kind="swapped", message=message, hint=hint)


def _number(line: FaultyLine) -> int:
    return 0 if line.site is None else line.site.line


def _other(repair: Repair, scalars: Scalars, first: FaultyLine) -> FaultyLine:
    line = _line(repair, scalars, first.sure)
    return line._replace(message=instead(line.name))


def instead(name: str | None) -> str:
    """What is said of a further line that may be the mistake, and of a name of it."""
    if name is None:
        return say("it could be this line instead: a change here makes everything right, too")
    return say(
        "it could be this line instead: a change of `{name}` makes everything right, too", name=name
    )


def goes_wrong(kind: str, name: str | None) -> str:
    """What is said of a line, or a name of it, by the kind of the change that mends it."""
    what = say(WHAT[kind])
    if kind == BY_PLACE:
        return say("look here first: {what}", what=what)
    if name is None:
        return say("it goes wrong here: {what}", what=what)
    return say("`{name}` goes wrong here: {what}", name=name, what=what)


def _message(kind: str, name: str | None, plays: str | None, negative: bool) -> str:
    if kind == "typed-in":
        return say("a number is typed in here, where a weight or an input should be read")
    if name is None or plays is None or kind == "slot":
        return goes_wrong("value" if kind == "role" else kind, name)
    if kind == "role":
        return say(
            "`{name}` goes wrong here: it should be {role}; no single change was found that "
            "makes everything right",
            name=name,
            role=plays,
        )
    if negative:
        return say(
            "`{name}` has the wrong sign here: it should be {role}, and is its negative",
            name=name,
            role=plays,
        )
    return say("`{name}` goes wrong here: it should be {role}", name=name, role=plays)

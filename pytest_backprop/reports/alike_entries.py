"""The part of the report about submissions that are more alike than their task makes them."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from .fields import Amount, Count, Position, Text, about as _about

Share = Annotated[float, Meta(ge=0, le=1)]


class AlikeLines(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of either submission in which both calculate the same."""

    first_cell: Annotated[Position | None, _about("notebook cell in the first; null in a file")]
    first_line: Annotated[Position, _about("line in the first")]
    second_cell: Annotated[Position | None, _about("notebook cell in the second; null in a file")]
    second_line: Annotated[Position, _about("line in the second")]
    rare: Annotated[bool, _about("whether at most one in three of the rest shares what is alike")]


class AlikePair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two submissions of one task. A reason to look at both, and no verdict: no score depends on it."""

    paths: Annotated[list[Text], Meta(min_length=2, max_length=2), _about("the submissions")]
    students: Annotated[
        list[Text | None], Meta(min_length=2, max_length=2), _about("theirs; null if not listed")
    ]
    variant: Annotated[Text, _about("their task")]
    likeness: Annotated[
        Share,
        _about(
            "how much of what either has both have, 0 to 1; what few others have weighs more: "
            "what is calculated and how, in which order, and when it is dropped"
        ),
    ]
    graph: Annotated[Share, _about("the same of the values and how each is calculated alone")]
    order: Annotated[Share, _about("the same of the order of the values alone")]
    drops: Annotated[Share, _about("the same of when values are dropped alone")]
    evidence: Annotated[
        Amount, _about("weight of the lines that both have and few others, in nats")
    ]
    only_these: Annotated[Count, _about("traits that both have and nobody else of the task")]
    lines: Annotated[list[AlikeLines], _about("lines that calculate the same")]


class AlikeInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """What comparing the submissions of each task with each other told."""

    pairs: Annotated[list[AlikePair], _about("the most alike first")]
    left_out: Annotated[Count, _about("further pairs, for which there is no room")]
    compared: Annotated[Count, _about("submissions that were compared with others of their task")]
    too_few: Annotated[
        list[Text], _about("tasks with too few submissions to tell what is rare in them")
    ]

"""When a submission was handed in and what that costs, as data of the report."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct

from ..model import Lateness
from .fields import Amount, Count, Text, about
from .text import clean


class LateEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """When a submission was handed in, and what that costs."""

    due: Annotated[Text, about("the time that was still in time")]
    submitted: Annotated[Text | None, about("when it was handed in; null if nobody knows")]
    days: Annotated[Count, about("days begun after that; 0 for one in time")]
    free_days: Annotated[Count, about("how many of these days cost nothing")]
    share: Annotated[Amount, about("what is taken off, of the points earned")]
    deduction: Annotated[Amount, about("that in points; it is in the adjustment")]
    problem: Annotated[Text | None, about("why nobody knows; null if somebody does")]


def late_entry(late: Lateness | None) -> LateEntry | None:
    """The entry; None where the rubric asks for no time."""
    if late is None:
        return None
    return LateEntry(
        due=late.due,
        submitted=late.submitted,
        days=late.days,
        free_days=late.free_days,
        share=round(late.share, 6),
        deduction=round(late.deduction, 6),
        problem=None if late.problem is None else clean(late.problem),
    )

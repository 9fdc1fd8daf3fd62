"""Names the faulty line of a wrong pass, by searching for the edit that makes it right.

The pass becomes a program of scalars (`scalars`), which the student's text completes (`text`); it
is evaluated over the prime field (`bench`, `arithmetic`) and held against what its values should be
(`roles`); `search` finds the lines by the `edits` that mend them, `wording` says what is wrong
there. No edit leaves this room: what to write is for the student to see.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from ..exercises.functions.bank import Variant
from ..model import Recording
from ..trace.calls import DISTRUST
from .scalars import Scalars
from .search import WORK, search
from .text import Text
from .wording import FaultyLine, everything, tell

__all__ = ["FaultSearch", "FaultyLine", "find"]


_LOG = logging.getLogger(__name__)


class FaultSearch(NamedTuple):
    """The lines to tell, and all that would do, for the instructor. `reason` says why there is
    nothing; `work` is what the search cost, in nodes evaluated."""

    lines: tuple[FaultyLine, ...] = ()
    all: tuple[FaultyLine, ...] = ()
    work: int = 0
    reason: str = ""


def find(
    variant: Variant, recording: Recording, units: Sequence[str], work: int = WORK
) -> FaultSearch:
    """The faulty lines of a recorded method, given the text it was recorded from. Never raises."""
    try:
        text = Text(units)
        scalars = Scalars(recording, text, variant.weights, variant.inputs)
        repairs = search(scalars, variant, work)
        lines, every = tell(repairs, scalars), everything(repairs, scalars)
        return FaultSearch(tuple(lines), tuple(every), repairs.work, repairs.reason)
    except DISTRUST as problem:
        _LOG.debug("a search for the wrong line broke off", exc_info=True)
        return FaultSearch(reason=f"the pass cannot be searched: {type(problem).__name__}")

"""The traits of a submission, at the reader's lines: they travel with the grade."""

from __future__ import annotations

from msgspec.structs import replace

from ..judging.case import PassCase
from ..model.verdict import Trait
from ..trace.traits import traits

UNTRUE = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)  # fmt: skip
"""What a recording that no run can have made may raise."""


def traits_of(case: PassCase) -> tuple[Trait, ...]:
    """The traits of the pass that is judged for nodes and releases; none where it cannot be followed."""
    assert case.submission is not None
    cells = [unit.cell for unit in case.submission.units]
    try:
        found = traits(case.recording, case.flow)
    except UNTRUE:
        return ()
    return tuple(
        replace(trait, cell=cells[trait.cell])
        if trait.cell is not None and 0 <= trait.cell < len(cells)
        else replace(trait, cell=None, line=None)
        for trait in found
    )

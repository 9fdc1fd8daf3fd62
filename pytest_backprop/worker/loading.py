"""From a submission's text to an instance of its model class. Student code runs here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import SubmissionProblem
from ..messages import say
from ..model import Unit
from ..submission import Slice, load, slice_model
from ..trace.stack import LOOP_MARK, loop_mark, mark_loops
from .adapt import build_model
from .passes import fault_of


class Loaded(NamedTuple):
    """The slice of the submission, the class in it, an instance, and notes on how it was built."""

    chosen: Slice
    cls: type
    model: Any
    notes: list[str]


def load_model(
    units: tuple[Unit, ...],
    class_name: str | None,
    weight_names: Sequence[str],
    weights: Sequence[float],
    loops: bool,
) -> Loaded:
    """Runs what the class needs, and builds it. `loops` marks each round, for the recorder. Raises
    SubmissionProblem."""
    chosen = slice_model(units, class_name)
    for sliced in chosen.statements if loops else ():
        mark_loops(sliced.node)
    cls = load(chosen, {LOOP_MARK: loop_mark})
    notes = list(chosen.notes)
    try:
        model, built = build_model(cls, weight_names, weights)
    except BaseException as error:
        fault = fault_of(error)
        raise SubmissionProblem(
            "constructor",
            say(
                "{name}() fails: {error}", name=cls.__name__, error=f"{fault.kind}: {fault.message}"
            ),
            say("make sure that the class can be built without arguments, as the assignment does"),
            fault.site,
        ) from error
    return Loaded(chosen, cls, model, notes + built)

"""From a submission's text to an instance of its model class. Student code runs here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import SubmissionProblem
from ..messages import say
from ..model import Breach, Unit
from ..submission import Slice, compile_slice, load, slice_model
from ..trace.codes import Codes
from ..trace.load_watch import watched
from ..trace.stack import LOOP_MARK, loop_mark, mark_loops
from .adapt import build_model
from .passes import fault_of


class Loaded(NamedTuple):
    """The slice of the submission, the class in it, an instance, notes on how it was built, the code
    objects that are the submission's, and what differentiated meanwhile."""

    chosen: Slice
    cls: type
    model: Any
    notes: list[str]
    codes: Codes
    breaches: tuple[Breach, ...]


def load_model(
    units: tuple[Unit, ...],
    class_name: str | None,
    weight_names: Sequence[str],
    weights: Sequence[float],
    loops: bool,
    pass_names: Sequence[str],
) -> Loaded:
    """Runs what the class needs, and builds it. `loops` marks each round, and says that this is for the
    recorder, under whose watch the work is done. Raises SubmissionProblem."""
    chosen = slice_model(units, class_name, pass_names)
    for sliced in chosen.statements if loops else ():
        mark_loops(sliced.node)
    compiled = compile_slice(chosen)
    codes = Codes()
    for statement, code in zip(chosen.statements, compiled, strict=True):
        codes.add(code, statement.unit)
    notes = list(chosen.notes)

    def work() -> tuple[type, Any, list[str]]:
        cls = load(chosen, {LOOP_MARK: loop_mark}, compiled)
        try:
            return cls, *build_model(cls, weight_names, weights)
        except BaseException as error:
            fault = fault_of(error)
            raise SubmissionProblem(
                "constructor",
                say(
                    "{name}() fails: {error}",
                    name=cls.__name__,
                    error=f"{fault.kind}: {fault.message}",
                ),
                say(
                    "make sure that the class can be built without arguments, as the assignment does"
                ),
                fault.site,
            ) from error

    (cls, model, built), breaches = watched(work, codes) if loops else (work(), ())
    return Loaded(chosen, cls, model, notes + built, codes, breaches)

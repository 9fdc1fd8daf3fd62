"""From what a submission did and what explains it to the case that every check is given."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ..exercises.base import Exercise
from ..exercises.functions.bank import Variant
from ..judging.case import Beside, Case, Draw, ObservedCase, PassCase, Tolerance
from ..model import Submission
from ..rooms import ROOMS, Rooms
from ..submission.parse import place_of
from ..trace.lateness import Loops
from .provenance import Provenance


def build_case(
    submission: Submission,
    tolerance: Tolerance,
    exercise: Exercise,
    draw: Draw,
    provenance: Provenance,
    bank: Sequence[Variant] = (),
    facts: Any = None,
    memory: int = 0,
    beside: tuple[Beside, ...] = (),
    loops: Loops = MappingProxyType({}),
    rooms: Rooms = ROOMS,
) -> Case:
    """The case of one draw. `memory` and `beside` are of the submission, and stand in the first
    of its cases alone. `loops` are those of all draws; `bank` has the tasks that the draw's may
    be taken for."""
    evidence, manual, forward, flow = provenance
    case = Case(
        evidence=evidence,
        tolerance=tolerance,
        place=functools.partial(place_of, submission),
        exercise=exercise,
        submission=submission,
        beside=beside,
        draw=draw,
        forward=forward,
        manual=manual,
        facts=facts,
        memory=memory,
    )
    case = case if flow is None else PassCase(**vars(case), flow=flow, loops=loops)
    search = functools.partial(rooms.locate, case, bank)
    return dataclasses.replace(case, locate=functools.cache(search))


def build_observed(
    submission: Submission, tolerance: Tolerance, exercise: Exercise, beside: tuple[Beside, ...]
) -> ObservedCase:
    """The case of a submission of which nothing is replayed, of at least one run."""
    return ObservedCase(
        evidence=beside[0].evidence,
        tolerance=tolerance,
        place=functools.partial(place_of, submission),
        exercise=exercise,
        submission=submission,
        beside=beside,
    )

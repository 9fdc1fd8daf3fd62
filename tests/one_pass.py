"""One pass against one task, a bank's file, in this process: the case that the checks are given, at
the first sizes."""

from __future__ import annotations

import functools
from dataclasses import replace

from pytest_backprop import rooms
from pytest_backprop.exercises import FORWARD_BACKWARD
from pytest_backprop.exercises.functions.bank import Variant, parse_variant
from pytest_backprop.exercises.functions.reference import autograd_cost, expected
from pytest_backprop.exercises.functions.scenarios import Points, generic_points, points, scenario
from pytest_backprop.exercises.functions.typed_task import read_typed_task
from pytest_backprop.grading.provenance import CHILD_POINTS, RECORDED, Explainer
from pytest_backprop.judging.case import Case, Draw, Tolerance
from pytest_backprop.model import Evidence, Submission, Unit
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.protocol import Limits, Ran, Request

TOLERANCE = Tolerance(5e-5, 1e-7)


@functools.cache
def _draw(task: str) -> Draw:
    typed = "Float[Tensor" in task
    variant = read_typed_task(task, "a task") if typed else parse_variant(task)
    at = generic_points(variant, 1, CHILD_POINTS)
    own = expected(variant, points(variant, 0, 60))
    return Draw(variant, own, at, expected(variant, at), autograd_cost(variant))


def _evidence(text: str, variant: Variant, at: Points, recorded: int) -> Evidence:
    asked = Request(
        (Unit(text, original=text),), None, (scenario(variant, at),), recorded, Limits(10, 2**30)
    )
    reply = answer(asked)
    assert isinstance(reply, Ran), reply
    return reply.evidences[0]


def case_of(text: str, task: str) -> Case:
    """The case of a submission's text."""
    draw = _draw(task)
    run = functools.partial(_evidence, text, draw.variant)
    submission = Submission("a.py", "py", (Unit(text, original=text),))
    explainer = Explainer(submission, draw, TOLERANCE, 0, run, FORWARD_BACKWARD)
    case = explainer.case(run(draw.child_points, RECORDED))
    return replace(case, locate=functools.partial(rooms.locate, [case], ()))

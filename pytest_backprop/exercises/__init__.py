"""Kinds of exercise, a folder each, and the seam behind which they stand (`base`).

`functions` has what those share whose tasks are functions: the tasks, the points, what is right
there. Nothing here knows submissions' files, reports or pytest."""

from __future__ import annotations

from ..errors import UsageProblem
from .accumulation import ACCUMULATION as ACCUMULATION
from .autograd_function import AUTOGRAD_FUNCTION as AUTOGRAD_FUNCTION
from .base import Exercise as Exercise, later
from .by_hand.forms import FORMS
from .by_hand.forms.forward_backward import (
    FORWARD_BACKWARD as FORWARD_BACKWARD,
    PASS_NAMES as PASS_NAMES,
)
from .intermediate_gradients import INTERMEDIATE_GRADIENTS as INTERMEDIATE_GRADIENTS
from .saved_tensor_hooks import SAVED_TENSOR_HOOKS as SAVED_TENSOR_HOOKS
from .tape import TAPE as TAPE

_OTHERS = (AUTOGRAD_FUNCTION, TAPE, INTERMEDIATE_GRADIENTS, ACCUMULATION, SAVED_TENSOR_HOOKS)
BUILT_IN = {exercise.name: exercise for exercise in (*FORMS, *_OTHERS)}
"""By the names that `--backprop-kind` and a task's `EXERCISE` have for them."""


def built_in(kind: str) -> Exercise:
    """The kind of exercise of that name. Raises UsageProblem."""
    if kind not in BUILT_IN:
        raise UsageProblem(
            f"there is no kind of exercise {kind!r}", f"known: {', '.join(BUILT_IN)}"
        )
    return BUILT_IN[kind]


recognised = later("pytest_backprop.exercises.by_hand.recognition", "recognised")
"""What forms a course's file has, and a task for one of them (`by_hand.recognition.recognised`)."""

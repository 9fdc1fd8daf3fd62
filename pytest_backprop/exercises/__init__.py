"""Kinds of exercise, a folder each, and the seam behind which they stand (`base`).

`functions` has what those share whose tasks are functions: the tasks, the points, what is right there.
Nothing here knows submissions' files, reports or pytest.
"""

from __future__ import annotations

from .accumulation import ACCUMULATION
from .autograd_function import AUTOGRAD_FUNCTION
from .base import Exercise
from .forward_backward import FORWARD_BACKWARD
from .intermediate_gradients import INTERMEDIATE_GRADIENTS
from .saved_tensor_hooks import SAVED_TENSOR_HOOKS
from .tape import TAPE

BUILT_IN = {
    exercise.name: exercise
    for exercise in (
        FORWARD_BACKWARD, AUTOGRAD_FUNCTION, TAPE, INTERMEDIATE_GRADIENTS, ACCUMULATION,
        SAVED_TENSOR_HOOKS,
    )
}  # fmt: skip
"""By the names that `--backprop-kind` and a task's `EXERCISE` have for them."""

__all__ = [
    "ACCUMULATION",
    "AUTOGRAD_FUNCTION",
    "BUILT_IN",
    "FORWARD_BACKWARD",
    "INTERMEDIATE_GRADIENTS",
    "SAVED_TENSOR_HOOKS",
    "TAPE",
    "Exercise",
]

"""Is an output what it should be, at each of its numbers and at every judged point? What differs by no more than the
roundings of a right formula is no mistake."""

from __future__ import annotations

from typing import NamedTuple

import torch

from .case import Method, Tolerance
from .compare import Difference, mismatch, on_singularities, wrong_at
from .rounding import is_drowned


class OutputVerdict(NamedTuple):
    """The first number that is wrong, None if none is; the first that is right but `unstable` in floating point; and
    the points (N,) at which the formula has a singularity that the function does not have."""

    wrong: Difference | None
    unstable: Difference | None
    singular: torch.Tensor


def judge_output(method: Method, output: str, tolerance: Tolerance) -> OutputVerdict:
    """Holds an output that was replayed against the task's."""
    assert method.replayed is not None
    got, expected = method.replayed.outputs[output], method.expected
    right, judged = expected.outputs[output], expected.judged
    unstable, singular = None, torch.zeros_like(judged)
    off = wrong_at(got, right, judged[:, None], tolerance).any(0)
    for element in off.nonzero().flatten().tolist():
        own, should = got[:, element], right[:, element]
        there = on_singularities(own, judged, expected.regimes)
        singular |= there
        found = mismatch(own, should, judged & ~there, tolerance, expected.regimes)
        if found is None:
            continue
        difference = Difference(element, found, own, should, judged & ~there)
        if not is_drowned(method, output, element, judged & ~there, tolerance, found):
            return OutputVerdict(difference, unstable, singular)
        unstable = unstable or difference
    return OutputVerdict(None, unstable, singular)

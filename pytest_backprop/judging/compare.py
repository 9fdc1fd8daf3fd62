"""Holds numbers against what they should be, and says how they differ the way torch does."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import torch

from ..exercises.functions.reference import Expected, drawn_as
from ..messages import say, say_count
from ..model import Finding
from .case import Case, Tolerance
from .reproduce import Shown, reproducer


class Mismatch(NamedTuple):
    """How N judged numbers miss what they should be. `example` is the point to show: the simplest
    that fails. Differences are absolute and relative, in float64; inf where one is NaN or inf."""

    failed: int
    judged: int
    worst_absolute: float
    worst_absolute_at: int
    worst_relative: float
    worst_relative_at: int
    example: int


def mismatch(
    got: torch.Tensor,
    expected: torch.Tensor,
    judged: torch.Tensor,
    tolerance: Tolerance,
    regimes: Sequence[str] = (),
) -> Mismatch | None:
    """None when every judged number (N,) is within the tolerance. NaN and inf match nothing."""
    wrong = wrong_at(got, expected, judged, tolerance)
    count = int(wrong.sum())
    if not count:
        return None
    difference = (got.to(torch.float64) - expected).abs()
    difference = torch.where(torch.isfinite(difference), difference, torch.inf)
    shown = torch.where(wrong, difference, -1.0)
    # of nothing nothing is a part
    parts = torch.where(expected == 0, torch.inf, difference / expected.abs())
    relative = torch.where(wrong & (expected != 0), parts, -1.0)
    if not bool((relative > 0).any()):
        relative = torch.where(wrong, parts, -1.0)
    failing = wrong.nonzero().flatten().tolist()
    simple = [i for i in failing if i < len(regimes) and regimes[i] == "simple"]
    return Mismatch(
        count,
        int(judged.sum()),
        float(shown.max()),
        int(shown.argmax()),
        float(relative.max()),
        int(relative.argmax()),
        (simple or failing)[0],
    )


def wrong_at(
    got: torch.Tensor, expected: torch.Tensor, judged: torch.Tensor, tolerance: Tolerance
) -> torch.Tensor:
    """At which judged points a number is not within the tolerance; all of one shape."""
    difference = (got.to(torch.float64) - expected).abs()
    allowed = tolerance.atol + tolerance.rtol * expected.abs()
    return ~(torch.isfinite(difference) & (difference <= allowed)) & judged


def differs(
    got: torch.Tensor, right: torch.Tensor, judged: torch.Tensor, tolerance: Tolerance
) -> bool:
    """Whether any number (N, elements) is not within the tolerance at a judged point (N,)."""
    return bool(wrong_at(got, right, judged[:, None], tolerance).any())


def unstable(text: str, weight: str | None) -> Finding:
    """The note for a value, or for the gradient of `weight`, whose differences from what is right
    are roundings of float64 in the pass itself; `text` says how it differs."""
    if weight is None:
        message = say(
            "the value is the right function, but unstable in floating point: {difference}",
            difference=text,
        )
    else:
        message = say(
            "d y / d {weight} is the right function, but unstable in floating point: {difference}",
            weight=weight,
            difference=text,
        )
    return Finding("unstable", message, "note")


SINGULAR_REGIMES = frozenset({"simple", "near-equal"})
"""Regimes whose points may sit exactly on a singularity of one formula for a function that has none
there: `2 * c2 / c1` for the derivative of `c1 ** 2`, at `c1 = 0`."""


def on_singularities(
    got: torch.Tensor, judged: torch.Tensor, regimes: Sequence[str]
) -> torch.Tensor:
    """Judged points (N,) of those regimes at which a number of `got` (N,) is not finite: told,
    not failed. On the other regimes NaN and inf match nothing."""
    special = drawn_as(tuple(regimes), SINGULAR_REGIMES)
    if len(special) != len(got):
        return torch.zeros_like(judged)
    return judged & special & ~torch.isfinite(got)


def no_points(judged: torch.Tensor) -> bool:
    """Whether there is no point left to judge on."""
    return not bool(judged.any())


class Difference(NamedTuple):
    """How one number of an output, by its row-major position, differs from what is right; `got`
    and `right` (N,), at the points that are `judged` (N,)."""

    element: int
    mismatch: Mismatch
    got: torch.Tensor
    right: torch.Tensor
    judged: torch.Tensor


def describe(case: Case, expected: Expected, difference: Difference) -> str:
    """One line: how many points differ, an example to check by hand, and the allowance."""
    _, mismatch, got, right, _ = difference
    at = mismatch.example
    return say_count(
        "{failed} of {count} points differ; at {point} it is {got:.6g}, should be {right:.6g}; "
        "greatest difference {absolute:.3g} absolute (allowed: {atol:g}), {relative:.3g} relative "
        "(allowed: {rtol:g})",
        "{failed} of {count} points differ; at {point} it is {got:.6g}, should be {right:.6g}; "
        "greatest difference {absolute:.3g} absolute (allowed: {atol:g}), {relative:.3g} relative "
        "(allowed: {rtol:g})",
        mismatch.judged,
        failed=mismatch.failed,
        point=point(case, expected, at),
        got=got[at].item(),
        right=right[at].item(),
        absolute=mismatch.worst_absolute,
        atol=case.tolerance.atol,
        relative=mismatch.worst_relative,
        rtol=case.tolerance.rtol,
    )


def details(
    case: Case, expected: Expected, difference: Difference, shown: Shown
) -> dict[str, object]:
    """The same for a program to read, with the lines that show it."""
    _, mismatch, got, right, _ = difference

    def entry(index: int) -> dict[str, object]:
        return {
            "point": _point(case, expected, index),
            "got": got[index].item(),
            "expected": right[index].item(),
        }

    return {
        "points": mismatch.judged,
        "of": len(expected.judged),
        "differ": mismatch.failed,
        "worst_absolute": mismatch.worst_absolute,
        "worst_absolute_at": entry(mismatch.worst_absolute_at),
        "worst_relative": mismatch.worst_relative,
        "worst_relative_at": entry(mismatch.worst_relative_at),
        "example": entry(mismatch.example),
        "reproducer": reproducer(case, expected, mismatch.example, shown),
        "rtol": case.tolerance.rtol,
        "atol": case.tolerance.atol,
    }


def point(case: Case, expected: Expected, index: int) -> str:
    """`w0=0.5, w1=1, x1=2` for a person; of matrices, their sizes, or shapes where the task says
    the sizes."""
    if case.leaves:
        return case.sizes or ", ".join(f"{leaf.name} {list(leaf.shape)}" for leaf in case.leaves)
    return ", ".join(f"{k}={v:.6g}" for k, v in _point(case, expected, index).items())


def _point(case: Case, expected: Expected, index: int) -> dict[str, float]:
    names = (*case.weight_names, *case.input_names)
    numbers = torch.cat([expected.weights[index], expected.inputs[index]]).tolist()
    probes = {name for leaf in case.leaves if leaf.probe for name in leaf.elements}
    return {name: number for name, number in zip(names, numbers, strict=True) if name not in probes}


def observed_tolerance(tolerance: Tolerance) -> Tolerance:
    """Ten times the tolerance: the child's float32 results carry the rounding of the student's own
    formula, which autograd's does not bound."""
    return Tolerance(10 * tolerance.rtol, 10 * tolerance.atol)


def told_by_single(
    expected: Expected, tolerance: Tolerance, outputs: Collection[str] = ()
) -> torch.Tensor:
    """At which points (N,) float32 tells these outputs, or all: where autograd's float32 run is
    off by less than a sixteenth of the allowance, so that another order of the same operations
    cannot miss it."""
    single = torch.ones_like(expected.judged)
    for name in outputs or expected.outputs:
        allowed = tolerance.atol + tolerance.rtol * expected.outputs[name].abs()
        single &= (expected.float32_error[name] * 16 <= allowed).all(1)
    return single

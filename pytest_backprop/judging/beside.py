"""Holds the runs beside the draws of a task against torch's own: inputs that lie otherwise in
memory, other dtypes, kinks, no rows at all. These were seen by the child alone."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from ..messages import say
from ..model import LOSS, VALUE, Fault, Finding, Place, Recording, Span, gradient_of
from .case import Beside, Case, PassCase

TIMES = 10
"""How many times the tolerance the child's own float32 results may be off."""


def differs(case: Case, run: Beside, output: str, right: str = "") -> bool:
    """Whether any number that came back for an output is another than in the reference's output
    of that name, or of the name `right`; at a kink, whether any is no number."""
    got = run.evidence.pass_runs[0].tensor(output)
    numbers = run.reference.outputs[right or output].data
    if got is None or len(got.data) != len(numbers):
        return True
    if run.reference.at_kinks:
        return not all(map(math.isfinite, got.data))
    rtol, atol = TIMES * case.tolerance.rtol, TIMES * case.tolerance.atol
    pairs = zip(got.data, numbers, strict=True)
    return not all(abs(own - number) <= atol + rtol * abs(number) for own, number in pairs)


def value_fault(case: Case) -> Finding | None:
    """The first run beside in which the value has another shape, dtype or other numbers."""
    place = value_place(case)
    for run in case.beside:
        fault = run.evidence.forward_runs[0].fault
        if fault is not None:
            return _raises(case, run, fault, say(case.wording.value), place)
        value, right = run.evidence.pass_runs[0].tensor(VALUE), run.reference.outputs[VALUE]
        if value is None:
            continue  # backward raised first: told with the gradient
        if value.shape != right.shape:
            return shape_fault(case, value.shape, right.shape, run.where)
        if value.dtype != right.dtype:
            return Finding(
                "wrong-dtype",
                say(
                    "forward returns {dtype} {where}; the function gives {wanted}",
                    dtype=value.dtype,
                    where=run.where,
                    wanted=right.dtype,
                ),
                place=place,
                hint=say("do not convert the value to another dtype"),
            )
        if differs(case, run, VALUE):
            return Finding(
                "wrong-value",
                say("forward does not return the function's value {where}", where=run.where),
                place=place,
                hint=say("compare its expression with the task, operation by operation"),
            )
    return None


def _raises(case: Case, run: Beside, fault: Fault, method: str, place: Place | None) -> Finding:
    message = say(
        "{where} {method} raises {error}", method=method, error=fault.text, where=run.where
    )
    place = case.place(fault.site) or place
    return Finding("raises", message, place=place, hint=say(case.wording.beside))


def shape_fault(
    case: Case, shape: Sequence[int], wanted: Sequence[int], where: str = ""
) -> Finding:
    """The finding for a value of a wrong shape."""
    told = {"shape": list(shape), "wanted": list(wanted)}
    return Finding(
        "wrong-shape",
        say(
            "forward returns a tensor of shape {shape} {where}; the function's has {wanted}",
            where=where,
            **told,
        )
        if where
        else say("forward returns a tensor of shape {shape}; the function's has {wanted}", **told),
        place=value_place(case),
        hint=say("return a tensor of the function's own shape"),
    )


def backward_fault(case: Case) -> Finding | None:
    """The first run beside in which backward raises, though forward does not."""
    for run in case.beside:
        fault = run.evidence.pass_runs[0].fault
        if fault is not None and run.evidence.forward_runs[0].fault is None:
            here = case.place(case.evidence.pass_site)
            return _raises(case, run, fault, case.evidence.pass_name, here)
    return None


def gradient_fault(case: Case, name: str, place: Place | None) -> Finding | None:
    """The first run beside in which the gradient of an input is another than torch's."""
    output = gradient_of(name)
    for run in case.beside:
        if run.evidence.pass_runs[0].fault is not None or name not in run.reference.asked:
            continue
        is_zero = run.reference.at_kinks or not any(run.reference.outputs[output].data)
        if run.gradient(name) is None and is_zero:
            continue  # None is zero
        if differs(case, run, output):
            return Finding(
                "wrong-gradient",
                say(
                    "the gradient of {name} differs from torch's {where}",
                    name=name,
                    where=run.where,
                ),
                place=place or case.place(case.evidence.pass_site),
                name=name,
                hint=say("compare it there with `torch.autograd.grad` of the task itself"),
            )
    return None


def returned_place(case: PassCase, name: str) -> Place | None:
    """Where what backward returned for an input is made; the `def` where no op is known."""
    recording, slot = case.recording, case.recording.outputs.get(gradient_of(name))
    storages = set() if slot is None else {recording.values[slot.value].storage}
    return case.place(_made_at(recording, storages) or case.evidence.pass_site)


def value_place(case: Case) -> Place | None:
    """Where the value is made: the last op of the student's in forward; its `def` where there is
    none."""
    sites = [_made_at(r, r.storages_of(LOSS)) for r in case.evidence.forward_recordings[:1]]
    return case.place(next(iter(sites), None) or case.evidence.forward_site)


def _made_at(recording: Recording, storages: Collection[int]) -> Span | None:
    """The line of the last op that makes one of the storages, or writes into it."""
    for op in reversed(recording.ops):
        values = (recording.values[v] for v in (*op.outputs, *op.writes))
        if op.site is not None and any(value.storage in storages for value in values):
            return op.site
    return None

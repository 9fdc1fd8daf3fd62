"""Holds the runs beside the draws of a task against torch's own: inputs that lie otherwise in
memory, other dtypes, kinks, no rows at all. These were seen by the child alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..messages import phrase, say
from ..model import LOSS, VALUE, Finding, Place, Tensor, gradient_of
from .case import Beside, Case, PassCase
from .raises import error_text

LABELS = {
    "spread float32": phrase("on expanded inputs"),
    "transposed float32": phrase("on transposed inputs"),
    "strided float32": phrase("on inputs that are not contiguous"),
    "expanded float32": phrase("on an expanded grad_output, as after `.sum().backward()`"),
    "plain float64": phrase("on float64 inputs"),
    "kinks": phrase("at a kink"),
    "empty": phrase("on an empty batch"),
    "plain": phrase("on other inputs"),
    "unrelated": phrase("where the tape has entries that do not lead to L"),
    "again": phrase("when asked for a second time on the same tape"),
    "after another call": phrase("after a call with other tensors"),
}
TIMES = 10
"""How many times the tolerance the child's own float32 results may be off."""


def where(beside: Beside) -> str:
    """Where a run was, as part of a sentence."""
    label = LABELS.get(beside.reference.label)
    return str(beside.reference.label) if label is None else say(label)


def differs(case: Case, output: Tensor | None, bounds: Sequence[tuple[float, float]]) -> bool:
    """Whether any number of what a run gave is not between what is right, by more than the
    tolerance."""
    if output is None or len(output.data) != len(bounds):
        return True
    rtol, atol = TIMES * case.tolerance.rtol, TIMES * case.tolerance.atol
    return not all(
        low - (atol + rtol * abs(low)) <= got <= high + (atol + rtol * abs(high))
        for got, (low, high) in zip(output.data, bounds, strict=True)
    )


def exactly(tensor: Tensor) -> list[tuple[float, float]]:
    """The bounds of what is this tensor."""
    return [(number, number) for number in tensor.data]


def value_fault(case: Case) -> Finding | None:
    """The first run beside in which the value has another shape, dtype or other numbers."""
    place = value_place(case)
    for beside in case.beside:
        right = beside.reference.outputs[VALUE]
        failed = beside.evidence.forward_runs[0].fault
        if failed is not None:
            return Finding(
                "raises",
                say(
                    "{where} {method} raises {error}",
                    method=say(case.wording.value),
                    error=error_text(failed),
                    where=where(beside),
                ),
                place=case.place(failed.site) or place,
                hint=say(case.wording.beside),
            )
        value = beside.evidence.pass_runs[0].tensor(VALUE)
        if value is None:
            continue  # backward raised first: told with the gradient
        if value.shape != right.shape:
            return shape_fault(case, value.shape, right.shape, where(beside))
        if value.dtype != right.dtype:
            return Finding(
                "wrong-dtype",
                say(
                    "forward returns {dtype} {where}; the function gives {wanted}",
                    dtype=value.dtype,
                    where=where(beside),
                    wanted=right.dtype,
                ),
                place=place,
                hint=say("do not convert the value to another dtype"),
            )
        if differs(case, value, beside.reference.bounds(VALUE)):
            return Finding(
                "wrong-value",
                say("forward does not return the function's value {where}", where=where(beside)),
                place=place,
                hint=say("compare its expression with the task, operation by operation"),
            )
    return None


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
    for beside in case.beside:
        failed = beside.evidence.pass_runs[0].fault
        if failed is not None and beside.evidence.forward_runs[0].fault is None:
            return Finding(
                "raises",
                say(
                    "{where} {method} raises {error}",
                    method=case.evidence.pass_name,
                    error=error_text(failed),
                    where=where(beside),
                ),
                place=case.place(failed.site) or case.place(case.evidence.pass_site),
                hint=say(case.wording.beside),
            )
    return None


def gradient_fault(case: Case, name: str, place: Place | None) -> Finding | None:
    """The first run beside in which the gradient of an input is another than torch's."""
    for beside in case.beside:
        failed = beside.evidence.pass_runs[0].fault
        if failed is not None or name not in beside.reference.asked:
            continue
        gradient, bounds = beside.gradient(name), beside.reference.bounds(gradient_of(name))
        if gradient is None and all(low <= 0 <= high for low, high in bounds):
            continue  # None is zero
        if differs(case, gradient, bounds):
            return Finding(
                "wrong-gradient",
                say(
                    "the gradient of {name} differs from torch's {where}",
                    name=name,
                    where=where(beside),
                ),
                place=place or case.place(case.evidence.pass_site),
                name=name,
                hint=say("compare it there with `torch.autograd.grad` of the task itself"),
            )
    return None


def returned_place(case: PassCase, name: str) -> Place | None:
    """Where what backward returned for an input is made; the `def` where no op is known."""
    values, slot = case.recording.values, case.recording.outputs.get(gradient_of(name))
    sites = [
        op.site
        for op in case.recording.ops
        if slot is not None
        and op.site is not None
        and any(values[v].storage == values[slot.value].storage for v in (*op.outputs, *op.writes))
    ]
    return case.place(sites[-1] if sites else case.evidence.pass_site)


def value_place(case: Case) -> Place | None:
    """Where the value is made: the last op of the student's in forward; its `def` where there is
    none."""
    for recording in case.evidence.forward_recordings[:1]:
        storages = recording.storages_of(LOSS)
        sites = [
            op.site
            for op in recording.ops
            if op.context == "student"
            and op.site is not None
            and any(recording.values[v].storage in storages for v in (*op.outputs, *op.writes))
        ]
        if sites:
            return case.place(sites[-1])
    return case.place(case.evidence.forward_site)

"""Holds the runs beside the draws of a task against torch's own: inputs that lie otherwise in
memory, other dtypes, kinks, no rows at all. These were seen by the child alone."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection

import torch
from msgspec.structs import replace

from ..messages import say
from ..model import LOSS, VALUE, Fault, Finding, Leaf, Place, Tensor, gradient_of
from ..submission.parse import describe_line, tree_of
from .case import Beside, Case
from .compare import observed_tolerance, wrong_at
from .reproduce import random_inputs


def refusal(case: Case, run: Beside) -> str | None:
    """A note on a run that an `assert` or a `raise` of the student's own ends, where tensors lie
    otherwise in memory than at draws or are of another dtype: what it asks of callers is no
    mistake. Second derivatives are seen in such runs alone, and are asked for all the same."""
    fault, is_usual = run.evidence.pass_runs[0].fault, case.evidence.pass_runs[0].fault is not None
    is_usual |= _looks(run.reference.scenario.leaves) == _looks(case.leaves)
    if is_usual or run.reference.has_second or fault is None or fault.site is None:
        return None
    units = () if case.submission is None else case.submission.units[fault.site.unit :]
    for unit in units[:1]:
        nodes = (n for n in ast.walk(tree_of(unit)) if isinstance(n, ast.Assert | ast.Raise))
        if any(n.lineno <= fault.site.line <= (n.end_lineno or 0) for n in nodes):
            place = describe_line(unit, fault.site.line)
            return run.told(say("{place} refuses them, which costs nothing", place=place))
    return None


def _looks(leaves: Collection[Leaf]) -> set[tuple[str, str]]:
    """How the drawn of some leaves lie in memory, and their dtypes."""
    return {(leaf.layout, leaf.dtype) for leaf in leaves if leaf.is_drawn}


def differs(case: Case, run: Beside, output: str) -> bool:
    """Whether any number that came back for an output is another than in the reference; where that
    has none, as at a kink, whether it is no number."""
    got, right = run.evidence.pass_runs[0].tensor(output), run.reference.outputs[output]
    if got is None or len(got.data) != len(right.data):
        return True
    own, numbers = (torch.tensor(each.data, dtype=torch.float64) for each in (got, right))
    if not bool(torch.isfinite(own[numbers.isnan()]).all()):
        return True
    judged = ~numbers.isnan()
    return bool(wrong_at(own, numbers, judged, observed_tolerance(case.tolerance)).any())


def value_fault(case: Case) -> Finding | None:
    """The first run beside in which the value has another shape, dtype or other numbers."""
    place, shown = value_place(case), say(case.wording.value)
    for run in case.beside:
        if (error := run.evidence.runs("forward")[0].fault) is not None:
            return _raises(case, run, error, shown, place)
        value, right = run.evidence.pass_runs[0].tensor(VALUE), run.reference.outputs[VALUE]
        if value is None:
            continue  # backward raised first: told with the gradient
        fault = malformed(value, [right.shape], _dtypes(case, right), shown, place)
        if fault is None and differs(case, run, VALUE):
            message = say("{method} does not return the function's value", method=shown)
            hint = say("compare its expression with the task, operation by operation")
            fault = Finding("wrong-value", message, place=place, hint=hint)
        if fault is not None:
            return _told(case, run, fault)
    return None


def _told(case: Case, run: Beside, fault: Finding) -> Finding:
    """A fault of such a run, with its inputs. At sizes and values as a draw's anything may be
    wrong, else most likely what is different there: the dtype, where a course runs in another, or
    the layout."""
    hint = say(run.reference.hint) if run.reference.hint else fault.hint
    dtypes = {leaf.dtype for leaf in run.reference.scenario.leaves if leaf.is_drawn}
    is_own = run.reference.is_draw or bool(run.reference.hint)
    if fault.kind in ("raises", "wrong-gradient", "wrong-dtype") and not is_own:
        if case.is_vjp and case.evidence.weight_dtype not in dtypes:
            hint = say(
                "make tensors in the dtype of the inputs: `torch.zeros(n, dtype=x.dtype)`; a "
                'course that runs in {dtype} alone has `DTYPE = "{dtype}"` in its task',
                dtype=case.evidence.weight_dtype,
            )
        elif fault.kind != "wrong-dtype":
            hint = say(case.wording.beside)
    return replace(fault, message=run.told(fault.message), hint=hint)


def _dtypes(case: Case, right: Tensor) -> tuple[str, ...]:
    """What a value or a gradient may be of: in a course's own float64 also float32, as at draws."""
    return (right.dtype, "float32") if right.dtype == case.evidence.weight_dtype else (right.dtype,)


def malformed(
    value: Tensor,
    shapes: Collection[tuple[int, ...]],
    dtypes: Collection[str],
    shown: str,
    place: Place | None,
) -> Finding | None:
    """What is wrong with the shape of a value or with its dtype, each of which may be one of some,
    the usual one first."""
    if value.shape not in shapes:
        message = say(
            "{method} returns a tensor of shape {shape}, not {wanted}",
            method=shown,
            shape=list(value.shape),
            wanted=list(next(iter(shapes))),
        )
        hint = say("return the value itself, in its own shape")
        return Finding("wrong-shape", message, place=place, hint=hint)
    if value.dtype not in dtypes:
        words = {"method": shown, "dtype": value.dtype, "wanted": next(iter(dtypes))}
        message = say("{method} returns {dtype}, not {wanted}", **words)
        hint = say("do not convert the value to another dtype")
        return Finding("wrong-dtype", message, place=place, hint=hint)
    return None


def _raises(case: Case, run: Beside, fault: Fault, method: str, place: Place | None) -> Finding:
    message = say("{method} raises {error}", method=method, error=fault.text)
    hint = say(case.wording.raises, inputs=random_inputs(case))
    raises = Finding("raises", message, place=case.place(fault.site) or place, hint=hint)
    return _told(case, run, raises)


def backward_fault(case: Case) -> Finding | None:
    """The first run beside in which backward raises, though forward does not."""
    for run in case.beside:
        fault = run.evidence.pass_runs[0].fault
        if fault is not None and run.evidence.runs("forward")[0].fault is None:
            here = case.place(case.evidence.pass_site)
            return _raises(case, run, fault, case.evidence.pass_name, here)
    return None


def gradient_fault(case: Case, name: str) -> Finding | None:
    """The first run beside in which the gradient of an input is another than torch's."""
    output = gradient_of(name)
    for run in case.beside:
        if run.evidence.pass_runs[0].fault is not None or name not in run.reference.asked:
            continue
        right, got = run.reference.outputs[output], run.gradient(name)
        if got is None and not any(map(abs, filter(math.isfinite, right.data))):
            continue  # None is zero
        # torch's engine casts what a backward gives, and so may a course
        if got is not None and not case.is_vjp and got.dtype not in _dtypes(case, right):
            return _told(case, run, wrong_dtype(name, got, right.dtype))
        if differs(case, run, output):
            message = say("the gradient of {name} differs from torch's", name=name)
            hint = say(case.wording.wrong_gradient, y=case.y)
            return _told(case, run, Finding("wrong-gradient", message, name=name, hint=hint))
    return None


def wrong_dtype(name: str, got: Tensor, wanted: str) -> Finding:
    """The finding for a gradient of another dtype than its leaf."""
    words = {"name": name, "dtype": got.dtype, "wanted": wanted}
    message = say("the gradient of {name} is {dtype}, not {wanted}", **words)
    return Finding(
        "wrong-dtype", message, name=name, hint=say("do not convert it to another dtype")
    )


def value_place(case: Case) -> Place | None:
    """Where the value is made, or last written to: the last such op in forward; its `def` where
    there is none."""
    for recording in case.evidence.recordings("forward")[:1]:
        storages = recording.storages_of(LOSS)
        for op in reversed(recording.ops):
            values = (recording.values[v] for v in (*op.outputs, *op.writes))
            if op.site is not None and any(value.storage in storages for value in values):
                return case.place(op.site)
    return case.place(case.evidence.forward_site)

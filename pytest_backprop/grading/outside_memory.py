"""Release, seen from outside: the kernel's account of a pass on long vectors, in units of a vector.

The recorder sees tensors through weak references inside the child. What it cannot see (a numpy copy,
a list of numbers, a buffer) is memory all the same, and the child does not count its own memory.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
import os
from collections.abc import Iterable
from typing import NamedTuple

import torch
from msgspec.structs import replace

from ..exercises.functions.bank import Variant
from ..messages import say
from ..model import Op, Recording, Unit, Value
from ..trace.copies import copies
from ..trace.graph import computes, op_name
from ..trace.lateness import first_op_after
from ..trace.op_table import having
from ..trace.ops import overload_of
from ..trace.watched import COPIES, NUMBERS
from ..worker.account import Weight
from ..worker.child_watch import Outcome
from ..worker.protocol import COPY, LoadProblem, Weighed

COUNTED_LATE = max(32, 2 * (os.cpu_count() or 1))
"""Pages that Linux may count late on one processor (the batch of its per-cpu counters)."""

LENGTH = 4 * COUNTED_LATE * 4096 // 4 + 64
"""Elements of a vector. As float32 it is four times what is counted late. Even as bool it is 128 KB
and more, which the allocator takes from the kernel and gives back one by one
(MALLOC_MMAP_THRESHOLD_)."""

TIMES = 4
"""How much longer the vectors of the second run are that a suspect pass gets."""

SUSPECT = 0.25
"""Vectors that may go unexplained without a second run: Python's own small things. Over 109 right
submissions of the corpus the kernel never saw more than 0.15 above the recorder's account. It may
see 0.6 less, for what it counts late: hence `TIMES`, which makes that little."""

ITEM_SIZE = {
    "float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "bool": 1, "uint8": 1, "int8": 1,
    "int16": 2, "int32": 4, "int64": 8, "complex64": 8, "complex128": 16,
}  # fmt: skip

SIZED, LEAN = having("sized"), having("lean")


class Outside(NamedTuple):
    """One pass on long vectors as the kernel saw it, in vectors.

    `peak` and `kept` (at its end) by the kernel, `kept_by_psutil` by psutil; `seen_peak` and
    `seen_kept` as the recorder's lives have it; `autograd_peak` torch's own run of the variant by
    the kernel, None if that could not be measured. `hidden` vectors are in memory and in no life;
    0 where an op takes memory for itself, so that they cannot be told: `untold` is its name.
    """

    peak: float
    kept: float
    kept_by_psutil: float
    seen_peak: float
    seen_kept: float
    autograd_peak: float | None
    hidden: int
    untold: str = ""


class NotMeasured(NamedTuple):
    """Why a pass was not measured on long vectors. `ours`: nothing of the submission's was the cause."""

    reason: str
    ours: bool = False


def outside(
    recording: Recording, weight_dtype: str, outcome: Outcome | None, autograd: Outcome | None
) -> Outside | NotMeasured:
    """What the kernel saw against what the recorder saw; or why that cannot be had. A pass that does
    not go on vectors the way that was recorded shows nothing."""
    if outcome is None:
        return NotMeasured(say("the worker that runs it failed"), ours=True)
    why = _not_run(outcome) or _astray(recording, outcome)
    if why is not None:
        return NotMeasured(why)
    if outcome.weight is None:
        return NotMeasured(say("its memory cannot be read here"), ours=True)
    unit = ITEM_SIZE.get(weight_dtype, 4) * LENGTH
    seen_peak, seen_kept = seen_sizes(recording, weight_dtype)
    peak, kept = outcome.weight.peak / unit, outcome.weight.kept / unit
    more = max(peak - seen_peak, kept - seen_kept)
    untold = _untold(recording)
    hidden = 0 if untold else max(0, round(more))
    measured = autograd.weight if autograd is not None else None
    return Outside(
        peak,
        kept,
        outcome.weight.kept_by_psutil / unit,
        seen_peak,
        seen_kept,
        None if measured is None else measured.peak / (4 * LENGTH),
        hidden,
        untold,
    )


def is_suspect(measured: Outside) -> bool:
    """Whether the kernel saw more than the recorder, so that a second run must tell."""
    more = max(measured.peak - measured.seen_peak, measured.kept - measured.seen_kept)
    return more > SUSPECT


def grown(once: Outcome | None, longer: Outcome | None) -> Outcome | None:
    """What a pass takes for each LENGTH by which vectors of `TIMES` that length are longer: what does
    not grow with them, such as a long text that is printed, is no value of the pass."""
    if once is None or longer is None:
        return None
    if once.weight is None or longer.weight is None:
        return longer
    less, more = once.weight, longer.weight
    per_length = Weight(
        (more.peak - less.peak) // (TIMES - 1),
        (more.kept - less.kept) // (TIMES - 1),
        (more.kept_by_psutil - less.kept_by_psutil) // (TIMES - 1),
    )
    return replace(longer, weight=per_length)


def seen_sizes(recording: Recording, weight_dtype: str) -> tuple[float, float]:
    """The most vectors that are alive at once, and those that outlive the pass, as the recorder's
    lives have it."""
    values = recording.values
    wide = _leaf_storages(recording)
    taken = False  # a number that is too plain to be followed may be a constant after that
    for op in recording.ops:
        taken = taken or op.target in NUMBERS
        if _is_wide(op, values, wide) or (taken and op.target == "torch::constant"):
            wide.update(values[v].storage for v in op.outputs)
    sizes: dict[int, float] = {}
    for value in values:
        if value.storage in wide:
            share = ITEM_SIZE.get(value.dtype, 4) / ITEM_SIZE.get(weight_dtype, 4)
            size = math.prod(value.shape) * share
            sizes[value.storage] = max(sizes.get(value.storage, 0.0), size)
    change = [0.0] * (len(recording.ops) + 1)
    left = copies(recording)
    for life in recording.lives:
        change[life.born] += sizes.get(life.storage, 0.0)
        end = life.dead_by
        if end is not None and life.storage in left:
            # a copy is kept until the statement is done that uses its numbers
            end = max(end, first_op_after(recording, *left[life.storage]))
        if end is not None:
            change[end] -= sizes.get(life.storage, 0.0)
    alive = list(itertools.accumulate(change))
    converted = [_converted(op, values, wide, weight_dtype) for op in recording.ops]
    peak = max(map(operator.add, alive, [*converted, 0.0]))
    return peak, alive[-1]


AUTOGRAD_PASS = "autograd_pass"
"""What the pass of that submission is called."""


def autograd_text(variant: Variant) -> Unit:
    """A submission in which torch's autograd is the pass, from the variant's program, with each
    value dropped where the program drops it."""
    lines = []
    for index, step in enumerate(variant.program):
        terms = [f"v{operand}" for operand in step.operands]
        lines.append(f"v{index} = {_expression(step.code, step.name, step.value, terms)}")
        lines += [f"del v{operand}" for operand in step.drops]
    weights = "\n".join(
        f"        self.{name} = nn.Parameter(torch.tensor(0.5))" for name in variant.weights
    )
    names = "\n".join(f"            {name} = self.{name}" for name in variant.weights)
    body = "\n".join(f"            {line}" for line in lines)
    inputs = ", ".join(variant.inputs)
    last = f"v{len(variant.program) - 1}"
    text = f"""import torch
from torch import nn
class Autograd(nn.Module):
    def __init__(self):
        super().__init__()
{weights}
    def forward(self, {inputs}):
        return None
    def {AUTOGRAD_PASS}(self, {inputs}):
        with torch.enable_grad():
{names}
{body}
            {last}.backward(torch.ones_like({last}))
        return {last}
"""
    return Unit(text, None, text)


def _expression(code: str, name: str, value: float | None, terms: list[str]) -> str:
    if code == "load":
        return name
    if code in ("constant", "exponent"):
        return repr(value)
    if code == "call":
        function = {"max": "maximum", "min": "minimum"}.get(name, name)
        operands = ", ".join(f"torch.as_tensor({term})" for term in terms)  # some are numbers
        return f"torch.{function}({operands})"
    if code in ("neg", "pos"):
        return {"neg": "-", "pos": "+"}[code] + terms[0]
    operator = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}[code]
    return f" {operator} ".join(terms)


def _is_wide(op: Op, values: tuple[Value, ...], wide: set[int]) -> bool:
    """Whether an op's results are vectors in the pass on vectors."""
    if any(values[v].storage in wide for v in (*op.reads, *op.writes)):
        return True
    return op_name(op) in SIZED and not op.target.startswith("torch::")


def _converted(op: Op, values: tuple[Value, ...], wide: set[int], weight_dtype: str) -> float:
    """Vectors that an op takes while it runs, for operands that it converts to their common dtype,
    as of `mask * t`."""
    if op_name(op) in LEAN or op.context == "python":
        return 0.0
    read = [values[v] for v in op.reads if values[v].storage in wide]
    dtypes = {value.dtype for value in read}
    if len(dtypes) < 2 or not dtypes <= ITEM_SIZE.keys():
        return 0.0
    common = functools.reduce(torch.promote_types, (getattr(torch, name) for name in dtypes))
    name = str(common).removeprefix("torch.")
    elements = sum(math.prod(value.shape) for value in read if value.dtype != name)
    return elements * ITEM_SIZE[name] / ITEM_SIZE.get(weight_dtype, 4)


def _untold(recording: Recording) -> str:
    """The first op that may take memory beside its result's, which then cannot be told from what is
    hidden; "" if there is none."""
    for op in recording.ops:
        compares = op.target == "python::bool" and len(op.reads) > 1  # `torch.allclose`
        if compares or (
            op.context != "python" and op_name(op) not in LEAN and not _is_pointwise(op)
        ):
            return op_name(op)
    return ""


def _is_pointwise(op: Op) -> bool:
    return torch.Tag.pointwise in getattr(overload_of(op.target), "tags", ())


def _not_run(outcome: Outcome) -> str | None:
    """Why a pass did not run on vectors to its end."""
    if isinstance(outcome.answer, Weighed) and outcome.answer.problem:
        return outcome.answer.problem.rstrip(": ")  # an error may have no text
    if isinstance(outcome.answer, LoadProblem):
        return outcome.answer.message
    return outcome.message if outcome.how != "answered" else None


def _astray(recording: Recording, outcome: Outcome) -> str | None:
    """Where the run on vectors left the way that was recorded; None if it did not."""
    there = _same_steps(outcome.answer.ops if isinstance(outcome.answer, Weighed) else ())
    here = _steps(recording)
    for number, (wanted, found) in enumerate(itertools.zip_longest(here, there), 1):
        if wanted is None or found is None or wanted[0] != found[0]:
            return say(
                "it does other work there: op {number} is {found}, not {wanted}",
                number=number,
                found=say("missing") if found is None else found[0],
                wanted=say("missing") if wanted is None else wanted[0],
            )
        if wanted[1] and not found[1]:
            return say(
                "it makes no vector there with op {number}, `{op}`", number=number, op=wanted[0]
            )
    return None


def _steps(recording: Recording) -> list[tuple[str, bool]]:
    """The ops of a recording that compute, as a run on vectors lists them (`Weighed.ops`): there a
    number that was taken out is a vector, so `k / t` is one op of it and not `1 / t` times `k`."""
    values, wide = recording.values, _leaf_storages(recording)
    steps: list[tuple[str, bool]] = []
    for op in recording.ops:
        name, is_wide = op_name(op), _is_wide(op, values, wide)
        if is_wide:
            wide.update(values[v].storage for v in op.outputs)
        if op.context == "python":
            if name in COPIES and (not steps or steps[-1][0] != COPY):
                steps.append((COPY, True))
        elif computes(name):
            steps.append((name, is_wide))
    return _same_steps(steps)


def _same_steps(steps: Iterable[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """Without the difference between an op on a number and on a tensor."""
    return [(SAME_STEPS.get(name, name), wide) for name, wide in steps if name != "reciprocal"]


SAME_STEPS = {"div": "mul", "rsub": "sub"}


def _leaf_storages(recording: Recording) -> set[int]:
    return {v.storage for v in recording.values if v.origin in ("weight", "input")}

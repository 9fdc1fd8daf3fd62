"""The line at which a method on tensors goes wrong, in the words of the field: that of the change
which makes everything right. Where no change does, no line is named."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Method, calling_site
from ..judging.compare import judge_output, wrong_at
from ..messages import phrase, say
from ..model import VALUE, Submission
from ..trace.calls import NotReplayable
from ..trace.replay import Program
from . import DISTRUST
from .graph_tensors import TaskValues
from .tensor_bench import TensorBench
from .tensor_hits import Mended, WantedOutputs
from .tensor_search import mend
from .wording import FaultyLine

POINTS = 6
"""At which a change must make everything right."""
WHAT = {
    "transposed": phrase("a matrix stands transposed, or does not where it should"),
    "axis": phrase("it goes along the wrong axis, or along none"),
    "keepdim": phrase("`keepdim` is missing, or stands where it should not"),
    "not summed": phrase("it is not summed over an axis along which it was spread"),
    "mean": phrase("a factor like 1/n is missing, or is there twice"),
    "factor": phrase("a factor is wrong or missing"),
    "factor value": phrase("a factor is missing"),
    "sign": phrase("the sign is wrong"),
    "order": phrase("the operands stand the wrong way round"),
    "operator": phrase("another operator is meant"),
    "function": phrase("a function is left out, such as softmax, or another one is meant"),
    "exponent": phrase("the exponent is wrong"),
    "number": phrase("a number in it is wrong"),
    "index": phrase("an index is wrong: is it off by one?"),
    "mask": phrase("the mask is the wrong way round"),
    "mask operand": phrase("the mask is that of another tensor"),
    "mask left out": phrase("a mask is missing"),
    "operand": phrase("it is made of a wrong value"),
    "in place": phrase("a value that it reads was changed in place, and is needed as it was"),
    "overwritten": phrase("a gradient that several parts add to is overwritten"),
    "twice": phrase("a term is there twice, or is no sum"),
    "term": phrase("a term is missing"),
    "lost term": phrase("a term is missing"),
    "extra": phrase("there is a term or factor too many"),
    "role": phrase("what it is made of is right, and it is not"),
    "read": phrase("what it reads is not what it should be here"),
}
"""What is wrong, by the kind of the change."""


def lines_on_tensors(
    case: Case, submission: Submission, variant: MatrixVariant, method: Method
) -> Sequence[FaultyLine]:
    """The line of a method that can be replayed. None where nothing is certain."""
    program, expected, judged = method.verified.program, method.expected, method.expected.judged
    replayed = {} if method.replayed is None else method.replayed.only(expected.widths).outputs
    off = {
        name: wrong_at(got, expected.outputs[name], judged[:, None], case.tolerance)
        for name, got in replayed.items()
    }
    wrong = [name for name in off if judge_output(method, name, case.tolerance).wrong is not None]
    if program is None or not wrong:
        return ()
    # first the points at which most is wrong: a fault may show on one side of a kink alone
    telling = torch.stack([off[name].any(1) for name in wrong]).sum(0)
    # where a right output is off, it is so by roundings, or on a singularity
    for name in off.keys() - wrong:
        judged = judged & ~off[name].any(1)
    rows = torch.where(judged, telling, -1).argsort(descending=True, stable=True)[:POINTS]
    at = rows[judged[rows]]
    points = expected.points[at]
    wanted = WantedOutputs(
        {name: numbers[at] for name, numbers in expected.outputs.items()},
        [name for name in off if name not in wrong],
        wrong,
        *case.tolerance,
    )
    try:
        task = TaskValues(variant)
        tensors = [task.at(point) for point in points]
        bench = TensorBench(_whole(program), variant.leaves, points, tensors)
        if VALUE not in wrong:
            bench.add_own()
        mended = mend(bench, wanted, variant.leaves)
    except (NotReplayable, *DISTRUST):
        return ()
    if mended is None:
        return ()
    op = bench.op(mended.key)
    site = calling_site(submission, case.evidence.class_name, program.flow.recording, op)
    return (FaultyLine(mended.edit.kind, site, op.name, _message(mended, op.name), "alone"),)


def _message(mended: Mended, name: str | None) -> str:
    what = say(WHAT[mended.edit.kind])
    if name is None:
        return say("it goes wrong here: {what}", what=what)
    return say("`{name}` goes wrong here: {what}", name=name, what=what)


def _whole(program: Program) -> Program:
    """A program with what the outputs do not need, too: a student may have forgotten to read it."""
    flow = program.flow
    ops = enumerate(flow.recording.ops)
    also = {at for at, op in ops if op.context != "python" and at not in flow.views}
    try:
        return Program(flow.recording, flow, also)
    except NotReplayable:
        return program

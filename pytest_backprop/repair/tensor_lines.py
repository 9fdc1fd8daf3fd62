"""The line at which a method on tensors goes wrong, in the words of the field: that of the change
which makes everything right, or those of several lines that do."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..exercises.functions.typed_task import MatrixVariant
from ..judging.case import Case, Method, calling_site
from ..judging.compare import judge_output, wrong_at
from ..model import VALUE, Submission
from ..trace.calls import DISTRUST, NotReplayable
from ..trace.replay import Program
from .graph_tensors import TaskValues
from .tensor_bench import TensorBench
from .tensor_hits import WantedOutputs
from .tensor_search import mend
from .wording import BY_PLACE, MAX_TOLD, FaultyLine, goes_wrong, instead

POINTS = 6
"""At which a change must make everything right."""
MOST_OPS = 2000
"""Of a pass in which a line is sought: a naive loop over pixels has thousands, each change runs all
of them, and a search may not cost the grade."""


def lines_on_tensors(
    case: Case, submission: Submission, variant: MatrixVariant, method: Method
) -> Sequence[FaultyLine]:
    """The lines of a method that can be replayed, any one of which may be the mistake. None where
    nothing is certain."""
    program, expected, judged = method.verified.program, method.expected, method.expected.judged
    replayed = {} if method.replayed is None else method.replayed.only(expected.widths).outputs
    off = {
        name: wrong_at(got, expected.outputs[name], judged[:, None], case.tolerance)
        for name, got in replayed.items()
    }
    wrong = [name for name in off if judge_output(method, name, case.tolerance).wrong is not None]
    if program is None or not wrong or len(program.flow.recording.ops) > MOST_OPS:
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
    except DISTRUST:
        return ()
    lines: list[FaultyLine] = []
    for each in mended[:MAX_TOLD]:
        op, kind = bench.op(each.key), each.edit.kind
        sure = "by role" if kind in BY_PLACE else "one of several" if mended[1:] else "alone"
        site = calling_site(submission, case.evidence.class_name, program.flow.recording, op)
        text = instead(op.name) if lines else goes_wrong(kind, op.name)
        lines.append(FaultyLine(kind, site, op.name, text, sure))
    return lines


def _whole(program: Program) -> Program:
    """A program with what the outputs do not need, too: a student may have forgotten to read it."""
    flow = program.flow
    ops = enumerate(flow.recording.ops)
    also = {at for at, op in ops if op.context != "python" and at not in flow.views}
    try:
        return Program(flow.recording, flow, also)
    except NotReplayable:
        return program

"""Error carried forward: a gradient that is right of the y that the pass calculates, where that y
is wrong, earns the share of its points that the rubric says (`follow_through`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import torch

from ..judging.case import Case
from ..judging.compare import mismatch
from ..judging.credit import verdict
from ..messages import say
from ..model import OTHER_TASK, VALUE, CheckResult, CheckRules, gradient_of
from ..trace.adjoints import Adjoints
from ..trace.calls import NotReplayable


def followed(
    results: Sequence[CheckResult], case: Case, rules: Mapping[str, CheckRules]
) -> list[CheckResult]:
    """The results; where the value of the pass is wrong, that of `gradient` with its share, if that
    is more."""
    by_id = {result.id: result for result in results}
    manual, gradient = by_id.get("manual-forward"), by_id.get("gradient")
    if manual is None or gradient is None or not (rule := rules["gradient"]).follow_through:
        return list(results)
    if not any(f.kind in ("wrong-value", OTHER_TASK) for f in manual.findings):
        return list(results)
    right, total = _right_of_own_value(case), len(case.weight_names)
    share = rule.follow_through * verdict(rule, total - len(right), len(right), total)[1]
    if not right or share <= gradient.fraction:
        return list(results)
    message = say(
        "{message}; right of the value that the pass calculates: {weights} ({score:g} of "
        "{max_score:g} points)",
        message=gradient.message,
        weights=", ".join(right),
        score=share * rule.points,
        max_score=rule.points,
    )
    details = {**gradient.details, "follow_through": {"share": share, "right": [*right]}}
    by_id["gradient"] = msgspec.structs.replace(
        gradient, outcome="partial", fraction=share, message=message, details=details
    )
    return [*by_id.values()]


def _right_of_own_value(case: Case) -> Sequence[str]:
    """The weights whose gradient is, at all judged points, that of the pass's own value, by
    autograd through its replay. One of which the value does not depend is none of them: there is
    nothing to work out."""
    program, replayed = case.manual.verified.program, case.manual.replayed
    if program is None or replayed is None or VALUE not in replayed.outputs:
        return ()
    points, recording = case.manual.expected, program.flow.recording
    alone = msgspec.structs.replace(recording, outputs={VALUE: recording.outputs[VALUE]})
    try:
        own = Adjoints(alone).of_weights(points.weights, points.inputs)
    except NotReplayable:
        return ()
    judged = points.judged & own.isfinite().all(1) & torch.isfinite(replayed.outputs[VALUE][:, 0])
    return [
        name
        for name, right in zip(case.weight_names, own.T, strict=True)
        if (got := replayed.outputs.get(gradient_of(name))) is not None
        and bool(right[judged].any())
        and mismatch(got[:, 0], right, judged, case.tolerance) is None
    ]

"""`zeroing`: gradients are None or zero between the groups of batches, and there alone."""

from __future__ import annotations

from ....judging.case import ObservedCase
from ....messages import say
from ....model import CheckResult, CheckRules, Finding
from .runs import (
    TrainingRun,
    TrainingStep,
    each_step,
    explained,
    failed,
    is_clear,
    place_of_train,
    raised,
    runs_of,
    without_gradients,
)

ID = "zeroing"


def judge(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each step uses the gradients of its own group, and of all of it."""
    missing = without_gradients(case, ID)
    if missing is not None:
        return missing
    for run, step in each_step(runs_of(case)):
        finding = None if run.is_right(step) else wrong_clearing(case, run, step)
        if finding is not None:
            return failed(ID, [finding])
    if raised(case) is not None:
        return CheckResult(ID, "failed", 0.0, say("train did not run to its end"), "observed")
    message = say("gradients are cleared between groups, and nowhere else")
    return CheckResult(ID, "passed", 1.0, message, "observed")


def wrong_clearing(case: ObservedCase, run: TrainingRun, step: TrainingStep) -> Finding | None:
    """What was cleared, or was not, so that a step has the wrong gradient."""
    if step.step is not None and step.backwards and is_clear(step.step.gradients):
        return Finding(
            "cleared-early",
            say("the gradient is cleared before step {number}: what the backwards of its group gave is lost ({where})",
                number=step.number, where=run.where),
            place=case.place((step.clears[-1] if step.clears else step.step).site) or place_of_train(case),
            hint=say("call `zero_grad()` after `optimizer.step()`"),
        )  # fmt: skip
    if explained(run, step) is not None:
        return None  # all is there, and where else it was summed does not matter
    return _cleared_early(case, run, step) or _not_cleared(case, run, step)


def _cleared_early(case: ObservedCase, run: TrainingRun, step: TrainingStep) -> Finding | None:
    """Gradients that were cleared though others are to be added to them."""
    seen: set[int] = set()
    last = None
    for event, rows in step.backwards:
        batches = {batch for batch, _ in rows}
        if seen and not batches <= seen and is_clear(event.gradients):
            cleared = [c for c in step.clears if _between(run, last, c, event)]
            batch, before = min(batches, default=0) + 1, sorted(seen)[-1] + 1
            return Finding(
                "cleared-early",
                say("the gradient is cleared before the backward of batch {batch}: that of batch {before}, of the "
                    "same group, is lost ({where})", batch=batch, before=before, where=run.where),
                place=case.place(cleared[-1].site if cleared else event.site) or place_of_train(case),
                hint=say("call `zero_grad()` once a group: after `optimizer.step()`, or "
                         "before the first batch of the next group"),
            )  # fmt: skip
        seen |= batches
        last = event
    return None


def _not_cleared(case: ObservedCase, run: TrainingRun, step: TrainingStep) -> Finding | None:
    """Gradients of an earlier group that are still there."""
    if step.number == 1 or not step.backwards or is_clear(step.backwards[0][0].gradients):
        return None
    before = run.steps[step.number - 2]
    return Finding(
        "not-cleared",
        say("step {number} uses the gradients of step {before}, too: they were not cleared between the groups "
            "({where})", number=step.number, before=before.number, where=run.where),
        place=case.place(before.site) or place_of_train(case),
        hint=say("call `optimizer.zero_grad()` after `optimizer.step()`"),
    )  # fmt: skip


def _between(run: TrainingRun, first: object, event: object, last: object) -> bool:
    order = [id(each) for each in run.events]
    return order.index(id(first)) < order.index(id(event)) < order.index(id(last))

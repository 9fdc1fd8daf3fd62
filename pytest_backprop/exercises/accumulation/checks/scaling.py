"""`scaling`: each batch counts in its group as its rows do in the joined batches."""

from __future__ import annotations

from ....judging.case import ObservedCase
from ....messages import say
from ....model import CheckResult, CheckRules, Finding, Span
from .runs import (
    TrainingRun,
    TrainingStep,
    factor_afterwards,
    failed,
    place_of_train,
    raised,
    runs_of,
    shares,
    without_gradients,
    written,
)

ID = "scaling"
NEAR = 5e-3
"""How near a factor must be, relatively."""


def judge(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when the losses of all batches have their right factors."""
    missing = without_gradients(case, ID)
    if missing is not None:
        return missing
    for run in runs_of(case):
        for step in (*run.steps, run.rest):
            finding = wrong_factor(case, run, step) if step.sound else None
            if finding is not None:
                return failed(ID, [finding])
    if raised(case) is not None:
        return CheckResult(ID, "failed", 0.0, say("train did not run to its end"), "observed")
    message = say("each batch counts in its group as in the joined batches")
    return CheckResult(ID, "passed", 1.0, message, "observed")


def wrong_factor(case: ObservedCase, run: TrainingRun, step: TrainingStep) -> Finding | None:
    """The first loss of a step that counts too much or too little."""
    reference = run.reference
    groups, rows = reference.groups, reference.rows
    if run.is_right(step) or (step.step is None and len(run.steps) >= len(groups)):
        return None  # what no step uses needs no factor
    afterwards = factor_afterwards(run, step)
    counted = shares(run, step)
    sites: dict[int, Span | None] = {
        batch: event.site for event, own in reversed(step.backwards) for batch, _ in own
    }
    for batch, share in counted.items():
        right = reference.factors[batch]
        group = next((g for g in groups if batch in g), ())
        if not group or share is None or abs(share * afterwards - right) <= NEAR * right:
            continue
        share *= afterwards
        place = case.place(sites.get(batch)) or place_of_train(case)
        told = {"batch": batch + 1, "share": written(share), "right": written(right),
                "where": run.where}  # fmt: skip
        if len({rows[at] for at in group}) > 1 and not _is_one_factor(run, counted):
            return Finding(
                "wrong-weight",
                say("the loss of batch {batch}, which has {rows} of the {all} rows of its group, has the factor "
                    "{share} in it, not {right} ({where})", rows=rows[batch],
                    all=sum(rows[at] for at in group), **told),
                place=place,
                hint=_hint(run),
            )  # fmt: skip
        if len(group) < reference.setting.steps and abs(share * reference.setting.steps - 1) < NEAR:
            return Finding(
                "last-group-scaled",
                say("the last group has {count} of {steps} batches, and their losses are still divided by {steps}: "
                    "each has the factor {share}, not {right} ({where})", count=len(group),
                    steps=reference.setting.steps, **told),
                place=place,
                hint=say("divide by the number of batches that the group has"),
            )  # fmt: skip
        return Finding(
            "not-scaled" if abs(share - 1) <= NEAR else "wrong-scale",
            say("the loss of batch {batch} has the factor {share} in its group, not {right} ({where})",
                **told),
            place=place,
            hint=_hint(run),
        )  # fmt: skip
    return None


def _is_one_factor(run: TrainingRun, counted: dict[int, float | None]) -> bool:
    """Whether all losses are off by the same factor."""
    ratios = [
        None if share is None else share / run.reference.factors[batch]
        for batch, share in counted.items()
    ]
    known = [ratio for ratio in ratios if ratio is not None]
    return len(known) == len(ratios) and max(known) - min(known) <= NEAR * max(map(abs, known))


def _hint(run: TrainingRun) -> str:
    reference = run.reference
    if all(factor == 1 for factor in reference.factors):
        return say("the loss is a sum over the rows: leave it as it is")
    if len(set(reference.rows)) > 1 and len(set(reference.factors)) > 2:
        return say("multiply each loss by `len(x)` and divide by the rows of the whole group")
    return say("divide each loss by the number of batches in its group before its backward")

"""`integrity`, a gate: what was given is trained, each batch by itself. It has one finding of each
kind."""

from __future__ import annotations

from collections.abc import Iterator

from ...judging.case import ObservedCase
from ...judging.credit import by_findings
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding
from .runs import TrainingRun, named, runs_of, vector


def judge_integrity(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when the model, the loss, the optimizer and the batches that were given train, each
    batch by itself."""
    kinds: dict[str, Finding] = {}
    for run in runs_of(case):
        for finding in (*_tampering(run), *_not_accumulated(run), *_not_given(run)):
            kinds.setdefault(finding.kind, finding)
    findings = list(kinds.values())
    details = {"gate": findings[0].message} if findings else {}
    passed = say("the given model, loss and optimizer are trained, batch by batch")
    return by_findings("integrity", rules, findings, passed, details)


def _tampering(run: TrainingRun) -> Iterator[Finding]:
    for breach in run.evidence.breaches:
        if breach.kind == "tampering":
            place = run.case.place(breach.site or run.case.evidence.pass_site)
            hint = say("leave the grader's own code alone")
            yield Finding("tampering", breach.detail, place=place, hint=hint)


def _not_accumulated(run: TrainingRun) -> Iterator[Finding]:
    """Gradients that are not those of each batch, added up."""
    for step, group in zip(run.steps, run.reference.groups, strict=False):
        if step.is_sound and step.is_right and not set(step.batches) >= set(group):
            yield run.finding(
                "own-model",
                step.site,
                phrase(
                    "step {number} has a gradient that the backwards of its batches do not give "
                    "({where})"
                ),
                phrase("call the given model on x, and backward on its loss"),
                {"number": step.number},
            )
    for step in (*run.steps, run.rest):
        for event, rows in step.backwards:
            batches = list(dict.fromkeys(batch for batch, _ in rows))
            if len(batches) > 1:
                yield run.finding(
                    "joined-batches",
                    event.site,
                    phrase(
                        "one backward has the rows of the batches {batches}: they are joined, not "
                        "accumulated ({where})"
                    ),
                    phrase("call the model, the loss and backward for each batch by itself"),
                    {"batches": named(batches)},
                )


def _not_given(run: TrainingRun) -> Iterator[Finding]:
    """Parameters, batches or a loss that are others than were given."""
    moved = [event.site for event in run.forwards if event.moved]
    stepped = [event.parameters for event in run.facts.events if event.kind == "step"]
    last = vector(stepped[-1]) if stepped else run.reference.start
    if not moved and run.facts.parameters and not vector(run.facts.parameters).equal(last):
        moved = [None]
    for site in moved[:1]:
        yield run.finding(
            "parameters-set",
            site,
            phrase(
                "the parameters are changed by something else than `optimizer.step()` ({where})"
            ),
            phrase("leave the parameters to the optimizer"),
        )
    for kind, number in run.facts.changed[:1]:
        yield run.finding(
            "batch-changed",
            None,
            phrase("{kind} of batch {number} is changed in place ({where})"),
            phrase("work on a copy"),
            {"kind": kind, "number": number + 1},
        )
    if run.fault is None and not run.facts.losses and any(step.backwards for step in run.steps):
        yield run.finding(
            "own-loss",
            run.steps[0].site,
            phrase("no gradient comes from loss_fn ({where})"),
            phrase("the loss is `loss_fn(model(x), y)`"),
        )

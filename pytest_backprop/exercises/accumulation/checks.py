"""The checks of a training step that accumulates gradients: what happened in each run, held against
training on the joined batches.

Each tells of the first thing that is wrong, in the order of events; `integrity`, a gate, of one of
each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ...judging.case import ObservedCase
from ...judging.credit import by_findings, failed
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding
from . import TrainingEvent
from .runs import TrainingRun, factors, is_clear, named, written

NEAR = 5e-3
"""How near a factor must be, relatively."""

Find = Callable[[TrainingRun], Iterator[Finding]]


def _judge(id: str, find: Find, passed: str, case: ObservedCase, rules: CheckRules) -> CheckResult:
    """The verdict of a check by the first of its findings, where `train` runs to its end and calls
    backward; where it does not, `parameters` says so."""
    runs = [TrainingRun(case, each) for each in case.beside]
    findings = [
        run.finding("raises", run.fault.site, error=run.fault.text)
        for run in runs
        if run.fault is not None
    ]
    if not findings and not any("backward" in run.kinds for run in runs):
        findings = [runs[0].finding("no-backward", None)]
    if findings and id != "parameters":
        return failed(id, say("not counted: {why}", why=findings[0].message))
    findings = findings or [finding for run in runs for finding in find(run)]
    return by_findings(id, rules, findings[:1], say(passed, count=len(runs)))


def _causes(run: TrainingRun) -> Iterator[Finding]:
    """Why the parameters are others, the likeliest first."""
    step, groups, count = run.wrong, run.reference.groups, len(run.steps)
    is_end = not run.steps or run.steps[-1].event.parameters == run.facts.parameters
    if step is None and count == len(groups) and is_end:
        return
    yield from (run.finding("parameters-set", event.site) for event in run.forwards if event.moved)
    if count != len(groups) and (step is None or step.number > len(groups)):
        last = run.steps[min(count - 1, len(groups))] if count else run.rest
        kind = "too-few-steps" if count < len(groups) else "too-many-steps"
        yield run.finding(kind, last.event.site, count=count, right=len(groups))
    if step is None or step.is_right:
        yield run.finding("parameters-set", None if step is None else step.event.site)
    if step is None or step.number > len(groups):
        return
    group = groups[step.number - 1]
    values: dict[str, Any] = {
        "number": step.number,
        "had": named(step.batches) or "–",
        "group": named(group),
    }
    if sorted(step.batches) == sorted(group):
        yield from _wrong_clearing(run)
        yield from _wrong_factors(run)
        yield run.finding("wrong-gradient", step.event.site, **values)
    called = {batch for event in run.forwards for batch, _ in event.rows}
    if len(group) > 1 and called >= set(group) and step.batches == group[-1:]:
        site = step.backwards[0][0].site
        yield run.finding("last-loss-only", site, batch=named(step.batches), **values)
    if step.backwards and not step.batches:
        sites = [event.site for event in run.forwards if not event.rows]
        yield run.finding("other-input", next(iter(sites), step.event.site))
    yield run.finding("other-batches", step.event.site, **values)


def _wrong_clearing(run: TrainingRun) -> Iterator[Finding]:
    """What was cleared, or was not, so that a step has the wrong gradient."""
    step = run.wrong
    if step is None or step.is_right or factors(run, step)[1]:
        return  # all is there, and where else it was summed does not matter
    if step.number > 1 and step.backwards and not is_clear(step.backwards[0][0].gradients):
        before = run.steps[step.number - 2]
        yield run.finding(
            "not-cleared", before.event.site, number=step.number, before=before.number
        )
    earlier: set[int] = set()
    clear: TrainingEvent | None = None
    for event, rows in (*step.log, (step.event, ())):
        if event.kind == "clear":
            clear = event
            continue
        batches = {at for at, _ in rows}
        is_next = event.kind == "step" or not batches <= earlier
        if earlier and is_next and is_clear(event.gradients):
            values: dict[str, Any] = {"before": max(earlier) + 1, "number": step.number}
            yield run.finding("cleared-early", (clear or event).site, **values)
        earlier |= batches
        clear = None


def _wrong_factors(run: TrainingRun) -> Iterator[Finding]:
    """The losses of the first wrong step that count too much or too little; where all steps are
    right and one is missing, those of the rest."""
    reference = run.reference
    step = run.wrong
    if step is None and len(run.steps) < len(reference.groups):
        step = run.rest
    if step is None or step.is_right:
        return
    for batch, factor in factors(run, step)[0].items():
        right = reference.factors[batch]
        group = next((group for group in reference.groups if batch in group), ())
        if factor is None or not group or abs(factor - right) <= NEAR * right:
            continue
        yield run.finding(
            "wrong-scale",
            next(e.site for e, rows in step.backwards if batch in {at for at, _ in rows}),
            batch=batch + 1,
            share=written(factor),
            right=written(right),
            count=len(group),
        )


def _graphs_kept(run: TrainingRun) -> Iterator[Finding]:
    """Graphs that have what they saved when another is made, or are held for longer than a name in
    the loop does: the names of the round before still stand for its prediction and loss."""
    forwards: dict[int, TrainingEvent] = {}
    backwards = {e.number: e for e in reversed(run.facts.events) if e.kind == "backward"}
    for event in run.forwards:
        latest = _batch(forwards.get(event.number - 1))
        for old in (forwards[call] for call in reversed(event.history) if call in forwards):
            values: dict[str, Any] = {"batch": _batch(event), "before": _batch(old)}
            if old.number in event.alive:
                site = backwards.get(old.number, event).site
                yield run.finding("graph-kept", site, **values)
            elif _batch(old) != latest:
                yield run.finding("history-kept", old.site, **values)
        forwards[event.number] = event


def _batch(event: TrainingEvent | None) -> int | str:
    return event.rows[0][0] + 1 if event and event.rows else "?"


def judge_integrity(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when the model and the loss that were given train, each batch by itself."""
    kinds: dict[str, Finding] = {}
    for run in (TrainingRun(case, each) for each in case.beside):
        for finding in _not_accumulated(run):
            kinds.setdefault(finding.kind, finding)
    findings = list(kinds.values())
    details = {"gate": findings[0].message} if findings else {}
    passed = say("the given model, loss and optimizer are trained, batch by batch")
    return by_findings("integrity", rules, findings, passed, details)


def _not_accumulated(run: TrainingRun) -> Iterator[Finding]:
    """Gradients that are not those of each batch by the given loss, added up."""
    for step, group in zip(run.steps, run.reference.groups, strict=False):
        if step.is_right and not set(step.batches) >= set(group):
            yield run.finding("own-model", step.event.site, number=step.number)
        if step is run.wrong:
            break
    backwards = [entry for step in (*run.steps, run.rest) for entry in step.backwards]
    for event, rows in backwards:
        batches = list(dict.fromkeys(batch for batch, _ in rows))
        if len(batches) > 1:
            yield run.finding("joined-batches", event.site, batches=named(batches))
    if run.fault is None and "loss" not in run.kinds and backwards:
        yield run.finding("own-loss", run.steps[0].event.site if run.steps else None)


_FIRST_FINDINGS: tuple[tuple[str, Find, str], ...] = (
    (
        "parameters",
        _causes,
        phrase("the parameters are those of training on the joined batches, in {count} runs"),
    ),
    ("zeroing", _wrong_clearing, phrase("gradients are cleared between groups, and nowhere else")),
    ("scaling", _wrong_factors, phrase("each batch counts in its group as in the joined batches")),
    ("release", _graphs_kept, phrase("no batch's graph is alive when the next forward runs")),
)
CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = {
    **{id: partial(_judge, id, find, passed) for id, find, passed in _FIRST_FINDINGS},
    "integrity": judge_integrity,
}

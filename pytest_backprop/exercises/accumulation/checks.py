"""The checks of a training step that accumulates gradients: what happened in each run, held against
training on the joined batches.

Findings stand in the order of events. `parameters`, `zeroing`, `scaling` and `release` have one;
`integrity`, which is a gate, has one of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from ...judging.case import ObservedCase
from ...judging.raises import error_text
from ...messages import say
from ...model import CheckResult, CheckRules, Finding, Span
from .facts import TrainingEvent
from .findings import BY_BATCHES, BY_ROWS, LEAVE_GRADER, NO_FACTOR
from .joined import is_near
from .runs import (
    TrainingRun,
    TrainingStep,
    explained,
    factor_afterwards,
    flat,
    is_clear,
    named,
    runs_of,
    shares,
    written,
)

NEAR = 5e-3
"""How near a factor must be, relatively."""
Find = Callable[[TrainingRun], Iterator[Finding]]


def judge_parameters(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when all runs end, and each of their steps, where training on the joined batches
    does."""
    runs = runs_of(case)
    findings = [
        run.finding("raises", run.fault.site, error=error_text(run.fault))
        for run in runs
        if run.fault is not None
    ]
    if not findings and not _has_backward(runs):
        findings = [runs[0].finding("no-backward", None)]
    if not findings:
        findings = [finding for run in runs for finding in _wrong_parameters(run)]
    message = say(
        "the parameters are those of training on the joined batches, in {count} runs",
        count=len(runs),
    )
    return _result("parameters", findings[:1], message)


def _wrong_parameters(run: TrainingRun) -> Iterator[Finding]:
    reference, setting = run.reference, run.reference.setting
    before = reference.start
    for step, right in zip(run.steps, reference.parameters, strict=False):
        after = () if step.event is None else flat(step.event.parameters)
        if not is_near(after, right, before):
            yield _wrong_step(run, step)
            return
        before = after
    count, right_count = len(run.steps), len(reference.groups)
    left = setting.batches % setting.steps
    is_full = right_count == setting.batches // setting.steps
    if count > right_count:
        extra = run.steps[right_count]
        if left and is_full and extra.batches:
            values = {"count": left, "steps": setting.steps}
            yield run.finding("last-group-stepped", extra.site, **values)
        else:
            yield run.finding("too-many-steps", extra.site, count=count, right=right_count)
    elif count < right_count:
        site = run.steps[-1].site if run.steps else None
        if left and count == right_count - 1:
            yield run.finding("last-group-dropped", site, count=left, steps=setting.steps)
        else:
            yield run.finding("too-few-steps", site, count=count, right=right_count)


def _wrong_step(run: TrainingRun, step: TrainingStep) -> Finding:
    """Why a step leads elsewhere."""
    if run.is_right(step):
        return run.finding("wrong-parameters", step.site, number=step.number)
    group = run.reference.groups[step.number - 1]
    if sorted(step.batches) != sorted(group):
        return _other_batches(run, step, group)
    finding = next(_wrong_clearing(run, step), None) or next(_wrong_factor(run, step), None)
    values = {"number": step.number, "group": named(group)}
    return finding or run.finding("wrong-gradient", step.site, **values)


def _other_batches(run: TrainingRun, step: TrainingStep, group: tuple[int, ...]) -> Finding:
    """A step with the gradients of other batches than those of its group."""
    batches = step.batches
    called = {batch for event in run.forwards() for batch, _ in event.rows}
    if len(group) > 1 and called >= set(group):
        if batches == group[-1:]:
            site = step.backwards[0][0].site
            return run.finding("last-loss-only", site, batch=named(batches), group=named(group))
        if batches == group[:1]:
            return run.finding("step-each-batch", step.site, batch=named(batches))
    if batches:
        values = {"number": step.number, "had": named(batches), "group": named(group)}
        return run.finding("other-batches", step.site, **values)
    if step.backwards:
        numbers = {event.number for event, _ in step.backwards}
        sites = [event.site for event in run.forwards() if event.number in numbers]
        return run.finding("other-input", (sites or [step.site])[0])
    return run.finding("empty-step", step.site, number=step.number)


def judge_zeroing(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when gradients are None or zero between the groups of batches, and are not cleared
    within one."""

    def find(run: TrainingRun) -> Iterator[Finding]:
        for step in run.steps:
            if step.sound and not run.is_right(step):
                yield from _wrong_clearing(run, step)

    return _judged(
        case, "zeroing", [find], say("gradients are cleared between groups, and nowhere else")
    )


def _wrong_clearing(run: TrainingRun, step: TrainingStep) -> Iterator[Finding]:
    """What was cleared, or was not, so that a step has the wrong gradient."""
    if step.event is not None and step.backwards and is_clear(step.event.gradients):
        last = step.clears[-1] if step.clears else step.event
        yield run.finding("cleared-early, before the step", last.site, number=step.number)
    if explained(run, step) is not None:
        return  # all is there, and where else it was summed does not matter
    events = run.facts.events
    earlier: set[int] = set()
    start = 0
    for event, rows in step.backwards:
        batches = {batch for batch, _ in rows}
        end = _index(events, event)
        if earlier and not batches <= earlier and is_clear(event.gradients):
            clears = [each for each in events[start:end] if each.kind == "clear"]
            site = clears[-1].site if clears else event.site
            values = {"batch": min(batches, default=0) + 1, "before": max(earlier) + 1}
            yield run.finding("cleared-early", site, **values)
        earlier |= batches
        start = end
    if step.number > 1 and step.backwards and not is_clear(step.backwards[0][0].gradients):
        before = run.steps[step.number - 2]
        values = {"number": step.number, "before": before.number}
        yield run.finding("not-cleared", before.site, **values)


def _index(events: tuple[TrainingEvent, ...], event: TrainingEvent) -> int:
    return next(at for at, each in enumerate(events) if each is event)


def judge_scaling(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each batch counts in its group as its rows do in the joined batches."""

    def find(run: TrainingRun) -> Iterator[Finding]:
        for step in (*run.steps, run.rest):
            if step.sound:
                yield from _wrong_factor(run, step)

    return _judged(
        case, "scaling", [find], say("each batch counts in its group as in the joined batches")
    )


def _wrong_factor(run: TrainingRun, step: TrainingStep) -> Iterator[Finding]:
    """The losses of a step that count too much or too little."""
    reference, steps = run.reference, run.reference.setting.steps
    groups, rows = reference.groups, reference.rows
    if run.is_right(step) or (step.event is None and len(run.steps) >= len(groups)):
        return  # what no step uses needs no factor
    afterwards = factor_afterwards(run, step)
    counted = shares(run, step)
    sites: dict[int, Span | None] = {
        batch: event.site for event, own in reversed(step.backwards) for batch, _ in own
    }
    for batch, share in counted.items():
        right = reference.factors[batch]
        group = next((group for group in groups if batch in group), ())
        if not group or share is None or abs(share * afterwards - right) <= NEAR * right:
            continue
        share *= afterwards
        site, all_rows = sites.get(batch), [rows[at] for at in group]
        values: dict[str, object] = {
            "batch": batch + 1,
            "share": written(share),
            "right": written(right),
        }
        if len(set(all_rows)) > 1 and not _is_one_factor(run, counted):
            values |= {"rows": rows[batch], "all": sum(all_rows)}
            yield run.finding("wrong-weight", site, _way_to_scale(run), **values)
        elif len(group) < steps and abs(share * steps - 1) < NEAR:
            values |= {"count": len(group), "steps": steps}
            yield run.finding("last-group-scaled", site, **values)
        else:
            kind = "not-scaled" if abs(share - 1) <= NEAR else "wrong-scale"
            yield run.finding(kind, site, _way_to_scale(run), **values)


def _is_one_factor(run: TrainingRun, counted: dict[int, float | None]) -> bool:
    """Whether all losses are off by the same factor."""
    factors = run.reference.factors
    ratios = [share / factors[batch] for batch, share in counted.items() if share is not None]
    is_narrow = max(ratios) - min(ratios) <= NEAR * max(map(abs, ratios))
    return len(ratios) == len(counted) and is_narrow


def _way_to_scale(run: TrainingRun) -> str:
    reference = run.reference
    if all(factor == 1 for factor in reference.factors):
        return NO_FACTOR
    by_rows = len(set(reference.rows)) > 1 and len(set(reference.factors)) > 2
    return BY_ROWS if by_rows else BY_BATCHES


def judge_release(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each batch's graph goes before the next one is made, and memory does not grow
    with the group."""
    message = say("no batch's graph is alive when the next forward runs")
    return _judged(case, "release", [_graphs_alive, _graphs_held, _memory_grows], message)


def _graphs_alive(run: TrainingRun) -> Iterator[Finding]:
    """Graphs that still have what they saved when another is made."""
    forwards = {event.number: event for event in run.forwards()}
    for event in forwards.values():
        kept = next((forwards[at] for at in reversed(event.alive) if at in forwards), None)
        if kept is None:
            continue
        values = {"batch": _batch(event), "before": _batch(kept)}
        events = run.facts.events
        backward = next(
            (e for e in events if e.kind == "backward" and e.number == kept.number), None
        )
        if backward is None:
            yield run.finding("graph-kept, no backward", event.site, **values)
        elif _index(events, backward) < _index(events, event):
            yield run.finding("graph-retained", backward.site, **values)
        else:
            yield run.finding("graph-kept", backward.site, **values)


def _graphs_held(run: TrainingRun) -> Iterator[Finding]:
    """Graphs that something holds for longer than a name in the loop does: the names of the round
    before still stand for its predictions and losses."""
    forwards = {event.number: event for event in run.forwards()}
    for event in forwards.values():
        latest = forwards.get(event.number - 1)
        for at in event.history:
            held = forwards.get(at)
            if (
                held is None
                or latest is None
                or at in event.alive
                or _batch(held) == _batch(latest)
            ):
                continue
            values = {"batch": _batch(event), "before": _batch(held)}
            yield run.finding("history-kept", held.site, **values)


def _memory_grows(run: TrainingRun) -> Iterator[Finding]:
    """Memory that each batch of a group adds to, as much as the parameters take."""
    stretch: list[TrainingEvent] = []
    for event in run.facts.events:
        if event.kind == "step":
            stretch = []
        if event.kind != "forward":
            continue
        stretch.append(event)
        # the first call of a run has no names from a round before it
        grown = [after.live - before.live for before, after in pairwise(stretch[1:])][-2:]
        if len(grown) == 2 and min(grown) >= len(run.reference.start) and not event.alive:
            yield run.finding("memory-grows", event.site, count=min(grown))


def _batch(event: TrainingEvent) -> int | str:
    return event.rows[0][0] + 1 if event.rows else "?"


def judge_integrity(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when the model, the loss, the optimizer and the batches that were given train, each
    batch by itself."""
    kinds: dict[str, Finding] = {}
    for run in runs_of(case):
        for finding in (*_tampering(run), *_not_accumulated(run), *_not_given(run)):
            kinds.setdefault(finding.kind, finding)
    findings = list(kinds.values())
    details: dict[str, object] = {"gate": findings[0].message} if findings else {}
    message = say("the given model, loss and optimizer are trained, batch by batch")
    return _result("integrity", findings, message, details)


def _tampering(run: TrainingRun) -> Iterator[Finding]:
    case = run.case
    for breach in run.evidence.breaches:
        if breach.kind == "tampering":
            place = case.place(breach.site) or case.place(case.evidence.pass_site)
            yield Finding("tampering", breach.detail, place=place, hint=say(LEAVE_GRADER))
    if run.facts.overflow:
        yield run.finding("tampering, too much", None)
    if run.facts.forged:
        yield run.finding("tampering, forged", None)


def _not_accumulated(run: TrainingRun) -> Iterator[Finding]:
    """Gradients that are not those of each batch, added up."""
    for step, group in zip(run.steps, run.reference.groups, strict=False):
        is_right = step.sound and run.is_right(step)
        if is_right and step.backwards and set(step.batches) != set(group):
            yield run.finding("other-gradient", step.site, number=step.number)
    for step in (*run.steps, run.rest):
        for event, rows in step.backwards:
            batches = list(dict.fromkeys(batch for batch, _ in rows))
            if len(batches) > 1:
                yield run.finding("joined-batches", event.site, batches=named(batches))


def _not_given(run: TrainingRun) -> Iterator[Finding]:
    """Parameters, batches, a model or a loss that are others than were given."""
    facts, steps = run.facts, run.steps
    moved = [event.site for event in run.forwards() if event.moved]
    stepped = [event.parameters for event in facts.events if event.kind == "step"]
    last = flat(stepped[-1]) if stepped else run.reference.start
    if not moved and flat(facts.parameters) not in ((), last):
        moved = [None]
    for site in moved[:1]:
        yield run.finding("parameters-set", site)
    for name in facts.replaced[:1]:
        yield run.finding("replaced-parameter", None, name=name)
    for kind, number in facts.changed[:1]:
        yield run.finding("batch-changed", None, kind=kind, number=number + 1)
    has_backward = any(step.backwards for step in steps)
    for site in facts.bypasses[:1] if has_backward else ():
        yield run.finding("own-model, bypass", site)
    if run.fault is not None:
        return
    is_used = any(not is_clear(step.event.gradients) for step in steps if step.event is not None)
    if is_used and not _has_backward([run]):
        yield run.finding("own-model", steps[0].site)
    elif has_backward and not facts.losses:
        yield run.finding("own-loss", steps[0].site)


def _judged(case: ObservedCase, id: str, finds: list[Find], passed: str) -> CheckResult:
    """The verdict of a check that needs a backward and a `train` that runs to its end."""
    runs = runs_of(case)
    if not _has_backward(runs):
        message = say("not counted: no loss has a backward")
        return CheckResult(id, "failed", 0.0, message, "observed")
    findings = (finding for find in finds for run in runs for finding in find(run))
    first = next(findings, None)
    if first is None and any(run.fault is not None for run in runs):
        return CheckResult(id, "failed", 0.0, say("train did not run to its end"), "observed")
    return _result(id, [] if first is None else [first], passed)


def _result(
    id: str, findings: list[Finding], passed: str, details: dict[str, object] | None = None
) -> CheckResult:
    """The verdict; `passed` is the message where there are no findings."""
    if not findings:
        return CheckResult(id, "passed", 1.0, passed, "observed")
    message = findings[0].message
    return CheckResult(id, "failed", 0.0, message, "observed", tuple(findings), details or {})


def _has_backward(runs: list[TrainingRun]) -> bool:
    """Whether a gradient of any batch was ever worked out."""
    return any(event.kind == "backward" for run in runs for event in run.facts.events)


CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {
        "parameters": judge_parameters,
        "zeroing": judge_zeroing,
        "scaling": judge_scaling,
        "release": judge_release,
        "integrity": judge_integrity,
    }
)

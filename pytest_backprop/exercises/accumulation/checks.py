"""The checks of a training step that accumulates gradients: what happened in each run, held against
training on the joined batches.

Each tells of the first thing that is wrong, in the order of events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ...judging.case import ObservedCase
from ...judging.credit import by_findings, failed
from ...judging.raises import error_text
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding
from . import RUN_IT
from .facts import TrainingEvent
from .integrity import judge_integrity
from .joined import is_near
from .runs import (
    TrainingRun,
    TrainingStep,
    explained,
    factor_afterwards,
    is_clear,
    named,
    runs_of,
    shares,
    vector,
    written,
)

NEAR = 5e-3
"""How near a factor must be, relatively."""
BY_ROWS = phrase("multiply each loss by `len(x)` and divide by the rows of the whole group")
BY_BATCHES = phrase("divide each loss by the number of batches in its group before its backward")


def judge_parameters(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when all runs end, and each of their steps, where training on the joined batches
    does."""
    runs = runs_of(case)
    message = phrase("{where} train raises {error}")
    findings = [
        run.finding("raises", run.fault.site, message, RUN_IT, {"error": error_text(run.fault)})
        for run in runs
        if run.fault is not None
    ]
    if not findings and not any(run.has_backward for run in runs):
        hint = phrase("call backward on the loss of each batch")
        findings = [runs[0].finding("no-backward", None, phrase("no loss has a backward"), hint)]
    if not findings:
        findings = [finding for run in runs for finding in _wrong_parameters(run)]
    passed = say(
        "the parameters are those of training on the joined batches, in {count} runs",
        count=len(runs),
    )
    return by_findings("parameters", rules, findings[:1], passed)


def _wrong_parameters(run: TrainingRun) -> Iterator[Finding]:
    reference = run.reference
    before = reference.start
    for step, right in zip(run.steps, reference.parameters, strict=False):
        after = vector(step.event.parameters if step.event else ())
        if not is_near(after, right, before):
            yield _wrong_step(run, step)
            return
        before = after
    if len(run.steps) != len(reference.groups):
        yield _wrong_count(run)


def _wrong_count(run: TrainingRun) -> Finding:
    """Steps that are too few or too many, each of them right."""
    setting, count, right = run.reference.setting, len(run.steps), len(run.reference.groups)
    step = run.steps[min(count - 1, right)] if count else None
    site = None if step is None else step.site
    left = setting.batches % setting.steps
    values = {"count": left, "steps": setting.steps}
    is_left_out = right == setting.batches // setting.steps
    if left and is_left_out and count > right and step is not None and step.batches:
        return run.finding(
            "last-group-stepped",
            site,
            phrase(
                "the last group has {count} of {steps} batches, and the optimizer steps on it; "
                "the task drops it ({where})"
            ),
            phrase("step only where a group of `accumulation_steps` batches is complete"),
            values,
        )
    if left and count == right - 1:
        return run.finding(
            "last-group-dropped",
            site,
            phrase(
                "the last group has {count} of {steps} batches, and the optimizer does not step "
                "on it ({where})"
            ),
            phrase(
                "step at the last batch, too: if (i + 1) % accumulation_steps == 0 or "
                "i + 1 == len(batches)"
            ),
            values,
        )
    return run.finding(
        "too-few-steps" if count < right else "too-many-steps",
        site,
        phrase("the optimizer steps {count} times, not {right} times ({where})"),
        phrase("step once a group"),
        {"count": count, "right": right},
    )


def _wrong_step(run: TrainingRun, step: TrainingStep) -> Finding:
    """Why a step leads elsewhere."""
    group = run.reference.groups[step.number - 1]
    had = named(step.batches)
    values = {"number": step.number, "batch": had, "had": had or "–", "group": named(group)}
    if step.is_right:
        return run.finding(
            "wrong-parameters",
            step.site,
            phrase(
                "step {number} has the right gradient, and other parameters than training on the "
                "joined batches ({where})"
            ),
            phrase("leave the parameters, the optimizer and its state as they are"),
            values,
        )
    if sorted(step.batches) == sorted(group):
        finding = next(_wrong_clearing(run, step), None) or next(_wrong_factor(run, step), None)
        return finding or run.finding(
            "wrong-gradient",
            step.site,
            phrase(
                "the gradient of step {number} is not that of the joined batches {group} ({where})"
            ),
            phrase(
                "leave `.grad` to backward, and call it on `loss_fn(model(x), y)` of each "
                "batch, divided as the task asks"
            ),
            values,
        )
    called = {batch for event in run.forwards for batch, _ in event.rows}
    if len(group) > 1 and called >= set(group) and step.batches == group[-1:]:
        return run.finding(
            "last-loss-only",
            step.backwards[0][0].site,
            phrase(
                "the group has the batches {group}, and backward runs on the loss of batch "
                "{batch} alone ({where})"
            ),
            phrase("call backward on the loss of every batch, outside of the if"),
            values,
        )
    if step.backwards and not step.batches:
        numbers = {event.number for event, _ in step.backwards}
        sites = [event.site for event in run.forwards if event.number in numbers]
        return run.finding(
            "other-input",
            (sites or [step.site])[0],
            phrase("the model is called on something else than the x of a batch ({where})"),
            phrase("call it on x as it is"),
        )
    return run.finding(
        "other-batches",
        step.site,
        phrase("step {number} has the gradients of the batches {had}, not {group} ({where})"),
        phrase("step once a group: if (i + 1) % accumulation_steps == 0"),
        values,
    )


def judge_zeroing(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when gradients are None or zero between the groups of batches, and are not cleared
    within one."""

    def find(run: TrainingRun) -> Iterator[Finding]:
        for step in run.steps:
            if step.is_sound and not step.is_right:
                yield from _wrong_clearing(run, step)

    passed = say("gradients are cleared between groups, and nowhere else")
    return _judged(case, rules, "zeroing", find, passed)


def _wrong_clearing(run: TrainingRun, step: TrainingStep) -> Iterator[Finding]:
    """What was cleared, or was not, so that a step has the wrong gradient."""
    clears = [event for event, _ in step.log if event.kind == "clear"]
    if step.event is not None and step.backwards and is_clear(step.event.gradients):
        yield run.finding(
            "cleared-early",
            (clears or [step.event])[-1].site,
            phrase(
                "the gradient is cleared before step {number}: what the backwards of its group "
                "gave is lost ({where})"
            ),
            phrase("call `zero_grad()` after `optimizer.step()`"),
            {"number": step.number},
        )
    if explained(run, step) is not None:
        return  # all is there, and where else it was summed does not matter
    earlier: set[int] = set()
    clear: TrainingEvent | None = None
    for event, rows in step.log:
        if event.kind == "clear":
            clear = event
            continue
        batches = {batch for batch, _ in rows}
        if earlier and not batches <= earlier and is_clear(event.gradients):
            yield run.finding(
                "cleared-early",
                (clear or event).site,
                phrase(
                    "the gradient is cleared before the backward of batch {batch}: that of batch "
                    "{before}, of the same group, is lost ({where})"
                ),
                phrase(
                    "call `zero_grad()` once a group: after `optimizer.step()`, or before the "
                    "first batch of the next group"
                ),
                {"batch": min(batches) + 1, "before": max(earlier) + 1},
            )
        earlier |= batches
        clear = None
    if step.number > 1 and step.backwards and not is_clear(step.backwards[0][0].gradients):
        before = run.steps[step.number - 2]
        yield run.finding(
            "not-cleared",
            before.site,
            phrase(
                "step {number} uses the gradients of step {before}, too: they were not cleared "
                "between the groups ({where})"
            ),
            phrase("call `optimizer.zero_grad()` after `optimizer.step()`"),
            {"number": step.number, "before": before.number},
        )


def judge_scaling(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each batch counts in its group as its rows do in the joined batches."""

    def find(run: TrainingRun) -> Iterator[Finding]:
        for step in (*run.steps, run.rest):
            # what no step uses needs no factor
            is_asked = step.event is not None or len(run.steps) < len(run.reference.groups)
            if step.is_sound and is_asked and not step.is_right:
                yield from _wrong_factor(run, step)

    passed = say("each batch counts in its group as in the joined batches")
    return _judged(case, rules, "scaling", find, passed)


def _wrong_factor(run: TrainingRun, step: TrainingStep) -> Iterator[Finding]:
    """The losses of a step that count too much or too little."""
    reference, steps = run.reference, run.reference.setting.steps
    afterwards = factor_afterwards(run, step)
    for batch, share in shares(run, step).items():
        right = reference.factors[batch]
        group = next((group for group in reference.groups if batch in group), ())
        factor = right if share is None else share * afterwards
        if not group or abs(factor - right) <= NEAR * right:
            continue
        site = next(e.site for e, rows in step.backwards if batch in {at for at, _ in rows})
        values = {"batch": batch + 1, "share": written(factor), "right": written(right)}
        if len(group) < steps and abs(factor * steps - 1) < NEAR:
            yield run.finding(
                "last-group-scaled",
                site,
                phrase(
                    "the last group has {count} of {steps} batches, and their losses are still "
                    "divided by {steps}: each has the factor {share}, not {right} ({where})"
                ),
                phrase("divide by the number of batches that the group has"),
                values | {"count": len(group), "steps": steps},
            )
            continue
        message = phrase(
            "the loss of batch {batch} has the factor {share} in its group, not {right} ({where})"
        )
        kind = "not-scaled" if abs(factor - 1) <= NEAR else "wrong-scale"
        yield run.finding(kind, site, message, _way_to_scale(run), values)


def _way_to_scale(run: TrainingRun) -> str:
    reference = run.reference
    if all(factor == 1 for factor in reference.factors):
        return phrase("the loss is a sum over the rows: leave it as it is")
    by_rows = len(set(reference.rows)) > 1 and len(set(reference.factors)) > 2
    return BY_ROWS if by_rows else BY_BATCHES


def judge_release(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each batch's graph goes before the next one is made."""
    passed = say("no batch's graph is alive when the next forward runs")
    return _judged(case, rules, "release", _graphs_kept, passed)


def _graphs_kept(run: TrainingRun) -> Iterator[Finding]:
    """Graphs that have what they saved when another is made, or are held for longer than a name in
    the loop does: the names of the round before still stand for its prediction and loss."""
    forwards: dict[int, TrainingEvent] = {}
    backwards: dict[int, tuple[int, TrainingEvent]] = {}
    for at, event in enumerate(run.facts.events):
        if event.kind == "backward":
            backwards.setdefault(event.number, (at, event))
    for at, event in enumerate(run.facts.events):
        if event.kind != "forward":
            continue
        kept = next((forwards[call] for call in reversed(event.alive) if call in forwards), None)
        latest = forwards.get(event.number - 1)
        if kept is not None:
            values = {"batch": _batch(event), "before": _batch(kept)}
            position, backward = backwards.get(kept.number, (at, event))
            if position < at:
                yield run.finding(
                    "graph-retained",
                    backward.site,
                    phrase(
                        "the graph of batch {before} still has its saved tensors when the model is "
                        "called on batch {batch}, though its backward is over ({where})"
                    ),
                    phrase("call `backward()` without retain_graph and create_graph"),
                    values,
                )
            else:
                yield run.finding(
                    "graph-kept",
                    backward.site,
                    phrase(
                        "the graph of batch {before} is alive when the model is called on batch "
                        "{batch}: its backward has not run, and memory grows with each batch of "
                        "the group ({where})"
                    ),
                    phrase(
                        "call backward on the loss of each batch before the model is called on the "
                        "next one"
                    ),
                    values,
                )
        held = [forwards[call] for call in event.history if call in forwards]
        for old in held if latest is not None else ():
            if old.number not in event.alive and _batch(old) != _batch(latest):
                yield run.finding(
                    "history-kept",
                    old.site,
                    phrase(
                        "when the model is called on batch {batch}, the graph of batch {before} is "
                        "still held: something keeps its loss or prediction ({where})"
                    ),
                    phrase(
                        "sum and keep numbers, as in `total += loss.item()`, or `loss.detach()`"
                    ),
                    {"batch": _batch(event), "before": _batch(old)},
                )
        forwards[event.number] = event


def _batch(event: TrainingEvent | None) -> int | str:
    return event.rows[0][0] + 1 if event and event.rows else "?"


def _judged(
    case: ObservedCase,
    rules: CheckRules,
    id: str,
    find: Callable[[TrainingRun], Iterator[Finding]],
    passed: str,
) -> CheckResult:
    """The verdict of a check that needs a backward and a `train` that runs to its end."""
    runs = runs_of(case)
    if not any(run.has_backward for run in runs):
        return failed(id, say("not counted: no loss has a backward"))
    first = next((finding for run in runs for finding in find(run)), None)
    if first is None and any(run.fault is not None for run in runs):
        return failed(id, say("train did not run to its end"))
    return by_findings(id, rules, [] if first is None else [first], passed)


CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {
        "parameters": judge_parameters,
        "zeroing": judge_zeroing,
        "scaling": judge_scaling,
        "release": judge_release,
        "integrity": judge_integrity,
    }
)

"""`parameters`: after each step, and at the end, they are those of training on the joined batches."""

from __future__ import annotations

from collections.abc import Iterator

from ....judging.case import ObservedCase
from ....messages import say
from ....model import CheckResult, CheckRules, Finding, Span
from ..joined import is_near
from .runs import (
    TrainingRun,
    TrainingStep,
    failed,
    flat,
    has_backward,
    named,
    place_of_train,
    raised,
    runs_of,
)
from .scaling import wrong_factor
from .zeroing import wrong_clearing

ID = "parameters"


def judge(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when all runs end, and each of their steps, where training on the joined batches does."""
    error = raised(case)
    if error is not None:
        return failed(ID, [error])
    runs = runs_of(case)
    if not has_backward(runs):
        nothing = _finding(
            case, "no-backward", None, say("no loss has a backward"),
            say("call backward on the loss of each batch"),
        )  # fmt: skip
        return failed(ID, [nothing])
    for run in runs:
        finding = next(_faults(case, run), None)
        if finding is not None:
            return failed(ID, [finding])
    message = say("the parameters are those of training on the joined batches, in {count} runs",
                  count=len(runs))  # fmt: skip
    return CheckResult(ID, "passed", 1.0, message, "observed")


def _finding(case: ObservedCase, kind: str, site: Span | None, message: str, hint: str) -> Finding:
    return Finding(kind, message, place=case.place(site) or place_of_train(case), hint=hint)


def _faults(case: ObservedCase, run: TrainingRun) -> Iterator[Finding]:
    """What is wrong in a run, what comes first first."""
    reference = run.reference
    before = reference.start
    for step, group in zip(run.steps, reference.groups, strict=False):
        right = reference.parameters[step.number - 1]
        after = flat(step.step.parameters) if step.step is not None else ()
        if not is_near(after, right, before):
            yield _at_step(case, run, step, group)
            return
        before = after
    yield from _number(case, run)
    end = flat(run_end(case, run))
    if not is_near(end, before, reference.start):
        yield _finding(
            case, "changed-afterwards", None,
            say("the parameters change after the last step ({where})", where=run.where),
            say("leave the parameters to `optimizer.step()`"),
        )  # fmt: skip


def run_end(case: ObservedCase, run: TrainingRun) -> tuple[tuple[float, ...], ...]:
    """The parameters when `train` returned."""
    found: tuple[tuple[float, ...], ...] = next(
        each.facts.parameters for each in case.beside if each.reference is run.reference
    )
    return found


def _number(case: ObservedCase, run: TrainingRun) -> Iterator[Finding]:
    """Steps that are too many or too few."""
    groups, steps, setting = run.reference.groups, run.steps, run.reference.setting
    left = setting.batches % setting.steps
    last = [step.site for step in steps[-1:]]
    where = {"where": run.where}
    if len(steps) > len(groups):
        extra = steps[len(groups)]
        if left and extra.batches and len(groups) == setting.batches // setting.steps:
            yield _finding(
                case, "last-group-stepped", extra.site,
                say("the last group has {count} of {steps} batches, and the optimizer steps on it; the task drops it "
                    "({where})", count=left, steps=setting.steps, **where),
                say("step only where a group of `accumulation_steps` batches is complete"),
            )  # fmt: skip
        else:
            yield _finding(
                case, "too-many-steps", extra.site,
                say("the optimizer steps {count} times, not {right} times ({where})", count=len(steps),
                    right=len(groups), **where),
                say("step once a group"),
            )  # fmt: skip
    elif len(steps) < len(groups):
        if len(steps) == len(groups) - 1 and left:
            yield _finding(
                case, "last-group-dropped", (last or [None])[0],
                say("the last group has {count} of {steps} batches, and the optimizer does not step on it ({where})",
                    count=left, steps=setting.steps, **where),
                say("step at the last batch, too: if (i + 1) % accumulation_steps == 0 or i + 1 == len(batches)"),
            )  # fmt: skip
        else:
            yield _finding(
                case, "too-few-steps", (last or [None])[0],
                say("the optimizer steps {count} times, not {right} times ({where})", count=len(steps),
                    right=len(groups), **where),
                say("step once a group"),
            )  # fmt: skip


def _at_step(
    case: ObservedCase, run: TrainingRun, step: TrainingStep, group: tuple[int, ...]
) -> Finding:
    """Why a step leads elsewhere."""
    told = {"number": step.number, "where": run.where}
    if not run.is_right(step):
        if set(step.batches) != set(group) or len(step.batches) != len(group):
            return _other_batches(case, run, step, group)
        for known in (
            wrong_clearing(case, run, step),
            wrong_factor(case, run, step),
        ):
            if known is not None:
                return known
        return _finding(
            case, "wrong-gradient", step.site,
            say("the gradient of step {number} is not that of the joined batches {group} ({where})",
                group=named(group), **told),
            say("leave `.grad` to backward, and call it on `loss_fn(model(x), y)` of each "
                "batch, divided as the task asks"),
        )  # fmt: skip
    return _finding(
        case, "wrong-parameters", step.site,
        say("step {number} has the right gradient, and other parameters than training on the joined batches "
            "({where})", **told),
        say("leave the parameters, the optimizer and its state as they are"),
    )  # fmt: skip


def _other_batches(
    case: ObservedCase, run: TrainingRun, step: TrainingStep, group: tuple[int, ...]
) -> Finding:
    """A step with the gradients of other batches than those of its group."""
    told = {"number": step.number, "where": run.where}
    had = step.batches
    if len(group) > 1 and had == group[-1:] and _were_called(run, step, group):
        return _finding(
            case, "last-loss-only", step.backwards[0][0].site,
            say("the group has the batches {group}, and backward runs on the loss of batch {batch} alone ({where})",
                batch=named(had), group=named(group), **told),
            say("call backward on the loss of every batch, outside of the if"),
        )  # fmt: skip
    if len(group) > 1 and had == group[:1] and _were_called(run, step, group):
        return _finding(
            case, "step-each-batch", step.site,
            say("the optimizer steps after batch {batch}, before the rest of its group ({where})",
                batch=named(had), **told),
            say("step once a group: if (i + 1) % accumulation_steps == 0"),
        )  # fmt: skip
    if step.backwards and not had:
        numbers = {event.number for event, _ in step.backwards}
        called = [e for e in run.events if e.kind == "forward" and e.number in numbers]
        return _finding(
            case, "other-input", called[0].site if called else step.site,
            say("the model is called on something else than the x of a batch ({where})", **told),
            say("call it on x as it is"),
        )  # fmt: skip
    if not had:
        return _finding(
            case, "empty-step", step.site,
            say("step {number} comes before any backward ({where})", **told),
            say("step once the gradients of the whole group are there"),
        )  # fmt: skip
    return _finding(
        case, "other-batches", step.site,
        say("step {number} has the gradients of the batches {had}, not {group} ({where})", had=named(had),
            group=named(group), **told),
        say("count the batches from the first: a group is accumulation_steps of them"),
    )  # fmt: skip


def _were_called(run: TrainingRun, step: TrainingStep, group: tuple[int, ...]) -> bool:
    """Whether the model was called on all batches of a group."""
    called = {batch for event in run.events if event.kind == "forward" for batch, _ in event.rows}
    return called >= set(group)

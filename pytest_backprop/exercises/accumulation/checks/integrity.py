"""`integrity`: it is the model, the loss, the optimizer and the batches that were given which train, each batch by
itself. A gate."""

from __future__ import annotations

from collections.abc import Iterator

from ....judging.case import Beside, ObservedCase
from ....messages import say
from ....model import CheckResult, CheckRules, Finding, Span
from .runs import TrainingRun, is_clear, named, place_of_train, runs_of

ID = "integrity"


def judge(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when nothing speaks against the gradients being accumulated."""
    found: dict[str, Finding] = {}
    for run, beside in zip(runs_of(case), case.beside, strict=True):
        for finding in _breaches(case, run, beside):
            found.setdefault(finding.kind, finding)
    if not found:
        message = say("the given model, loss and optimizer are trained, batch by batch")
        return CheckResult(ID, "passed", 1.0, message, "observed")
    findings = tuple(found.values())
    gate = {"gate": findings[0].message}
    return CheckResult(ID, "failed", 0.0, findings[0].message, "observed", findings, gate)


def _breaches(case: ObservedCase, run: TrainingRun, beside: Beside) -> Iterator[Finding]:
    facts, evidence = beside.facts, beside.evidence

    def found(kind: str, site: Span | None, message: str, hint: str) -> Finding:
        return Finding(kind, message, place=case.place(site) or place_of_train(case), hint=hint)

    for breach in evidence.breaches:
        if breach.kind == "tampering":
            yield found("tampering", breach.site, breach.detail,
                        say("leave the grader's own code alone"))  # fmt: skip
    if facts.overflow:
        yield found("tampering", None, say("more happens in a run than the grader takes ({where})", where=run.where),
                    say("call the model once a batch"))  # fmt: skip
    if facts.forged:
        yield found("tampering", None, say("it calls what the grader is told by ({where})", where=run.where),
                    say("leave the grader's own code alone"))  # fmt: skip
    for step, group in zip(run.steps, run.reference.groups, strict=False):
        if step.sound and run.is_right(step) and step.backwards and set(step.batches) != set(group):
            yield found(
                "other-gradient", step.site,
                say("step {number} has a gradient that the backwards of its batches do not give ({where})",
                    number=step.number, where=run.where),
                say("leave `.grad` to the backward of each batch's loss"),
            )  # fmt: skip
    for step in (*run.steps, run.rest):
        for event, rows in step.backwards:
            batches = list(dict.fromkeys(batch for batch, _ in rows))
            if len(batches) > 1:
                yield found(
                    "joined-batches", event.site,
                    say("one backward has the rows of the batches {batches}: they are joined, not accumulated "
                        "({where})", batches=named(batches), where=run.where),
                    say("call the model, the loss and backward for each batch by itself"),
                )  # fmt: skip
    moved = next((e for e in run.events if e.kind == "forward" and e.moved), None)
    if moved is not None:
        yield found(
            "parameters-set", moved.site,
            say("the parameters are changed by something else than `optimizer.step()` "
                "({where})", where=run.where),
            say("leave the parameters to the optimizer"),
        )  # fmt: skip
    last = next((e.parameters for e in reversed(run.events) if e.kind == "step"), None)
    start = run.reference.start
    before = tuple(n for part in last for n in part) if last is not None else start
    end = tuple(n for part in facts.parameters for n in part)
    if end and end != tuple(before) and not _starts_so(end, before):
        yield found(
            "parameters-set", None,
            say("the parameters are changed by something else than `optimizer.step()` "
                "({where})", where=run.where),
            say("leave the parameters to the optimizer"),
        )  # fmt: skip
    if facts.replaced:
        yield found(
            "replaced-parameter", None,
            say("{name} is another parameter than the one that the optimizer has ({where})", name=facts.replaced[0],
                where=run.where),
            say("leave the model's parameters where they are"),
        )  # fmt: skip
    for kind, number in facts.changed[:1]:
        yield found(
            "batch-changed", None,
            say("{kind} of batch {number} is changed in place ({where})", kind=kind, number=number + 1,
                where=run.where),
            say("work on a copy"),
        )  # fmt: skip
    for site in facts.beside[:1] if any(step.backwards for step in run.steps) else ():
        yield found(
            "own-model", site,
            say("a backward runs that does not go through a call of the model ({where})", where=run.where),
            say("call the given model on x, and backward on its loss"),
        )  # fmt: skip
    ran = evidence.pass_runs[0].fault is None
    used = any(not is_clear(step.step.gradients) for step in run.steps if step.step is not None)
    if ran and used and not any(e.kind == "backward" for e in run.events):
        yield found(
            "own-model", run.steps[0].site,
            say("the optimizer steps, and no gradient comes from a call of the model ({where})", where=run.where),
            say("call the given model on x, and backward on its loss"),
        )  # fmt: skip
    elif ran and any(step.backwards for step in run.steps) and not facts.losses:
        yield found(
            "own-loss", run.steps[0].site,
            say("no gradient comes from loss_fn ({where})", where=run.where),
            say("the loss is `loss_fn(model(x), y)`"),
        )  # fmt: skip


def _starts_so(end: tuple[float, ...], start: tuple[float, ...]) -> bool:
    """Whether nothing moved but for how numbers are written."""
    return len(end) == len(start) and all(
        abs(a - b) <= 1e-7 * (1 + abs(b)) for a, b in zip(end, start, strict=True)
    )

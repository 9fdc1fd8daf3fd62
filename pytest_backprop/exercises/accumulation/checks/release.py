"""`release`: no batch's graph is alive when the next forward runs, and memory does not grow with the group."""

from __future__ import annotations

from itertools import pairwise

from ....judging.case import ObservedCase
from ....messages import say
from ....model import CheckResult, CheckRules, Finding
from ..facts import TrainingEvent
from .runs import (
    TrainingRun,
    place_of_train,
    raised,
    runs_of,
    without_gradients,
)

ID = "release"


def judge(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each batch's graph goes before the next one is made."""
    missing = without_gradients(case, ID)
    if missing is not None:
        return missing
    runs = runs_of(case)
    seen = (look(case, run) for look in (_alive, _history, _grows) for run in runs)
    finding = next((each for each in seen if each is not None), None)
    peak = max(
        (len(e.alive) + 1 for run in runs for e in run.events if e.kind == "forward"), default=0
    )
    details: dict[str, object] = {"peak_graphs": peak}
    if finding is not None:
        return CheckResult(ID, "failed", 0.0, finding.message, "observed", (finding,), details)
    if raised(case) is not None:
        return CheckResult(ID, "failed", 0.0, say("train did not run to its end"), "observed")
    message = say("no batch's graph is alive when the next forward runs")
    return CheckResult(ID, "passed", 1.0, message, "observed", (), details)


def _alive(case: ObservedCase, run: TrainingRun) -> Finding | None:
    """A graph that still has what it saved when another is made."""
    forwards = {event.number: event for event in run.events if event.kind == "forward"}
    for event in forwards.values():
        kept = next((at for at in reversed(event.alive) if at in forwards), None)
        if kept is None:
            continue
        told = {"batch": _batch(event), "before": _batch(forwards[kept]), "where": run.where}
        order = list(run.events)
        done = [e for e in order if e.kind == "backward" and e.number == kept]
        if done and order.index(done[0]) < order.index(event):
            return Finding(
                "graph-retained",
                say("the graph of batch {before} still has its saved tensors when the model is called on batch "
                    "{batch}, though its backward is over ({where})", **told),
                place=case.place(done[0].site) or place_of_train(case),
                hint=say("call `backward()` without retain_graph and create_graph"),
            )  # fmt: skip
        later = done[0].site if done else event.site
        return Finding(
            "graph-kept",
            say("the graph of batch {before} is alive when the model is called on batch {batch}: its backward comes "
                "later, and memory grows with each batch of the group ({where})", **told)
            if done
            else say("the graph of batch {before} is alive when the model is called on batch {batch}: its loss has no "
                     "backward ({where})", **told),
            place=case.place(later) or place_of_train(case),
            hint=say("call backward on the loss of each batch before the model is called on the next one"),
        )  # fmt: skip
    return None


def _history(case: ObservedCase, run: TrainingRun) -> Finding | None:
    """Graphs that something holds for longer than a name in the loop does."""
    forwards = {event.number: event for event in run.events if event.kind == "forward"}
    for event in forwards.values():
        # the names of the round before still stand for its predictions and losses
        latest = forwards.get(event.number - 1)
        held = [
            at for at in event.history
            if at not in event.alive and at in forwards and latest is not None
            and _batch(forwards[at]) != _batch(latest)
        ]  # fmt: skip
        if held:
            return Finding(
                "history-kept",
                say("when the model is called on batch {batch}, the graph of batch {before} is still held: "
                    "something keeps its loss or prediction ({where})", batch=_batch(event),
                    before=_batch(forwards[held[0]]), where=run.where),
                place=case.place(forwards[held[0]].site) or place_of_train(case),
                hint=say("sum and keep numbers, as in `total += loss.item()`, or `loss.detach()`"),
            )  # fmt: skip
    return None


def _grows(case: ObservedCase, run: TrainingRun) -> Finding | None:
    """Memory that each batch of a group adds to, as much as the parameters take."""
    size = len(run.reference.start)
    stretch: list[TrainingEvent] = []
    for event in run.events:
        if event.kind == "step":
            stretch = []
        if event.kind != "forward":
            continue
        stretch.append(event)
        # the first call of a run has no names from a round before it
        grown = [b.live - a.live for a, b in pairwise(stretch[1:])]
        if len(grown) >= 2 and min(grown[-2:]) >= size and not event.alive:
            return Finding(
                "memory-grows",
                say("each batch of a group adds {count} numbers to what is kept, as many as the parameters have or more "
                    "({where})", count=min(grown[-2:]), where=run.where),
                place=case.place(event.site) or place_of_train(case),
                hint=say("add each batch's gradients to those before, instead of keeping them all"),
            )  # fmt: skip
    return None


def _batch(event: TrainingEvent) -> int | str:
    return event.rows[0][0] + 1 if event.rows else "?"
